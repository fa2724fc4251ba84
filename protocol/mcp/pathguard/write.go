package pathguard

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// OpenDirForWrite opens a directory in which a document is to be created. path is in normal form (ValidatePath with
// ForWrite gave it for the document). No component may be a link, not even one that stays inside the root (M-52). With
// create, missing directories are made with mode 0755, beneath the root's descriptor.
// Errors: path_denied, path_ignored, symlink_parent, not_a_directory, permission_denied, write_failed; not_found without create.
func (t *Tree) OpenDirForWrite(path string, create bool) (*os.File, error) {
	if err := t.Visible(path, true); err != nil {
		return nil, err
	}
	fd, err := openBeneath(t.root, path, directoryFlags)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err = t.makeDirectories(path); err == nil {
			fd, err = openBeneath(t.root, path, directoryFlags)
		}
	}
	if err != nil {
		return nil, writingFault(err, create)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// makeDirectories creates what is missing of a path, each directory in its opened parent.
func (t *Tree) makeDirectories(path string) error {
	at := "."
	for name := range strings.SplitSeq(path, "/") {
		if err := t.makeIn(at, name); err != nil {
			return err
		}
		at = join(at, name)
	}
	return nil
}

func (t *Tree) makeIn(dir, name string) error {
	fd, err := openBeneath(t.root, dir, directoryFlags)
	if err != nil {
		return err
	}
	defer closeDescriptor(fd)
	return makeDirectory(fd, name)
}

func writingFault(err error, create bool) error {
	switch {
	case errors.Is(err, errLink):
		return Fault(SymlinkParent).Because(err)
	case errors.Is(err, errNotDirectory):
		return Errorf(NotADirectory, "A name on the way to the document is a file, not a directory.").Because(err)
	case !create && errors.Is(err, fs.ErrNotExist):
		return Fault(NotFound).Because(err)
	case !create && errors.Is(err, fs.ErrPermission):
		return Fault(PermissionDenied).Because(err)
	}
	return Fault(WriteFailed).Because(err)
}
