package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"projectknowledge/protocol/mcp/pathguard"
)

// An Outcome is what became of a file.
type Outcome struct {
	Path string
	Done Done
}

// Done is what was done about a file.
type Done string

// The outcomes of writing.
const (
	Made Done = "made"
	Same Done = "same" // it was there, as it would have been made
	Kept Done = "kept" // it was there with another content, and stays
)

// Write makes files and directories that do not exist yet. What exists is never changed. Errors: already_exists when
// files with another content were kept, write_failed for the first that could not be made; the outcomes tell how far
// it came.
func Write(files []File) ([]Outcome, error) {
	var (
		outcomes []Outcome
		kept     error
	)
	for _, file := range files {
		done, err := file.create()
		if err != nil {
			return outcomes, pathguard.Errorf(pathguard.WriteFailed, "%s could not be made: %w", file.Path, err)
		}
		outcomes = append(outcomes, Outcome{file.Path, done})
		if done == Kept && kept == nil {
			kept = pathguard.Errorf(pathguard.AlreadyExists, "%s exists with another content and was not changed.", file.Path)
		}
	}
	return outcomes, kept
}

// create makes the file under a private name first, so that its own name never stands for half of it.
func (f *File) create() (Done, error) {
	if f.Mode.IsDir() {
		return f.makeDirectory()
	}
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, directory.Perm()); err != nil {
		return "", err
	}
	if _, err := os.Lstat(f.Path); err == nil {
		return f.compare()
	}
	draft, err := os.CreateTemp(dir, ".setup.*.tmp")
	if err != nil {
		return "", err
	}
	defer os.Remove(draft.Name())
	_, err = draft.WriteString(f.Text)
	if err := errors.Join(err, draft.Chmod(f.Mode), draft.Sync(), draft.Close()); err != nil {
		return "", err
	}
	// A link never replaces: a file that came meanwhile stays.
	if err := os.Link(draft.Name(), f.Path); errors.Is(err, fs.ErrExist) {
		return f.compare()
	} else if err != nil {
		return "", err
	}
	return Made, nil
}

func (f *File) makeDirectory() (Done, error) {
	info, err := os.Stat(f.Path)
	switch {
	case err == nil && info.IsDir():
		return Same, nil
	case err == nil:
		return "", errors.New("it is no directory")
	}
	if err := os.MkdirAll(f.Path, directory.Perm()); err != nil {
		return "", err
	}
	return Made, nil
}

// compare tells whether the file that exists is what would have been made.
func (f *File) compare() (Done, error) {
	info, err := os.Stat(f.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(f.Text)) {
		return Kept, nil
	}
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(text, []byte(f.Text)) {
		return Kept, nil
	}
	return Same, nil
}
