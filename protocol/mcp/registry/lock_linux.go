package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

// lock keeps other writers of the configuration directory out until unlock is called (M-26). The lock belongs to an open
// file, so that a process that ends lets go of it. Error: busy when another writer holds it for longer than lockPatience.
func lock(ctx context.Context, configDir string) (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(configDir, LockFile), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return func() { _ = file.Close() }, nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			_ = file.Close()
			return nil, fmt.Errorf("lock the registries: %w", err)
		}
		select {
		case <-ctx.Done():
			_ = file.Close()
			return nil, pathguard.Errorf(pathguard.Busy, "Another command is changing the registries; try again.")
		case <-time.After(lockInterval):
		}
	}
}
