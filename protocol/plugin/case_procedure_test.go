package plugin

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// procedures are the cases that cannot be said in steps, by id.
var procedures = map[string]func(*caseRun){
	"rpc-eof":            procedureEndOfInput,
	"rpc-catalogue":      procedureCatalogue,
	"git-worktree":       procedureWorktree,
	"store-private":      procedurePrivateCache,
	"store-cache-inside": procedureCacheInside,
}

// procedureEndOfInput: end of input ends the provider within 5 s, status 0.
func procedureEndOfInput(r *caseRun) {
	p := r.start(r.root, nil)
	p.mustInitialize()
	if got := p.call("index", struct{}{}); got.failed() {
		r.t.Fatalf("index: %s", got.raw)
	}
	p.end()
}

// procedureCatalogue: tools/list names exactly the four tools with object schemas.
func procedureCatalogue(r *caseRun) {
	p := r.start(r.root, nil)
	if m, ok := p.initialize(); !ok || m.Result == nil {
		r.t.Fatalf("initialize: %s", m.Text)
	}
	m, _ := p.request("tools/list", struct{}{})
	names, _, err := admitCatalogue(m.Result)
	if err != nil || !slices.Equal(names, []string{"index", "status", "search", "read"}) {
		r.t.Fatalf("%v, %v", names, err)
	}
	p.end()
}

// procedureWorktree: a linked working tree has its own files and revision.
func procedureWorktree(r *caseRun) {
	linked := filepath.Join(r.dir, "linked")
	r.mustGit(r.root, "worktree", "add", "-q", "-b", "side", linked)
	r.write(linked, "b.md", []byte("linkedword\n"))
	r.mustGit(linked, "add", "b.md")
	r.mustGit(linked, "commit", "-q", "-m", "side")
	r.root = linked
	r.provider = r.start(linked, nil)
	r.provider.mustInitialize()
	for _, step := range []caseStep{
		{Do: "call", Tool: "index", Expect: expectation{OK: true, Fields: map[string]any{"revision": "@HEAD"}}},
		{Do: "call", Tool: "search", Arguments: map[string]any{"query": "linkedword"}, Expect: expectation{Hit: "b.md"}},
		{Do: "call", Tool: "search", Arguments: map[string]any{"query": "alpha"}, Expect: expectation{Hit: "a.md"}},
	} {
		if err := r.do(step); err != nil {
			r.t.Errorf("%s %v: %v", step.Tool, step.Arguments, err)
		}
	}
	r.provider.end()
}

// procedurePrivateCache: cache directories are 0700, files 0600, and nothing is written into the project.
func procedurePrivateCache(r *caseRun) {
	status := func() string { return r.mustGit(r.root, "status", "--porcelain", "--ignored") }
	before := status()
	p := r.start(r.root, nil)
	p.mustInitialize()
	for _, call := range []struct {
		tool      string
		arguments map[string]string
	}{{"index", nil}, {"index", map[string]string{"mode": "refresh"}}, {"search", map[string]string{"query": "alpha"}}} {
		if call.arguments == nil {
			call.arguments = map[string]string{}
		}
		if got := p.call(call.tool, call.arguments); got.failed() {
			r.t.Errorf("%s: %s", call.tool, got.raw)
		}
	}
	p.end()
	r.must(filepath.WalkDir(r.cache, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == r.cache {
			return err
		}
		info, err := entry.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[entry.IsDir()]; err == nil && info.Mode().Perm() != want {
			r.t.Errorf("%s has mode %o", entry.Name(), info.Mode().Perm())
		}
		return err
	}))
	if after := status(); after != before {
		r.t.Errorf("git status was %q and is %q", before, after)
	}
}

// procedureCacheInside: a cache inside the project is refused, even if Git ignores it.
func procedureCacheInside(r *caseRun) {
	inside := filepath.Join(r.root, "cachehere")
	r.must(os.Mkdir(inside, 0o700))
	p := r.start(r.root, map[string]string{"XDG_CACHE_HOME": inside})
	if m, ok := p.initialize(); ok && m.Result != nil && !p.call("index", struct{}{}).failed() {
		r.t.Error("index wrote a cache inside the project")
	}
	entries, err := os.ReadDir(inside)
	if err != nil || len(entries) > 0 {
		r.t.Errorf("the directory has %d entries, %v", len(entries), err)
	}
}
