//go:build linux

package provider

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store"
)

// P-69, P-73, P-74: a hit with all its members.
func TestSearchGivesVerifiedExcerpts(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	head := w.git("rev-parse", "HEAD")
	w.commit()
	now := w.git("rev-parse", "HEAD")
	result := w.search(p, "parseHTTPRequest", 5)
	if len(result.Hits) != 1 || result.Stale != 0 || result.Truncated || *result.IndexRevision != head || *result.ObservedRevision != now {
		t.Fatalf("%+v", result)
	}
	hit := result.Hits[0]
	if hit.Path != "src/parser.go" || *hit.IndexRevision != head || *hit.ObservedRevision != now || hit.Score != nil || hit.Explanation != nil {
		t.Errorf("%+v", hit)
	}
	for query, want := range map[string]string{"项目知识": "docs/intro.md", "user profile": "src/snake.py", "lighthouse keeper": "README.md"} {
		if paths := w.paths(p, query); len(paths) == 0 || paths[0] != want {
			t.Errorf("%s: %v, want %s first", query, paths, want)
		}
	}
	if result := w.search(p, "nowhere", 5); result.Hits == nil || len(result.Hits) != 0 || result.Truncated {
		t.Errorf("a search without a hit: %+v", result)
	}
}

// P-9, P-47, P-70: arguments and queries that are refused, before anything is looked at.
func TestSearchArguments(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	for _, c := range []struct {
		req  SearchRequest
		want Code
	}{
		{SearchRequest{Query: ""}, InvalidArguments},
		{SearchRequest{Query: strings.Repeat("é", MaxArgument+1)}, InvalidArguments},
		{SearchRequest{Query: "a", Limit: -1}, InvalidArguments},
		{SearchRequest{Query: "a", Limit: MaxLimit + 1}, InvalidArguments},
		{SearchRequest{Query: "a", Explain: true}, InvalidArguments},
		{SearchRequest{Query: "!?. ,"}, InvalidQuery},
		{SearchRequest{Query: "\xff"}, InvalidQuery},
	} {
		_, err := p.Search(t.Context(), c.req)
		wantCode(t, err, c.want)
	}
	for _, req := range []SearchRequest{{Query: "a", Limit: 1}, {Query: "a", Limit: MaxLimit}, {Query: strings.Repeat("é", MaxArgument)}} {
		if _, err := p.Search(t.Context(), req); err != nil {
			t.Error(err)
		}
	}
}

// P-36, P-69, P-71: whatever happened to a source since it was indexed, it is no hit and is counted; the same bytes back
// again are a hit.
func TestStaleSourcesAreLeftOut(t *testing.T) {
	const path = "README.md"
	for name, change := range map[string]func(w *world){
		"changed":          func(w *world) { w.write(path, basic[path]+"more\n") },
		"changed in place": func(w *world) { w.write(path, strings.Replace(basic[path], "log", "gol", 1)) },
		"emptied":          func(w *world) { w.write(path, "") },
		"deleted":          func(w *world) { w.remove(path) },
		"untracked":        func(w *world) { w.git("rm", "-q", "--cached", path) },
		"a directory":      func(w *world) { w.remove(path); w.must(os.Mkdir(w.root+"/"+path, 0o755)) },
		"a FIFO":           func(w *world) { w.remove(path); w.must(syscall.Mkfifo(w.root+"/"+path, 0o644)) },
		"a second link":    func(w *world) { w.must(os.Link(w.root+"/"+path, w.dir+"/second")) },
		"behind a link": func(w *world) {
			w.must(os.Rename(w.root+"/"+path, w.dir+"/aside"))
			w.must(os.Symlink(w.dir+"/aside", w.root+"/"+path))
		},
		"oversized": func(w *world) { w.write(path, basic[path]+strings.Repeat("x\n", 131072)) },
		"tracked as a symlink": func(w *world) {
			w.must(os.Rename(w.root+"/"+path, w.dir+"/aside"))
			w.must(os.Symlink("x", w.root+"/"+path))
			w.git("add", path)
			w.remove(path)
			w.write(path, basic[path])
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			p := w.admit()
			w.indexed(p, Rebuild)
			change(w)
			if result := w.search(p, "lighthouse", 5); len(result.Hits) != 0 || result.Stale != 1 || result.Truncated {
				t.Errorf("%+v", result)
			}
			w.remove(path)
			w.write(path, basic[path])
			w.git("add", path)
			if result := w.search(p, "lighthouse", 5); len(result.Hits) != 1 || result.Stale != 0 {
				t.Errorf("the same bytes back again: %+v", result)
			}
		})
	}
}

// P-69, P-71: when the best candidates are all stale, the search goes on behind them.
func TestSearchGoesOnBehindStaleCandidates(t *testing.T) {
	files := map[string]string{"zz/last.md": "marmot " + strings.Repeat("filler words around it ", 40) + "\n"}
	for i := range 120 {
		files[fmt.Sprintf("s%03d.md", i)] = "marmot\n"
	}
	w := newWorld(t, files)
	p := w.admit()
	w.indexed(p, Rebuild)
	for i := range 120 {
		w.write(fmt.Sprintf("s%03d.md", i), "vole\n")
	}
	result := w.search(p, "marmot", 1)
	if len(result.Hits) != 1 || result.Hits[0].Path != "zz/last.md" || result.Stale != 120 || result.Truncated {
		t.Errorf("%d hits, %d stale, truncated %v", len(result.Hits), result.Stale, result.Truncated)
	}
}

// P-72, P-73: the limit cuts the list only where something is left to show.
func TestLimitTruncates(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "stoat\n", "b.md": "stoat\n", "c.md": "stoat\n"})
	p := w.admit()
	w.indexed(p, Rebuild)
	for limit, cut := range map[int]bool{1: true, 2: true, 3: false, 4: false} {
		if result := w.search(p, "stoat", limit); len(result.Hits) != min(limit, 3) || result.Truncated != cut {
			t.Errorf("limit %d: %d hits, truncated %v", limit, len(result.Hits), result.Truncated)
		}
	}
	w.git("rm", "-q", "--cached", "c.md")
	if result := w.search(p, "stoat", 2); len(result.Hits) != 2 || result.Truncated {
		t.Errorf("nothing but an untracked file is left: %+v", result)
	}
}

// P-72: candidates of one source are read once, and a source is never read twice in a call.
func TestSeveralChunksOfOneSource(t *testing.T) {
	text := ""
	for i := range 300 {
		text += fmt.Sprintf("gopher line %d of many words to fill the chunk\n", i)
	}
	w := newWorld(t, map[string]string{"long.md": text})
	p := w.admit(func(o *Options) { o.ResultBytes = 0 })
	w.indexed(p, Rebuild)
	result := w.search(p, "gopher", 20)
	if len(result.Hits) < 5 {
		t.Fatalf("%d hits", len(result.Hits))
	}
	w.write("long.md", text+"changed\n")
	if stale := w.search(p, "gopher", 20); len(stale.Hits) != 0 || stale.Stale < len(result.Hits) {
		t.Errorf("%d hits, %d stale", len(stale.Hits), stale.Stale)
	}
}

// steppedClock gives times that advance by a step with every look, the arrival of the call first.
func steppedClock(step time.Duration) func() time.Time {
	at := time.Now()
	return func() time.Time {
		at = at.Add(step)
		return at
	}
}

// P-72, P-89: the time for a search ends it with what was verified, or with an error when that is nothing.
func TestSearchBudget(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "stoat\n", "b.md": "stoat\n", "c.md": "stoat\n"})
	p := w.admit()
	w.indexed(p, Rebuild)
	p.now = steppedClock(SearchBudget/3 + 1)
	result := w.search(p, "stoat", 5)
	if len(result.Hits) != 2 || !result.Truncated {
		t.Errorf("%d hits, truncated %v", len(result.Hits), result.Truncated)
	}
	p.now = steppedClock(SearchBudget)
	_, err := p.Search(t.Context(), SearchRequest{Query: "stoat"})
	wantCode(t, err, BudgetExhausted)
	if result := w.search(p, "nowhere", 5); len(result.Hits) != 0 {
		t.Errorf("%+v", result)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Search(ctx, SearchRequest{Query: "stoat"})
	wantCode(t, err, Cancelled)
}

// P-75: the result stays within its bound however its text is escaped, the bound is used, and every hit is whole lines.
func TestSearchByteBound(t *testing.T) {
	files := map[string]string{}
	for i := range 25 {
		text := ""
		for n := range 60 {
			text += fmt.Sprintf("marmot %04d %s\n", n, strings.Repeat("<&>\"\\ \x01\u2028", i%7))
		}
		files[fmt.Sprintf("m%02d.md", i)] = text
	}
	w := newWorld(t, files)
	w.indexed(w.admit(), Rebuild)
	for _, bound := range []int{250, 600, 2000, 5000, 16384} {
		p := w.admit(func(o *Options) { o.ResultBytes = bound })
		for _, profile := range []index.Profile{index.Ranked, index.FTS5} {
			result, err := p.Search(t.Context(), SearchRequest{Query: "marmot 0042", Limit: MaxLimit, Profile: profile})
			w.must(err)
			w.checkHits(result)
			size := compactSize(t, result)
			if size > bound || !result.Truncated {
				t.Errorf("bound %d: %d bytes, truncated %v", bound, size, result.Truncated)
			}
			if bound >= 2000 && size < bound-1000 {
				t.Errorf("bound %d: only %d bytes used", bound, size)
			}
		}
	}
}

// P-75: in the ranked profile the lines kept are those around the best match, else the first ones.
func TestCutKeepsTheBestLines(t *testing.T) {
	text := ""
	for i := 1; i <= 30; i++ {
		word := "filler"
		if i == 23 {
			word = "wombat burrow 巢穴口"
		}
		text += fmt.Sprintf("wombat %s of line %d, long enough to matter\n", word, i)
	}
	w := newWorld(t, map[string]string{"a.md": text})
	w.indexed(w.admit(), Rebuild)
	p := w.admit(func(o *Options) { o.ResultBytes = 800 })
	result := w.search(p, "burrow wombat", 1)
	if len(result.Hits) != 1 || !result.Truncated || !strings.Contains(result.Hits[0].Text, "burrow") || result.Hits[0].StartLine == 1 {
		t.Errorf("ranked: %+v", result)
	}
	if result := w.search(p, "穴", 1); len(result.Hits) != 1 || result.Hits[0].StartLine == 1 || !strings.Contains(result.Hits[0].Text, "穴") {
		t.Errorf("a single character: %+v", result)
	}
	result, err := p.Search(t.Context(), SearchRequest{Query: "burrow wombat", Limit: 1, Profile: index.FTS5})
	w.must(err)
	w.checkHits(result)
	if len(result.Hits) != 1 || result.Hits[0].StartLine != 1 {
		t.Errorf("fts5: %+v", result)
	}
}

// P-75: a hit of which not one line fits is left out, the others are shown.
func TestLineThatDoesNotFitIsLeftOut(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "quokka " + strings.Repeat("\x01", 3000) + "\n", "b.md": "quokka\n" + strings.Repeat("some other words to rank lower\n", 20)})
	p := w.admit()
	w.indexed(p, Rebuild)
	result := w.search(p, "quokka", 5)
	if len(result.Hits) != 1 || result.Hits[0].Path != "b.md" || !result.Truncated || result.Stale != 0 {
		t.Errorf("%+v", result)
	}
}

// M-61: what a face refuses by path is no hit and leaves no trace; the list is filled from behind it.
func TestPathFilter(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("a/f%02d.md", i)] = "ferret\n"
	}
	files["z/only.md"] = "ferret " + strings.Repeat("and many other words ", 50) + "\n"
	w := newWorld(t, files)
	p := w.admit()
	w.indexed(p, Rebuild)
	result, err := p.Search(t.Context(), SearchRequest{Query: "ferret", Limit: 1, Allow: func(path string) bool { return strings.HasPrefix(path, "z/") }})
	w.must(err)
	if len(result.Hits) != 1 || result.Hits[0].Path != "z/only.md" || result.Stale != 0 || result.Truncated {
		t.Errorf("%+v", result)
	}
	_, err = p.Search(t.Context(), SearchRequest{Query: "ferret", Allow: func(string) bool { panic("no") }})
	wantCode(t, err, InternalError)
}

// The command line may ask for more hits, without a byte bound and with explanations (P-52: the row id).
func TestExplainedSearch(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit(func(o *Options) { o.ResultBytes, o.MaxLimit = 0, MaxLimitCLI })
	w.indexed(p, Rebuild)
	result, err := p.Search(t.Context(), SearchRequest{Query: "lighthouse keeper", Limit: MaxLimitCLI, Explain: true})
	w.must(err)
	hit := result.Hits[0]
	if hit.Score == nil || *hit.Score <= 0 || hit.Row == nil || hit.Explanation == nil || !slices.Contains(result.Terms, "lighthous") && !slices.Contains(result.Terms, "lighthouse") {
		t.Errorf("%+v, terms %v", hit, result.Terms)
	}
}

// Warm searches start no process: the Git that admission found may be gone (P-72 is met by not asking it).
func TestWarmSearchStartsNoProcess(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	w.search(p, "lighthouse", 5)
	t.Setenv("PATH", filepath.Join(w.dir, "nowhere"))
	w.search(p, "lighthouse", 5)
	if _, err := p.Read(t.Context(), ReadRequest{Path: "README.md", SourceHash: w.hash("README.md")}); err != nil {
		t.Error(err)
	}
}

// P-36, P-69: a source of an index that was made under other rules is judged again before it is shown.
func TestIndexOfOtherRulesIsJudgedAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "heron nest\n", "leak.md": "heron gh" + "p_" + strings.Repeat("a1B2", 9) + "\n"})
	p := w.admit()
	w.indexed(p, Rebuild)
	w.search(p, "heron", 5)
	dir, err := store.OpenDir(w.cacheDir())
	w.must(err)
	defer dir.Close()
	older := index.New(dir, index.Options{Rules: source.RulesVersion - 1})
	defer older.Close()
	_, err = older.Update(t.Context(), &lenient{corpus{root: p.root, excluded: map[string]int{}}}, index.Run{Mode: index.Rebuild})
	w.must(err)
	if result := w.search(p, "heron", 5); len(result.Hits) != 1 || result.Hits[0].Path != "a.md" || result.Stale != 1 {
		t.Errorf("%+v", result)
	}
	if coverage := w.indexed(p, Refresh); coverage.SkippedFiles != 1 || coverage.ReusedFiles != 0 {
		t.Errorf("%+v", coverage)
	}
}

// lenient is a corpus under rules that admit everything.
type lenient struct{ corpus }

func (*lenient) Admit(string, []byte) error { return nil }
