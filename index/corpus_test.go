package index

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"projectknowledge/store"
)

// memory is a Source over a map that tests edit between updates. A text that
// begins with "!reason" is refused at Read, one that contains "?reason " at
// Admit.
type memory map[string]string

func (m memory) Paths(context.Context) ([]string, error) {
	return slices.Sorted(maps.Keys(m)), nil
}

func (m memory) Read(_ context.Context, path string, buf []byte) ([]byte, error) {
	text, ok := m[path]
	if !ok {
		return nil, &Refusal{"unreadable"}
	}
	if reason, ok := strings.CutPrefix(text, "!"); ok {
		return nil, &Refusal{reason}
	}
	return append(buf[:0], text...), nil
}

func (m memory) Admit(_ string, text []byte) error {
	if _, after, ok := strings.Cut(string(text), "?"); ok {
		reason, _, _ := strings.Cut(after, " ")
		return &Refusal{reason}
	}
	return nil
}

// memoryDir gives a directory of the test's own, in memory where the system
// has such a place: properties publish thousands of indexes.
func memoryDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "index-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// openIndex gives an empty index in a directory of the test's own.
func openIndex(t testing.TB, opt Options) *Index {
	t.Helper()
	dir, err := store.OpenDir(memoryDir(t))
	if err != nil {
		t.Fatal(err)
	}
	ix := New(dir, opt)
	t.Cleanup(func() {
		ix.Close()
		dir.Close()
	})
	return ix
}

func mustUpdate(t testing.TB, ix *Index, src Source, mode Mode) Coverage {
	t.Helper()
	c, err := ix.Update(context.Background(), src, Run{Mode: mode})
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	checkCoverage(t, c)
	return c
}

// build gives an index of the source.
func build(t testing.TB, src Source, opt Options) *Index {
	t.Helper()
	ix := openIndex(t, opt)
	mustUpdate(t, ix, src, Rebuild)
	return ix
}

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkCoverage holds the identities of P-64 and P-62b.
func checkCoverage(t fataler, c Coverage) {
	t.Helper()
	sum := func(m map[string]int) (n int) {
		for _, v := range m {
			n += v
		}
		return n
	}
	switch {
	case c.EligibleFiles != c.IndexedFiles+c.SkippedFiles+c.UnprocessedFiles,
		c.UnprocessedFiles > c.RemainingFiles,
		c.StopReason == Complete && c.RemainingFiles != 0,
		sum(c.SkippedByReason) != c.SkippedFiles,
		sum(c.ExcludedByReason) != c.ExcludedEntries:
		t.Fatalf("P-64: coverage contradicts itself: %+v", c)
	}
}

func find(t fataler, ix *Index, q Query) []Hit {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 20
	}
	res, err := ix.Search(context.Background(), q)
	if errors.Is(err, ErrNoTerms) {
		return nil
	}
	if err != nil {
		t.Fatalf("search %q: %v", q.Text, err)
	}
	return res.Hits
}

func paths(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return out
}

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }
