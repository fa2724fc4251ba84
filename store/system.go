package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
)

// system is every call by which this room creates, syncs, renames, removes or locks. It exists so that a
// test can make each of them fail; nothing else replaces it.
type system struct {
	create   func(root *os.Root, name string) (*os.File, error) // new file, 0600, never through a link
	write    func(f *os.File, p []byte, off int64) (int, error)
	sync     func(f *os.File) error
	rename   func(root *os.Root, from, to string) error
	remove   func(root *os.Root, name string) error
	syncDir  func(root *os.Root) error
	lockFile func(f *os.File) (bool, error) // takes the lock or reports false at once
	random   func(p []byte) (int, error)
}

// host is the system of the running machine.
var host = system{
	create:   createExclusive,
	write:    func(f *os.File, p []byte, off int64) (int, error) { return f.WriteAt(p, off) },
	sync:     func(f *os.File) error { return f.Sync() },
	rename:   func(root *os.Root, from, to string) error { return root.Rename(from, to) },
	remove:   func(root *os.Root, name string) error { return root.Remove(name) },
	syncDir:  syncDir,
	lockFile: tryLock,
	random:   rand.Read,
}

// createExclusive creates name with mode 0600 whatever the umask. It fails with fs.ErrExist when anything,
// a dangling link included, has the name.
func createExclusive(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|openNoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o600); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// errNotRegular tells a name that is something else than a regular file.
var errNotRegular = errors.New("not a regular file")

// openRegular opens an existing regular file without following a link in its place and without waiting on
// a FIFO. Anything else than a regular file is errNotRegular.
func openRegular(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	f, err := root.OpenFile(name, flag|openNoFollow|openNonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	after, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	if !after.Mode().IsRegular() || !os.SameFile(before, after) {
		f.Close()
		return nil, nil, errNotRegular
	}
	return f, after, nil
}

// buildName draws the name of a build file: build-<16 hex digits>.bolt.
func (s *system) buildName() (string, error) {
	var b [8]byte
	if _, err := s.random(b[:]); err != nil {
		return "", err
	}
	return buildPrefix + hex.EncodeToString(b[:]) + buildSuffix, nil
}

// isBuildName reports whether name has the form of a build file.
func isBuildName(name string) bool {
	const digits = 16
	if len(name) != len(buildPrefix)+digits+len(buildSuffix) ||
		name[:len(buildPrefix)] != buildPrefix || name[len(buildPrefix)+digits:] != buildSuffix {
		return false
	}
	for _, c := range []byte(name[len(buildPrefix) : len(buildPrefix)+digits]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
