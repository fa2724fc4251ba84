package fts5

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"projectknowledge/store"
)

// P-3: the probe works through the real store and leaves nothing behind.
func TestProbe(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	if err := Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	checkEmpty(t, temp)
}

func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// P-3, P-4: each step that fails has its own sentence, which names FTS5 and no path, and the directory is
// removed whatever happened.
func TestProbeFailures(t *testing.T) {
	cause := errors.New("broken /secret/place")
	sound := func(temp string) steps {
		return steps{
			makeDir: func() (string, error) { return os.MkdirTemp(temp, "") },
			create:  createIn,
			insert:  func(ctx context.Context, t *Table, text string) (uint64, error) { return t.Insert(ctx, text) },
			match:   func(ctx context.Context, t *Table, token string) ([]uint64, error) { return t.Match(ctx, token) },
			remove:  os.RemoveAll,
		}
	}
	answer := func(rows ...uint64) func(context.Context, *Table, string) ([]uint64, error) {
		return func(context.Context, *Table, string) ([]uint64, error) { return rows, nil }
	}
	cases := []struct {
		name     string
		sentence string
		cause    error
		change   func(s *steps)
	}{
		{"directory", failDir, cause, func(s *steps) { s.makeDir = func() (string, error) { return "", cause } }},
		{"create", failTable, cause, func(s *steps) {
			s.create = func(context.Context, string) (*Table, error) { return nil, cause }
		}},
		{"insert", failInsert, cause, func(s *steps) {
			s.insert = func(context.Context, *Table, string) (uint64, error) { return 0, cause }
		}},
		{"query", failQuery, cause, func(s *steps) {
			s.match = func(context.Context, *Table, string) ([]uint64, error) { return nil, cause }
		}},
		{"no row", failRow, errRow, func(s *steps) { s.match = answer() }},
		{"another row", failRow, errRow, func(s *steps) { s.match = answer(2) }},
		{"more rows", failRow, errRow, func(s *steps) { s.match = answer(1, 2) }},
		{"remove", failRemove, cause, func(s *steps) {
			s.remove = func(path string) error {
				os.RemoveAll(path)
				return cause
			}
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			s := sound(temp)
			c.change(&s)
			err := s.probe(context.Background())
			var failure *Failure
			if !errors.As(err, &failure) || err.Error() != c.sentence || !errors.Is(err, c.cause) {
				t.Fatalf("got %v, want %q", err, c.sentence)
			}
			if !strings.Contains(err.Error(), "FTS5") || strings.ContainsAny(err.Error(), "/\\\n") || len(err.Error()) > 300 {
				t.Errorf("unsafe diagnostic %q", err)
			}
			checkEmpty(t, temp)
		})
	}
}

func TestProbeCancelled(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Probe(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "FTS5") {
		t.Errorf("got %v", err)
	}
	checkEmpty(t, temp)
}

func TestTable(t *testing.T) {
	ctx := context.Background()
	dir, err := store.OpenDir(filepath.Join(t.TempDir(), "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	table, err := CreateVirtualTable(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateVirtualTable(ctx, dir); err == nil {
		t.Error("a second table over the first")
	}
	for i, text := range []string{"One two, two!", "", "Zwei TWO 知识"} {
		if row, err := table.Insert(ctx, text); err != nil || row != uint64(i+1) {
			t.Fatalf("insert %q: row %d, %v", text, row, err)
		}
	}
	for token, want := range map[string][]uint64{"two": {1, 3}, "ONE": {1}, "知识": {3}, "three": nil} {
		if rows, err := table.Match(ctx, token); err != nil || !slices.Equal(rows, want) {
			t.Errorf("match %q: %v %v, want %v", token, rows, err, want)
		}
	}
	for _, token := range []string{"", "two words", "!"} {
		if _, err := table.Match(ctx, token); err == nil {
			t.Errorf("match %q: no error", token)
		}
	}
	snap, err := dir.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if report, err := store.Check(snap); err != nil {
		t.Errorf("check: %v %v", err, report.Problems)
	}
}
