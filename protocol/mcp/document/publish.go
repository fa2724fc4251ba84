package document

import (
	"errors"
	"io"
	"os"
	"strings"

	"projectknowledge/protocol/mcp/pathguard"
)

// publish creates the document of a target (M-52): parents, a private file without a name, its content, its name. last is
// asked when everything is written and only the name is missing; its error ends it.
func publish(t *target, write func(io.Writer) error, last func() error) error {
	directory, made, err := t.open()
	if err != nil {
		return err
	}
	defer func() { _ = directory.Close() }()
	if err := nameFree(directory, t.name); err != nil {
		return err
	}
	draft, err := newDraft(directory)
	if err != nil {
		return err
	}
	defer draft.discard()
	if err := write(draft.file); err != nil {
		return err
	}
	if err := draft.file.Sync(); err != nil {
		return err
	}
	if err := last(); err != nil {
		return err
	}
	if err := t.same(directory); err != nil {
		return err
	}
	if err := draft.name(t.name); err != nil {
		return err
	}
	if err := syncDirectory(directory); err != nil {
		return err
	}
	return t.syncParents(made)
}

// open opens the document's directory, made when it is missing.
func (t *target) open() (directory *os.File, made bool, err error) {
	directory, err = t.tree.OpenDirForWrite(t.directory, false)
	if pathguard.CodeOf(err) == pathguard.NotFound {
		directory, err = t.tree.OpenDirForWrite(t.directory, true)
		made = true
	}
	return directory, made, err
}

// same proves that the directory still is where it was opened: it may have been moved while the content was written.
func (t *target) same(directory *os.File) error {
	again, err := t.tree.OpenDirForWrite(t.directory, false)
	if err != nil {
		return err
	}
	defer func() { _ = again.Close() }()
	a, err1 := directory.Stat()
	b, err2 := again.Stat()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if !os.SameFile(a, b) {
		return pathguard.Errorf(pathguard.WriteFailed, "The directory was replaced while the document was written; try again.")
	}
	return nil
}

// syncParents makes the names of new directories durable.
func (t *target) syncParents(made bool) error {
	for dir := t.directory; made && dir != "."; {
		if slash := strings.LastIndexByte(dir, '/'); slash >= 0 {
			dir = dir[:slash]
		} else {
			dir = "."
		}
		parent, err := t.tree.OpenDirForWrite(dir, false)
		if err != nil {
			return err
		}
		err = syncDirectory(parent)
		_ = parent.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
