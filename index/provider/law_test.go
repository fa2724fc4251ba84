//go:build linux

package provider

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var histories = flag.Int("histories", 12, "how many histories of a working tree TestRefreshEqualsRebuild draws")

// Invariant 1 over a real working tree: after any history of adding, changing, deleting, renaming, chmod, untracking,
// making oversized, binary or secret, hard-linking and replacing by links, a refreshed index answers as one that is built
// afresh, in order and with scores.
func TestRefreshEqualsRebuild(t *testing.T) {
	old := flag.Lookup("rapid.checks").Value.String()
	defer flag.Set("rapid.checks", old)
	flag.Set("rapid.checks", fmt.Sprint(*histories))
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, basic)
		p := w.admit(withoutBound)
		for range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 4).Draw(rt, "edits") {
				w.edit(rt)
			}
			if _, err := p.Index(t.Context(), IndexRequest{Mode: "refresh"}); err != nil {
				rt.Fatalf("refresh: %v", err)
			}
		}
		refreshed := w.answers(rt, p)
		rebuilt := w.admit(withoutBound, func(o *Options) { o.CacheSuffix = "-law" })
		if _, err := rebuilt.Index(t.Context(), IndexRequest{Mode: "rebuild"}); err != nil {
			rt.Fatalf("rebuild: %v", err)
		}
		if diff := cmp.Diff(w.answers(rt, rebuilt), refreshed); diff != "" {
			rt.Fatalf("a refresh answers otherwise than a rebuild:\n%s", diff)
		}
		if _, err := p.Check(t.Context()); err != nil {
			rt.Fatalf("check: %v", err)
		}
	})
}

func withoutBound(o *Options) { o.ResultBytes, o.MaxLimit = 0, MaxLimitCLI }

// edit changes the working tree in one way.
func (w *world) edit(t *rapid.T) {
	names := []string{"README.md", "src/parser.go", "src/snake.py", "docs/intro.md", "docs/new.md", "src/deep/er/new.ts", "项目.md"}
	path := rapid.SampledFrom(names).Draw(t, "path")
	full := filepath.Join(w.root, path)
	words := []string{"lighthouse keeper", "parseHTTPRequest", "项目知识", "profile", "one\r\ntwo", "const x = 1", "# Heading", ""}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "text"), "\n")
	switch rapid.IntRange(0, 9).Draw(t, "edit") {
	case 0, 1:
		w.remove(path)
		w.track(map[string]string{path: text})
	case 2:
		w.remove(path)
	case 3:
		w.git("rm", "-q", "--cached", "--ignore-unmatch", path)
	case 4:
		_ = os.Chmod(full, rapid.SampledFrom([]os.FileMode{0o755, 0o644}).Draw(t, "mode"))
		w.git("add", "-A")
	case 5:
		w.remove(path)
		w.track(map[string]string{path: text + strings.Repeat("filler line\n", 25_000)})
	case 6:
		w.remove(path)
		w.track(map[string]string{path: text + "\npass" + "word = \"" + "h7Gk2mQ9xLp4\"\n"})
	case 7:
		w.remove(path)
		w.track(map[string]string{path: text + "\x00"})
	case 8:
		to := rapid.SampledFrom(names).Draw(t, "to")
		if _, err := os.Lstat(full); err == nil && to != path {
			w.must(os.MkdirAll(filepath.Dir(filepath.Join(w.root, to)), 0o755))
			w.must(os.Rename(full, filepath.Join(w.root, to)))
			w.git("add", "-A")
		}
	case 9:
		if _, err := os.Lstat(full); err == nil {
			_ = os.Link(full, filepath.Join(w.dir, "linked-"+fmt.Sprint(len(text))))
		}
	}
}

// answers gives every hit of some queries, with its explanation and without its row, which depends on history (P-52).
func (w *world) answers(t *rapid.T, p *Provider) map[string][]Hit {
	all := map[string][]Hit{}
	for _, query := range []string{"lighthouse keeper", "parseHTTPRequest", "项目 知", "profile const", "heading two", "parser"} {
		result, err := p.Search(w.t.Context(), SearchRequest{Query: query, Limit: MaxLimitCLI, Explain: true})
		if err != nil {
			t.Fatalf("search %q: %v", query, err)
		}
		if result.Stale > 0 {
			t.Fatalf("search %q: %d stale candidates behind a refresh", query, result.Stale)
		}
		for i := range result.Hits {
			result.Hits[i].Row = nil
		}
		all[query] = result.Hits
	}
	return all
}
