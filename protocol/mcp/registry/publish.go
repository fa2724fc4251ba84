package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Names and times of writing (M-26).
const (
	LockFile = "registry.lock"

	lockPatience = 10 * time.Second
	lockInterval = 10 * time.Millisecond
)

// publish replaces a file by one of mode 0600 with the given text: at every moment, also after a crash, the name stands
// for the old file or the new one. The caller holds the lock, so that other temporary files of this name are leftovers.
func publish(path string, text []byte) (err error) {
	dir, pattern := filepath.Dir(path), "."+filepath.Base(path)+".*.tmp"
	leftovers, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
	if err != nil {
		return fmt.Errorf("look for leftovers: %w", err)
	}
	for _, leftover := range leftovers {
		_ = os.Remove(leftover)
	}
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	if err := writeWhole(file, text); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDirectory(dir)
}

func writeWhole(file *os.File, text []byte) error {
	_, err := file.Write(text)
	return errors.Join(err, file.Chmod(0o600), file.Sync(), file.Close())
}

func syncDirectory(dir string) error {
	opened, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// escapeGlob protects the characters of a path that filepath.Glob would read as wildcards.
func escapeGlob(path string) string {
	escaped := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '*', '?', '[', '\\':
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, path[i])
	}
	return string(escaped)
}
