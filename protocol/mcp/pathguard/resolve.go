package pathguard

import (
	"errors"
	"io/fs"
	"strings"
)

const (
	maxLinks       = 40 // as the kernel: more links on one way are a loop
	maxResolutions = 4  // how often a way is walked again that changed under the walk
)

// Resolve finds what a path names and judges it: the text first (M-32, M-33), then the names asked for, then the names
// that links lead to (M-35). The literal path is tried first and its once-decoded form only when there is no such entry.
// ForWrite paths are for OpenDirForWrite and are refused here as not found unless they exist.
// Errors: those of ValidatePath, path_ignored, path_outside_root, not_found, not_a_file, not_a_directory, not_a_regular_file, permission_denied.
func (t *Tree) Resolve(path string, use Use) (Entry, error) {
	clean, err := ValidatePath(path, use)
	if err != nil {
		return Entry{}, err
	}
	entry, err := t.find(clean)
	if use != ForWrite && CodeOf(err) == NotFound {
		if decoded, changed := decodePercent(path); changed {
			if entry2, err2 := t.find(cleanPath(decoded)); CodeOf(err2) != NotFound {
				entry, err = entry2, err2
			}
		}
	}
	if err != nil {
		return Entry{}, err
	}
	switch {
	case use == ForDirectory && entry.Type != Directory:
		return Entry{}, Fault(NotADirectory)
	case use == ForFile && entry.Type == Directory:
		return Entry{}, Fault(NotAFile)
	case (use == ForFile || use == ForEither) && entry.Type == Other:
		return Entry{}, Fault(NotARegularFile)
	}
	return entry, nil
}

// find resolves a path in normal form whose names are not denied, and applies the ignore rules to it and to what it leads to.
func (t *Tree) find(clean string) (Entry, error) {
	if clean == "." {
		root, err := look(t.root)
		if err != nil {
			return Entry{}, openingFault(err)
		}
		return Entry{Path: ".", Type: Directory, Modified: root.modified, resolved: "."}, nil
	}
	if t.rules.Ignored(parent(clean), true) {
		return Entry{}, Fault(PathIgnored)
	}
	resolved, found, link, err := t.follow(".", clean)
	if err != nil {
		if CodeOf(err) == NotFound && t.rules.Ignored(clean, false) {
			return Entry{}, Fault(PathIgnored)
		}
		return Entry{}, err
	}
	dir := found.mode == fs.ModeDir
	if t.rules.Ignored(clean, dir) || resolved != clean && t.rules.Ignored(resolved, dir) {
		return Entry{}, Fault(PathIgnored)
	}
	return Entry{
		Path: clean, Type: found.kind(), Symlink: link,
		Size: found.size, Modified: found.modified, resolved: resolved,
	}, nil
}

// follow walks a path that begins at a directory without links, and gives the same without links, what is there, and
// whether the last component of the path itself is a link. Denied names are refused on the way before they are looked at.
func (t *Tree) follow(dir, path string) (resolved string, found facts, link bool, err error) {
	resolved = join(dir, path)
	for range maxResolutions {
		found, err = t.lookBeneath(resolved)
		if err == nil && found.mode != fs.ModeSymlink {
			return resolved, found, false, nil
		}
		if err != nil && !errors.Is(err, errLink) {
			return "", facts{}, false, openingFault(err)
		}
		way := journey{tree: t, here: dir}
		if err := way.walk(path, false); err != nil {
			return "", facts{}, false, err
		}
		found, err = t.lookBeneath(way.here)
		if err == nil && found.mode != fs.ModeSymlink {
			return way.here, found, way.lastLink, nil
		}
		// What was no link a moment ago is one now: someone is changing the tree.
	}
	return "", facts{}, false, Fault(NotFound)
}

// lookBeneath looks at a path without links; the last component may be one.
func (t *Tree) lookBeneath(path string) (facts, error) {
	fd, err := openBeneath(t.root, path, lookFlags)
	if err != nil {
		return facts{}, err
	}
	defer closeDescriptor(fd)
	return look(fd)
}

// A journey follows the links of a path one by one, on paths alone: every step is looked at from the root's descriptor.
type journey struct {
	tree     *Tree
	here     string // the directory or file reached, free of links, "." for the root
	links    int
	lastLink bool // the last component of the path that was asked for is a link
	outside  []string
	away     bool // above or beside the root: outside has the components from the filesystem's root
}

// walk goes on from here along a path that may contain "." and ".."; inLink says that it is a link's target.
func (j *journey) walk(path string, inLink bool) error {
	for rest, more := path, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		if err := j.step(name, !inLink && !more); err != nil {
			return err
		}
	}
	return nil
}

func (j *journey) step(name string, last bool) error {
	switch {
	case name == "" || name == ".":
		return nil
	case name == "..":
		return j.up()
	case j.away:
		j.outside = append(j.outside, name)
		return j.comeBack()
	case DeniedName(name):
		return Fault(PathDenied)
	}
	next := join(j.here, name)
	fd, err := openBeneath(j.tree.root, next, lookFlags)
	if err != nil {
		return openingFault(err)
	}
	defer closeDescriptor(fd)
	found, err := look(fd)
	if err != nil {
		return openingFault(err)
	}
	if found.mode != fs.ModeSymlink {
		j.here = next
		return nil
	}
	j.lastLink = j.lastLink || last
	return j.through(fd)
}

// through follows one link that stands in the directory reached.
func (j *journey) through(fd int) error {
	if j.links++; j.links > maxLinks {
		return Fault(NotFound)
	}
	target, err := linkTarget(fd)
	if err != nil {
		return openingFault(err)
	}
	if strings.HasPrefix(target, "/") {
		j.away, j.outside = true, j.outside[:0]
		if err := j.comeBack(); err != nil {
			return err
		}
	}
	if err := j.walk(target, true); err != nil {
		return err
	}
	if j.away {
		return Fault(PathOutsideRoot)
	}
	return nil
}

// up goes to the parent directory; above the root the way goes on by names alone.
func (j *journey) up() error {
	if !j.away && j.here != "." {
		j.here = parent(j.here)
		return nil
	}
	if !j.away {
		j.away, j.outside = true, rootComponents(j.tree.path)
	}
	if len(j.outside) > 0 {
		j.outside = j.outside[:len(j.outside)-1]
	}
	return nil
}

// comeBack ends the way outside when it has retraced the root's own canonical path. Any other name outside might be a
// link: it is never looked at, so the way ends there (M-35).
func (j *journey) comeBack() error {
	own := rootComponents(j.tree.path)
	if len(j.outside) > len(own) {
		return Fault(PathOutsideRoot)
	}
	for i, name := range j.outside {
		if own[i] != name {
			return Fault(PathOutsideRoot)
		}
	}
	if len(j.outside) == len(own) {
		j.away, j.here = false, "."
	}
	return nil
}

func rootComponents(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
