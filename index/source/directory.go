package source

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Errors of walking a path without following links. A component that does not exist satisfies fs.ErrNotExist instead.
var (
	ErrLink         = errors.New("a component of the path is a symbolic link")
	ErrNotDirectory = errors.New("a component of the path is no directory")
	ErrMoved        = errors.New("the directory is no longer found at its path")
)

// A Dir is a directory that was reached from the filesystem root without following a link, kept open by a descriptor.
// It is for walking to a cache (P-24): open or create one component after the other and look at each before going on.
// Not safe for concurrent use with Close.
type Dir struct {
	fd   int
	path string
}

// FilesystemRoot opens "/", where every walk begins.
func FilesystemRoot() (*Dir, error) {
	if err := hostSupported(); err != nil {
		return nil, fail(HostUnsupported, err)
	}
	fd, err := openFilesystemRoot()
	if err != nil {
		return nil, fmt.Errorf("open the filesystem root: %w", err)
	}
	return &Dir{fd: fd, path: "/"}, nil
}

// OpenDir walks an absolute clean path from the filesystem root; every component must be a real directory.
func OpenDir(absolute string) (*Dir, error) {
	at, err := FilesystemRoot()
	if err != nil {
		return nil, err
	}
	if !path.IsAbs(absolute) || path.Clean(absolute) != absolute {
		at.Close()
		return nil, fmt.Errorf("open directory %q: the path is not absolute and clean", absolute)
	}
	for name := range strings.FieldsFuncSeq(absolute, func(r rune) bool { return r == '/' }) {
		next, err := at.Open(name)
		at.Close()
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// Open opens the child directory of that name: ErrLink, ErrNotDirectory, an error that satisfies fs.ErrNotExist, or the system's own.
func (d *Dir) Open(name string) (*Dir, error) {
	if !plainName(name) {
		return nil, fmt.Errorf("open %q in %q: not one component", name, d.path)
	}
	fd, err := openDirectory(d.fd, name)
	if err != nil {
		return nil, fmt.Errorf("open %q in %q: %w", name, d.path, err)
	}
	return &Dir{fd: fd, path: path.Join(d.path, name)}, nil
}

// Mkdir opens the child directory of that name and creates it before when it is missing, with mode 0700 exactly,
// whatever the umask (P-23). One that exists keeps its mode; the caller judges it by Stat.
func (d *Dir) Mkdir(name string) (*Dir, error) {
	if !plainName(name) {
		return nil, fmt.Errorf("create %q in %q: not one component", name, d.path)
	}
	if err := makeDirectory(d.fd, name); err != nil {
		return nil, fmt.Errorf("create %q in %q: %w", name, d.path, err)
	}
	return d.Open(name)
}

// plainName reports whether a name is one component that leads downwards.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

// Stat looks at the directory itself as it is now.
func (d *Dir) Stat() (Stat, error) { return statDescriptor(d.fd) }

// Lstat looks at a child without following a link in its name.
func (d *Dir) Lstat(name string) (Stat, error) {
	stat, err := statChild(d.fd, name)
	if err != nil {
		return Stat{}, &os.PathError{Op: "lstat", Path: path.Join(d.path, name), Err: err}
	}
	return stat, nil
}

// Path gives the absolute path that was walked.
func (d *Dir) Path() string { return d.path }

// Within reports whether the directory or one of its ancestors, found by going upwards from the open descriptor, has
// one of the identities (P-25). Time: one look per level.
func (d *Dir) Within(identities ...Identity) (bool, error) {
	within, err := within(d.fd, identities)
	if err != nil {
		return false, fmt.Errorf("look at the ancestors of %q: %w", d.path, err)
	}
	return within, nil
}

func within(fd int, identities []Identity) (bool, error) {
	top, err := statPath("/", true)
	if err != nil {
		return false, err
	}
	here, err := statDescriptor(fd)
	if err != nil {
		return false, err
	}
	if slices.Contains(identities, here.Identity) {
		return true, nil
	}
	up, err := openDirectory(fd, "..")
	if err != nil {
		return false, err
	}
	defer closeDescriptor(up)
	above, err := statDescriptor(up)
	if err != nil {
		return false, err
	}
	if above.Identity == here.Identity && here.Identity == top.Identity {
		return false, nil // only the top is its own parent; a directory mounted on its own child looks like that further down
	}
	return within(up, identities)
}

// OpenRoot gives the same directory as an os.Root, for code that creates files in it; ErrMoved when the path leads elsewhere by now.
func (d *Dir) OpenRoot() (*os.Root, error) {
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil {
		var mine Stat
		if mine, err = d.Stat(); err == nil && identityOf(opened) != mine.Identity {
			err = fmt.Errorf("open %q: %w", d.path, ErrMoved)
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// Close gives the descriptor back. A second Close does nothing.
func (d *Dir) Close() error {
	if d.fd >= 0 {
		closeDescriptor(d.fd)
		d.fd = -1
	}
	return nil
}
