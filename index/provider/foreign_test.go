//go:build linux

package provider

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"projectknowledge/index/source"
	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// forge publishes an index of one source that holds the current bytes of README.md and one chunk at made-up lines.
func (w *world) forge(path string, first uint32, lines uint16, claimed uint32) {
	w.t.Helper()
	text, err := os.ReadFile(w.root + "/README.md")
	w.must(err)
	dir, err := store.OpenDir(w.cacheDir())
	w.must(err)
	defer dir.Close()
	writer, err := dir.Create()
	w.must(err)
	defer writer.Discard()
	w.must(writer.AddSource(store.Source{Path: path, Hash: sha256.Sum256(text), Size: int64(len(text)), Lines: claimed, Chunks: 1}))
	w.must(writer.AddChunk(store.Chunk{Line: first, Lines: lines, Terms: 1}))
	var run store.TermRun
	var tokenizer tokenize.Tokenizer
	run.Add(tokenizer.Query("lighthouse", 1)[0].Term, []store.Posting{{Text: 1}}, nil)
	w.must(writer.AddTerms(&run))
	w.must(writer.Publish(w.t.Context(), store.Meta{
		Tokenizer: tokenize.Version, Rules: source.RulesVersion, NextBase: 1,
		Coverage: store.Coverage{EligibleFiles: 1, IndexedFiles: 1, IndexedBytes: int64(len(text)), Chunks: 1, StopReason: "complete", Mode: "rebuild"},
	}))
}

// P-84, P-85: a stored coordinate that does not fit the current lines is rebuild_required, never a made-up excerpt.
func TestForgedCoordinatesAreNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		first uint32
		lines uint16
	}{"behind the end": {30, 2}, "across the end": {3, 9}, "one line too many": {4, 2}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			p := w.admit()
			w.indexed(p, Rebuild)
			w.forge("README.md", c.first, c.lines, 40)
			_, err := p.Search(t.Context(), SearchRequest{Query: "lighthouse"})
			wantCode(t, err, RebuildRequired)
		})
	}
}

// P-69, P-85: an index that names a path outside the rules shows nothing of it, whatever hash it holds.
func TestForgedPathsAreNotRead(t *testing.T) {
	for _, path := range []string{"../proj/README.md", "/etc/hostname", ".env", "loose.md", "README.md/x", "src/../README.md"} {
		w := newWorld(t, basic)
		w.write("loose.md", basic["README.md"])
		w.write(".env", basic["README.md"])
		w.git("add", "-f", ".env")
		p := w.admit()
		w.indexed(p, Rebuild)
		w.forge(path, 1, 4, 4)
		result, err := p.Search(t.Context(), SearchRequest{Query: "lighthouse"})
		if err != nil {
			wantCode(t, err, RebuildRequired)
		} else if len(result.Hits) != 0 || result.Stale != 1 {
			t.Errorf("%s: %+v", path, result)
		}
	}
}

// P-63, P-67, P-87: an index of format 1 is served, with the rows that it has; its first refresh builds format 2.
func TestFirstFormat(t *testing.T) {
	old, err := os.ReadFile("../../testdata/store/format1.bolt")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, basic)
	p := w.admit()
	w.indexed(p, Rebuild)
	w.must(os.WriteFile(w.indexFile(), old, 0o600))
	status, err := p.Status(t.Context())
	w.must(err)
	text, err := json.Marshal(status)
	w.must(err)
	if status.Format != 1 || strings.Contains(string(text), "remaining_files") || strings.Contains(string(text), "by_reason") {
		t.Errorf("%s", text)
	}
	if result := w.search(p, "knowledge w1 the", 20); len(result.Hits) != 0 {
		t.Errorf("hits of sources that are not here: %+v", result.Hits)
	}
	if coverage := w.indexed(p, Refresh); coverage.ReusedFiles != 0 || coverage.UpdatedFiles != len(basic) {
		t.Errorf("%+v", coverage)
	}
	if status, err = p.Status(t.Context()); err != nil || status.Format != 2 {
		t.Errorf("%+v, %v", status, err)
	}
}
