package document

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

// extension is what the name of every document ends with (M-52).
const extension = ".md"

// A target is where a document is to appear: in a project's root, opened for the call.
type target struct {
	tree      *pathguard.Tree
	path      string // normal form
	directory string
	name      string
}

// target judges the path of a new document by the rules of M-52, from its text to what is there already. Close its tree.
func (p Place) target(path string) (*target, error) {
	clean, err := p.allowed(path)
	if err != nil {
		return nil, err
	}
	tree, err := pathguard.Open(p.Root, p.Rules)
	if errors.Is(err, pathguard.ErrRootUnavailable) {
		return nil, pathguard.Fault(pathguard.ProjectUnavailable).Because(err)
	}
	if err != nil {
		return nil, err
	}
	slash := strings.LastIndexByte(clean, '/')
	t := &target{tree: tree, path: clean, directory: clean[:slash], name: clean[slash+1:]}
	if err = tree.Visible(clean, false); err == nil {
		err = t.free()
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// allowed judges a path by its text alone.
func (p Place) allowed(path string) (string, error) {
	clean, err := pathguard.ValidatePath(path, pathguard.ForWrite)
	if err != nil {
		return "", err
	}
	if p.WriteDirectory == "" || !strings.HasPrefix(clean, p.WriteDirectory+"/") {
		return "", p.notAllowed()
	}
	if !strings.HasSuffix(clean, extension) {
		return "", pathguard.Fault(pathguard.InvalidExtension)
	}
	return clean, nil
}

func (p Place) notAllowed() error {
	if p.WriteDirectory == "" {
		return pathguard.Errorf(pathguard.WriteNotAllowed, "This project has no write directory, so no documents can be created.")
	}
	return pathguard.Errorf(pathguard.WriteNotAllowed, "Documents can be created below %q only; begin the path with it.", p.WriteDirectory).With("write_directory", p.WriteDirectory)
}

func (t *target) close() { _ = t.tree.Close() }

// free proves that nothing stands in the way of the document so far: no link among its parents, no entry of its name. A
// parent that is missing is made only when the document is published.
func (t *target) free() error {
	directory, err := t.tree.OpenDirForWrite(t.directory, false)
	if pathguard.CodeOf(err) == pathguard.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = directory.Close() }()
	return nameFree(directory, t.name)
}

// checkText refuses what no text document may hold.
func checkText(content string) error {
	if strings.IndexByte(content, 0) >= 0 || !utf8.ValidString(content) {
		return pathguard.Fault(pathguard.NotText)
	}
	return nil
}

// ended turns the end of a context into the caller's error.
func ended(ctx context.Context) error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return pathguard.Fault(pathguard.Timeout).Because(err)
	default:
		return pathguard.Fault(pathguard.Cancelled).Because(err)
	}
}

// writeFault is write_failed, whose standing sentence names what an administrator can do (M-70).
func writeFault(err error) error {
	var known *pathguard.Error
	if errors.As(err, &known) {
		return err
	}
	return pathguard.Fault(pathguard.WriteFailed).Because(err)
}
