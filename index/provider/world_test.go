//go:build linux

package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"projectknowledge/store"
)

// world is a repository with a private cache and home, all below one temporary directory.
type world struct {
	t                      testing.TB
	dir, root, cache, home string
	log                    *lockedLog
}

// lockedLog is a log that several providers may write.
type lockedLog struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// basic is a repository of four sources in three languages.
var basic = map[string]string{
	"README.md":     "# Sample\n\nThe lighthouse keeper writes a log.\nNothing else here.\n",
	"src/parser.go": "package src\n\n// parseHTTPRequest reads one request\nfunc parseHTTPRequest(b []byte) error {\n\treturn nil\n}\n",
	"src/snake.py":  "def load_user_profile(path):\n    \"\"\"Load one profile.\"\"\"\n    return path\n",
	"docs/intro.md": "# 介绍\n\n这个项目知识库保存源代码。\n检索时使用二元组。\n",
}

// newWorld makes a repository with the files committed and points HOME and XDG_CACHE_HOME into the world.
func newWorld(t testing.TB, files map[string]string) *world {
	t.Helper()
	w := newBareWorld(t)
	if reflect.ValueOf(files).Pointer() == reflect.ValueOf(basic).Pointer() {
		w.must(os.CopyFS(w.root, os.DirFS(basicRepository(t))))
		return w
	}
	w.git("init", "-q", "-b", "main")
	w.track(files)
	w.commit()
	return w
}

// template is the repository of basic, made once for all tests.
var template struct {
	once sync.Once
	dir  string
}

// basicRepository gives a repository of basic for copying.
func basicRepository(t testing.TB) string {
	template.once.Do(func() {
		dir, err := os.MkdirTemp("", "basic-")
		if err != nil {
			t.Fatal(err)
		}
		template.dir = dir
		w := &world{t: t, root: dir}
		w.git("init", "-q", "-b", "main")
		w.track(basic)
		w.commit()
		w.must(os.RemoveAll(dir + "/.git/hooks"))
	})
	return template.dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if template.dir != "" {
		_ = os.RemoveAll(template.dir)
	}
	os.Exit(code)
}

// newBareWorld makes the directories alone.
func newBareWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, root: dir + "/proj", cache: dir + "/cache", home: dir + "/home", log: new(lockedLog)}
	w.must(os.Chmod(dir, 0o755))
	for _, path := range []string{w.root, w.cache, w.home} {
		w.must(os.Mkdir(path, 0o700))
	}
	w.setenv("HOME", w.home)
	w.setenv("XDG_CACHE_HOME", w.cache)
	w.setenv("PWD", w.root)
	w.setenv("GIT_CONFIG_NOSYSTEM", "1")
	return w
}

func (w *world) setenv(key, value string) {
	switch t := w.t.(type) {
	case *testing.T:
		t.Setenv(key, value)
	case *testing.B:
		t.Setenv(key, value)
	case *testing.F:
		t.Setenv(key, value)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	return w.gitIn(w.root, args...)
}

func (w *world) gitIn(dir string, args ...string) string {
	w.t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "protocol.file.allow=always", "-c", "gc.auto=0"}, args...)...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) write(path, text string) {
	w.t.Helper()
	full := filepath.Join(w.root, path)
	w.must(os.MkdirAll(filepath.Dir(full), 0o755))
	w.must(os.WriteFile(full, []byte(text), 0o644))
}

func (w *world) track(files map[string]string) {
	w.t.Helper()
	for path, text := range files {
		w.write(path, text)
	}
	w.git("add", "-A", "-f")
}

func (w *world) commit() {
	w.t.Helper()
	w.git("commit", "-q", "--allow-empty", "-m", "c")
}

func (w *world) remove(path string) {
	w.t.Helper()
	w.must(os.RemoveAll(filepath.Join(w.root, path)))
}

// hash gives the SHA-256 of a file's bytes now.
func (w *world) hash(path string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.root, path))
	w.must(err)
	return hashOf(string(text))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// admit starts a provider as the plugin does, with options changed by the given functions.
func (w *world) admit(change ...func(*Options)) *Provider {
	w.t.Helper()
	p, err := Admit(w.t.Context(), w.root, w.options(change...))
	if err != nil {
		w.t.Fatalf("admission: %v (%v)", err, errors.Unwrap(err))
	}
	w.t.Cleanup(func() { _ = p.Close() })
	return p
}

func (w *world) options(change ...func(*Options)) Options {
	opt := DefaultOptions()
	opt.Log = w.log
	for _, f := range change {
		f(&opt)
	}
	return opt
}

// indexed builds or refreshes and gives the coverage, checked against its own rules (P-64).
func (w *world) indexed(p *Provider, mode Mode) store.Coverage {
	w.t.Helper()
	result, err := p.Index(w.t.Context(), IndexRequest{Mode: mode})
	if err != nil {
		w.t.Fatalf("index %s: %v (%v)", mode, err, errors.Unwrap(err))
	}
	checkCoverage(w.t, result.Coverage)
	return result.Coverage
}

func checkCoverage(t testing.TB, c store.Coverage) {
	t.Helper()
	sum := func(counts map[string]int) (total int) {
		for _, n := range counts {
			total += n
		}
		return total
	}
	if c.EligibleFiles != c.IndexedFiles+c.SkippedFiles+c.UnprocessedFiles || c.UnprocessedFiles > c.RemainingFiles ||
		c.StopReason == "complete" && c.RemainingFiles != 0 ||
		sum(c.ExcludedByReason) != c.ExcludedEntries || sum(c.SkippedByReason) != c.SkippedFiles {
		t.Fatalf("coverage contradicts itself: %+v", c)
	}
}

func (w *world) search(p *Provider, query string, limit int) *SearchResult {
	w.t.Helper()
	result, err := p.Search(w.t.Context(), SearchRequest{Query: query, Limit: limit})
	if err != nil {
		w.t.Fatalf("search %q: %v (%v)", query, err, errors.Unwrap(err))
	}
	w.checkHits(result)
	return result
}

// paths gives the paths of the hits of a query in rank order.
func (w *world) paths(p *Provider, query string) []string {
	w.t.Helper()
	paths := []string{}
	for _, hit := range w.search(p, query, MaxLimit).Hits {
		paths = append(paths, hit.Path)
	}
	return paths
}

// checkHits holds every hit against the file as it is now (P-74).
func (w *world) checkHits(result *SearchResult) {
	w.t.Helper()
	for _, hit := range result.Hits {
		text, err := os.ReadFile(filepath.Join(w.root, hit.Path))
		w.must(err)
		if hit.SourceHash != hashOf(string(text)) {
			w.t.Fatalf("hash of %s is not that of its bytes", hit.Path)
		}
		checkLines(w.t, string(text), hit.StartLine, hit.EndLine, hit.Text)
	}
}

// checkLines cuts lines in its own way and compares (P-40, P-74).
func checkLines(t interface{ Fatalf(string, ...any) }, text string, start, end int, got string) {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if start < 1 || end < start || end > len(lines) {
		t.Fatalf("lines %d to %d of %d", start, end, len(lines))
	}
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	if want := strings.Join(lines[start-1:end], "\n"); want != got {
		t.Fatalf("lines %d to %d are %q, not %q", start, end, want, got)
	}
}

// cacheDir gives the directory of the root's index.
func (w *world) cacheDir() string {
	return filepath.Join(w.cache, cacheName, hashOf(w.root))
}

func (w *world) indexFile() string { return filepath.Join(w.cacheDir(), store.FileName) }

func (w *world) indexBytes() string {
	w.t.Helper()
	text, err := os.ReadFile(w.indexFile())
	w.must(err)
	return string(text)
}

// tree lists everything below a directory with its mode and content.
func (w *world) tree(dir string) map[string]string {
	w.t.Helper()
	tree := map[string]string{}
	w.must(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		state := info.Mode().String()
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			state += hashOf(string(text))
		}
		tree[path] = state
		return nil
	}))
	return tree
}

// wantCode fails unless err is the known failure of a code, and gives it.
func wantCode(t testing.TB, err error, code Code) *Error {
	t.Helper()
	var known *Error
	if !errors.As(err, &known) || known.Code != code {
		t.Fatalf("got %v (%v), want %s", err, errors.Unwrap(errOrNil(err)), code)
	}
	return known
}

func errOrNil(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}

// calls runs the four operations, so that a rule that holds for each is said once.
func calls(ctx context.Context, p *Provider) map[string]error {
	outcome := map[string]error{}
	_, outcome["index"] = p.Index(ctx, IndexRequest{Mode: Rebuild})
	_, outcome["refresh"] = p.Index(ctx, IndexRequest{Mode: Refresh})
	_, outcome["status"] = p.Status(ctx)
	_, outcome["search"] = p.Search(ctx, SearchRequest{Query: "lighthouse"})
	_, outcome["read"] = p.Read(ctx, ReadRequest{Path: "README.md", SourceHash: hashOf(basic["README.md"])})
	return outcome
}
