package document

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A staging is the private directory of this process in which chunks wait (M-57). Beside it stands a lock file that this
// process holds until it ends in whatever way; a directory whose lock nobody holds was left by a dead process.
type staging struct {
	directory string
	lock      *os.File
}

const (
	lockSuffix   = ".lock"
	nameAttempts = 16
)

// openStaging makes the directory of all processes' staging directories and one for this process in it.
func openStaging(parent string) (*staging, error) {
	if err := privateDirectory(parent); err != nil {
		return nil, err
	}
	sweepStaging(parent)
	for range nameAttempts {
		area, err := newStaging(parent)
		if err == nil {
			return area, nil
		}
		if !errors.Is(err, errLockLost) {
			return nil, err
		}
	}
	return nil, errLockLost
}

// privateDirectory makes a directory 0700, or takes one that exists if it is ours alone.
func privateDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("staging directory: %w", err)
	}
	facts, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("staging directory: %w", err)
	}
	if !facts.IsDir() || !ownedByUs(facts) {
		return errors.New("the staging directory is not a directory of the server's user")
	}
	if facts.Mode().Perm() != 0o700 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// errLockLost: another process took the new lock for a dead one's before it was held.
var errLockLost = errors.New("the staging directory's lock was taken")

func newStaging(parent string) (*staging, error) {
	name := filepath.Join(parent, strconv.Itoa(os.Getpid())+"-"+rand.Text())
	lock, err := os.OpenFile(name+lockSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	held, err := tryLock(lock)
	if err == nil && (!held || !stillNamed(lock, name+lockSuffix)) {
		err = errLockLost
	}
	if err == nil {
		err = os.Mkdir(name, 0o700)
	}
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &staging{directory: name, lock: lock}, nil
}

func stillNamed(file *os.File, name string) bool {
	open, err1 := file.Stat()
	named, err2 := os.Lstat(name)
	return err1 == nil && err2 == nil && os.SameFile(open, named)
}

// sweepStaging removes what dead processes have left. What cannot be removed is left to the next process.
func sweepStaging(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		name, isLock := strings.CutSuffix(entry.Name(), lockSuffix)
		if !isLock || !entry.Type().IsRegular() {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(parent, entry.Name()), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if held, err := tryLock(lock); err == nil && held {
			_ = os.RemoveAll(filepath.Join(parent, name))
			_ = os.Remove(filepath.Join(parent, entry.Name()))
		}
		_ = lock.Close()
	}
}

// close removes the directory and then its lock. That somebody else has done so is no error.
func (s *staging) close() error {
	err := os.RemoveAll(s.directory)
	if gone := os.Remove(s.directory + lockSuffix); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return errors.Join(err, s.lock.Close())
}

func (s *staging) upload(id string) string { return filepath.Join(s.directory, id) }

func (s *staging) chunk(id string, index int) string {
	return filepath.Join(s.directory, id, strconv.Itoa(index))
}

func (s *staging) addUpload(id string) error { return os.Mkdir(s.upload(id), 0o700) }

func (s *staging) removeUpload(id string) { _ = os.RemoveAll(s.upload(id)) }

// write puts a chunk down; what was written in part is removed.
func (s *staging) write(id string, index int, content string) error {
	name := s.chunk(id, index)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(name)
	}
	return err
}

// read gives a chunk of the given size back.
func (s *staging) read(id string, index, size int) ([]byte, error) {
	text, err := os.ReadFile(s.chunk(id, index))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) != size {
		return nil, errStaged
	}
	return text, err
}

// errStaged: a chunk in the staging directory is not what was put there.
var errStaged = errors.New("a staged chunk was changed")
