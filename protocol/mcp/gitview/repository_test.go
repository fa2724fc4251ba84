package gitview

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

const resultBytes = 1 << 20

// A repo is a repository in a directory of its own, and what asks about it.
type repo struct {
	t    *testing.T
	base string // has the root and what must not be reached from it
	root string
	git  *Git
}

func newRepo(t *testing.T, content map[string]string) *repo {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	g, err := New(Options{Timeout: time.Minute, TemporaryDirectory: base})
	must(t, err)
	r := &repo{t: t, base: base, root: filepath.Join(base, "root"), git: g}
	t.Cleanup(func() { must(t, g.Close()) })
	r.grow(content)
	return r
}

// grown are the repositories that were made so far, by their content: a copy is made faster than another one.
var grown = struct {
	sync.Mutex
	roots map[string]string
}{roots: make(map[string]string)}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, root := range grown.roots {
		_ = os.RemoveAll(filepath.Dir(root))
	}
	os.Exit(status)
}

// grow makes the repository with one commit of the content, or none without content.
func (r *repo) grow(content map[string]string) {
	r.t.Helper()
	grown.Lock()
	defer grown.Unlock()
	key := fmt.Sprint(content)
	if grown.roots[key] == "" {
		base, err := os.MkdirTemp("", "gitview-test-")
		must(r.t, err)
		first := &repo{t: r.t, base: base, root: filepath.Join(base, "root")}
		must(r.t, os.Mkdir(first.root, 0o755))
		first.run("init", "-q", "-b", "main")
		for path, text := range content {
			first.put(path, text)
		}
		if len(content) > 0 {
			first.run("add", "-A", "-f")
			first.run("commit", "-q", "-m", "first")
		}
		grown.roots[key] = first.root
	}
	must(r.t, os.CopyFS(r.root, os.DirFS(grown.roots[key])))
}

// run runs Git as the repository's owner does, in the root.
func (r *repo) run(arguments ...string) string {
	r.t.Helper()
	return r.runIn(r.root, arguments...)
}

func (r *repo) runIn(dir string, arguments ...string) string {
	r.t.Helper()
	out, err := r.command(dir, arguments...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) command(dir string, arguments ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=n@example.invalid", "-c", "protocol.file.allow=always"}, arguments...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.base, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	return cmd
}

func (r *repo) put(path, text string) {
	r.t.Helper()
	name := filepath.Join(r.root, path)
	must(r.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(r.t, os.WriteFile(name, []byte(text), 0o644))
}

// touch gives a file another time stamp and the same content, so that Git has to look into it.
func (r *repo) touch(path string) {
	r.t.Helper()
	must(r.t, os.Chtimes(filepath.Join(r.root, path), time.Unix(1e9, 0), time.Unix(1e9, 0)))
}

func (r *repo) repository() Repository {
	r.t.Helper()
	tree, err := pathguard.Open(r.root, nil)
	must(r.t, err)
	r.t.Cleanup(func() { _ = tree.Close() })
	return Repository{ProjectID: "p1", Root: r.root, Tree: tree}
}

func (r *repo) status() (*StatusResult, error) {
	return r.git.Status(context.Background(), r.repository(), StatusArgs{Limit: 200}, resultBytes)
}

func (r *repo) diff(change func(*DiffArgs)) (*DiffResult, error) {
	args := DiffArgs{ContextLines: 3, LimitLines: 5000}
	if change != nil {
		change(&args)
	}
	return r.git.Diff(context.Background(), r.repository(), args, resultBytes)
}

func (r *repo) mustStatus() *StatusResult {
	r.t.Helper()
	s, err := r.status()
	must(r.t, err)
	return s
}

func (r *repo) mustDiff(change func(*DiffArgs)) *DiffResult {
	r.t.Helper()
	d, err := r.diff(change)
	must(r.t, err)
	return d
}

// entries gives the entries of a status as "XY path".
func entries(s *StatusResult) string {
	var all []string
	for _, e := range s.Entries {
		all = append(all, e.IndexStatus+e.WorktreeStatus+" "+e.Path)
	}
	return strings.Join(all, ", ")
}

func staged(a *DiffArgs) { a.Staged = true }

// fingerprint is the content, mode and time stamp of every file below a directory.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	prints := make(map[string]string)
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		facts, err := entry.Info()
		if err != nil {
			return err
		}
		print := fmt.Sprint(facts.Mode(), facts.ModTime().UnixNano())
		if facts.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			print += fmt.Sprintf(" %x", sha256.Sum256(text))
		}
		prints[path] = print
		return nil
	}))
	return prints
}

func wantSame(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for path, print := range before {
		if after[path] != print {
			t.Errorf("%s: %s was %s, is %s", what, path, print, after[path])
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, what string, err error, want pathguard.Code) {
	t.Helper()
	if got := pathguard.CodeOf(err); got != want {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}
