package pathguard

import (
	"context"
	"io/fs"
	"math"
	"slices"
	"strings"
)

// cancelEvery is how many names are judged between two looks at the context.
const cancelEvery = 256

// All is the limit of ReadDir that takes every entry.
const All = math.MaxInt

// ReadDir lists a directory by the path that a caller gave: its visible entries from offset on, at most limit, ascending
// bytewise by name, and how many visible entries there are in all. Hidden are denied and ignored names, names that no path
// can ask for (M-32, M-33), and links that dangle, loop, lead outside or lead to something hidden (M-35).
// Errors: those of Resolve, and of the context. Time: one look at each name; only the page is looked at on the disk, and links.
func (t *Tree) ReadDir(ctx context.Context, path string, offset, limit int) (page []Entry, total int, err error) {
	dir, err := t.Resolve(path, ForDirectory)
	if err != nil {
		return nil, 0, err
	}
	list, err := t.openListing(ctx, dir.Path, dir.resolved)
	if err != nil {
		return nil, 0, err
	}
	defer list.close()
	page, err = list.page(ctx, offset, limit, false)
	return page, len(list.names), err
}

// A listing is one open directory with its visible names in order.
type listing struct {
	tree     *Tree
	fd       int
	path     string // as asked for
	resolved string // without links
	names    []listed
}

// A listed is a name with what is known of it without looking.
type listed struct {
	path  string // of the listing's own, and the name
	name  string // the end of it
	mode  fs.FileMode
	known bool   // the type came with the name
	link  *Entry // what a link leads to
}

func (l *listing) close() { closeDescriptor(l.fd) }

// openListing opens a directory by its path without links and reads its visible names.
func (t *Tree) openListing(ctx context.Context, path, resolved string) (*listing, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fd, err := openBeneath(t.root, resolved, directoryFlags)
	if err != nil {
		return nil, openingFault(err)
	}
	list := &listing{tree: t, fd: fd, path: path, resolved: resolved}
	if err := list.read(ctx); err != nil {
		list.close()
		return nil, err
	}
	slices.SortFunc(list.names, func(a, b listed) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

func (l *listing) read(ctx context.Context) error {
	met := 0
	err := readNames(l.fd, func(raw []byte, mode fs.FileMode, known bool) error {
		if met++; met%cancelEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		entry := listed{mode: mode, known: known}
		entry.path, entry.name = l.named(raw)
		if l.nameVisible(entry) {
			l.add(entry)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return openingFault(err)
	}
	return err
}

// named gives the path and the name of a child in one piece of memory.
func (l *listing) named(raw []byte) (path, name string) {
	if l.path == "." {
		name = string(raw)
		return name, name
	}
	memory := make([]byte, 0, len(l.path)+1+len(raw))
	memory = append(append(append(memory, l.path...), '/'), raw...)
	path = string(memory)
	return path, path[len(l.path)+1:]
}

// nameVisible judges a name by its text.
func (l *listing) nameVisible(entry listed) bool {
	if !validName(entry.name) || DeniedName(entry.name) || len(entry.path) > MaxPathBytes {
		return false
	}
	if l.path == "." && !validForm(entry.name) {
		return false
	}
	if strings.IndexByte(entry.name, '%') < 0 {
		return true
	}
	_, err := ValidatePath(entry.path, ForEither)
	return err == nil
}

// add keeps a name when what it stands for is visible.
func (l *listing) add(entry listed) {
	if !entry.known {
		found, err := lookAt(l.fd, entry.name)
		if err != nil {
			return
		}
		entry.mode, entry.known = found.mode, true
	}
	if entry.mode == fs.ModeSymlink {
		target, ok := l.target(entry)
		if !ok {
			return
		}
		entry.link = &target
	} else if l.ignored(entry, entry.mode == fs.ModeDir) {
		return
	}
	l.names = append(l.names, entry)
}

// ignored judges an entry whose directory is known to be visible, under the name asked for and under that without links.
func (l *listing) ignored(entry listed, dir bool) bool {
	if l.tree.rules.ignoredLeaf(entry.path, dir) {
		return true
	}
	return l.resolved != l.path && l.tree.rules.ignoredLeaf(join(l.resolved, entry.name), dir)
}

// target follows a link of this directory; false when it is to be hidden.
func (l *listing) target(entry listed) (Entry, bool) {
	resolved, found, link, err := l.tree.follow(l.resolved, entry.name)
	if err != nil {
		return Entry{}, false
	}
	dir := found.mode == fs.ModeDir
	if l.ignored(entry, dir) || l.tree.rules.Ignored(resolved, dir) {
		return Entry{}, false
	}
	return Entry{
		Path: entry.path, Type: found.kind(), Symlink: link,
		Size: found.size, Modified: found.modified, resolved: resolved,
	}, true
}

// page looks at a range of the names and gives their entries; with namesOnly it does not look. What has vanished since is left out.
func (l *listing) page(ctx context.Context, offset, limit int, namesOnly bool) ([]Entry, error) {
	offset = min(max(offset, 0), len(l.names))
	names := l.names[offset:]
	names = names[:min(max(limit, 0), len(names))]
	entries := make([]Entry, 0, len(names))
	for i, listed := range names {
		if i%cancelEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if namesOnly && listed.link == nil {
			entries = append(entries, l.place(listed, facts{mode: listed.mode}))
		} else if entry, ok := l.entry(listed); ok {
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

func (l *listing) entry(listed listed) (Entry, bool) {
	if listed.link != nil {
		return *listed.link, true
	}
	found, err := lookAt(l.fd, listed.name)
	if err != nil {
		return Entry{}, false
	}
	if found.mode == fs.ModeSymlink {
		return l.target(listed)
	}
	if found.mode != listed.mode && l.ignored(listed, found.mode == fs.ModeDir) {
		return Entry{}, false
	}
	return l.place(listed, found), true
}

// place makes the entry of a child that is no link.
func (l *listing) place(listed listed, found facts) Entry {
	resolved := listed.path
	if l.resolved != l.path {
		resolved = join(l.resolved, listed.name)
	}
	return Entry{Path: listed.path, Type: found.kind(), Size: found.size, Modified: found.modified, resolved: resolved}
}
