//go:build unix

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	openNoFollow = unix.O_NOFOLLOW
	openNonblock = unix.O_NONBLOCK

	// buildMap is the address space that bbolt maps for a build file at first: growing a map copies what a
	// transaction holds, and address space is free.
	buildMap = 64 << 20
)

// syncDir makes the directory's entries durable.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	err = d.Sync()
	if closeErr := d.Close(); err == nil {
		err = closeErr
	}
	return err
}

// tryLock takes an exclusive advisory lock that dies with the open file.
func tryLock(f *os.File) (bool, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var lockErr error
	err = conn.Control(func(fd uintptr) {
		for {
			lockErr = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB)
			if !errors.Is(lockErr, unix.EINTR) {
				return
			}
		}
	})
	switch {
	case err != nil:
		return false, err
	case errors.Is(lockErr, unix.EWOULDBLOCK):
		return false, nil
	case lockErr != nil:
		return false, os.NewSyscallError("flock", lockErr)
	}
	return true, nil
}
