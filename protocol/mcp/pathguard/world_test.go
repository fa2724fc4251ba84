//go:build linux

package pathguard

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A world is a root inside a directory whose other content no tool may ever show.
type world struct {
	t       *testing.T
	outside string // beside the root
	root    string // canonical
}

const outsideText = "OUTSIDE"

func newWorld(t *testing.T) world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{t: t, outside: filepath.Join(top, "outside"), root: filepath.Join(top, "root")}
	for _, dir := range []string{w.outside, w.root} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(w.outside, "out.txt"), []byte(outsideText), 0o644); err != nil {
		t.Fatal(err)
	}
	return w
}

// put writes files, each with its own path as content; a path with a slash at its end is a directory.
func (w world) put(paths ...string) {
	w.t.Helper()
	for _, path := range paths {
		full := filepath.Join(w.root, path)
		if strings.HasSuffix(path, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				w.t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(path), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

// link makes links: name, target, name, target…
func (w world) link(pairs ...string) {
	w.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if err := os.Symlink(pairs[i+1], filepath.Join(w.root, pairs[i])); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w world) open() *Tree {
	w.t.Helper()
	tree, err := Open(w.root, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = tree.Close() })
	return tree
}

// read opens a path and gives its content.
func read(tree *Tree, path string) (string, error) {
	file, _, err := tree.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var text strings.Builder
	_, err = file.WriteTo(&text)
	return text.String(), err
}

// list gives the visible paths of a directory with a mark of their type.
func list(t *testing.T, tree *Tree, path string) []string {
	t.Helper()
	entries, total, err := tree.ReadDir(context.Background(), path, 0, All)
	if err != nil {
		t.Fatalf("ReadDir(%q): %v", path, err)
	}
	if total != len(entries) {
		t.Fatalf("ReadDir(%q): %d entries, total %d", path, len(entries), total)
	}
	return marked(entries)
}

func marked(entries []Entry) []string {
	shown := make([]string, 0, len(entries))
	for _, entry := range entries {
		mark := map[Type]string{File: "", Directory: "/", Other: "!"}[entry.Type]
		if entry.Symlink {
			mark += "@"
		}
		shown = append(shown, entry.Path+mark)
	}
	return shown
}
