package pathguard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// The system calls of this package. Every path given here is relative to an open descriptor and in normal form.

const (
	lookFlags      = unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC
	readFlags      = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	directoryFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	guardedOpening = unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

	// attempts bounds how often an opening is repeated that the kernel gave up because something was renamed meanwhile.
	attempts = 32
)

// errLink: a component is a symbolic link where none may be. errNotDirectory: a component is something else than a directory.
var (
	errLink         = errors.New("a component is a symbolic link")
	errNotDirectory = errors.New("a component is no directory")
)

func hostSupported() error { return nil }

// stepwise is set once the kernel, or a filter before it, was found not to know openat2.
var stepwise atomic.Bool

// openRootDirectory opens an absolute path for looking; no component of it may be a link.
func openRootDirectory(path string) (int, error) {
	return openGuarded(unix.AT_FDCWD, path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, guardedOpening)
}

// openBeneath opens a path below a directory; no component may be a link. With lookFlags the last one may be: then the
// descriptor is the link's own.
func openBeneath(root int, path string, flags int) (int, error) {
	fd, err := openGuarded(root, path, flags, guardedOpening|unix.RESOLVE_BENEATH)
	if err == errNotDirectory && flags&unix.O_DIRECTORY != 0 { // the kernel says so of a link in the last component as well
		if last, lookErr := openGuarded(root, path, lookFlags, guardedOpening|unix.RESOLVE_BENEATH); lookErr == nil {
			if found, lookErr := look(last); lookErr == nil && found.mode == fs.ModeSymlink {
				err = errLink
			}
			closeDescriptor(last)
		}
	}
	return fd, err
}

func openGuarded(at int, path string, flags int, resolve uint64) (int, error) {
	if stepwise.Load() {
		fd, err := openStepwise(at, path, flags)
		return fd, translate(err)
	}
	how := unix.OpenHow{Flags: uint64(flags), Resolve: resolve}
	fd, err := -1, error(nil)
	for range attempts {
		fd, err = unix.Openat2(at, path, &how)
		if err != unix.EAGAIN && err != unix.EINTR {
			break
		}
	}
	switch err {
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.E2BIG:
		var slow error
		if fd, slow = openStepwise(at, path, flags); slow == nil {
			stepwise.Store(true)
		}
		err = slow
	}
	return fd, translate(err)
}

// openStepwise walks the path component by component, for kernels without openat2.
func openStepwise(at int, path string, flags int) (int, error) {
	here, own := at, false
	leave := func() {
		if own {
			closeDescriptor(here)
		}
	}
	if path[0] == '/' {
		fd, err := open(unix.AT_FDCWD, "/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC)
		if err != nil {
			return -1, err
		}
		here, own, path = fd, true, path[1:]
	}
	if path == "" {
		path = "."
	}
	for {
		slash := bytes.IndexByte([]byte(path), '/')
		if slash < 0 {
			break
		}
		fd, err := open(here, path[:slash], unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
		if err == unix.ENOTDIR && isLink(here, path[:slash]) {
			err = unix.ELOOP
		}
		leave()
		if err != nil {
			return -1, err
		}
		here, own, path = fd, true, path[slash+1:]
	}
	fd, err := open(here, path, flags)
	leave()
	return fd, err
}

func open(at int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(at, name, flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func isLink(at int, name string) bool {
	facts, err := lookAt(at, name)
	return err == nil && facts.mode&fs.ModeSymlink != 0
}

// translate gives the two errors of this package their names; the others are the system's and satisfy fs.ErrNotExist and so on.
func translate(err error) error {
	switch err {
	case unix.ELOOP:
		return errLink
	case unix.ENOTDIR:
		return errNotDirectory
	case unix.EXDEV:
		return errLink // RESOLVE_BENEATH was about to be broken: a path in normal form does that through a link only
	}
	return err
}

// A facts is what the system tells about a file.
type facts struct {
	mode     fs.FileMode // the type bits only
	perm     fs.FileMode
	size     int64
	modified time.Time
	device   uint64
	owner    uint32
}

// look looks at an open file.
func look(fd int) (facts, error) {
	var raw unix.Stat_t
	for {
		if err := unix.Fstat(fd, &raw); err != unix.EINTR {
			return factsOf(&raw), err
		}
	}
}

// lookAt looks at a child of an open directory, not through a link.
func lookAt(at int, name string) (facts, error) {
	var raw unix.Stat_t
	for {
		if err := unix.Fstatat(at, name, &raw, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return factsOf(&raw), err
		}
	}
}

func factsOf(raw *unix.Stat_t) facts {
	return facts{
		mode:     typeOf(raw.Mode),
		perm:     fs.FileMode(raw.Mode & 0o777),
		size:     raw.Size,
		modified: time.Unix(raw.Mtim.Unix()),
		device:   uint64(raw.Dev),
		owner:    raw.Uid,
	}
}

func typeOf(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	}
	return fs.ModeDevice
}

// kernelFile reports whether an open file belongs to a filesystem of the kernel's own making, whose "regular files" are none (M-36).
func kernelFile(fd int) bool {
	var raw unix.Statfs_t
	if err := unix.Fstatfs(fd, &raw); err != nil {
		return true
	}
	switch uint32(raw.Type) {
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.CGROUP_SUPER_MAGIC,
		unix.CGROUP2_SUPER_MAGIC, unix.SECURITYFS_MAGIC, unix.SELINUX_MAGIC, unix.BPF_FS_MAGIC:
		return true
	}
	return false
}

// linkTarget reads a link through its own descriptor.
func linkTarget(fd int) (string, error) {
	memory := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", memory)
	if err != nil {
		return "", err
	}
	return string(memory[:n]), nil
}

// nameMemory keeps the memory that directories are read into.
var nameMemory = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// readNames calls each for every name in an open directory, with its type where the filesystem tells it (known).
// It stops with the error that each gives.
func readNames(fd int, each func(name []byte, mode fs.FileMode, known bool) error) error {
	pooled := nameMemory.Get().(*[64 << 10]byte)
	defer nameMemory.Put(pooled)
	memory := pooled[:]
	for {
		n, err := unix.Getdents(fd, memory)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err
		}
		for rest := memory[:n]; len(rest) > direntName; {
			length := int(binary.NativeEndian.Uint16(rest[16:]))
			record := rest[:length]
			rest = rest[length:]
			name := record[direntName:]
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			if string(name) == "." || string(name) == ".." {
				continue
			}
			kind := record[direntName-1]
			if err := each(name, typeOf(uint32(kind)<<12), kind != unix.DT_UNKNOWN); err != nil {
				return err
			}
		}
	}
}

// direntName is where the name begins in a record of getdents: after inode, offset, length and type.
const direntName = 8 + 8 + 2 + 1

// makeDirectory creates a child directory with mode 0755 whatever the umask is (M-52). One that exists is no error.
func makeDirectory(at int, name string) error {
	if err := unix.Mkdirat(at, name, 0o755); err != nil {
		if err == unix.EEXIST {
			return nil
		}
		return err
	}
	fd, err := open(at, name, directoryFlags)
	if err != nil {
		return translate(err)
	}
	defer closeDescriptor(fd)
	made, err := look(fd)
	if err == nil && made.perm != 0o755 && made.owner == uint32(unix.Geteuid()) {
		err = unix.Fchmod(fd, 0o755)
	}
	return err
}

func closeDescriptor(fd int) { _ = unix.Close(fd) }

// exhausted reports whether err means that this process or machine ran out of something, which says nothing about a path.
func exhausted(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}

// unreadableKind reports whether an open failed because such a file cannot be opened at all: a socket, a device without a driver.
func unreadableKind(err error) bool { return errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV) }
