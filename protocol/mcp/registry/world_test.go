//go:build linux

package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A world is a configuration directory, a place for roots and a clock that stands still.
type world struct {
	t      *testing.T
	config string
	roots  string
	now    time.Time
	places pathguard.Places
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, config: filepath.Join(top, "config"), roots: filepath.Join(top, "ws"), now: time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC)}
	w.places = pathguard.Places{Home: filepath.Join(top, "home"), Staging: filepath.Join(top, "staging"), Cache: filepath.Join(top, "cache")}
	for _, dir := range []string{w.config, w.roots, w.places.Home} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) registry() *Registry {
	return newRegistry(w.config, w.places, func() time.Time { return w.now })
}

// root makes a directory that can be a root.
func (w *world) root(name string) string {
	w.t.Helper()
	dir := filepath.Join(w.roots, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	return dir
}

func (w *world) file(name string) string { return filepath.Join(w.config, name) }

// put replaces a registry file as an editor does; ROOTS in the text stands for the place for roots.
func (w *world) put(name, text string) {
	w.t.Helper()
	text = strings.ReplaceAll(text, "ROOTS", w.roots)
	if err := os.WriteFile(w.file(name+".new"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(w.file(name+".new"), w.file(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) text(name string) string {
	text, err := os.ReadFile(w.file(name))
	if err != nil {
		return fmt.Sprintf("(%v)", err)
	}
	return string(text)
}

// project adds a project that has its ID as name and root.
func (w *world) project(r *Registry, id string) Project {
	w.t.Helper()
	p, err := r.AddProject(context.Background(), w.record(id))
	if err != nil {
		w.t.Fatalf("add project %s: %v", id, err)
	}
	return p
}

func (w *world) record(id string) Project {
	return Project{ID: id, Name: "N " + id, Root: w.root(id), Enabled: true, WriteDirectory: DefaultWriteDirectory}
}

func (w *world) grant(r *Registry, id string, ttl time.Duration) Grant {
	w.t.Helper()
	g, err := r.AddGrant(context.Background(), id, "N "+id, w.root(id), ttl)
	if err != nil {
		w.t.Fatalf("add grant %s: %v", id, err)
	}
	return g
}

// wantCode checks the code of an error.
func wantCode(t *testing.T, what string, err error, want pathguard.Code) {
	t.Helper()
	if got := pathguard.CodeOf(err); got != want {
		t.Errorf("%s: code %q (%v), want %q", what, got, err, want)
	}
}

// wantNoPaths checks that an error for a model has no path of the machine in it (M-29, M-44).
func wantNoPaths(t *testing.T, err error) {
	t.Helper()
	var known *pathguard.Error
	if !errors.As(err, &known) || strings.Contains(known.Message, "/") {
		t.Errorf("%v is no error for a model", err)
	}
}

const oneProject = "version: 1\nprojects:\n  p1:\n    name: One\n    root: ROOTS/p1\n"
const oneGrant = "version: 1\ngrants:\n  g1:\n    name: G\n    root: ROOTS/g1\n    permanent: true\n"
