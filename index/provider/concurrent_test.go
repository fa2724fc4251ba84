//go:build linux

package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"projectknowledge/index"
)

// edits changes files at random, each as a whole, and remembers every content that a path ever had.
type edits struct {
	w      *world
	random *rand.Rand
	mu     sync.Mutex
	texts  map[string]string // by path and hash
}

func newEdits(w *world, files map[string]string) *edits {
	e := &edits{w: w, random: rand.New(rand.NewPCG(1, 2)), texts: map[string]string{}}
	for path, text := range files {
		e.remember(path, text)
	}
	return e
}

func (e *edits) remember(path, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.texts[path+" "+hashOf(text)] = text
}

// forbidden marks text that no result may ever hold.
const forbidden = "forbidden"

// step makes one change: new text, no file, a link to a file outside, a secret, a binary file, or another tracked set.
func (e *edits) step(paths []string) {
	path := paths[e.random.IntN(len(paths))]
	full := filepath.Join(e.w.root, path)
	aside := filepath.Join(e.w.dir, "next")
	if e.random.IntN(60) == 0 {
		// A path that is missing or not tracked makes Git fail, which changes nothing.
		for _, arguments := range [][]string{{"rm", "-q", "-f", "-r", "--cached", filepath.Dir(path)}, {"add", "-A"}}[e.random.IntN(2):] {
			command := exec.Command("git", arguments...)
			command.Dir = e.w.root
			_ = command.Run()
		}
		return
	}
	switch e.random.IntN(8) {
	case 0:
		_ = os.Remove(full)
		return
	case 1:
		_ = os.Remove(aside)
		_ = os.Symlink(e.w.dir+"/outside.md", aside)
	case 2:
		_ = os.WriteFile(aside, []byte("badger "+forbidden+" gh"+"p_"+strings.Repeat("a1B2", 9)+"\n"), 0o644)
	case 3:
		_ = os.WriteFile(aside, []byte("badger "+forbidden+"\x00\n"), 0o644)
	default:
		text := fmt.Sprintf("badger %d\r\nword%d\n", e.random.IntN(4), e.random.IntN(4)) + strings.Repeat("sett\n", e.random.IntN(60))
		e.remember(path, text)
		_ = os.WriteFile(aside, []byte(text), 0o644)
	}
	_ = os.Rename(aside, full)
}

// check holds a result against the rules for every exchange: each hit is exactly lines of a content that its path had,
// with the hash of that content.
func (e *edits) check(t *testing.T, result *SearchResult, limit int) {
	t.Helper()
	if result.Hits == nil || len(result.Hits) > limit || result.Stale < 0 {
		t.Errorf("%d hits, %d stale", len(result.Hits), result.Stale)
	}
	if size := compactSize(t, result); size > MaxResultBytes {
		t.Errorf("%d bytes", size)
	}
	for _, hit := range result.Hits {
		e.mu.Lock()
		text, known := e.texts[hit.Path+" "+hit.SourceHash]
		e.mu.Unlock()
		if !known || strings.Contains(hit.Text, forbidden) {
			t.Errorf("%s: %q is of no content that it was allowed to show", hit.Path, hit.Text)
			continue
		}
		checkLines(t, text, hit.StartLine, hit.EndLine, hit.Text)
	}
}

// P-69, P-83, P-85, P-96, P-97: two providers on one root and cache, several calls at once on each, while files change:
// index calls take turns, and every result keeps the rules.
func TestConcurrentProvidersUnderEdits(t *testing.T) {
	files := map[string]string{}
	var paths []string
	for i := range 30 {
		path := fmt.Sprintf("d%d/f%02d.md", i%3, i)
		paths = append(paths, path)
		files[path] = fmt.Sprintf("badger %d\nword%d\n", i%4, i%5)
	}
	w := newWorld(t, files)
	defer func() {
		if t.Failed() {
			t.Log(w.log.String())
		}
	}()
	w.must(os.WriteFile(w.dir+"/outside.md", []byte("badger "+forbidden+"\n"), 0o644))
	e := newEdits(w, files)
	providers := []*Provider{w.admit(), w.admit()}
	w.indexed(providers[0], Rebuild)
	const rounds = 40
	var calls sync.WaitGroup
	stop := make(chan struct{})
	edited := make(chan struct{})
	go func() {
		defer close(edited)
		for {
			select {
			case <-stop:
				return
			default:
				e.step(paths)
			}
		}
	}()
	for i, p := range providers {
		calls.Go(func() {
			for round := range rounds / 4 {
				mode := []Mode{Refresh, Rebuild}[(round+i)%2]
				result, err := p.Index(t.Context(), IndexRequest{Mode: mode})
				if err != nil {
					t.Errorf("index: %v", err)
					continue
				}
				checkCoverage(t, result.Coverage)
			}
		})
		for range 2 {
			calls.Go(func() {
				for round := range rounds {
					result, err := p.Search(t.Context(), SearchRequest{Query: fmt.Sprintf("badger %d word", round%5), Limit: 10, Profile: index.Profile(round % 2)})
					if err != nil {
						t.Errorf("search: %v", err)
						continue
					}
					e.check(t, result, 10)
					if _, err := p.Status(t.Context()); err != nil {
						t.Errorf("status: %v", err)
					}
				}
			})
		}
	}
	calls.Wait()
	close(stop)
	<-edited
	w.git("rm", "-q", "-f", "-r", "--cached", "--ignore-unmatch", "d2")
	for _, p := range providers {
		for _, hit := range w.search(p, "badger", MaxLimit).Hits {
			if strings.HasPrefix(hit.Path, "d2/") {
				t.Errorf("%s is not tracked any more", hit.Path)
			}
		}
	}
	w.indexed(providers[1], Refresh)
	for _, p := range providers {
		result := w.search(p, "badger", MaxLimit)
		if result.Stale != 0 {
			t.Errorf("%d stale candidates after a refresh without edits", result.Stale)
		}
		e.check(t, result, MaxLimit)
	}
}

// P-27, P-100: neither a result nor an error, of an admission or a call, names the machine.
func TestNothingLeaks(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	failures := map[string]func(w *world){
		"nothing":                 func(*world) {},
		"the cache is unsafe":     func(w *world) { w.must(os.Chmod(w.cacheDir(), 0o777)) },
		"the index is damaged":    func(w *world) { w.must(os.WriteFile(w.indexFile(), []byte("x"), 0o600)) },
		"the index is gone":       func(w *world) { w.must(os.RemoveAll(w.cache)) },
		"the index is a link":     func(w *world) { w.behindLink(w.indexFile()) },
		"Git's index is garbage":  func(w *world) { w.write(".git/index", "DIRC garbage garbage") },
		"the repository is gone":  func(w *world) { w.remove(".git") },
		"the root is gone":        func(w *world) { w.must(os.Rename(w.root, w.root+".old")) },
		"the cache is a file":     func(w *world) { w.must(os.RemoveAll(w.cache)); w.must(os.WriteFile(w.cache, nil, 0o600)) },
		"Git cannot be started":   func(w *world) { w.setenv("PATH", w.dir) },
		"the configuration broke": func(w *world) { w.write(".git/config", "[") },
	}
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			w.write("host.md", "lighthouse\n")
			w.git("add", "host.md")
			p := w.admit()
			w.indexed(p, Rebuild)
			fail(w)
			secrets := []string{w.dir, w.cache, w.home, filepath.Base(filepath.Dir(w.dir)), "/tmp"}
			for _, name := range []string{host, fmt.Sprint(os.Getpid())} {
				if len(name) > 3 { // a shorter one is found in any answer
					secrets = append(secrets, name)
				}
			}
			check := func(what string, answer any) {
				var text bytes.Buffer
				if err := json.NewEncoder(&text).Encode(answer); err != nil {
					t.Fatal(err)
				}
				for _, secret := range secrets {
					if strings.Contains(withoutHashes(text.String()), secret) {
						t.Errorf("%s names %q: %s", what, secret, text.String())
					}
				}
			}
			for operation, err := range calls(t.Context(), p) {
				if err != nil {
					check(operation, err)
					check(operation, err.Error())
				}
			}
			if result, err := p.Status(t.Context()); err == nil {
				check("status", result)
			}
			if result, err := p.Search(t.Context(), SearchRequest{Query: "lighthouse"}); err == nil {
				check("search", result)
			}
			if report, err := p.ExplainPath(t.Context(), "README.md"); err == nil {
				check("explain", report)
			} else {
				check("explain", err)
			}
			if again, err := Admit(t.Context(), w.root, w.options()); err != nil {
				check("initialize", err)
			} else {
				_ = again.Close()
			}
		})
	}
}

// withoutHashes takes the members out of an answer in which any digits may stand.
func withoutHashes(text string) string {
	for _, member := range []string{`"source_hash":"`, `"index_revision":"`, `"observed_revision":"`, `"revision":"`, `"indexed_at_unix":`} {
		parts := strings.Split(text, member)
		for i := 1; i < len(parts); i++ {
			parts[i] = strings.TrimLeft(parts[i], "0123456789abcdef")
		}
		text = strings.Join(parts, member)
	}
	return text
}
