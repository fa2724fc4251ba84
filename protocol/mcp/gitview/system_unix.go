//go:build unix

package gitview

import (
	"io/fs"
	"os"
	"syscall"
)

func ownedByUs(facts fs.FileInfo) bool {
	raw, ok := facts.Sys().(*syscall.Stat_t)
	return ok && int(raw.Uid) == os.Geteuid()
}

// openNow opens for reading; a pipe does not make it wait.
func openNow(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}
