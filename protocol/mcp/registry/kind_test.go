package registry

import (
	"os"
	"syscall"
)

func makePipe(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return syscall.Mkfifo(path, 0o600)
}
