package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A world is one project and a store with a clock of its own.
type world struct {
	t       *testing.T
	root    string
	staging string
	store   *Store

	mu    sync.Mutex
	now   time.Time
	place Place
	fail  error // what the registry answers
}

func newWorld(t *testing.T, change ...func(*Limits)) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: filepath.Join(base, "root"), staging: filepath.Join(base, "uploads"), now: time.Unix(1e9, 0)}
	must(t, os.Mkdir(w.root, 0o755))
	w.place = Place{Root: w.root, WriteDirectory: "docs"}
	limits := DefaultLimits()
	for _, f := range change {
		f(&limits)
	}
	w.store = w.open(limits)
	return w
}

func (w *world) open(limits Limits) *Store {
	store, err := Open(Options{Directory: w.staging, Limits: limits, Resolve: w.resolve, Now: w.clock})
	must(w.t, err)
	w.t.Cleanup(func() { must(w.t, store.Close()) })
	return store
}

func (w *world) resolve(project string) (Place, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if project != "p1" && project != "p2" {
		return Place{}, pathguard.Fault(pathguard.ProjectNotFound)
	}
	return w.place, w.fail
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) create(path, content string) (*Receipt, error) {
	return w.store.CreateFile(context.Background(), CreateArgs{ProjectID: "p1", Path: path, Content: content})
}

func (w *world) begin(path string) string {
	w.t.Helper()
	r, err := w.store.Begin(context.Background(), BeginArgs{ProjectID: "p1", Path: path})
	must(w.t, err)
	return r.UploadID
}

func (w *world) chunk(id string, index int, content string) (*ChunkResult, error) {
	return w.store.WriteChunk(context.Background(), ChunkArgs{ProjectID: "p1", UploadID: id, Index: index, Content: content})
}

func (w *world) finish(id string, total int) (*FinishResult, error) {
	return w.store.Finish(context.Background(), FinishArgs{ProjectID: "p1", UploadID: id, TotalChunks: total})
}

// files gives every path below the root but the directories named docs.
func (w *world) files() []string {
	w.t.Helper()
	var paths []string
	must(w.t, filepath.WalkDir(w.root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, _ := filepath.Rel(w.root, path)
			paths = append(paths, rel)
		}
		return err
	}))
	return paths
}

func (w *world) put(path, content string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(filepath.Join(w.root, path)), 0o755))
	must(w.t, os.WriteFile(filepath.Join(w.root, path), []byte(content), 0o644))
}

func (w *world) read(path string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.root, path))
	must(w.t, err)
	return string(text)
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

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestCreate holds the receipt of M-53 against the wire names, and the file against the content.
func TestCreate(t *testing.T) {
	w := newWorld(t)
	const content = "# 实验方案\n\nno newline at end"
	r, err := w.create("docs/proposals/v1.md", content)
	must(t, err)
	got, err := json.Marshal(r)
	must(t, err)
	sum := digestOf(content)
	want := `{"created":true,"project_id":"p1","path":"docs/proposals/v1.md","bytes_written":33,"sha256":"` + sum +
		`","memory_reference":{"project_id":"p1","path":"docs/proposals/v1.md","sha256":"` + sum + `"},"memory_saved":false}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if w.read("docs/proposals/v1.md") != content {
		t.Error("the file holds something else")
	}
	facts, err := os.Stat(filepath.Join(w.root, "docs/proposals"))
	must(t, err)
	if facts.Mode().Perm() != 0o755 {
		t.Errorf("parent has mode %o, want 755", facts.Mode().Perm())
	}
	facts, err = os.Stat(filepath.Join(w.root, "docs/proposals/v1.md"))
	must(t, err)
	if facts.Mode().Perm() != 0o600 {
		t.Errorf("document has mode %o, want 600", facts.Mode().Perm())
	}
}

// TestRefusedPaths holds the table of M-52: nothing is created, for create_file and for begin_document alike.
func TestRefusedPaths(t *testing.T) {
	w := newWorld(t)
	w.put("docs/a.md", "keep")
	w.put("docs/real/k.md", "k")
	must(t, os.Mkdir(filepath.Join(w.root, "docs/dir.md"), 0o755))
	outside := t.TempDir()
	for name, target := range map[string]string{"docs/inner": "real", "docs/outer": outside, "docs/dangling.md": filepath.Join(outside, "new.md")} {
		must(t, os.Symlink(target, filepath.Join(w.root, name)))
	}
	before := w.files()
	for path, want := range map[string]pathguard.Code{
		"x.md": pathguard.WriteNotAllowed, "src/x.md": pathguard.WriteNotAllowed, "docs.md": pathguard.WriteNotAllowed,
		"docs-evil/x.md": pathguard.WriteNotAllowed, "Docs/x.md": pathguard.WriteNotAllowed, "README.md": pathguard.WriteNotAllowed,
		"docs/../x.md": pathguard.InvalidPath, "/docs/x.md": pathguard.InvalidPath, "docs\\x.md": pathguard.InvalidPath,
		"docs/%2e%2e/x.md": pathguard.InvalidPath, "docs/%41.md": pathguard.InvalidPath, "docs/a\x00.md": pathguard.InvalidPath,
		"docs/x.txt": pathguard.InvalidExtension, "docs/x": pathguard.InvalidExtension, "docs/x.MD": pathguard.InvalidExtension,
		"docs/.md": pathguard.PathDenied, "docs/.hidden/x.md": pathguard.PathDenied, "docs/token.md": pathguard.PathDenied,
		"docs/secrets/x.md": pathguard.PathDenied, "docs/node_modules/x.md": pathguard.PathIgnored,
		"docs/a.md": pathguard.AlreadyExists, "docs/dir.md": pathguard.AlreadyExists, "docs/dangling.md": pathguard.AlreadyExists,
		"docs/inner/x.md": pathguard.SymlinkParent, "docs/outer/x.md": pathguard.SymlinkParent, "docs/outer/deep/x.md": pathguard.SymlinkParent,
		"docs/a.md/x.md": pathguard.NotADirectory, "docs/" + strings.Repeat("n", 300) + ".md": pathguard.InvalidPath,
	} {
		_, err := w.create(path, "new")
		wantCode(t, "create "+path, err, want)
		_, err = w.store.Begin(context.Background(), BeginArgs{ProjectID: "p1", Path: path})
		wantCode(t, "begin "+path, err, want)
	}
	if after := w.files(); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("files were %v, are %v", before, after)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside the root: %v %v", left, err)
	}
}

// TestWriteDirectories: the prefix is compared by component, and a project may have no write directory (M-3, M-52).
func TestWriteDirectories(t *testing.T) {
	w := newWorld(t)
	w.place.WriteDirectory = "reports/proposals"
	_, err := w.create("reports/x.md", "x")
	wantCode(t, "above", err, pathguard.WriteNotAllowed)
	_, err = w.create("reports/proposals/x.md", "x")
	must(t, err)
	w.place.WriteDirectory = ""
	_, err = w.create("reports/proposals/y.md", "x")
	wantCode(t, "none", err, pathguard.WriteNotAllowed)
}

// TestContent holds the limits of M-53: bytes of UTF-8, exactly at the limit is fine.
func TestContent(t *testing.T) {
	w := newWorld(t, func(l *Limits) { l.WriteBytes = 1024 })
	for name, c := range map[string]struct {
		content string
		want    pathguard.Code
	}{
		"at": {strings.Repeat("x", 1024), ""}, "over": {strings.Repeat("x", 1025), pathguard.ContentTooLarge},
		"cjk-over": {strings.Repeat("研", 342), pathguard.ContentTooLarge}, "cjk": {strings.Repeat("研", 341), ""},
		"empty": {"", ""}, "nul": {"a\x00b", pathguard.NotText}, "bytes": {"\xff", pathguard.NotText},
	} {
		_, err := w.create("docs/"+name+".md", c.content)
		wantCode(t, name, err, c.want)
		if _, err := os.Stat(filepath.Join(w.root, "docs", name+".md")); (err == nil) != (c.want == "") {
			t.Errorf("%s: the file's state is %v", name, err)
		}
	}
}

// TestRegistryAtTheEnd: what the registry says is asked again when only the name is missing (M-52).
func TestRegistryAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		want   pathguard.Code
	}{
		"disabled": {func(w *world) { w.fail = pathguard.Fault(pathguard.ProjectDisabled) }, pathguard.ProjectDisabled},
		"moved":    {func(w *world) { w.place.WriteDirectory = "other" }, pathguard.WriteNotAllowed},
		"root":     {func(w *world) { w.place.Root = w.t.TempDir() }, pathguard.ProjectUnavailable},
	} {
		w := newWorld(t)
		asked := 0
		w.store.resolve = func(id string) (Place, error) {
			place, err := w.resolve(id)
			if asked++; asked == 1 { // at the call's beginning; then the administrator acts
				w.mu.Lock()
				c.change(w)
				w.mu.Unlock()
			}
			return place, err
		}
		_, err := w.create("docs/x.md", "x")
		wantCode(t, name, err, c.want)
		if files := w.files(); len(files) > 0 {
			t.Errorf("%s: left %v", name, files)
		}
	}
}

// TestRoot: a root that is gone is the project's trouble, without a path (M-31, M-44).
func TestRoot(t *testing.T) {
	w := newWorld(t)
	must(t, os.RemoveAll(w.root))
	_, err := w.create("docs/x.md", "x")
	wantCode(t, "gone", err, pathguard.ProjectUnavailable)
	if err != nil && strings.Contains(err.Error(), w.root) {
		t.Errorf("the error names the root: %v", err)
	}
}

// TestManyCreators: of many calls for one name exactly one succeeds, and what is there is its content (M-52).
func TestManyCreators(t *testing.T) {
	w := newWorld(t)
	var wins, others int
	var winner string
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			content := strings.Repeat(string(rune('a'+i)), 4096)
			_, err := w.create("docs/deep/one.md", content)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				wins++
				winner = content
			} else if pathguard.CodeOf(err) == pathguard.AlreadyExists {
				others++
			}
		})
	}
	all.Wait()
	if wins != 1 || others != 15 || w.read("docs/deep/one.md") != winner {
		t.Errorf("%d calls won, %d were refused", wins, others)
	}
	if files := w.files(); len(files) != 1 {
		t.Errorf("left %v", files)
	}
}

// TestCancelled: a call that nobody waits for creates nothing.
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := w.store.CreateFile(ctx, CreateArgs{ProjectID: "p1", Path: "docs/x.md", Content: "x"})
	wantCode(t, "cancelled", err, pathguard.Cancelled)
	if files := w.files(); len(files) > 0 {
		t.Errorf("left %v", files)
	}
}
