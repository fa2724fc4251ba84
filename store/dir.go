package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Names in an index directory; there are no others (P-28).
const (
	FileName = "index.bolt"
	LockName = "index.lock"

	buildPrefix = "build-"
	buildSuffix = ".bolt"
)

// Dir is an open directory that holds one index. It is safe for concurrent use.
type Dir struct {
	root *os.Root
	sys  *system
}

// OpenDir opens the directory at path and creates it with mode 0700 when it is missing; the directories
// above it must exist. It judges neither owner nor links above: the caller has chosen the place.
func OpenDir(path string) (*Dir, error) {
	err := os.Mkdir(path, 0o700)
	if err == nil {
		err = os.Chmod(path, 0o700) // the umask may have taken bits away
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("create the index directory: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the index directory: %w", err)
	}
	return NewDir(root), nil
}

// NewDir uses a directory that the caller has already opened and judged. Close closes root.
func NewDir(root *os.Root) *Dir { return &Dir{root: root, sys: &host} }

// Close closes the directory. Snapshots and writers opened from it stay usable, but Current and Publish fail.
func (d *Dir) Close() error { return d.root.Close() }

// Waiting for the lock: the first pause and the longest one.
const (
	lockPauseFirst = 2 * time.Millisecond
	lockPauseLimit = 50 * time.Millisecond
)

// Lock waits for the right to write the index and returns the function that gives it back. The right dies
// with the process (P-97). When ctx ends first the error satisfies both ErrBusy and the context's error.
func (d *Dir) Lock(ctx context.Context) (unlock func(), err error) {
	pause := lockPauseFirst
	for {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBusy, err)
		}
		f, err := d.tryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		if f != nil {
			return func() { f.Close() }, nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
		}
		pause = min(2*pause, lockPauseLimit)
	}
}

// tryLock gives the locked file, or nil when another holder has it. A lock on a file that lost its name
// meanwhile excludes nobody, so it counts as not taken.
func (d *Dir) tryLock() (*os.File, error) {
	f, err := d.openLock()
	if err != nil {
		return nil, err
	}
	held, err := d.sys.lockFile(f)
	if err != nil || !held {
		f.Close()
		return nil, err
	}
	named, err := d.root.Lstat(LockName)
	if err == nil {
		var own fs.FileInfo
		if own, err = f.Stat(); err == nil && os.SameFile(named, own) {
			return f, nil
		}
	}
	f.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, nil
}

// openLock opens the lock file, creating it when nothing has its name.
func (d *Dir) openLock() (*os.File, error) {
	f, err := d.sys.create(d.root, LockName)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	f, _, err = openRegular(d.root, LockName, os.O_RDWR)
	return f, err
}

// Sweep removes the build files of dead processes (P-28). The caller holds the lock, so no living process
// is building. Directories and every other name are left alone.
func (d *Dir) Sweep() error {
	list, err := d.root.Open(".")
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	entries, err := list.ReadDir(-1)
	list.Close()
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() || !isBuildName(e.Name()) {
			continue
		}
		if err := d.sys.remove(d.root, e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sweep: %w", err)
		}
	}
	return nil
}
