package fts5

import (
	"context"
	"errors"
	"os"
	"slices"

	"projectknowledge/store"
)

// probeToken is the one token that the probe inserts.
const probeToken = "admission"

// Failure is a failed probe. Its text is one safe sentence that names FTS5 and holds nothing of the machine;
// the cause, for a log of one's own, is behind Unwrap.
type Failure struct {
	sentence string
	cause    error
}

func (f *Failure) Error() string { return f.sentence }

func (f *Failure) Unwrap() error { return f.cause }

// Sentences of the failures, one for each step.
const (
	failDir    = "The FTS5 probe could not create its private temporary directory."
	failTable  = "The FTS5 probe could not create a full-text table."
	failInsert = "The FTS5 probe could not insert a token into its table."
	failQuery  = "The FTS5 probe could not query its table."
	failRow    = "The FTS5 probe did not get back exactly the row that it inserted."
	failRemove = "The FTS5 probe could not remove its temporary directory."
)

// errRow is the cause when every step worked and the answer is wrong.
var errRow = errors.New("fts5: the query gave other rows")

// steps is what the probe does, so that a test can make each step fail.
type steps struct {
	makeDir func() (string, error)
	create  func(ctx context.Context, path string) (*Table, error)
	insert  func(ctx context.Context, t *Table, text string) (uint64, error)
	match   func(ctx context.Context, t *Table, token string) ([]uint64, error)
	remove  func(path string) error
}

// Probe creates a full-text table in a fresh private directory under the system's temporary directory,
// inserts one token and queries it back. It leaves nothing behind. The error is a *Failure.
func Probe(ctx context.Context) error {
	return steps{
		makeDir: makeDir,
		create:  createIn,
		insert:  func(ctx context.Context, t *Table, text string) (uint64, error) { return t.Insert(ctx, text) },
		match:   func(ctx context.Context, t *Table, token string) ([]uint64, error) { return t.Match(ctx, token) },
		remove:  os.RemoveAll,
	}.probe(ctx)
}

func (s steps) probe(ctx context.Context) (err error) {
	path, err := s.makeDir()
	if err != nil {
		return &Failure{failDir, err}
	}
	defer func() {
		if cause := s.remove(path); cause != nil && err == nil {
			err = &Failure{failRemove, cause}
		}
	}()
	table, err := s.create(ctx, path)
	if err != nil {
		return &Failure{failTable, err}
	}
	defer table.dir.Close()
	row, err := s.insert(ctx, table, probeToken)
	if err != nil {
		return &Failure{failInsert, err}
	}
	rows, err := s.match(ctx, table, probeToken)
	if err != nil {
		return &Failure{failQuery, err}
	}
	if !slices.Equal(rows, []uint64{row}) {
		return &Failure{failRow, errRow}
	}
	return nil
}

// makeDir makes the directory with mode 0700 whatever the umask.
func makeDir() (string, error) {
	path, err := os.MkdirTemp("", "project-knowledge-probe-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(path, 0o700); err != nil {
		os.Remove(path)
		return "", err
	}
	return path, nil
}

// createIn makes the table in the directory at path.
func createIn(ctx context.Context, path string) (*Table, error) {
	dir, err := store.OpenDir(path)
	if err != nil {
		return nil, err
	}
	t, err := CreateVirtualTable(ctx, dir)
	if err != nil {
		dir.Close()
		return nil, err
	}
	return t, nil
}
