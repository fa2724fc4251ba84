package mcp

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// world is an installation of its own: registries, home, state and cache below one temporary directory.
type world struct {
	t      testing.TB
	dir    string
	places pathguard.Places
	log    *syncBuffer
	env    map[string]string // PROJECT_MCP_… of the servers
}

func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, log: &syncBuffer{}, env: map[string]string{}}
	for _, name := range []string{"home", "cfg", "state", "cache", "ws"} {
		w.must(os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	w.setenv("HOME", "home")
	w.setenv("XDG_CACHE_HOME", "cache")
	w.setenv("XDG_STATE_HOME", "state")
	w.places, err = Locate(filepath.Join(dir, "cfg"), os.Getenv)
	w.must(err)
	return w
}

// setenv sets a variable for the test where there is one, to a directory of the world.
func (w *world) setenv(name, below string) {
	if t, ok := w.t.(interface{ Setenv(key, value string) }); ok {
		t.Setenv(name, filepath.Join(w.dir, below))
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// root makes a directory with files in it; a name with a slash at its end is a directory.
func (w *world) root(name string, content map[string]string) string {
	w.t.Helper()
	root := filepath.Join(w.dir, "ws", name)
	w.must(os.MkdirAll(root, 0o755))
	for path, text := range content {
		full := filepath.Join(root, path)
		if strings.HasSuffix(path, "/") {
			w.must(os.MkdirAll(full, 0o755))
			continue
		}
		w.must(os.MkdirAll(filepath.Dir(full), 0o755))
		w.must(os.WriteFile(full, []byte(text), 0o644))
	}
	return root
}

func (w *world) git(root string, args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// repository makes a root whose files are committed.
func (w *world) repository(name string, content map[string]string) string {
	root := w.root(name, content)
	w.git(root, "init", "-q")
	w.git(root, "add", "-A", "-f")
	w.git(root, "commit", "-q", "-m", "first")
	return root
}

// projects writes projects.yaml: each record is its lines after the name.
func (w *world) projects(records map[string]string) {
	w.register(registry.ProjectsFile, "projects", records)
}

// grants writes grants.yaml in the same way.
func (w *world) grants(records map[string]string) {
	w.register(registry.GrantsFile, "grants", records)
}

func (w *world) register(file, kind string, records map[string]string) {
	w.t.Helper()
	text := "version: 1\n" + kind + ":\n"
	if len(records) == 0 {
		text = "version: 1\n" + kind + ": {}\n"
	}
	for _, id := range slices.Sorted(maps.Keys(records)) {
		text += fmt.Sprintf("  %s:\n    name: N %s\n    %s\n", id, id, strings.ReplaceAll(records[id], "\n", "\n    "))
	}
	path := filepath.Join(w.places.Config, file)
	w.must(os.WriteFile(path+".new", []byte(text), 0o600))
	w.must(os.Rename(path+".new", path))
}

func (w *world) limits() Limits {
	w.t.Helper()
	limits, err := LimitsFrom(func(name string) string { return w.env[name] })
	w.must(err)
	return limits
}

// server makes a server of the registries; change may alter it before it serves.
func (w *world) server(change ...func(*Server)) *Server {
	return w.serverOf(registry.New(w.places.Config, w.places), change...)
}

func (w *world) serverOf(r *registry.Registry, change ...func(*Server)) *Server {
	w.t.Helper()
	s, err := New(Options{Registry: r, Limits: w.limits(), Staging: w.places.Staging, Version: "v0.0.0-test", Log: w.log})
	w.must(err)
	for _, f := range change {
		f(s)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Errorf("close: %v", err)
		}
	})
	return s
}

// syncBuffer is a log that several goroutines may write.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
