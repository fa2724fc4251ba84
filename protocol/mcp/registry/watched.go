package registry

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"projectknowledge/protocol/mcp/pathguard"
)

// A watched is one registry file with what was made of it.
type watched[R any] struct {
	path      string
	parse     func(text []byte) ([]R, rootReader, *Problem)
	signature pathguard.Signature
	failing   string // what kept the file from being read, where that is no fact of the signature
	text      []byte
	state     State
	records   []R
	roots     rootReader
}

// refresh looks at the file and reads it again when it is not the one that was read; true when the state changed.
func (w *watched[R]) refresh() bool {
	signature, err := pathguard.SignatureOf(w.path)
	known := w.state.Generation > 0
	if known && w.same(signature, err) && (err != nil || signature.Settled()) {
		return false
	}
	text, info, err := pathguard.ReadConfig(w.path, maxFileBytes)
	if err == nil {
		signature = pathguard.SignatureFor(info)
	}
	if known && w.same(signature, err) && bytes.Equal(text, w.text) {
		return false
	}
	w.signature, w.failing, w.text = signature, failure(err), text
	generation := w.state.Generation + 1
	w.state, w.records, w.roots = w.load(text, info, err)
	w.state.Generation = generation
	return true
}

func (w *watched[R]) same(signature pathguard.Signature, err error) bool {
	return signature == w.signature && failure(err) == w.failing
}

func failure(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	}
	return err.Error()
}

// load makes the state of a file that was read, or could not be.
func (w *watched[R]) load(text []byte, info fs.FileInfo, err error) (State, []R, rootReader) {
	state := State{Status: OK}
	if errors.Is(err, fs.ErrNotExist) {
		state.Status = Missing
		return state, nil, rootReader{}
	}
	var records []R
	var roots rootReader
	problem := unreadable(info, err)
	if problem == nil {
		records, roots, problem = w.parse(text)
	}
	if problem != nil {
		problem.File = w.path
		state.Status, state.Problem = Invalid, problem
		return state, nil, rootReader{}
	}
	return state, records, roots
}

// unreadable judges a file by what the system tells about it (M-20).
func unreadable(info fs.FileInfo, err error) *Problem {
	switch {
	case errors.Is(err, pathguard.ErrTooLarge):
		return &Problem{Kind: SchemaError, Reason: fmt.Sprintf("the file is larger than %d bytes", maxFileBytes)}
	case errors.Is(err, pathguard.ErrNotRegular):
		return &Problem{Kind: ParseError, Reason: "it is not a regular file"}
	case errors.Is(err, fs.ErrPermission):
		return &Problem{Kind: Permissions, Reason: "the file cannot be read: permission denied"}
	case err != nil:
		var system *os.PathError
		if errors.As(err, &system) {
			err = system.Err
		}
		return &Problem{Kind: ParseError, Reason: fmt.Sprintf("the file cannot be read: %v", err)}
	case info.Mode().Perm()&0o002 != 0:
		return &Problem{Kind: Permissions, Reason: fmt.Sprintf("the file is writable by everyone (mode %04o); change it to 0600", info.Mode().Perm())}
	}
	return nil
}
