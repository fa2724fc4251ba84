//go:build linux

package provider

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"projectknowledge/index"
	"projectknowledge/store"
)

// P-49, P-52, P-62, P-65: the counts of rebuilds and refreshes.
func TestIndexCounts(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	type counts struct{ eligible, indexed, skipped, reused, updated, deleted int }
	want := func(step string, mode Mode, c store.Coverage, n counts) {
		t.Helper()
		got := counts{c.EligibleFiles, c.IndexedFiles, c.SkippedFiles, c.ReusedFiles, c.UpdatedFiles, c.DeletedFiles}
		if got != n || c.Mode != string(mode) || c.StopReason != "complete" {
			t.Errorf("%s: %+v, mode %s, stop %s; want %+v", step, got, c.Mode, c.StopReason, n)
		}
	}
	want("a refresh without an index builds one", Refresh, w.indexed(p, Refresh), counts{4, 4, 0, 0, 4, 0})
	want("nothing changed", Refresh, w.indexed(p, Refresh), counts{4, 4, 0, 4, 0, 0})
	w.write("README.md", "changed: heron\n")
	w.track(map[string]string{"new.md": "heron new\n"})
	w.git("rm", "-q", "src/snake.py")
	want("one changed, one new, one gone", Refresh, w.indexed(p, Refresh), counts{4, 4, 0, 2, 2, 1})
	w.write("docs/intro.md", "\x00")
	want("one turned binary", Refresh, w.indexed(p, Refresh), counts{4, 3, 1, 3, 0, 1})
	want("a rebuild", Rebuild, w.indexed(p, Rebuild), counts{4, 3, 1, 0, 3, 0})
	result, err := p.Index(t.Context(), IndexRequest{})
	w.must(err)
	if !result.Indexed || result.Coverage.Mode != "rebuild" {
		t.Errorf("an index call without a mode: %+v", result)
	}
}

func TestUnknownModeIsRefused(t *testing.T) {
	w := newWorld(t, basic)
	_, err := w.admit().Index(t.Context(), IndexRequest{Mode: "full"})
	wantCode(t, err, InvalidArguments)
	if entries, _ := os.ReadDir(w.cache); len(entries) != 0 {
		t.Error("something was created")
	}
}

// P-30, P-36, P-62b, section G: why files are missing, and the rest of the coverage.
func TestCoverage(t *testing.T) {
	w := newWorld(t, basic)
	w.track(map[string]string{
		"logo.png": "x", "data.csv": "a,b\n", ".env": "A=1\n", ".github/x.md": "otter\n", "secrets/x.md": "otter\n", "id_rsa.txt": "otter\n",
		"binary.md": "\x00", "large.md": strings.Repeat("a\n", 131073), "long.md": strings.Repeat("q", 4097) + "\nshort\n",
		"gone.md": "gone\n", "leak.md": "otter\n" + "gh" + "p_" + strings.Repeat("a1B2", 9) + "\n",
	})
	w.must(os.Symlink("README.md", w.root+"/link.md"))
	w.git("add", "-A", "-f")
	w.commit()
	w.remove("gone.md")
	coverage := w.indexed(w.admit(), Rebuild)
	for name, c := range map[string]struct{ got, want map[string]int }{
		"excluded": {coverage.ExcludedByReason, map[string]int{"symlink": 1, "hidden": 2, "sensitive_path": 2, "unsupported_format": 2}},
		"skipped":  {coverage.SkippedByReason, map[string]int{"binary": 1, "oversized": 1, "unreadable": 1, "sensitive_content": 1}},
	} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if coverage.OversizedLinesOmitted != 1 || coverage.Revision == nil || *coverage.Revision != w.git("rev-parse", "HEAD") {
		t.Errorf("coverage %+v", coverage)
	}
	size := 0
	for _, path := range []string{"README.md", "src/parser.go", "src/snake.py", "docs/intro.md", "long.md"} {
		text, err := os.ReadFile(filepath.Join(w.root, path))
		w.must(err)
		size += len(text)
	}
	if coverage.IndexedBytes != int64(size) {
		t.Errorf("%d bytes indexed, want %d", coverage.IndexedBytes, size)
	}
}

// P-74: before the first commit there is no revision.
func TestRevisionBeforeTheFirstCommit(t *testing.T) {
	w := newBareWorld(t)
	w.git("init", "-q", "-b", "main")
	w.track(basic)
	p := w.admit()
	if coverage := w.indexed(p, Rebuild); coverage.Revision != nil {
		t.Errorf("revision %q", *coverage.Revision)
	}
	result := w.search(p, "lighthouse", 5)
	if len(result.Hits) != 1 || result.IndexRevision != nil || result.ObservedRevision != nil || result.Hits[0].ObservedRevision != nil {
		t.Errorf("%+v", result)
	}
	w.commit()
	if result := w.search(p, "lighthouse", 5); result.IndexRevision != nil || *result.ObservedRevision != w.git("rev-parse", "HEAD") {
		t.Errorf("%+v", result)
	}
}

// P-56: what does not fit is passed over and stays pending; smaller later ones may still fit; refreshing does not help.
func TestCapacityLimits(t *testing.T) {
	files := map[string]string{"a.md": "alpha one\n", "b.md": strings.Repeat("beta two\n", 100), "c.md": "gamma three\n"}
	for _, c := range []struct {
		limits  index.Limits
		reason  string
		indexed int
	}{
		{index.Limits{Files: 2}, "file_limit", 2},
		{index.Limits{Bytes: 100}, "corpus_limit", 2},
	} {
		w := newWorld(t, files)
		p := w.admit(func(o *Options) { o.Limits = c.limits })
		for _, mode := range []Mode{Rebuild, Refresh, Refresh} {
			coverage := w.indexed(p, mode)
			if coverage.StopReason != c.reason || coverage.IndexedFiles != c.indexed || coverage.RemainingFiles != 1 {
				t.Errorf("%+v: %s gives %+v", c.limits, mode, coverage)
			}
		}
	}
}

// P-57: a budget that is over before any work is done publishes nothing.
func TestBudgetExhausted(t *testing.T) {
	w := newWorld(t, basic)
	w.indexed(w.admit(), Rebuild)
	before := w.indexBytes()
	p := w.admit(func(o *Options) { o.Budget = time.Nanosecond })
	for _, mode := range []Mode{Rebuild, Refresh} {
		_, err := p.Index(t.Context(), IndexRequest{Mode: mode})
		wantCode(t, err, BudgetExhausted)
	}
	if w.indexBytes() != before {
		t.Error("the published index was replaced")
	}
}

// stopAfter is a progress callback that lets the budget of a call end once so many files are done.
func stopAfter(files int, budget time.Duration) func(index.Progress) {
	started := time.Now()
	return func(at index.Progress) {
		if at.Files == files {
			time.Sleep(time.Until(started.Add(budget)))
		}
	}
}

// P-55, P-57, P-98: work cut by the budget is published, goes on where it stopped, also in another process, and ends.
func TestPartialIndexResumes(t *testing.T) {
	files := map[string]string{}
	for i := range 150 {
		files[fmt.Sprintf("d%d/f%03d.md", i%7, i)] = fmt.Sprintf("common word%d\n", i)
	}
	w := newWorld(t, files)
	const budget = 400 * time.Millisecond
	short := func(o *Options) { o.Budget = budget }
	p := w.admit(short)
	result, err := p.Index(t.Context(), IndexRequest{Mode: Rebuild, Progress: stopAfter(20, budget)})
	w.must(err)
	first := result.Coverage
	checkCoverage(t, first)
	if first.StopReason != "time_budget" || first.IndexedFiles < 20 || first.RemainingFiles == 0 {
		t.Fatalf("the run was not cut: %+v", first)
	}
	if found := len(w.search(p, "common", 20).Hits); found == 0 {
		t.Error("a partial index is not searchable")
	}
	second := w.admit(short)
	status, err := second.Status(t.Context())
	w.must(err)
	if status.Coverage.RemainingFiles != first.RemainingFiles {
		t.Errorf("another provider sees %d remaining files, not %d", status.Coverage.RemainingFiles, first.RemainingFiles)
	}
	result, err = second.Index(t.Context(), IndexRequest{Mode: Refresh, Progress: stopAfter(20, budget)})
	w.must(err)
	if c := result.Coverage; c.ReusedFiles != 0 || c.RemainingFiles >= first.RemainingFiles {
		t.Errorf("the second run did not go on: %+v", c)
	}
	last := w.indexed(w.admit(), Refresh)
	if last.RemainingFiles != 0 || last.IndexedFiles != len(files) {
		t.Errorf("not finished: %+v", last)
	}
	if again := w.indexed(w.admit(), Refresh); again.ReusedFiles != len(files) {
		t.Errorf("the next cycle does not verify everything: %+v", again)
	}
}

// P-60: a failure that is not the budget leaves the published index byte for byte as it was.
func TestFailureKeepsTheIndex(t *testing.T) {
	for name, spoil := range map[string]struct {
		do   func(w *world)
		code Code
	}{
		"Git's index is garbage":       {func(w *world) { w.write(".git/index", "DIRC garbage garbage garbage") }, GitFailed},
		"the root was replaced":        {func(w *world) { w.replaceRoot() }, RootChanged},
		"no longer a working tree":     {func(w *world) { w.remove(".git") }, RootChanged},
		"the working tree turned bare": {func(w *world) { w.git("config", "core.bare", "true") }, RootChanged},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			p := w.admit()
			w.indexed(p, Rebuild)
			before := w.indexBytes()
			spoil.do(w)
			for _, mode := range []Mode{Rebuild, Refresh} {
				_, err := p.Index(t.Context(), IndexRequest{Mode: mode})
				wantCode(t, err, spoil.code)
			}
			if w.indexBytes() != before {
				t.Error("the published index changed")
			}
			if entries, _ := filepath.Glob(w.cacheDir() + "/build-*"); len(entries) != 0 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

// replaceRoot puts a copy of the root in its place.
func (w *world) replaceRoot() {
	w.t.Helper()
	w.must(os.Rename(w.root, w.root+".old"))
	w.must(os.CopyFS(w.root, os.DirFS(w.root+".old")))
}

// P-60: a cancelled call leaves the index as it was; so does one whose progress callback panics (P-90).
func TestInterruptedIndexKeepsTheIndex(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	before := w.indexBytes()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := p.Index(ctx, IndexRequest{Progress: func(index.Progress) { cancel() }})
	wantCode(t, err, Cancelled)
	_, err = p.Index(t.Context(), IndexRequest{Progress: func(index.Progress) { panic("at " + w.root) }})
	wantCode(t, err, InternalError)
	if !strings.Contains(w.log.String(), "index: internal_error: ") {
		t.Errorf("the log says %q", w.log.String())
	}
	if w.indexBytes() != before {
		t.Error("the published index changed")
	}
	w.indexed(p, Refresh)
}

// P-61, P-68, P-84: a damaged index is rebuild_required for everything but a rebuild, which replaces it.
func TestDamagedIndex(t *testing.T) {
	for name, damage := range map[string]func(text string) string{
		"empty":    func(string) string { return "" },
		"half":     func(text string) string { return text[:len(text)/2] },
		"foreign":  func(string) string { return strings.Repeat("prose ", 2000) },
		"appended": func(text string) string { return text + "x" },
		"flipped": func(text string) string {
			return text[:len(text)/2] + string(text[len(text)/2]^1) + text[len(text)/2+1:]
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			p := w.admit()
			w.indexed(p, Rebuild)
			w.must(os.WriteFile(w.indexFile(), []byte(damage(w.indexBytes())), 0o600))
			damaged := w.indexBytes()
			for _, who := range []*Provider{p, w.admit()} {
				_, err := who.Status(t.Context())
				if name != "flipped" || err != nil { // the metadata may lie in blocks that are whole
					wantCode(t, err, RebuildRequired)
				}
				_, err = who.Index(t.Context(), IndexRequest{Mode: Refresh})
				wantCode(t, err, RebuildRequired)
				_, err = who.Check(t.Context())
				wantCode(t, err, RebuildRequired)
			}
			if w.indexBytes() != damaged {
				t.Error("a refused refresh changed the file")
			}
			w.indexed(p, Rebuild)
			if paths := w.paths(p, "lighthouse"); len(paths) != 1 {
				t.Errorf("hits after the rebuild: %v", paths)
			}
			_, err := p.Check(t.Context())
			w.must(err)
		})
	}
}

// P-97: while another index call holds the lock, index waits within its budget and is busy then; nothing else waits.
func TestIndexBusy(t *testing.T) {
	w := newWorld(t, basic)
	w.indexed(w.admit(), Rebuild)
	dir, err := store.OpenDir(w.cacheDir())
	w.must(err)
	defer dir.Close()
	unlock, err := dir.Lock(t.Context())
	w.must(err)
	p := w.admit(func(o *Options) { o.Budget = 150 * time.Millisecond })
	for operation, err := range calls(t.Context(), p) {
		if operation == "index" || operation == "refresh" {
			wantCode(t, err, IndexBusy)
		} else {
			w.must(err)
		}
	}
	unlock()
	w.indexed(w.admit(), Refresh)
}

// P-28: build files of dead processes are removed by the next index call.
func TestStaleBuildFilesAreRemoved(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	stale := w.cacheDir() + "/build-0123456789abcdef.bolt"
	w.must(os.WriteFile(stale, nil, 0o600))
	w.indexed(p, Refresh)
	if _, err := os.Lstat(stale); err == nil {
		t.Error("still there")
	}
}

// P-16, P-17: every call refuses a root that was replaced, until the very same directory is back.
func TestReplacedRootIsRefused(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	w.replaceRoot()
	for _, err := range calls(t.Context(), p) {
		wantCode(t, err, RootChanged)
	}
	w.must(os.Rename(w.root, w.root+".copy"))
	w.must(os.Rename(w.root+".old", w.root))
	for operation, err := range calls(t.Context(), p) {
		if err != nil {
			t.Errorf("%s: %v", operation, err)
		}
	}
}

// A closed provider refuses calls and can be closed again.
func TestClosedProvider(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	w.must(p.Close())
	w.must(p.Close())
	for _, err := range calls(t.Context(), p) {
		wantCode(t, err, InternalError)
	}
}
