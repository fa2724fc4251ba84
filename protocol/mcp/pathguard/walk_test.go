//go:build linux

package pathguard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// walked gives the paths of a walk, each with a slash for a directory.
func walked(t testing.TB, tree *Tree, dir string, how Walk) []string {
	t.Helper()
	var paths []string
	_, err := tree.Walk(context.Background(), dir, how, func(entry Entry, depth int) error {
		if below := strings.TrimPrefix(entry.Path, dir+"/"); strings.Count(below, "/")+1 != depth {
			t.Errorf("%s has depth %d", entry.Path, depth)
		}
		paths = append(paths, marked([]Entry{entry})...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestOrdersOfAWalk(t *testing.T) { // M-42, M-48
	w := newWorld(t)
	w.put("a/b", "a.txt", "a-b/c", "a0", "a/b.d/e", "a/b!", "z/y/x/w", "node_modules/x", "a/.env", "B")
	w.link("ln-a", "a")
	tree := w.open()
	for _, workers := range []int{0, 1, 8} {
		byPath := []string{"B", "a/", "a-b/", "a-b/c", "a.txt", "a/b", "a/b!", "a/b.d/", "a/b.d/e", "a0", "ln-a/@", "z/", "z/y/", "z/y/x/", "z/y/x/w"}
		if got := walked(t, tree, ".", Walk{Workers: workers}); !slices.Equal(got, byPath) {
			t.Errorf("by path\n got %q\nwant %q", got, byPath)
		}
		depthFirst := []string{"B", "a/", "a/b", "a/b!", "a/b.d/", "a/b.d/e", "a-b/", "a-b/c", "a.txt", "a0", "ln-a/@", "z/", "z/y/", "z/y/x/", "z/y/x/w"}
		if got := walked(t, tree, ".", Walk{Order: TreeOrder, Workers: workers}); !slices.Equal(got, depthFirst) {
			t.Errorf("depth first\n got %q\nwant %q", got, depthFirst)
		}
	}
	if got := walked(t, tree, "ln-a", Walk{NamesOnly: true}); !slices.Equal(got, []string{"ln-a/b", "ln-a/b!", "ln-a/b.d/", "ln-a/b.d/e"}) {
		t.Errorf("a linked directory: %q", got)
	}
	if got := walked(t, tree, "z", Walk{MaxDepth: 2}); !slices.Equal(got, []string{"z/y/", "z/y/x/"}) {
		t.Errorf("two levels: %q", got)
	}
	_, err := tree.Walk(context.Background(), "B", Walk{}, nil)
	wantCode(t, "a file", err, NotADirectory)
}

func TestWalksOfRandomTrees(t *testing.T) { // M-42
	name := rapid.SampledFrom([]string{"a", "b", "a.b", "a-", "ab", "a!", "é", "0", "A", "~", " "})
	rapid.Check(t, func(rt *rapid.T) {
		root, err := os.MkdirTemp(t.TempDir(), "walk")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(root)
		for _, parts := range rapid.SliceOfN(rapid.SliceOfN(name, 1, 4), 0, 25).Draw(rt, "paths") {
			if parts[0] == "~" {
				parts[0] = "x"
			}
			dir := filepath.Join(root, filepath.Join(parts[:len(parts)-1]...))
			if os.MkdirAll(dir, 0o755) == nil {
				_ = os.WriteFile(filepath.Join(dir, parts[len(parts)-1]), nil, 0o644)
			}
		}
		var want []string
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if path != root {
				want = append(want, path[len(root)+1:])
			}
			return err
		})
		tree, err := Open(root, nil)
		if err != nil {
			rt.Fatal(err)
		}
		defer tree.Close()
		for _, order := range []Order{TreeOrder, PathOrder} { // WalkDir is depth first
			if order == PathOrder {
				slices.Sort(want)
			}
			var got []string
			how := Walk{Order: order, Workers: rapid.IntRange(1, 4).Draw(rt, "workers"), NamesOnly: rapid.Bool().Draw(rt, "names")}
			report, err := tree.Walk(context.Background(), ".", how, func(entry Entry, _ int) error {
				got = append(got, entry.Path)
				return nil
			})
			if err != nil || report.Unreadable != 0 || !slices.Equal(got, want) {
				rt.Fatalf("%+v: %v\n got %q\nwant %q", how, err, got, want)
			}
		}
	})
}

func TestWalksThatEndEarly(t *testing.T) { // M-8, M-48
	w := newWorld(t)
	for i := range 30 {
		for j := range 10 {
			w.put(fmt.Sprintf("d%02d/e%d/f", i, j))
		}
	}
	tree := w.open()
	var got []string
	_, err := tree.Walk(context.Background(), ".", Walk{}, func(entry Entry, _ int) error {
		got = append(got, entry.Path)
		switch entry.Path {
		case "d00", "d01/e3":
			return fs.SkipDir
		case "d02":
			return fs.SkipAll
		}
		return nil
	})
	if err != nil || len(got) != 1+(1+10+9)+1 || got[len(got)-1] != "d02" {
		t.Errorf("%d entries up to %q, %v", len(got), got[len(got)-1], err)
	}
	mine := errors.New("mine")
	if _, err := tree.Walk(context.Background(), ".", Walk{}, func(Entry, int) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("an error of the caller becomes %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	_, err = tree.Walk(ctx, ".", Walk{}, func(Entry, int) error {
		if seen++; seen == 50 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || seen != 50 {
		t.Errorf("a cancelled walk gives %v after %d entries", err, seen)
	}
}

func TestPanicsDuringAWalk(t *testing.T) { // M-16
	w := newWorld(t)
	w.put("a/b", "c/d")
	tree := w.open()
	before := runtime.NumGoroutine()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the caller is swallowed")
			}
		}()
		_, _ = tree.Walk(context.Background(), ".", Walk{Workers: 8}, func(Entry, int) error { panic("mine") })
	}()
	for tries := 0; runtime.NumGoroutine() > before; tries++ { // the last ones are on their way out
		if tries == 5000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
	broken := &walker{tree: nil, ctx: context.Background(), queue: newWalkQueue(PathOrder)}
	node := newWalkNode(Entry{Path: ".", resolved: "."}, 1)
	broken.queue.claim(node)
	broken.read(node)
	<-node.done
	wantCode(t, "a panic while a directory is read", node.err, InternalError)
}

func TestWalkAheadIsBounded(t *testing.T) { // M-73
	queue := newWalkQueue(PathOrder)
	big := newWalkNode(Entry{Path: "a", resolved: "a"}, 1)
	next := newWalkNode(Entry{Path: "b", resolved: "b"}, 1)
	queue.claim(big)
	big.entries, big.children = make([]Entry, maxAhead), []*walkNode{next}
	queue.finished(big)
	took := make(chan *walkNode)
	go func() { took <- queue.take() }()
	select {
	case <-took:
		t.Fatal("a directory is read ahead although enough lies ready")
	default:
	}
	queue.consume(big)
	if node := <-took; node != next {
		t.Fatal("reading ahead does not go on")
	}
	queue.drop(next)
	next.entries = make([]Entry, 3)
	queue.finished(next)
	if queue.ahead != 0 || next.entries != nil {
		t.Errorf("a directory that was left out while it was read still counts: %d", queue.ahead)
	}
	queue.close()
	if queue.take() != nil {
		t.Error("a closed queue gives directories")
	}
}

func BenchmarkWalk(b *testing.B) {
	root := b.TempDir()
	for i := range 1000 {
		dir := filepath.Join(root, fmt.Sprintf("d%02d/e%02d", i/40, i%40))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 11 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d.go", j)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	tree, err := Open(root, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	for _, namesOnly := range []bool{false, true} {
		b.Run(fmt.Sprintf("names=%v", namesOnly), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := tree.Walk(context.Background(), ".", Walk{NamesOnly: namesOnly}, func(Entry, int) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
