//go:build linux

package source

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestFindTop(t *testing.T) {
	r := newRepository(t)
	r.commit("a/b/c.md")
	started := countGit(t)
	for _, dir := range []string{r.dir, r.dir + "/a", r.dir + "/a/b"} {
		if top, err := FindTop(context.Background(), dir); err != nil || top != r.dir {
			t.Errorf("%s: got %q, %v", dir, top, err)
		}
	}
	if n := started(); n != 0 {
		t.Errorf("Git was started %d times for a plain repository", n)
	}
	r.git("config", "core.worktree", r.dir)
	if top, err := FindTop(context.Background(), r.dir+"/a"); err != nil || top != r.dir {
		t.Errorf("asked of Git: got %q, %v", top, err)
	}
	r.git("config", "--unset", "core.worktree")
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]Code{
		r.dir + "/.git": RootNotWorktree, r.dir + "/.git/refs": RootNotWorktree, outside: RootNotWorktree,
		link + "/a": RootIsSymlink, outside + "/missing": RootUnreadable,
	} {
		_, err := FindTop(context.Background(), dir)
		if got := failureCode(t, err); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}
