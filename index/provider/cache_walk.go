package provider

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"projectknowledge/index/source"
)

// privateDepth is how many directories at the end of the path belong to this product alone: cacheName and the one below.
const privateDepth = 2

// The permissions of what this product creates there (P-23, P-26).
const (
	groupAndOthers = 0o077
	othersWrite    = 0o022
	privateFile    = fs.FileMode(0o600)
)

// cacheWalk is the way to a cache directory, from the filesystem root on, each directory opened in the one before it:
// what was judged is what is entered, whatever happens to the names meanwhile. The directories stay open, so that a later
// walk needs one look at each name; a name that leads to another directory by now is entered anew.
type cacheWalk struct {
	names []string
	steps []cacheStep // open so far: the filesystem root first
}

// cacheStep is an open directory and what it is.
type cacheStep struct {
	dir      *source.Dir
	identity source.Identity
}

// enter gives the cache directory after a judgement of every directory on the way. With create it makes what is missing;
// otherwise a missing directory satisfies fs.ErrNotExist. The territory of the repository, its root and Git directories,
// may not be on the way (P-25). Nothing is made below a directory that breaks a rule. The walk keeps the directory.
func (w *cacheWalk) enter(territory []source.Identity, create bool) (cacheStep, error) {
	if len(w.steps) == 0 {
		if err := w.push(source.FilesystemRoot()); err != nil {
			return cacheStep{}, err
		}
	}
	stat, err := w.steps[0].dir.Stat()
	for i := 0; ; i++ {
		if err != nil {
			return cacheStep{}, unsafePath(err)
		}
		if err := judge(stat, territory, len(w.names)-i); err != nil {
			return cacheStep{}, err
		}
		if i == len(w.names) {
			return w.steps[i], nil
		}
		stat, err = w.step(i, create)
	}
}

// step makes the directory that has the name of depth i the next open one, and tells what it is.
func (w *cacheWalk) step(i int, create bool) (source.Stat, error) {
	parent, name := w.steps[i].dir, w.names[i]
	stat, err := parent.Lstat(name)
	if err == nil && i+1 < len(w.steps) && w.steps[i+1].identity == stat.Identity {
		return stat, nil
	}
	w.back(i + 1)
	open := parent.Open
	if create {
		open = parent.Mkdir
	}
	if err := w.push(open(name)); err != nil {
		return source.Stat{}, err
	}
	return w.steps[i+1].dir.Stat()
}

// push adds an open directory to the way.
func (w *cacheWalk) push(dir *source.Dir, err error) error {
	if err != nil {
		return err
	}
	stat, err := dir.Stat()
	if err != nil {
		_ = dir.Close()
		return err
	}
	w.steps = append(w.steps, cacheStep{dir: dir, identity: stat.Identity})
	return nil
}

// back closes every open directory from depth i on.
func (w *cacheWalk) back(i int) {
	for len(w.steps) > i {
		last := len(w.steps) - 1
		_ = w.steps[last].dir.Close()
		w.steps = w.steps[:last]
	}
}

// judge applies the rules of P-23 to P-25 to a directory with so many components still to go.
func judge(stat source.Stat, territory []source.Identity, left int) error {
	if slices.Contains(territory, stat.Identity) {
		return newError(CacheUnsafe, "The cache directory must lie outside the project and its Git directory.", nil)
	}
	if left < privateDepth {
		if !own(stat) || stat.Mode.Perm()&groupAndOthers != 0 {
			return newError(CacheUnsafe, "The cache directory must belong to this user alone, with mode 0700.", nil)
		}
		return nil
	}
	if stat.Mode.Perm()&othersWrite != 0 && stat.Mode&fs.ModeSticky == 0 {
		return newError(CacheUnsafe, "A directory above the cache is writable by others and not sticky.", nil)
	}
	return nil
}

// own reports whether the effective user is the owner.
func own(stat source.Stat) bool { return int(stat.Owner) == os.Geteuid() }

// unsafePath gives what a walk may meet instead of a real directory its code (P-24).
func unsafePath(err error) error {
	if errors.Is(err, source.ErrLink) || errors.Is(err, source.ErrNotDirectory) || errors.Is(err, source.ErrMoved) {
		return newError(CacheUnsafe, "A component of the cache path is a symbolic link or not a directory.", err)
	}
	return err
}
