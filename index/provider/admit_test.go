//go:build linux

package provider

import (
	"os"
	"strings"
	"testing"
)

// P-2, P-4, P-12, P-13: what is no root.
func TestAdmissionRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		dir  func(w *world) string
		code Code
	}{
		"a subdirectory":      {func(w *world) string { return w.root + "/src" }, RootIsSubdirectory},
		"outside Git":         {func(w *world) string { return w.cache }, RootNotWorktree},
		"the filesystem root": {func(*world) string { return "/" }, RootIsFilesystemRoot},
		"home":                {func(w *world) string { w.setenv("HOME", w.root); return w.root }, RootIsHome},
		"behind a link":       {func(w *world) string { w.must(os.Symlink(w.root, w.dir+"/link")); return w.dir + "/link" }, RootIsSymlink},
		"missing":             {func(w *world) string { return w.dir + "/missing" }, RootUnreadable},
		"without Git":         {func(w *world) string { w.setenv("PATH", w.dir); return w.root }, GitUnavailable},
		"a bare repository":   {func(w *world) string { w.git("clone", "-q", "--bare", ".", w.dir+"/bare"); return w.dir + "/bare" }, RootNotWorktree},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			_, err := Admit(t.Context(), c.dir(w), w.options())
			wantCode(t, err, c.code)
		})
	}
}

// P-2: a bad cache does not keep a provider from being started; it is not looked at.
func TestAdmissionDoesNotLookAtTheCache(t *testing.T) {
	w := newWorld(t, basic)
	w.must(os.Chmod(w.cache, 0o777))
	p := w.admit()
	_, err := p.Status(t.Context())
	wantCode(t, err, CacheUnsafe)
}

// P-12: a linked worktree has its own files, revision and index.
func TestLinkedWorktree(t *testing.T) {
	w := newWorld(t, basic)
	linked := *w
	linked.root = w.dir + "/linked"
	w.git("worktree", "add", "-q", "-b", "side", linked.root)
	linked.write("only.md", "periwinkle\n")
	linked.git("add", "only.md")
	linked.commit()
	p, q := w.admit(), linked.admit()
	w.indexed(p, Rebuild)
	if coverage := linked.indexed(q, Rebuild); *coverage.Revision != linked.git("rev-parse", "HEAD") {
		t.Errorf("revision %v", *coverage.Revision)
	}
	if paths := linked.paths(q, "periwinkle"); len(paths) != 1 {
		t.Errorf("hits in the linked worktree: %v", paths)
	}
	if paths := w.paths(p, "periwinkle"); len(paths) != 0 {
		t.Errorf("hits in the main worktree: %v", paths)
	}
	if w.cacheDir() == linked.cacheDir() || linked.indexBytes() == w.indexBytes() {
		t.Error("one index for two roots")
	}
}

// P-18: an inherited GIT_DIR does not point the provider elsewhere.
func TestInheritedGitVariables(t *testing.T) {
	other := newWorld(t, map[string]string{"other.md": "marigold\n"})
	w := newWorld(t, basic)
	t.Setenv("GIT_DIR", other.root+"/.git")
	t.Setenv("GIT_WORK_TREE", other.root)
	p := w.admit()
	w.indexed(p, Rebuild)
	if len(w.paths(p, "marigold")) != 0 || len(w.paths(p, "lighthouse")) != 1 {
		t.Error("the files are those of the other repository")
	}
}

// The doctor finds what is wrong, in order, and says what to do.
func TestDiagnose(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(w *world)
		wrong string
		code  Code
	}{
		"all is well":      {func(*world) {}, "", ""},
		"no index":         {func(w *world) { w.must(os.RemoveAll(w.cache)) }, "index", NotIndexed},
		"unsafe cache":     {func(w *world) { w.must(os.Chmod(w.cacheDir(), 0o755)) }, "cache", CacheUnsafe},
		"damaged index":    {func(w *world) { w.must(os.WriteFile(w.indexFile(), nil, 0o600)) }, "index", RebuildRequired},
		"no working tree":  {func(w *world) { w.remove(".git") }, "root", RootNotWorktree},
		"no Git":           {func(w *world) { w.setenv("PATH", w.dir) }, "git", GitUnavailable},
		"home is the root": {func(w *world) { w.setenv("HOME", w.root) }, "root", RootIsHome},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, basic)
			w.indexed(w.admit(), Rebuild)
			c.spoil(w)
			before := w.tree(w.dir)
			for _, finding := range Diagnose(t.Context(), w.root, w.options()) {
				if finding.OK {
					continue
				}
				if c.wrong == "" || finding.Advice == "" || finding.State == "" {
					t.Errorf("%+v", finding)
				}
				if finding.Name != c.wrong || finding.Code != c.code {
					t.Errorf("first wrong: %+v, want %s of %s", finding, c.code, c.wrong)
				}
				break
			}
			if len(before) != len(w.tree(w.dir)) {
				t.Error("something was written")
			}
		})
	}
}

// Every code that a diagnosis may give has an advice.
func TestEveryAdviceIsForACode(t *testing.T) {
	for code, text := range advice {
		if sentences[code] == "" || text != plainSentence(text, MaxMessageBytes) {
			t.Errorf("%s: %q", code, text)
		}
	}
}

// A process that lives for one call needs no Git where Git's files are plain; one that serves calls does (P-2).
func TestOneCallStartsNoGit(t *testing.T) {
	w := newWorld(t, basic)
	w.indexed(w.admit(), Rebuild)
	t.Setenv("PATH", w.dir)
	p := w.admit(func(o *Options) { o.OneCall = true })
	if paths := w.paths(p, "lighthouse"); len(paths) != 1 {
		t.Errorf("hits %v", paths)
	}
	_, err := Admit(t.Context(), w.root, w.options())
	wantCode(t, err, GitUnavailable)
}

// P-3, P-4: a probe that cannot do its work refuses the admission with a sentence that names FTS5 and no path.
func TestAdmissionNeedsTheProbe(t *testing.T) {
	w := newWorld(t, basic)
	t.Setenv("TMPDIR", w.dir+"/missing")
	_, err := Admit(t.Context(), w.root, w.options())
	if known := wantCode(t, err, FTS5Unavailable); !strings.Contains(known.Message, "FTS5") || strings.Contains(known.Message, w.dir) {
		t.Errorf("%v", known)
	}
	if !strings.Contains(w.log.String(), "initialize: fts5_unavailable: ") {
		t.Errorf("the log says %q", w.log.String())
	}
}
