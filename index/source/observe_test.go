//go:build linux

package source

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is an observation made from the listing of Git alone, by other code than the one under test.
func (r *repository) listed() *Observation {
	r.t.Helper()
	seen := &Observation{Excluded: map[Reason]int{}}
	conflicts := map[string]bool{}
	for record := range strings.SplitSeq(strings.TrimSuffix(r.git("ls-files", "--stage", "-z"), "\x00"), "\x00") {
		if record == "" {
			continue
		}
		head, path, _ := strings.Cut(record, "\t")
		fields := strings.Fields(head)
		reason := ClassifyPath(path)
		switch {
		case fields[2] != "0":
			conflicts[path] = true
			continue
		case fields[0] == "120000":
			reason = Symlink
		case fields[0] == "160000":
			reason = Submodule
		}
		if reason == "" {
			seen.Paths = append(seen.Paths, path)
		} else {
			seen.Excluded[reason]++
		}
	}
	if len(conflicts) > 0 {
		seen.Excluded[Conflicted] = len(conflicts)
	}
	if head := strings.Fields(r.git("rev-parse", "--revs-only", "HEAD")); len(head) == 1 {
		seen.Revision = head[0]
	}
	return seen
}

// compare holds an observation against the listing.
func (r *repository) compare(root *Root) {
	r.t.Helper()
	if err := root.Check(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	got, err := root.Observe(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	want := r.listed()
	if !slices.Equal(got.Paths, want.Paths) || !maps.Equal(got.Excluded, want.Excluded) || got.Revision != want.Revision {
		r.t.Fatalf("observed %d paths, %v, %q\nlisted %d paths, %v, %q\n%.1000q\n%.1000q", len(got.Paths), got.Excluded, got.Revision,
			len(want.Paths), want.Excluded, want.Revision, got.Paths, want.Paths)
	}
}

// TestObserve holds what is observed against Git's own listing in ordinary and odd states of a repository (section D).
// starts is how often Git may be started for the first observation and once more when nothing has changed.
func TestObserve(t *testing.T) {
	states := []struct {
		name    string
		options []string
		prepare func(r *repository)
		starts  [2]int
	}{
		{name: "empty", prepare: func(*repository) {}},
		{name: "unborn", prepare: func(r *repository) { r.write("a.md", "b/c.go"); r.git("add", "-A") }},
		{name: "committed", prepare: func(r *repository) { r.commit("a.md", "b/c.go", "b/x.png", ".hidden/a.md", "secrets/b.md") }},
		{name: "staged and removed", prepare: func(r *repository) {
			r.commit("a.md", "b.md", "c.md")
			r.git("rm", "-q", "b.md")
			os.Remove(filepath.Join(r.dir, "c.md"))
			r.write("d.md", "untracked.md")
			r.git("add", "d.md")
		}},
		{name: "sha256", options: []string{"--object-format=sha256"}, prepare: func(r *repository) { r.commit("a.md", "b/c.go") }},
		{name: "version 4", prepare: func(r *repository) { r.trackMany(3000); r.git("update-index", "--index-version=4") }},
		{name: "version 4 with sha256", options: []string{"--object-format=sha256"}, prepare: func(r *repository) {
			r.commit(manyNames(50)...)
			r.git("update-index", "--index-version=4")
		}},
		{name: "intent to add", prepare: func(r *repository) { r.commit("a.md"); r.write("new.md"); r.git("add", "-N", "new.md") }},
		{name: "intent to add in version 4", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("update-index", "--index-version=4")
			r.write("new.md")
			r.git("add", "-N", "new.md")
		}},
		{name: "flags", prepare: func(r *repository) {
			r.commit("a.md", "b.md", "c.md")
			r.git("update-index", "--assume-unchanged", "a.md")
			r.git("update-index", "--skip-worktree", "b.md")
		}},
		{name: "links, submodules, executables", prepare: func(r *repository) {
			r.commit("a.md")
			os.Symlink("a.md", filepath.Join(r.dir, "link.md"))
			r.write("run.sh")
			os.Chmod(filepath.Join(r.dir, "run.sh"), 0o755)
			r.git("add", "-A")
			r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(r.git("rev-parse", "HEAD"))+",sub")
			r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(r.git("rev-parse", "HEAD"))+",.hidden/sub")
		}},
		{name: "conflict", prepare: func(r *repository) {
			r.commit("a.md", "b.md", ".c")
			blobs := strings.Fields(r.git("rev-parse", "HEAD:a.md", "HEAD:b.md"))
			r.gitInput("0 0000000000000000000000000000000000000000\ta.md\n"+
				"100644 "+blobs[0]+" 1\ta.md\n100644 "+blobs[1]+" 2\ta.md\n100644 "+blobs[0]+" 3\ta.md\n"+
				"100644 "+blobs[0]+" 2\tonly.md\n120000 "+blobs[0]+" 1\t.link\n", "update-index", "--index-info")
		}},
		{name: "odd names", prepare: func(r *repository) {
			names := []string{"we \"quote\" it.md", "line\nbreak.md", "tab\tname.md", "设计.md", "caf\xe9.md", "é/ü.md", "-dash.md", ":colon.md",
				"back\\slash.md", "a*b?.md", "x\u0085y.md", "sp ace.md", "#hash.md", strings.Repeat("d/", 60) + "deep.md"}
			r.commit(names...)
		}},
		{name: "names beyond the length field", prepare: func(r *repository) {
			blob := strings.TrimSpace(r.gitInput("x", "hash-object", "-w", "--stdin"))
			var lines strings.Builder
			for _, n := range []int{1015, 1016, 1017, 1018, 1019, 1024, 1025, 4094, 4095, 4096, 5000} {
				fmt.Fprintf(&lines, "100644 %s\t%s.md\n", blob, strings.Repeat("n", n-3))
			}
			r.gitInput(lines.String(), "update-index", "--index-info")
		}},
		{name: "file and directory of like names", prepare: func(r *repository) { r.commit("a.md/b.md", "a.md-", "a.md.md", "a/b.go", "a.go", "a-/c.go", "A.go") }},
		{name: "thousands", prepare: func(r *repository) { r.trackMany(6000) }},
		{name: "untracked cache", prepare: func(r *repository) {
			r.commit("a.md", "b/c.md")
			r.git("update-index", "--force-untracked-cache")
			r.git("status")
		}},
		{name: "recorded resolutions and cached trees", prepare: func(r *repository) { r.commit("a.md", "b/c.md"); r.git("write-tree"); r.git("read-tree", "HEAD") }},
		{name: "index without a checksum", prepare: func(r *repository) {
			r.commit("a.md", "b/c.md")
			r.patchIndex(func(index []byte) []byte { clear(index[len(index)-20:]); return index })
		}},
		{name: "wrong checksum", starts: [2]int{1, 0}, prepare: func(r *repository) {
			r.commit("a.md", "b/c.md")
			r.patchIndex(func(index []byte) []byte { index[len(index)-1] ^= 1; return index })
		}},
		{name: "split index", starts: [2]int{1, 0}, prepare: func(r *repository) {
			r.commit("a.md", "b/c.md")
			r.git("update-index", "--split-index")
			r.write("new.md")
			r.git("add", "new.md")
			r.git("rm", "-q", "--cached", "a.md")
		}},
		{name: "sparse index", starts: [2]int{1, 0}, prepare: func(r *repository) {
			r.commit("in/a.md", "out/b.md", "out/c/d.md")
			r.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
		}},
		{name: "sparse checkout", prepare: func(r *repository) {
			r.commit("in/a.md", "out/b.md")
			r.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "in")
		}},
		{name: "worktree configuration", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("config", "extensions.worktreeConfig", "true")
			r.git("config", "--worktree", "core.autocrlf", "false")
		}},
		{name: "linked working tree", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("worktree", "add", "-q", "-b", "side", "../linked")
			r.dir = filepath.Join(filepath.Dir(r.dir), "linked")
			r.commit("b.md")
		}},
		{name: "linked to a bare repository", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("clone", "-q", "--bare", ".", "../bare")
			r.git("-C", "../bare", "worktree", "add", "-q", "-b", "side", "../linked")
			r.dir = filepath.Join(filepath.Dir(r.dir), "linked")
		}, starts: [2]int{1, 0}},
		{name: "separate Git directory", options: []string{"--separate-git-dir=../elsewhere"}, prepare: func(r *repository) { r.commit("a.md") }},
		{name: "relative Git file", options: []string{"--separate-git-dir=../elsewhere"}, prepare: func(r *repository) {
			r.commit("a.md")
			r.writeText(".git", "gitdir: ../elsewhere\n")
		}},
		{name: "linked Git directory", starts: [2]int{1, 0}, prepare: func(r *repository) {
			r.commit("a.md")
			os.Rename(filepath.Join(r.dir, ".git"), r.dir+".git")
			os.Symlink("../tree.git", filepath.Join(r.dir, ".git"))
		}},
		{name: "working tree named by the configuration", starts: [2]int{1, 0}, prepare: func(r *repository) {
			r.commit("a.md")
			r.git("config", "core.worktree", r.dir)
		}},
		{name: "configuration of an odd form", starts: [2]int{3, 3}, prepare: func(r *repository) {
			r.commit("a.md")
			r.git("config", "user.name", "ends with a backslash \\")
			config, _ := os.ReadFile(filepath.Join(r.dir, ".git/config"))
			r.writeText(".git/config", string(config)+"[core] bare = \\\nfalse\n")
		}},
		{name: "packed references", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("branch", "other")
			r.git("pack-refs", "--all", "--prune")
		}},
		{name: "detached", prepare: func(r *repository) { r.commit("a.md"); r.git("checkout", "-q", "--detach") }},
		{name: "branch with slashes", prepare: func(r *repository) { r.commit("a.md"); r.git("checkout", "-qb", "a/b/c") }},
		{name: "symbolic branch", prepare: func(r *repository) {
			r.commit("a.md")
			r.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			r.git("symbolic-ref", "HEAD", "refs/heads/alias")
		}},
		{name: "linked HEAD", starts: [2]int{4, 3}, prepare: func(r *repository) {
			r.commit("a.md")
			os.Remove(filepath.Join(r.dir, ".git/HEAD"))
			os.Symlink("refs/heads/main", filepath.Join(r.dir, ".git/HEAD"))
		}},
	}
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			r := newRepository(t, state.options...)
			state.prepare(r)
			trusting := r.open(TrustFiles())
			r.compare(trusting)
			started := countGit(t)
			fresh := r.open(TrustFiles())
			for round, want := range state.starts {
				if err := fresh.Check(context.Background()); err != nil {
					t.Fatal(err)
				}
				if _, err := fresh.Observe(context.Background()); err != nil {
					t.Fatal(err)
				}
				if got := started(); got > want {
					t.Errorf("round %d started Git %d times, want at most %d", round, got, want)
				}
			}
			r.write("later.md")
			r.git("add", "later.md")
			r.compare(trusting)
		})
	}
}

func manyNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("dir%d/sub%d/file%d.go", i%7, i%31, i)
	}
	return names
}

func (r *repository) patchIndex(patch func([]byte) []byte) {
	r.t.Helper()
	path := filepath.Join(r.dir, ".git/index")
	index, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, patch(index), 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}
