package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/store"
)

// alphabets are rich in what the tokenizer treats specially.
var alphabets = []string{
	"aAbB_19 \n", "parse HTTP2Server_x\n", "项目知识a1 \n", "テスト한국ｱﾞab \n", "éÉσΣß ﬁｆ\n", "กิน ข้าว\u0301\n",
	"{}()=;:'\"#/\r\n", "func type class def const\n",
}

func drawText(t *rapid.T) string {
	alphabet := []rune(rapid.SampledFrom(alphabets).Draw(t, "alphabet"))
	n := rapid.SampledFrom([]int{0, 3, 20, 200, 3000}).Draw(t, "size")
	text := rapid.StringOfN(rapid.SampledFrom(alphabet), 0, n, -1).Draw(t, "text")
	if rapid.IntRange(0, 19).Draw(t, "long") == 0 {
		text += "\n" + strings.Repeat("long ", 1000) + "\n" + text
	}
	return text
}

func drawPath(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"a.md", "b.go", "src/a.go", "src/b_test.go", "src/HTTPServer.ts", "docs/项目.md", "docs/a/b/c.yaml", "z", "src/a", "Makefile",
	}).Draw(t, "path")
}

// edit changes the source in one of the ways that a working tree changes.
func edit(t *rapid.T, src memory) {
	path := drawPath(t)
	switch rapid.IntRange(0, 6).Draw(t, "edit") {
	case 0, 1:
		src[path] = drawText(t)
	case 2:
		delete(src, path)
	case 3: // rename
		if text, ok := src[path]; ok {
			delete(src, path)
			src[drawPath(t)] = text
		}
	case 4:
		src[path] = "!oversized"
	case 5:
		src[path] = drawText(t) + "?sensitive_content "
	case 6:
		src[path] += "\nadded line\n"
	}
}

var lawQueries = []Query{
	{Text: "parse HTTP server"}, {Text: "a"}, {Text: "added line"}, {Text: "long"}, {Text: "项目 知识"}, {Text: "知"},
	{Text: "HTTPServer"}, {Text: "func"}, {Text: "テスト"}, {Text: "한"}, {Text: "café é"}, {Text: "กิน"}, {Text: "docs src"},
	{Text: "19 a1 b"}, {Text: "the"},
}

// sameAnswers compares whole result lists with their scores.
func sameAnswers(t *rapid.T, got, want *Index) {
	for _, q := range lawQueries {
		for _, profile := range []Profile{Ranked, FTS5} {
			q.Profile, q.Limit = profile, 1000
			a, b := find(t, got, q), find(t, want, q)
			if len(a) != len(b) {
				t.Fatalf("%q: %d hits, a rebuild gives %d", q.Text, len(a), len(b))
			}
			for i := range a {
				a[i].Row, b[i].Row = 0, 0 // P-52: a row id depends on history
				if a[i] != b[i] {
					t.Fatalf("%q, hit %d: %+v, a rebuild gives %+v", q.Text, i, a[i], b[i])
				}
			}
		}
	}
}

// Invariant 1: after any history of edits and refreshes, cut by the work
// budget or not, by any number of workers, the index answers as one built
// afresh from the same bytes.
func TestRefreshEqualsRebuild(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := memory{}
		clock := &clock{now: time.Unix(1000, 0)}
		ix := openIndex(t, Options{Workers: rapid.IntRange(1, 4).Draw(rt, "workers")})
		ix.now = clock.read
		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 5).Draw(rt, "edits") {
				edit(rt, src)
			}
			cut := rapid.IntRange(-3, 6).Draw(rt, "cut after")
			mode := rapid.SampledFrom([]Mode{Refresh, Refresh, Refresh, Rebuild}).Draw(rt, "mode")
			cutUpdate(rt, ix, src, mode, clock, cut)
		}
		// The last cycle may have seen some documents before they changed: finish it, then verify all.
		for {
			c, err := ix.Update(context.Background(), src, Run{Mode: Refresh})
			if err != nil {
				rt.Fatalf("refresh: %v", err)
			}
			if checkCoverage(rt, c); c.RemainingFiles == 0 {
				break
			}
		}
		c, err := ix.Update(context.Background(), src, Run{Mode: Refresh})
		if err != nil {
			rt.Fatalf("refresh: %v", err)
		}
		if checkCoverage(rt, c); c.StopReason != Complete {
			rt.Fatalf("the last refresh ended with %q", c.StopReason)
		}
		fresh := openIndex(t, Options{Workers: 2})
		if _, err := fresh.Update(context.Background(), src, Run{Mode: Rebuild}); err != nil {
			rt.Fatalf("rebuild: %v", err)
		}
		sameAnswers(rt, ix, fresh)
		if _, err := ix.Check(context.Background()); err != nil {
			rt.Fatalf("%v", err)
		}
	})
}

// cutUpdate runs an update whose budget ends after some documents.
func cutUpdate(t *rapid.T, ix *Index, src memory, mode Mode, clock *clock, after int) {
	run := Run{Mode: mode, Deadline: clock.now.Add(time.Minute)}
	if after >= 0 {
		run.Progress = func(p Progress) {
			if p.Files >= after {
				clock.now = run.Deadline
			}
		}
	}
	c, err := ix.Update(context.Background(), src, run)
	if errors.Is(err, ErrBudget) {
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	checkCoverage(t, c)
}

// P-52, P-59, P-62: the counts of a refresh.
func TestRefreshCounts(t *testing.T) {
	src := memory{"a.md": "alpha", "b.md": "beta", "c.md": "gamma", "d.md": "delta"}
	ix := openIndex(t, Options{})
	c := mustUpdate(t, ix, src, Refresh)
	if c.UpdatedFiles != 4 || c.Mode != "refresh" {
		t.Fatalf("P-49: a refresh without an index builds one: %+v", c)
	}
	c = mustUpdate(t, ix, src, Refresh)
	if c.ReusedFiles != 4 || c.UpdatedFiles+c.DeletedFiles != 0 {
		t.Fatalf("nothing changed: %+v", c)
	}
	src["a.md"] = "changed heron"
	src["e.md"] = "heron"
	delete(src, "b.md")
	src["c.md"] = "!binary"
	c = mustUpdate(t, ix, src, Refresh)
	if c.ReusedFiles != 1 || c.UpdatedFiles != 2 || c.DeletedFiles != 2 || c.SkippedByReason["binary"] != 1 {
		t.Fatalf("mixed: %+v", c)
	}
	if got := paths(find(t, ix, Query{Text: "heron"})); !slices.Equal(got, []string{"e.md", "a.md"}) {
		t.Errorf("hits %v", got)
	}
	if got := find(t, ix, Query{Text: "gamma beta"}); len(got) > 0 {
		t.Errorf("withdrawn documents are found: %v", paths(got))
	}
}

// P-52: a row id is given once.
func TestRowIDsAreNotReused(t *testing.T) {
	src := memory{"a.md": "alpha", "b.md": "beta"}
	ix := build(t, src, Options{})
	row := func(word string) uint64 { return find(t, ix, Query{Text: word})[0].Row }
	beta := row("beta")
	seen := []uint64{row("alpha"), beta}
	for i := range 3 {
		src["a.md"] = fmt.Sprintf("alpha %d", i)
		mustUpdate(t, ix, src, Refresh)
		if row("beta") != beta {
			t.Errorf("an unchanged source got the row %d in place of %d", row("beta"), beta)
		}
		if slices.Contains(seen, row("alpha")) {
			t.Errorf("row %d was given twice", row("alpha"))
		}
		seen = append(seen, row("alpha"))
	}
}

// P-56: what does not fit is passed over and stays pending; smaller later
// sources may still fit; a row that outgrows the limit goes.
func TestLimits(t *testing.T) {
	src := memory{"a.md": "aaaa", "b.md": "bbbbbbbb", "c.md": "cc", "d.md": "dd"}
	ix := openIndex(t, Options{Limits: Limits{Files: 3, Bytes: 8}})
	c := mustUpdate(t, ix, src, Rebuild)
	if c.StopReason != CorpusLimit || c.IndexedFiles != 3 || c.RemainingFiles != 1 || c.IndexedBytes != 8 {
		t.Fatalf("bytes: %+v", c)
	}
	src["e.md"] = "e"
	if c = mustUpdate(t, ix, src, Refresh); c.StopReason != FileLimit || c.ReusedFiles != 3 || c.RemainingFiles != 2 {
		t.Fatalf("files: %+v", c)
	}
	src["c.md"] = "ccc" // 4 + 3 + 2 is too much
	if c = mustUpdate(t, ix, src, Refresh); c.DeletedFiles != 1 || c.IndexedBytes > 8 || c.IndexedFiles != 3 {
		t.Fatalf("outgrown: %+v", c)
	}
	if got := paths(find(t, ix, Query{Text: "ccc aaaa dd e", Profile: FTS5})); slices.Contains(got, "c.md") || len(got) != 3 {
		t.Errorf("hits %v", got)
	}
	// A corpus over its limits must still notice that an indexed source changed.
	src["a.md"] = "zzzz"
	if c = mustUpdate(t, ix, src, Refresh); c.UpdatedFiles == 0 {
		t.Fatalf("a refresh over the limits saw no change: %+v", c)
	}
	if got := find(t, ix, Query{Text: "zzzz"}); len(got) != 1 {
		t.Errorf("the changed source is not found")
	}
}

// P-55: the cursor rotates, so that budgets cut short never starve later paths.
func TestCursorRotates(t *testing.T) {
	src := memory{}
	for i := range 10 {
		src[fmt.Sprintf("f%d.md", i)] = fmt.Sprintf("word%c", 'a'+i)
	}
	clock := &clock{now: time.Unix(1, 0)}
	ix := openIndex(t, Options{Workers: 1})
	ix.now = clock.read
	visits := map[string]int{}
	for range 6 { // four, four and the two that are left, twice
		run := Run{Mode: Refresh, Deadline: clock.now.Add(time.Second)}
		run.Progress = func(p Progress) {
			if p.Files == 4 {
				clock.now = run.Deadline
			}
		}
		if _, err := ix.Update(context.Background(), counting{src, visits}, run); err != nil {
			t.Fatal(err)
		}
	}
	for path := range src {
		if visits[path] != 2 {
			t.Errorf("%s was visited %d times in two cycles", path, visits[path])
		}
	}
}

type counting struct {
	memory
	visits map[string]int
}

func (c counting) Read(ctx context.Context, path string, buf []byte) ([]byte, error) {
	c.visits[path]++
	return c.memory.Read(ctx, path, buf)
}

// P-57: when the budget ends before any document, nothing is published.
func TestBudgetBeforeAnything(t *testing.T) {
	src := memory{"a.md": "alpha"}
	ix := build(t, src, Options{})
	src["a.md"] = "omega"
	_, err := ix.Update(context.Background(), src, Run{Mode: Refresh, Deadline: time.Now().Add(time.Millisecond)})
	for i := 0; err == nil && i < 3; i++ {
		_, err = ix.Update(context.Background(), slowPaths{src}, Run{Mode: Refresh, Deadline: time.Now().Add(time.Millisecond)})
	}
	if !errors.Is(err, ErrBudget) && !errors.Is(err, store.ErrBusy) {
		t.Fatalf("err = %v", err)
	}
}

type slowPaths struct{ memory }

func (s slowPaths) Paths(ctx context.Context) ([]string, error) {
	time.Sleep(5 * time.Millisecond)
	return s.memory.Paths(ctx)
}

// P-60, P-61: a failure leaves the published index; a rebuild needs no old one.
func TestFailureKeepsTheIndex(t *testing.T) {
	src := memory{"a.md": "alpha", "b.md": "beta"}
	ix := build(t, src, Options{})
	boom := errors.New("the disk is gone")
	if _, err := ix.Update(context.Background(), failing{src, boom}, Run{Mode: Rebuild}); !errors.Is(err, boom) {
		t.Fatalf("err = %v", err)
	}
	if _, err := ix.Update(context.Background(), panicking{src}, Run{Mode: Refresh}); !errors.As(err, new(*PanicError)) {
		t.Fatalf("a panic in a worker: err = %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ix.Update(ctx, src, Run{Mode: Rebuild}); err == nil {
		t.Fatal("a cancelled update succeeded")
	}
	if got := find(t, ix, Query{Text: "alpha"}); len(got) != 1 {
		t.Errorf("hits %v", got)
	}
	if _, err := ix.Update(context.Background(), unordered{src}, Run{Mode: Refresh}); !errors.Is(err, ErrOrder) {
		t.Errorf("err = %v", err)
	}
}

type failing struct {
	memory
	err error
}

func (f failing) Read(_ context.Context, path string, _ []byte) ([]byte, error) { return nil, f.err }

type panicking struct{ memory }

func (panicking) Read(context.Context, string, []byte) ([]byte, error) { panic("worker") }

type unordered struct{ memory }

func (unordered) Paths(context.Context) ([]string, error) { return []string{"b", "a"}, nil }
