package gitview

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestUnavailable has the repositories that M-60 refuses: Git would read something outside the root.
func TestUnavailable(t *testing.T) {
	elsewhere := func(r *repo) string {
		dir := filepath.Join(r.base, "elsewhere")
		must(r.t, os.Rename(filepath.Join(r.root, ".git"), dir))
		return dir
	}
	moved := func(r *repo, part string) {
		to := filepath.Join(r.base, "part")
		must(r.t, os.Rename(filepath.Join(r.root, ".git", part), to))
		must(r.t, os.Symlink(to, filepath.Join(r.root, ".git", part)))
	}
	borrow := func(r *repo, line string) {
		must(r.t, os.MkdirAll(filepath.Join(r.base, "other/objects"), 0o755))
		r.put(".git/objects/info/alternates", line)
	}
	for name, change := range map[string]func(*repo){
		"no repository":         func(r *repo) { must(r.t, os.RemoveAll(filepath.Join(r.root, ".git"))) },
		".git file elsewhere":   func(r *repo) { r.put(".git", "gitdir: "+elsewhere(r)+"\n") },
		".git file by dots":     func(r *repo) { elsewhere(r); r.put(".git", "gitdir: ../elsewhere\n") },
		".git file of nonsense": func(r *repo) { elsewhere(r); r.put(".git", "nonsense\n") },
		".git file to nothing":  func(r *repo) { elsewhere(r); r.put(".git", "gitdir: missing\n") },
		".git file too long":    func(r *repo) { elsewhere(r); r.put(".git", "gitdir: "+strings.Repeat("x/", 4000)) },
		".git link elsewhere":   func(r *repo) { must(r.t, os.Symlink(elsewhere(r), filepath.Join(r.root, ".git"))) },
		"commondir elsewhere": func(r *repo) {
			r.put(".git/commondir", "../../elsewhere\n")
			must(r.t, os.Mkdir(filepath.Join(r.base, "elsewhere"), 0o755))
		},
		"objects elsewhere":         func(r *repo) { moved(r, "objects") },
		"packs elsewhere":           func(r *repo) { moved(r, "objects/pack") },
		"index elsewhere":           func(r *repo) { moved(r, "index") },
		"head elsewhere":            func(r *repo) { moved(r, "HEAD") },
		"references elsewhere":      func(r *repo) { moved(r, "refs") },
		"borrowed objects":          func(r *repo) { borrow(r, r.base+"/other/objects\n") },
		"borrowed objects by dots":  func(r *repo) { borrow(r, "# comment\n../../../other/objects\n") },
		"borrowed objects, quoted":  func(r *repo) { r.put(".git/objects/info/alternates", "\"/x\"\n") },
		"borrowed objects in turns": func(r *repo) { r.put(".git/objects/info/alternates", ".\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, map[string]string{"a.txt": "one\n"})
			repository := r.repository()
			change(r)
			_, err := r.git.Status(t.Context(), repository, StatusArgs{Limit: 1}, resultBytes)
			wantCode(t, "status", err, pathguard.GitUnavailable)
			_, err = r.git.Diff(t.Context(), repository, DiffArgs{LimitLines: 1}, resultBytes)
			wantCode(t, "diff", err, pathguard.GitUnavailable)
			var known *pathguard.Error
			if errors.As(err, &known) && strings.Contains(known.Message, r.base) {
				t.Errorf("the message names a path: %s", known.Message)
			}
		})
	}
}

// TestSubdirectory: a directory below the top of a work tree is none (M-60).
func TestSubdirectory(t *testing.T) {
	r := newRepo(t, map[string]string{"sub/a.txt": "one\n"})
	r.root = filepath.Join(r.root, "sub")
	_, err := r.status()
	wantCode(t, "subdirectory", err, pathguard.GitUnavailable)
}

// TestInsideTheRoot: what is unusual but inside the root is fine.
func TestInsideTheRoot(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	must(t, os.Rename(filepath.Join(r.root, ".git"), filepath.Join(r.root, "repository")))
	r.put(".git", "gitdir: repository\n")
	must(t, os.Rename(filepath.Join(r.root, "repository/objects"), filepath.Join(r.root, "repository/store")))
	must(t, os.MkdirAll(filepath.Join(r.root, "repository/objects/info"), 0o755))
	r.put("repository/objects/info/alternates", "../store\n/nowhere/objects\n")
	if s := r.mustStatus(); *s.Branch != "main" || s.Head == nil {
		t.Errorf("%+v", s)
	}
}

// TestLinkedWorktree needs the administrator's leave (M-60).
func TestLinkedWorktree(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	linked := filepath.Join(r.base, "linked")
	r.run("worktree", "add", "-q", "-b", "side", linked)
	r.root = linked
	_, err := r.status()
	wantCode(t, "without leave", err, pathguard.GitUnavailable)
	r.git.linked = true
	r.put("new.txt", "n\n")
	s := r.mustStatus()
	if *s.Branch != "side" || entries(s) != "?? new.txt" {
		t.Errorf("%+v", s)
	}
}

// TestNoGit: without Git on the machine the answer says so (M-60).
func TestNoGit(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	t.Setenv("PATH", r.base)
	_, err := r.status()
	wantCode(t, "no git", err, pathguard.GitUnavailable)
}
