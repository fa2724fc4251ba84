package files

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// grow fills a new root with random files and gives their paths, bytewise.
func grow(t *rapid.T, w *world) []string {
	must(w.t, os.RemoveAll(w.root))
	must(w.t, os.Mkdir(w.root, 0o755))
	unique := make(map[string]bool)
	for range rapid.IntRange(0, 20).Draw(t, "files") {
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a.txt", "a-b", "研", "x y"}), 1, 4).Draw(t, "path"), "/")
		if err := os.MkdirAll(w.path(path), 0o755); err == nil {
			file := path + "/" + rapid.SampledFrom([]string{"f", "f.txt", "g", "%20", "\"q\""}).Draw(t, "name")
			must(w.t, os.WriteFile(w.path(file), []byte(strings.Repeat("hit\nmiss\n", rapid.IntRange(0, 3).Draw(t, "hits"))), 0o644))
			unique[file] = true
		}
	}
	var all []string
	for path := range unique {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// reopen opens the root anew, as every call does.
func (w *world) reopen() {
	fresh := newScope(w.t, w.root)
	_ = w.scope.Tree.Close()
	w.scope.Tree = fresh.Tree
}

// TestPagesOfAnyTree: following next offsets meets every entry exactly once, bytewise by whole path, however the pages are
// cut, and no page is larger than it may be (M-42, M-43).
func TestPagesOfAnyTree(t *testing.T) {
	w := newWorld(t, nil)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		all := grow(t, w)
		w.reopen()
		limit := rapid.IntRange(1, 7).Draw(t, "limit")
		limits := Limits{ReadBytes: 1 << 20, ResultBytes: rapid.SampledFrom([]int{600, 900, 1 << 20}).Draw(t, "bytes")}
		var globbed []string
		follow(t, limits, func(offset int) (any, *int, page.Outcome) {
			r, err := Glob(ctx, w.scope, GlobArgs{Pattern: "**", Offset: offset, MaxResults: limit}, limits, nil)
			must(w.t, err)
			globbed = append(globbed, paths(r)...)
			return r, r.NextOffset, r.Outcome
		})
		if !slices.Equal(globbed, all) {
			t.Fatalf("glob: %q\nwant  %q", globbed, all)
		}
		var lines, want []string
		follow(t, limits, func(offset int) (any, *int, page.Outcome) {
			r, err := Grep(ctx, w.scope, GrepArgs{Pattern: "hit", CaseSensitive: true, Offset: offset, MaxResults: limit}, limits, nil)
			must(w.t, err)
			lines = append(lines, places(r)...)
			return r, r.NextOffset, r.Outcome
		})
		for _, path := range all {
			text, err := os.ReadFile(w.path(path))
			must(w.t, err)
			for i := range strings.Count(string(text), "hit") {
				want = append(want, fmt.Sprintf("%s:%d", path, 2*i+1))
			}
		}
		if !slices.Equal(lines, want) {
			t.Fatalf("grep: %q\nwant  %q", lines, want)
		}
	})
}

// follow asks for page after page and holds each against the laws of M-42 and M-43.
func follow(t *rapid.T, limits Limits, ask func(offset int) (result any, next *int, outcome page.Outcome)) {
	total := -2
	for offset := 0; ; {
		result, next, o := ask(offset)
		if size := compactSize(t, result); size > limits.ResultBytes {
			t.Fatalf("a page of %d bytes, limit %d", size, limits.ResultBytes)
		}
		if o.TotalCount == nil || total != -2 && *o.TotalCount != total {
			t.Fatalf("total %v after %d", o.TotalCount, total)
		}
		total = *o.TotalCount
		if o.Complete == o.Truncated || o.Complete == o.HasMore || o.HasMore != (next != nil) {
			t.Fatalf("outcome %+v", o)
		}
		if next == nil {
			return
		}
		if *next <= offset {
			t.Fatalf("next %d after %d", *next, offset)
		}
		offset = *next
	}
}

// TestListPages is the same for list_dir (M-49).
func TestListPages(t *testing.T) {
	w := newWorld(t, nil)
	var want []string
	for i := range 300 {
		name := fmt.Sprintf("f%05d.txt", i*7919%300)
		w.put(name, "x")
		want = append(want, name)
	}
	slices.Sort(want)
	for _, c := range []struct{ limit, bytes int }{{1000, 1 << 20}, {33, 1 << 20}, {1000, 2000}} {
		var got []string
		for offset := 0; ; {
			r, err := ListDir(context.Background(), w.scope, ListArgs{Offset: offset, Limit: c.limit}, Limits{ResultBytes: c.bytes})
			must(t, err)
			for _, e := range r.Entries {
				got = append(got, e.Name)
			}
			if *r.TotalCount != 300 || compactSize(t, r) > c.bytes {
				t.Fatalf("page of %d entries: %+v", len(r.Entries), r.OffsetPage)
			}
			if r.NextOffset == nil {
				break
			}
			offset = *r.NextOffset
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %d entries", c.limit, len(got))
		}
	}
}

// TestManyMatchesInOneFile: pages within one file with more matches than are kept of it at once, and a total (M-42).
func TestManyMatchesInOneFile(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "hit\n", "b": strings.Repeat("hit and a long tail that fills what is kept\n", 20000), "c": "hit\n"})
	var numbers []int
	for offset := 0; ; {
		r := w.grep(GrepArgs{Pattern: "hit", CaseSensitive: true, Offset: offset, MaxResults: 1000})
		if *r.TotalCount != 20002 {
			t.Fatalf("total %d", *r.TotalCount)
		}
		for _, m := range r.Matches {
			numbers = append(numbers, m.LineNumber)
		}
		if r.NextOffset == nil {
			break
		}
		offset = *r.NextOffset
	}
	if len(numbers) != 20002 || numbers[0] != 1 || numbers[20001] != 1 {
		t.Fatalf("%d matches", len(numbers))
	}
	for i, n := range numbers[1:20001] {
		if n != i+1 {
			t.Fatalf("match %d is on line %d", i, n)
		}
	}
}

// TestCountingStops: once a page is full, a large tree is not counted to the end, and the next page goes on (M-41).
func TestCountingStops(t *testing.T) {
	w := newWorld(t, map[string]string{"a": strings.Repeat("hit\n", 10)})
	text := strings.Repeat(strings.Repeat("y", 1023)+"\n", 1020)
	for i := range countedBytes/len(text) + 4 {
		w.put(fmt.Sprintf("b%03d", i), text+"hit\n")
	}
	r := w.grep(GrepArgs{Pattern: "hit", CaseSensitive: true, MaxResults: 2})
	if r.TotalCount != nil || !r.HasMore || *r.NextOffset != 2 || *r.TruncationReason != page.PageLimit {
		t.Errorf("first page: %+v", r.ResultPage)
	}
	r = w.grep(GrepArgs{Pattern: "hit", CaseSensitive: true, Offset: 12, MaxResults: 1000})
	if r.TotalCount == nil || !r.Complete || *r.TotalCount != 12+len(r.Matches) {
		t.Errorf("last page: %+v", r.ResultPage)
	}
}

// A fuse is a context whose time is over when it is burnt.
type fuse struct {
	context.Context
	over chan struct{}
	once sync.Once
}

func newFuse() *fuse { return &fuse{Context: context.Background(), over: make(chan struct{})} }

func (f *fuse) burn() { f.once.Do(func() { close(f.over) }) }

func (f *fuse) Done() <-chan struct{} { return f.over }

func (f *fuse) Err() error {
	select {
	case <-f.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func manyHits(t *testing.T) *world {
	content := make(map[string]string)
	for i := range 200 {
		content[fmt.Sprintf("d%d/%d.txt", i%17, i)] = strings.Repeat("hit\n", i%4)
	}
	return newWorld(t, content)
}

// TestExactContinuation: wherever the time ends, what is given is the beginning of the whole in order, without a gap, and
// going on from the next offset gives the rest (M-42).
func TestExactContinuation(t *testing.T) {
	w := manyHits(t)
	allPaths, allPlaces := paths(w.glob("**", context.Background(), 0, 1000)), places(w.grep(GrepArgs{Pattern: "hit", MaxResults: 1000}))
	for delay := range 40 {
		later := func() context.Context {
			f := newFuse()
			time.AfterFunc(time.Duration(delay)*100*time.Microsecond, f.burn)
			return f
		}
		g := w.glob("**", later(), 0, 1000)
		wantBeginning(t, paths(g), allPaths, g.ResultPage)
		r, err := Grep(later(), w.scope, GrepArgs{Pattern: "hit", MaxResults: 1000}, DefaultLimits(), nil)
		must(t, err)
		wantBeginning(t, places(r), allPlaces, r.ResultPage)
		if r.HasMore {
			rest := w.grep(GrepArgs{Pattern: "hit", Offset: *r.NextOffset, MaxResults: 1000})
			if joined := append(places(r), places(rest)...); !slices.Equal(joined, allPlaces) {
				t.Fatal("the pages do not join")
			}
		}
		tree, err := Tree(later(), w.scope, TreeArgs{MaxDepth: 9, MaxEntries: 5000}, DefaultLimits(), nil)
		must(t, err)
		if !tree.Complete && (tree.Coverage != Partial || *tree.TruncationReason != page.Timeout) {
			t.Fatalf("tree: %+v", tree)
		}
	}
}

// TestStoppedSearch: files that were searched in time count up to the first that was not, none behind it (M-42).
func TestStoppedSearch(t *testing.T) {
	w := manyHits(t)
	all := places(w.grep(GrepArgs{Pattern: "hit", MaxResults: 1000}))
	for _, after := range []int{1, 5, 60} {
		expression, err := parseExpression("hit", true)
		must(t, err)
		target, err := w.scope.Tree.Resolve(".", pathguard.ForDirectory)
		must(t, err)
		search := &grepSearch{tree: w.scope.Tree, expression: expression, limit: 1 << 20, kept: 1000}
		collector := grepCollector{limit: 1000, meter: page.NewMeter(1<<20, 0), search: search}
		time, taken := newFuse(), 0
		err = search.run(time, target, func(ctx context.Context, file *searchedFile) (bool, error) {
			if taken++; taken == after {
				time.burn()
			}
			return collector.take(ctx, file)
		})
		if !timedOut(err) || taken < after || taken > after+2*aheadFiles {
			t.Errorf("after %d files: %v with %d taken", after, err, taken)
		}
		collector.timeOut()
		r := collector.finish()
		wantBeginning(t, places(r), all, r.ResultPage)
	}
}

func wantBeginning(t *testing.T, got, all []string, p page.ResultPage) {
	t.Helper()
	if len(got) > len(all) || !slices.Equal(got, all[:len(got)]) {
		t.Fatalf("%d entries are not the first of %d", len(got), len(all))
	}
	if p.Complete {
		if len(got) != len(all) {
			t.Fatalf("%d of %d entries called complete", len(got), len(all))
		}
		return
	}
	if p.TotalCount != nil || *p.TruncationReason != page.Timeout || p.HasMore != (len(got) > 0) {
		t.Fatalf("page of %d: %+v", len(got), p)
	}
}

// TestCancelledCalls: a cancelled call is an error, whatever was found (M-8).
func TestCancelledCalls(t *testing.T) {
	w := project(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Grep(ctx, w.scope, GrepArgs{Pattern: "x", MaxResults: 1}, DefaultLimits(), nil)
	wantCode(t, "grep", err, "cancelled")
	_, err = Glob(ctx, w.scope, GlobArgs{Pattern: "**", MaxResults: 1}, DefaultLimits(), nil)
	wantCode(t, "glob", err, "cancelled")
	_, err = Tree(ctx, w.scope, TreeArgs{MaxDepth: 1, MaxEntries: 1}, DefaultLimits(), nil)
	wantCode(t, "tree", err, "cancelled")
	_, err = ListDir(ctx, w.scope, ListArgs{Limit: 1}, DefaultLimits())
	wantCode(t, "list_dir", err, "cancelled")
	past, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	_, err = ListDir(past, w.scope, ListArgs{Limit: 1}, DefaultLimits())
	wantCode(t, "list_dir out of time", err, "timeout")
	_, err = ReadFile(past, w.scope, ReadArgs{Path: "README.md", LimitLines: 1}, DefaultLimits())
	wantCode(t, "read_file out of time", err, "timeout")
}
