//go:build !linux

package pathguard

import (
	"errors"
	"io/fs"
	"time"
)

// Without opening that the kernel guards there is nothing to serve: Open refuses before any of these is reached.

var (
	errLink         = errors.New("a component is a symbolic link")
	errNotDirectory = errors.New("a component is no directory")
	errHost         = errors.New("no descriptor-relative opening without links on this system")
)

const (
	lookFlags = iota
	readFlags
	directoryFlags
)

type facts struct {
	mode, perm fs.FileMode
	size       int64
	modified   time.Time
	device     uint64
	owner      uint32
}

func hostSupported() error                                       { return errHost }
func openRootDirectory(string) (int, error)                      { return -1, errHost }
func openBeneath(int, string, int) (int, error)                  { return -1, errHost }
func look(int) (facts, error)                                    { return facts{}, errHost }
func lookAt(int, string) (facts, error)                          { return facts{}, errHost }
func kernelFile(int) bool                                        { return true }
func linkTarget(int) (string, error)                             { return "", errHost }
func readNames(int, func([]byte, fs.FileMode, bool) error) error { return errHost }
func makeDirectory(int, string) error                            { return errHost }
func closeDescriptor(int)                                        {}
func exhausted(error) bool                                       { return false }
func unreadableKind(error) bool                                  { return false }
