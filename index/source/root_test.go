//go:build linux

package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAdmission(t *testing.T) { // P-4, P-12, P-13
	r := newRepository(t)
	r.commit("sub/a.md")
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	plain := filepath.Join(outside, "plain")
	bare := filepath.Join(outside, "bare.git")
	for _, err := range []error{os.Symlink(filepath.Dir(r.dir), link), os.Mkdir(plain, 0o755), os.WriteFile(filepath.Join(outside, "file"), nil, 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r.git("clone", "-q", "--bare", ".", bare)
	broken := filepath.Join(outside, "broken")
	os.MkdirAll(filepath.Join(broken, ".git"), 0o755)
	gitless := filepath.Join(outside, "gitless")
	os.Mkdir(gitless, 0o755)
	os.WriteFile(filepath.Join(gitless, ".git"), []byte("gitdir: nowhere\n"), 0o644)
	for _, c := range []struct {
		dir  string
		want Code
	}{
		{r.dir, ""}, {r.dir + "/", ""}, {r.dir + "/.", ""}, {r.dir + "/sub/..", ""}, {filepath.Dir(r.dir) + "//tree", ""},
		{r.dir + "/sub", RootIsSubdirectory}, {r.dir + "/.git", RootNotWorktree}, {bare, RootNotWorktree}, {plain, RootNotWorktree},
		{broken, RootNotWorktree}, {gitless, RootNotWorktree},
		{link + "/tree", RootIsSymlink}, {link + "/tree/sub/..", RootIsSymlink}, {link, RootIsSymlink}, {link + "/../plain", RootIsSymlink},
		{"/", RootIsFilesystemRoot}, {"/..", RootIsFilesystemRoot}, {os.Getenv("HOME"), RootIsHome},
		{outside + "/missing", RootUnreadable}, {outside + "/file", RootUnreadable}, {outside + "/file/x", RootUnreadable},
	} {
		for _, options := range [][]Option{nil, {TrustFiles()}} {
			root, err := OpenRoot(context.Background(), c.dir, options...)
			if got := failureCode(t, err); got != c.want {
				t.Errorf("%s: got %q (%v), want %q", c.dir, got, errors.Unwrap(err), c.want)
			}
			if err == nil {
				if root.Path() != r.dir {
					t.Errorf("%s: path %q", c.dir, root.Path())
				}
				root.Close()
			}
		}
	}
}

func TestWorkingDirectoryAsRoot(t *testing.T) { // P-12, P-15
	r := newRepository(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(r.dir)
	for pwd, want := range map[string]Code{
		"": "", r.dir: "", "relative": "", "/": "", "/nowhere": "", link: RootIsSymlink, r.dir + "/": RootIsSymlink, r.dir + "/../tree": RootIsSymlink,
	} {
		t.Setenv("PWD", pwd)
		root, err := OpenRoot(context.Background(), "")
		if got := failureCode(t, err); got != want {
			t.Errorf("PWD=%s: got %q, want %q", pwd, got, want)
		}
		if err == nil {
			root.Close()
		}
	}
	t.Setenv("PWD", link)
	if root, err := OpenRoot(context.Background(), "../tree"); err != nil {
		t.Errorf("a relative argument starts at the resolved working directory: %v", err)
	} else {
		root.Close()
	}
}

func TestHomeIsKnownByIdentity(t *testing.T) { // P-14
	r := newRepository(t)
	link := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	for home, want := range map[string]Code{r.dir: RootIsHome, link: RootIsHome, "": "", "/nowhere": "", r.dir + "/sub": ""} {
		t.Setenv("HOME", home)
		root, err := OpenRoot(context.Background(), r.dir)
		if got := failureCode(t, err); got != want {
			t.Errorf("HOME=%q: got %q, want %q", home, got, want)
		}
		if err == nil {
			root.Close()
		}
	}
}

func TestGitMustRun(t *testing.T) { // P-2: before the root
	r := newRepository(t)
	t.Setenv("PATH", t.TempDir())
	for _, dir := range []string{r.dir, "/", "/nowhere"} {
		_, err := OpenRoot(context.Background(), dir)
		if got := failureCode(t, err); got != GitUnavailable {
			t.Errorf("%s: got %q", dir, got)
		}
	}
	root, err := OpenRoot(context.Background(), r.dir, TrustFiles())
	if err != nil {
		t.Fatalf("a plain repository needs no Git when its files are trusted: %v", err)
	}
	root.Close()
}

func TestWhatGitSaysAtAdmission(t *testing.T) { // P-4
	r := newRepository(t)
	for script, want := range map[string]Code{
		"echo 'fatal: detected dubious ownership in repository' >&2; exit 128":  GitUnavailable,
		"echo 'fatal: bad config line 1' >&2; exit 128":                         GitUnavailable,
		"echo 'fatal: not a git repository' >&2; exit 128":                      RootNotWorktree,
		"echo 'fatal: this operation must be run in a work tree' >&2; exit 128": RootNotWorktree,
		"echo '" + filepath.Dir(r.dir) + "'":                                    RootIsSubdirectory,
		"echo /nowhere":                                                         RootUnreadable,
		"kill -9 $$":                                                            GitUnavailable,
	} {
		fakeGit(t, script+"\n")
		_, err := OpenRoot(context.Background(), r.dir)
		if got := failureCode(t, err); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}

func TestForeignOwnerIsLeftToGit(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only the superuser can give a file away
	}
	r := newRepository(t)
	r.commit("a.md")
	if err := os.Chown(filepath.Join(r.dir, ".git"), 1, 1); err != nil {
		t.Fatal(err)
	}
	_, err := OpenRoot(context.Background(), r.dir, TrustFiles())
	if got := failureCode(t, err); got != GitUnavailable {
		t.Errorf("got %q", got)
	}
}

func TestCheck(t *testing.T) { // P-16, P-17
	r := newRepository(t)
	r.commit("a.md")
	root := r.open()
	aside := r.dir + ".aside"
	steps := []struct {
		name string
		do   func() error
		want Code
	}{
		{"as it was", func() error { return nil }, ""},
		{"moved away", func() error { return os.Rename(r.dir, aside) }, RootChanged},
		{"a link to it", func() error { return os.Symlink(aside, r.dir) }, RootChanged},
		{"another directory", func() error { return errors.Join(os.Remove(r.dir), os.Mkdir(r.dir, 0o755)) }, RootChanged},
		{"moved back", func() error { return errors.Join(os.Remove(r.dir), os.Rename(aside, r.dir)) }, ""},
		{"no repository", func() error { return os.Rename(r.dir+"/.git", r.dir+"/git") }, RootChanged},
		{"repository again", func() error { return os.Rename(r.dir+"/git", r.dir+"/.git") }, ""},
		{"working tree elsewhere", func() error { r.git("config", "core.worktree", filepath.Dir(r.dir)); return nil }, RootChanged},
		{"and back", func() error { r.git("config", "--unset", "core.worktree"); return nil }, ""},
		{"bare", func() error { r.git("config", "core.bare", "true"); return nil }, RootChanged},
		{"not bare", func() error { r.git("config", "core.bare", "false"); return nil }, ""},
		{"HEAD destroyed", func() error { return os.WriteFile(r.dir+"/.git/HEAD", []byte("junk\n"), 0o644) }, RootChanged},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(step.name, err)
		}
		if got := failureCode(t, root.Check(context.Background())); got != step.want {
			t.Fatalf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}

func TestEnvironmentRedirectsNothing(t *testing.T) { // P-18
	r := newRepository(t)
	r.commit("a.md")
	decoy := &repository{t: t, dir: t.TempDir()}
	decoy.git("-c", "init.defaultBranch=main", "init", "-q")
	decoy.commit("decoy.md")
	for _, variable := range []string{"GIT_DIR=" + decoy.dir + "/.git", "GIT_WORK_TREE=" + decoy.dir, "GIT_INDEX_FILE=" + decoy.dir + "/.git/index",
		"GIT_CEILING_DIRECTORIES=" + r.dir, "GIT_LITERAL_PATHSPECS=1", "GIT_CONFIG_COUNT=junk", "GIT_OBJECT_DIRECTORY=/nowhere"} {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	root, err := OpenRoot(context.Background(), r.dir)
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	defer root.Close()
	for _, layout := range []*layout{root.layout.Load(), {root: root.fd}} { // read in process, and asked of Git
		root.layout.Store(layout)
		seen, err := root.Observe(context.Background())
		if err != nil || len(seen.Paths) != 1 || seen.Paths[0] != "a.md" {
			t.Errorf("observed %v, %v", seen, err)
		}
	}
}

func TestNothingIsWritten(t *testing.T) { // P-20
	r := newRepository(t)
	r.commit("a.md", "b.md")
	past := time.Now().Add(-time.Hour)
	os.Chtimes(filepath.Join(r.dir, "a.md"), past, past) // so that the index is out of date
	before, _ := os.ReadFile(filepath.Join(r.dir, ".git/index"))
	root := r.open()
	if _, err := root.askTracked(context.Background(), root.layout.Load()); err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(filepath.Join(r.dir, ".git/index"))
	if string(before) != string(after) {
		t.Error("the index was written")
	}
}

func TestTerritory(t *testing.T) { // P-25
	r := newRepository(t, "--separate-git-dir=../elsewhere")
	r.commit("a.md")
	r.git("worktree", "add", "-q", "-b", "side", "../linked")
	main := r.dir
	r.dir = filepath.Join(filepath.Dir(main), "linked")
	root := r.open()
	identities, err := root.Territory()
	if err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{r.dir, filepath.Join(filepath.Dir(main), "elsewhere"), filepath.Join(filepath.Dir(main), "elsewhere/worktrees/linked")} {
		dir, err := OpenDir(inside)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		if within, err := dir.Within(identities...); !within || err != nil {
			t.Errorf("%s does not count as the repository's own: %v", inside, err)
		}
	}
}
