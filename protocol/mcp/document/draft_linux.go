package document

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

// draftPrefix begins the names of drafts on filesystems where a file cannot be without a name.
const draftPrefix = ".project-knowledge-draft-"

// ownDescriptors names the open files of this process.
const ownDescriptors = "/proc/self/fd"

// A draft is a document that has no name yet. On most filesystems it really has none, so that nothing is left of it when
// the process ends in any way. Where that is not possible it has a hidden name and is locked; one that nobody locks was
// left by a process that died, and is removed by the next draft in its directory.
type draft struct {
	directory *os.File
	file      *os.File
	hidden    string // "" when it has no name, or not any more
}

// nameFree gives already_exists when a directory has an entry of that name, whatever it is.
func nameFree(directory *os.File, name string) error {
	var facts unix.Stat_t
	err := retry(func() error { return unix.Fstatat(fd(directory), name, &facts, unix.AT_SYMLINK_NOFOLLOW) })
	switch {
	case err == nil:
		return pathguard.Fault(pathguard.AlreadyExists)
	case errors.Is(err, unix.ENOENT):
		return nil
	case errors.Is(err, unix.ENAMETOOLONG):
		return pathguard.Fault(pathguard.InvalidPath).Because(err)
	}
	return err
}

func newDraft(directory *os.File) (*draft, error) {
	if unix.Access(ownDescriptors, unix.F_OK) != nil { // without them a nameless file cannot be given a name
		return newHidden(directory)
	}
	d, err := newNameless(directory)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINVAL) {
		return newHidden(directory)
	}
	return d, err
}

func newNameless(directory *os.File) (*draft, error) {
	file, err := openDraft(directory, ".", unix.O_TMPFILE|unix.O_WRONLY)
	if err != nil {
		return nil, err
	}
	return &draft{directory: directory, file: file}, nil
}

func newHidden(directory *os.File) (*draft, error) {
	sweepDrafts(directory)
	name := draftPrefix + rand.Text()
	file, err := openDraft(directory, name, unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_WRONLY)
	if err != nil {
		return nil, err
	}
	d := &draft{directory: directory, file: file, hidden: name}
	if err := unix.Flock(fd(file), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		d.discard()
		return nil, err
	}
	return d, nil
}

func openDraft(directory *os.File, name string, flags int) (*os.File, error) {
	var opened int
	err := retry(func() (err error) {
		opened, err = unix.Openat(fd(directory), name, flags|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(opened), "draft"), nil
}

// name gives the draft its name, unless something has it already (M-52).
func (d *draft) name(name string) error {
	var err error
	if d.hidden == "" {
		own := fmt.Sprintf("%s/%d", ownDescriptors, fd(d.file))
		err = retry(func() error { return unix.Linkat(unix.AT_FDCWD, own, fd(d.directory), name, unix.AT_SYMLINK_FOLLOW) })
	} else {
		err = d.rename(name)
	}
	if errors.Is(err, unix.EEXIST) {
		return pathguard.Fault(pathguard.AlreadyExists)
	}
	return err
}

// rename moves the hidden name; where the filesystem cannot refuse to replace, a second name is made and the first removed.
func (d *draft) rename(name string) error {
	at := fd(d.directory)
	err := retry(func() error { return unix.Renameat2(at, d.hidden, at, name, unix.RENAME_NOREPLACE) })
	if err == nil {
		d.hidden = ""
		return nil
	}
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	return retry(func() error { return unix.Linkat(at, d.hidden, at, name, 0) })
}

// discard lets the draft go: what has no name then is gone.
func (d *draft) discard() {
	if d.hidden != "" {
		_ = unix.Unlinkat(fd(d.directory), d.hidden, 0)
		d.hidden = ""
	}
	_ = d.file.Close()
}

// sweepDrafts removes drafts of dead processes from a directory. What cannot be removed stays hidden and does no harm.
func sweepDrafts(directory *os.File) {
	entries, err := openDraft(directory, ".", unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return
	}
	defer func() { _ = entries.Close() }()
	names, err := entries.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, draftPrefix) {
			continue
		}
		left, err := openDraft(directory, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK)
		if err != nil {
			continue
		}
		if unix.Flock(fd(left), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = unix.Unlinkat(fd(directory), name, 0)
		}
		_ = left.Close()
	}
}

// syncDirectory makes the names in a directory durable, where the filesystem knows how to.
func syncDirectory(directory *os.File) error {
	err := retry(func() error { return unix.Fsync(fd(directory)) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

func fd(file *os.File) int { return int(file.Fd()) }

func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
