//go:build unix

package document

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func ownedByUs(facts fs.FileInfo) bool {
	raw, ok := facts.Sys().(*syscall.Stat_t)
	return ok && int(raw.Uid) == os.Geteuid()
}

// tryLock takes the lock of a file for as long as it is open, unless another process has it.
func tryLock(file *os.File) (held bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
