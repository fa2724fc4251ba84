package plugin

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 6, "how often TestKill kills a provider inside an index call")

// P-98, invariant 2: killed at any instant of a rebuild or a refresh, the cache holds the old index or the new one,
// sound; the next index call works and cleans up what the dead one left.
func TestKill(t *testing.T) {
	w := newWorld(t)
	for i := range 240 {
		w.write(w.root, killName(i), killText(i, 0))
	}
	w.repository(w.root)
	p := w.start(w.root, nil)
	p.mustInitialize()
	began := time.Now()
	if got := p.call("index", map[string]any{}); got.failed() {
		t.Fatalf("first index: %s", got.raw)
	}
	whole := time.Since(began)
	p.end()
	generation := 0
	interrupted := 0
	for k := range *kills {
		generation++
		for i := range 240 {
			if i%3 == k%3 {
				w.write(w.root, killName(i), killText(i, generation))
			}
		}
		mode := []string{"rebuild", "refresh"}[k%2]
		p := w.start(w.root, nil)
		p.mustInitialize()
		p.send([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"index","arguments":{"mode":%q}}}`, mode)))
		select {
		case <-p.lines:
		case <-time.After(rand.N(whole + whole/4)):
			interrupted++
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.cmd.Wait()
		w.checkAfterKill(generation)
	}
	w.refreshEqualsRebuild()
	t.Logf("%d providers killed, %d of them inside an index call", *kills, interrupted)
}

func killName(i int) string { return fmt.Sprintf("d%d/file%03d.md", i%7, i) }

func killText(i, generation int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "capstone generation %d of file %d\n", generation, i)
	for line := range 120 {
		fmt.Fprintf(&b, "line %d says word%d and other%d of %d\n", line, line*i%997, line*generation%89, i)
	}
	return []byte(b.String())
}

// checkAfterKill proves the index sound, searches it, and lets the next index call clean up.
func (w *world) checkAfterKill(generation int) {
	w.t.Helper()
	binary, err := builtBinary()
	w.must(err)
	check := exec.Command(binary, "check", "--root", w.root)
	check.Env = w.env(nil)
	if output, err := check.CombinedOutput(); err != nil {
		w.t.Fatalf("check after kill %d: %v: %s", generation, err, output)
	}
	p := w.start(w.root, nil)
	p.mustInitialize()
	if got := p.call("search", map[string]any{"query": "capstone", "limit": 20}); got.failed() {
		w.t.Fatalf("search after kill %d: %s", generation, got.raw)
	}
	if got := p.call("index", map[string]any{"mode": "refresh"}); got.failed() {
		w.t.Fatalf("refresh after kill %d: %s", generation, got.raw)
	}
	p.end()
	left, err := filepath.Glob(filepath.Join(w.cache, "webcodex-project-knowledge", "*", "build-*"))
	w.must(err)
	if len(left) > 0 {
		w.t.Fatalf("P-28: build files left after the next index call: %v", left)
	}
}

// refreshEqualsRebuild compares what the index, refreshed after all those kills, answers with what one built afresh does.
func (w *world) refreshEqualsRebuild() {
	w.t.Helper()
	p := w.start(w.root, nil)
	p.mustInitialize()
	defer p.end()
	answers := func(mode string) (all []string) {
		if got := p.call("index", map[string]any{"mode": mode}); got.failed() {
			w.t.Fatalf("%s: %s", mode, got.raw)
		}
		for _, query := range []string{"capstone generation", "word42 other7", "line 3", "file017"} {
			got := p.call("search", map[string]any{"query": query, "limit": 20})
			if got.failed() {
				w.t.Fatalf("search: %s", got.raw)
			}
			all = append(all, string(got.raw))
		}
		return all
	}
	if refreshed, rebuilt := answers("refresh"), answers("rebuild"); !slices.Equal(refreshed, rebuilt) {
		w.t.Fatalf("after the kills a refresh answers otherwise than a rebuild:\n%.800q\n%.800q", refreshed, rebuilt)
	}
}
