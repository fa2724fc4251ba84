package files

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The tree of M-73: 11,500 files of 157 MB, made once for all benchmarks.
const (
	benchFiles = 11_500
	benchBytes = 157 << 20
)

var benchRoot = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "files-bench-")
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("func return value error string index buffer length result context request handler package import struct interface map slice append range")
	for i := range benchFiles {
		name := fmt.Sprintf("%s/p%02d/q%02d/file%05d_%s.go", dir, i%40, i/40%30, i, []string{"test", "main", "unix"}[i%3])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		var text strings.Builder
		for size := benchBytes / benchFiles / 2 * (1 + r.IntN(3)); text.Len() < size; {
			for range 6 + r.IntN(6) {
				text.WriteString(words[r.IntN(len(words))])
				text.WriteByte(' ')
			}
			text.WriteByte('\n')
		}
		if i%500 == 0 {
			text.WriteString("a rareNeedle here\n")
		}
		if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
			return "", err
		}
	}
	return dir, os.WriteFile(filepath.Join(dir, "read.txt"), []byte(strings.Repeat("a line of thirty bytes or so\n", 300<<10/29)), 0o644)
})

func TestMain(m *testing.M) {
	status := m.Run()
	if made, err := benchMade(); made != "" && err == nil {
		_ = os.RemoveAll(made)
	}
	os.Exit(status)
}

var benchUsed bool

// benchMade gives the tree of the benchmarks if one was made.
func benchMade() (string, error) {
	if !benchUsed {
		return "", nil
	}
	return benchRoot()
}

func benchScope(b *testing.B) Scope {
	b.Helper()
	benchUsed = true
	root, err := benchRoot()
	must(b, err)
	scope := newScope(b, root)
	b.Cleanup(func() { _ = scope.Tree.Close() })
	return scope
}

func BenchmarkGlob(b *testing.B) {
	scope := benchScope(b)
	for b.Loop() {
		r, err := Glob(context.Background(), scope, GlobArgs{Pattern: "**/*_test.go", MaxResults: 200}, DefaultLimits(), nil)
		must(b, err)
		if *r.TotalCount < benchFiles/4 {
			b.Fatal(*r.TotalCount)
		}
	}
}

func BenchmarkGrep(b *testing.B) {
	for name, args := range map[string]GrepArgs{
		"literal":    {Pattern: "rareNeedle", CaseSensitive: true},
		"fold":       {Pattern: "rareneedle"},
		"required":   {Pattern: `a\s+rareNeedle\b.*$`, CaseSensitive: true},
		"first page": {Pattern: "interface", CaseSensitive: true},
		"every line": {Pattern: `[A-Z][a-z]+e\b`, CaseSensitive: true},
	} {
		b.Run(name, func(b *testing.B) {
			scope := benchScope(b)
			args.MaxResults = 100
			b.ReportAllocs()
			for b.Loop() {
				r, err := Grep(context.Background(), scope, args, DefaultLimits(), nil)
				must(b, err)
				if len(r.Matches) == 0 && name != "every line" {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	scope := benchScope(b)
	for b.Loop() {
		_, err := ReadFile(context.Background(), scope, ReadArgs{Path: "read.txt", LimitLines: 500}, DefaultLimits())
		must(b, err)
	}
}

func BenchmarkTree(b *testing.B) {
	scope := benchScope(b)
	for b.Loop() {
		_, err := Tree(context.Background(), scope, TreeArgs{MaxDepth: 3, MaxEntries: 500}, DefaultLimits(), nil)
		must(b, err)
	}
}

// BenchmarkList lists the first page of directories of 1,000 and 100,000 entries (M-49, M-73).
func BenchmarkList(b *testing.B) {
	for _, entries := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			w := newWorld(b, nil)
			for i := range entries {
				must(b, os.WriteFile(w.path(fmt.Sprintf("f%06d.txt", i)), nil, 0o644))
			}
			for b.Loop() {
				r, err := ListDir(context.Background(), w.scope, ListArgs{Limit: 200}, DefaultLimits())
				must(b, err)
				if *r.TotalCount != entries {
					b.Fatal(*r.TotalCount)
				}
			}
		})
	}
}
