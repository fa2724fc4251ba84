package pathguard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// A Type is the kind of an entry as callers see it.
type Type string

const (
	File      Type = "file"
	Directory Type = "directory"
	Other     Type = "other" // a pipe, socket or device: listed, never read (M-36)
)

// An Entry is one visible file or directory of a tree.
type Entry struct {
	Path     string // normal form, relative to the root; through a linked directory it keeps the link's name
	Type     Type   // of the target, when the entry is a link
	Symlink  bool
	Size     int64 // bytes; of the target
	Modified time.Time
	resolved string // the path without links at which the entry was found; only this package fills it
}

// Name gives the last component of the path.
func (e Entry) Name() string { return base(e.Path) }

// A Tree is one root, opened for one call (M-31). Safe for concurrent use; Close only when all users are done.
type Tree struct {
	root   int // descriptor, for looking only
	path   string
	rules  *Rules
	device uint64
	closed atomic.Bool
}

// ErrRootUnavailable: the root is gone, is no directory, or a component of its path has become a link, so that the path
// is no longer canonical (M-31). The caller's scope decides between project_unavailable and grant_unavailable.
var ErrRootUnavailable = errors.New("the root is gone, moved or replaced by a link")

// Open opens a root by its canonical path. rules says what is ignored; nil means the built-in rules.
func Open(canonicalRoot string, rules *Rules) (*Tree, error) {
	if err := hostSupported(); err != nil {
		return nil, Errorf(InternalError, "This system cannot serve files safely.").Because(err)
	}
	if rules == nil {
		rules = BuiltinRules()
	}
	fd, err := openRootDirectory(canonicalRoot)
	if err != nil {
		if exhausted(err) {
			return nil, Fault(InternalError).Because(err)
		}
		return nil, fmt.Errorf("%w: %w", ErrRootUnavailable, err)
	}
	root, err := look(fd)
	if err != nil {
		closeDescriptor(fd)
		return nil, fmt.Errorf("%w: %w", ErrRootUnavailable, err)
	}
	return &Tree{root: fd, path: canonicalRoot, rules: rules, device: root.device}, nil
}

// Close gives the descriptor back. A second Close does nothing.
func (t *Tree) Close() error {
	if !t.closed.Swap(true) {
		closeDescriptor(t.root)
	}
	return nil
}

// Available reports whether a root could be opened now.
func Available(canonicalRoot string) bool {
	tree, err := Open(canonicalRoot, nil)
	if err != nil {
		return false
	}
	_ = tree.Close()
	return true
}

// Visible judges a path in normal form by its names alone: path_denied (M-38), path_ignored (M-39) or nil. dir tells
// whether the path itself is a directory's.
func (t *Tree) Visible(path string, dir bool) error {
	if path == "." {
		return nil
	}
	if deniedPath(path) {
		return Fault(PathDenied)
	}
	if t.rules.Ignored(path, dir) {
		return Fault(PathIgnored)
	}
	return nil
}

// OpenFile opens a regular file for reading by the path that a caller gave (M-32 to M-37), following links that stay
// inside the root. The descriptor never blocks and is of the very file whose facts the entry has.
func (t *Tree) OpenFile(path string) (*os.File, Entry, error) {
	entry, err := t.Resolve(path, ForFile)
	if err != nil {
		return nil, Entry{}, err
	}
	return t.OpenEntry(entry)
}

// Stat looks again at an entry that Resolve, ReadDir or Walk of this tree gave and fills in what it is now. It is not found
// when it was replaced by a link since. Errors: not_found, permission_denied.
func (t *Tree) Stat(entry Entry) (Entry, error) {
	if entry.resolved == "" {
		return Entry{}, Fault(NotFound)
	}
	now, err := t.lookBeneath(entry.resolved)
	switch {
	case err != nil:
		return Entry{}, openingFault(err)
	case now.mode == fs.ModeSymlink:
		return Entry{}, Fault(NotFound)
	}
	entry.Type, entry.Size, entry.Modified = now.kind(), now.size, now.modified
	return entry, nil
}

// OpenEntry opens a regular file that Resolve, ReadDir or Walk of this tree gave. It is not found when it was replaced by
// a link since. The entry that it returns has the facts of the open file.
func (t *Tree) OpenEntry(entry Entry) (*os.File, Entry, error) {
	switch {
	case entry.resolved == "":
		return nil, Entry{}, Fault(NotFound)
	case entry.Type == Directory:
		return nil, Entry{}, Fault(NotAFile)
	case entry.Type != File:
		return nil, Entry{}, Fault(NotARegularFile)
	}
	fd, err := openBeneath(t.root, entry.resolved, readFlags)
	if err != nil {
		return nil, Entry{}, openingFault(err)
	}
	now, err := look(fd)
	switch {
	case err != nil:
		err = openingFault(err)
	case now.mode == fs.ModeDir:
		err = Fault(NotAFile)
	case now.mode != 0 || now.device != t.device && kernelFile(fd):
		err = Fault(NotARegularFile)
	}
	if err != nil {
		closeDescriptor(fd)
		return nil, Entry{}, err
	}
	entry.Size, entry.Modified = now.size, now.modified
	return os.NewFile(uintptr(fd), entry.Path), entry, nil
}

// openingFault turns an error of the system into the one that the caller sees.
func openingFault(err error) *Error {
	switch {
	case unreadableKind(err):
		return Fault(NotARegularFile).Because(err)
	case errors.Is(err, fs.ErrPermission):
		return Fault(PermissionDenied).Because(err)
	case exhausted(err):
		return Fault(InternalError).Because(err)
	}
	return Fault(NotFound).Because(err)
}

func (f facts) kind() Type {
	switch f.mode {
	case 0:
		return File
	case fs.ModeDir:
		return Directory
	}
	return Other
}
