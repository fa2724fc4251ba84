package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const (
	openNoFollow = 0
	openNonblock = 0

	// buildMap is 0 because bbolt makes the file as long as its map here.
	buildMap = 0
)

// syncDir does nothing: the system keeps directory entries in its own journal and syncs no directory.
func syncDir(*os.Root) error { return nil }

// tryLock takes an exclusive lock that dies with the open file.
func tryLock(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
