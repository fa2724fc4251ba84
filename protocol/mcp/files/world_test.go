package files

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// A world is a root with files.
type world struct {
	t     testing.TB
	root  string
	scope Scope
}

func newWorld(t testing.TB, content map[string]string) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &world{t: t, root: filepath.Join(base, "root")}
	must(t, os.Mkdir(w.root, 0o755))
	for path, text := range content {
		w.put(path, text)
	}
	w.scope = newScope(t, w.root)
	t.Cleanup(func() { _ = w.scope.Tree.Close() })
	return w
}

func newScope(t testing.TB, root string) Scope {
	t.Helper()
	tree, err := pathguard.Open(root, nil)
	must(t, err)
	return Scope{Tree: tree, WriteDirectory: "docs"}
}

func (w *world) put(path, text string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(w.path(path)), 0o755))
	must(w.t, os.WriteFile(w.path(path), []byte(text), 0o644))
}

func (w *world) link(target, path string) {
	w.t.Helper()
	must(w.t, os.Symlink(target, w.path(path)))
}

func (w *world) path(path string) string { return filepath.Join(w.root, path) }

func (w *world) read(args ReadArgs, limits Limits) (*ReadResult, error) {
	if args.LimitLines == 0 {
		args.LimitLines = LinesRange.Default
	}
	return ReadFile(context.Background(), w.scope, args, limits)
}

func (w *world) glob(pattern string, ctx context.Context, offset, limit int) *GlobResult {
	w.t.Helper()
	r, err := Glob(ctx, w.scope, GlobArgs{Pattern: pattern, Offset: offset, MaxResults: limit}, DefaultLimits(), nil)
	must(w.t, err)
	return r
}

func (w *world) grep(args GrepArgs) *GrepResult {
	w.t.Helper()
	if args.MaxResults == 0 {
		args.MaxResults = GrepRange.Default
	}
	r, err := Grep(context.Background(), w.scope, args, DefaultLimits(), nil)
	must(w.t, err)
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, what string, err error, want pathguard.Code) {
	t.Helper()
	if got := pathguard.CodeOf(err); got != want {
		t.Errorf("%q: %v, want %q", what, err, want)
	}
}
