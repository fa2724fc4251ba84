package source

import (
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// opener opens files below a directory without following any link. It asks the kernel to guard the whole path in one
// call (openat2) and, where the kernel or a sandbox refuses that call, walks the path component by component.
type opener struct {
	stepwise atomic.Bool // openat2 was found missing or forbidden
}

// open gives a descriptor for reading; path is relative and free of "." and "..". The file may be of any kind: the
// caller looks at what was opened before it reads.
func (o *opener) open(root int, path string) (int, error) {
	if o.stepwise.Load() {
		return openStepwise(root, path)
	}
	fd, err := openGuarded(root, path)
	if !forbidden(err) {
		return fd, err
	}
	fd, err = openStepwise(root, path)
	if err == nil {
		o.stepwise.Store(true)
	}
	return fd, err
}

// forbidden reports whether openat2 failed for reasons of its own: an old kernel, or a filter that does not know it.
func forbidden(err error) bool {
	switch err {
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.E2BIG, unix.EOPNOTSUPP:
		return true
	}
	return false
}

func openGuarded(root int, path string) (int, error) {
	how := unix.OpenHow{
		Flags:   readFlags,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	var fd int
	var err error
	for range attempts {
		fd, err = unix.Openat2(root, path, &how)
		if err != unix.EAGAIN && err != unix.EINTR {
			break
		}
	}
	return fd, err
}

func openStepwise(root int, path string) (int, error) {
	at := root
	for {
		name, rest, more := strings.Cut(path, "/")
		if !more {
			break
		}
		next, err := openDirectory(at, name)
		if at != root {
			closeDescriptor(at)
		}
		if err != nil {
			return -1, err
		}
		at, path = next, rest
	}
	fd, err := retry(func() (int, error) { return unix.Openat(at, path, readFlags, 0) })
	if at != root {
		closeDescriptor(at)
	}
	return fd, err
}

// descriptorPath names an open descriptor of this process as a path.
func descriptorPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }
