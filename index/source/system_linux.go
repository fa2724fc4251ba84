package source

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// The system calls of this package. A descriptor is a plain number here: an os.File would cost two allocations and a
// registration with the poller for every source that is read.

const (
	directoryFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	readFlags      = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
)

// hostSupported says whether the guards of this package exist here (P-1).
func hostSupported() error { return nil }

// retry repeats a system call for as long as a signal interrupts it.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// openFilesystemRoot opens "/" for walking.
func openFilesystemRoot() (int, error) {
	return retry(func() (int, error) { return unix.Open("/", directoryFlags, 0) })
}

// openDirectory opens a child of an open directory for walking; a symbolic link is ErrLink, anything else that is no
// directory ErrNotDirectory. name has one component, or is "..".
func openDirectory(at int, name string) (int, error) {
	fd, err := retry(func() (int, error) { return unix.Openat(at, name, directoryFlags, 0) })
	if err != unix.ENOTDIR && err != unix.ELOOP {
		return fd, err
	}
	if child, statErr := statChild(at, name); statErr == nil && child.Mode&fs.ModeSymlink != 0 {
		return -1, ErrLink
	}
	return -1, ErrNotDirectory
}

// makeDirectory creates a child directory of mode 0700, whatever the umask and whatever the parent hands down.
// One that exists is left as it is and no error.
func makeDirectory(at int, name string) error {
	if err := unix.Mkdirat(at, name, 0o700); err != nil {
		if err == unix.EEXIST {
			return nil
		}
		return err
	}
	made, err := statChild(at, name)
	if err != nil || made.Mode == fs.ModeDir|0o700 {
		return err
	}
	if err := unix.Fchmodat(at, name, 0o700, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		return nil
	}
	return chmodByDescriptor(at, name)
}

// chmodByDescriptor changes a mode where fchmodat cannot refuse links: through a descriptor that was opened without following one.
func chmodByDescriptor(at int, name string) error {
	fd, err := openDirectory(at, name)
	if err != nil {
		return err
	}
	defer closeDescriptor(fd)
	return os.Chmod(descriptorPath(fd), 0o700)
}

func statDescriptor(fd int) (Stat, error) {
	var raw unix.Stat_t
	for {
		if err := unix.Fstat(fd, &raw); err != unix.EINTR {
			return statOf(&raw), err
		}
	}
}

// statChild looks at a child of an open directory without following a link in its name.
func statChild(at int, name string) (Stat, error) {
	return statAt(at, name, unix.AT_SYMLINK_NOFOLLOW)
}

// statPath looks at an absolute path; follow tells whether a link in the last component is followed.
func statPath(path string, follow bool) (Stat, error) {
	if follow {
		return statAt(unix.AT_FDCWD, path, 0)
	}
	return statAt(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW)
}

func statAt(at int, name string, flags int) (Stat, error) {
	var raw unix.Stat_t
	for {
		if err := unix.Fstatat(at, name, &raw, flags); err != unix.EINTR {
			return statOf(&raw), err
		}
	}
}

func statOf(raw *unix.Stat_t) Stat {
	mode := fs.FileMode(raw.Mode & 0o777)
	switch raw.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	if raw.Mode&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if raw.Mode&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if raw.Mode&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return Stat{
		Identity: Identity{Device: uint64(raw.Dev), Inode: raw.Ino},
		Mode:     mode,
		Owner:    raw.Uid,
		Links:    uint64(raw.Nlink),
		Size:     raw.Size,
	}
}

func closeDescriptor(fd int) { _ = unix.Close(fd) }

func readDescriptor(fd int, p []byte) (int, error) {
	for {
		n, err := unix.Read(fd, p)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

// openGitFile opens a file of Git's own for reading; a relative path starts at the directory at. Directories on the way
// may be links, as Git allows; with follow false the file itself may not. It never blocks on a named pipe.
func openGitFile(at int, path string, follow bool) (int, error) {
	flags := readFlags
	if follow {
		flags &^= unix.O_NOFOLLOW
	}
	return retry(func() (int, error) { return unix.Openat(at, path, flags, 0) })
}

// statGitFile looks at a file of Git's own, as openGitFile would find it.
func statGitFile(at int, path string, follow bool) (Stat, error) {
	if follow {
		return statAt(at, path, 0)
	}
	return statAt(at, path, unix.AT_SYMLINK_NOFOLLOW)
}

// inOwnGroup lets a command lead a process group of its own, which is killed as a whole.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
}

// workingDirectory gives the resolved path of the working directory, never PWD.
func workingDirectory() (string, error) {
	memory := make([]byte, unix.PathMax)
	n, err := unix.Getcwd(memory)
	if err != nil {
		return "", err
	}
	path := string(memory[:max(n-1, 0)]) // without the final NUL
	if path == "" || path[0] != '/' {
		return "", fs.ErrNotExist // the directory is out of reach of this process
	}
	return path, nil
}

// effectiveUser gives the number of the user whose rights this process has.
func effectiveUser() uint32 { return uint32(unix.Geteuid()) }

// exhausted reports whether err means that this process or machine ran out of something, which says nothing about a file.
func exhausted(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}

// refusedKind reports whether an open failed because the file is of a kind that cannot be read: a socket, a device without a driver.
func refusedKind(err error) bool {
	return err == unix.ENXIO || err == unix.ENODEV
}

// identityOf gives the identity of a file that the standard library looked at.
func identityOf(info fs.FileInfo) Identity {
	raw, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}
	}
	return Identity{Device: uint64(raw.Dev), Inode: raw.Ino}
}

// isMissing reports whether an open failed because nothing is there.
func isMissing(err error) bool { return err == unix.ENOENT || err == unix.ENOTDIR }
