package gitview

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestStatus holds M-58: branch, counts, letters, order, and what is left out.
func TestStatus(t *testing.T) {
	r := newRepo(t, map[string]string{
		"a.txt": "one\n", "b.txt": "bee\n", "gone.txt": "x\n", ".env": "K=1\n", "计划 .md": "x\n", "a/b.txt": "x\n", "moved.txt": "moved\n",
	})
	r.put("a.txt", "ONE\n")
	r.put("b.txt", "staged\n")
	r.run("add", "b.txt")
	r.put("b.txt", "staged and more\n")
	r.put(".env", "K=2\n")
	r.put("计划 .md", "y\n")
	r.put("a/b.txt", "y\n")
	r.run("mv", "moved.txt", "to.txt")
	r.put("new/untracked.txt", "u\n")
	r.put("node_modules/m.js", "ignored\n")
	r.put("bad\nname.txt", "u\n")
	must(t, os.Remove(filepath.Join(r.root, "gone.txt")))
	s := r.mustStatus()
	if *s.Branch != "main" || s.Detached || *s.Head != r.run("rev-parse", "HEAD") || s.Ahead != nil || s.Behind != nil || s.Clean {
		t.Errorf("head: %+v", s)
	}
	want := ".M a.txt, .M a/b.txt, MM b.txt, .D gone.txt, D. moved.txt, ?? new/untracked.txt, A. to.txt, .M 计划 .md"
	if got := entries(s); got != want {
		t.Errorf("entries %s\nwant    %s", got, want)
	}
	if s.Counts != (StatusCounts{Staged: 3, Unstaged: 5, Untracked: 1}) || s.OmittedCount != 3 {
		t.Errorf("counts %+v, omitted %d", s.Counts, s.OmittedCount)
	}
	summary, err := r.git.Summarize(context.Background(), r.repository())
	must(t, err)
	if summary.ChangedCount != 7 || summary.UntrackedCount != 1 || *summary.Branch != "main" {
		t.Errorf("summary %+v", summary)
	}
}

// TestStatusJSON holds the wire names of M-58.
func TestStatusJSON(t *testing.T) {
	r := newRepo(t, nil)
	r.put("x.txt", "x\n")
	text, err := json.Marshal(r.mustStatus())
	must(t, err)
	want := `{"project_id":"p1","branch":"main","head":null,"detached":false,"ahead":null,"behind":null,"clean":false,` +
		`"counts":{"staged":0,"unstaged":0,"untracked":1,"conflicted":0},` +
		`"entries":[{"path":"x.txt","index_status":"?","worktree_status":"?"}],"omitted_count":0,` +
		`"offset":0,"limit":200,"next_offset":null,"total_count":1,"has_more":false,"truncated":false,"complete":true,"truncation_reason":null}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestHeads covers detached heads, upstreams and conflicts (M-58).
func TestHeads(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	if s := r.mustStatus(); !s.Clean || len(s.Entries) != 0 {
		t.Errorf("fresh: %+v", s)
	}
	clone := filepath.Join(r.base, "upstream")
	r.run("clone", "-q", r.root, clone)
	r.run("remote", "add", "origin", clone)
	r.run("fetch", "-q", "origin")
	r.run("branch", "-q", "-u", "origin/main")
	r.put("a.txt", "two\n")
	r.run("commit", "-q", "-a", "-m", "second")
	if s := r.mustStatus(); *s.Ahead != 1 || *s.Behind != 0 {
		t.Errorf("ahead %v behind %v", s.Ahead, s.Behind)
	}
	r.run("checkout", "-q", "-b", "other", "HEAD~1")
	r.put("a.txt", "three\n")
	r.run("commit", "-q", "-a", "-m", "third")
	r.runFails("merge", "-q", "main")
	s := r.mustStatus()
	if entries(s) != "UU a.txt" || s.Counts.Conflicted != 1 || s.Counts.Staged+s.Counts.Unstaged != 0 {
		t.Errorf("conflict: %s %+v", entries(s), s.Counts)
	}
	if d := r.mustDiff(nil); d.FilesChanged != 1 || !strings.Contains(d.Content, "++<<<<<<<") {
		t.Errorf("diff of a conflict: %+v", d)
	}
	if d := r.mustDiff(staged); d.FilesChanged != 1 {
		t.Errorf("staged diff of a conflict: %+v", d)
	}
	r.run("checkout", "-q", "-f", "--detach", "main")
	if s := r.mustStatus(); s.Branch != nil || !s.Detached || s.Head == nil {
		t.Errorf("detached: %+v", s)
	}
}

// runFails runs Git where it is to end with an error.
func (r *repo) runFails(arguments ...string) {
	r.t.Helper()
	if out, err := r.command(r.root, arguments...).CombinedOutput(); err == nil {
		r.t.Fatalf("git %v succeeded: %s", arguments, out)
	}
}

// TestPages follows next offsets to the end: each entry exactly once, in order, however small the pages (M-42, M-43).
func TestPages(t *testing.T) {
	r := newRepo(t, nil)
	var want []string
	for i := range 150 {
		path := fmt.Sprintf("d%d/%s%03d.txt", i%7, strings.Repeat("long", 20), i)
		r.put(path, "x\n")
		want = append(want, path)
	}
	slices.Sort(want)
	for _, c := range []struct{ limit, bytes int }{{7, resultBytes}, {1000, 4096}} {
		var got []string
		for offset, pages := 0, 0; ; pages++ {
			s, err := r.git.Status(context.Background(), r.repository(), StatusArgs{Offset: offset, Limit: c.limit}, c.bytes)
			must(t, err)
			text, err := json.Marshal(s)
			must(t, err)
			if len(text) > c.bytes || *s.TotalCount != len(want) || pages > len(want) {
				t.Fatalf("page of %d bytes, total %d", len(text), *s.TotalCount)
			}
			for _, e := range s.Entries {
				got = append(got, e.Path)
			}
			if s.NextOffset == nil {
				break
			}
			offset = *s.NextOffset
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %d entries", c.limit, len(got))
		}
	}
}

// TestArguments holds the bounds of M-58.
func TestArguments(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	for _, args := range []StatusArgs{{Limit: 0}, {Limit: 1001}, {Offset: -1, Limit: 1}} {
		_, err := r.git.Status(context.Background(), r.repository(), args, resultBytes)
		wantCode(t, fmt.Sprint(args), err, pathguard.InvalidArguments)
	}
	for name, change := range map[string]func(*DiffArgs){
		"context": func(a *DiffArgs) { a.ContextLines = 21 }, "offset": func(a *DiffArgs) { a.OffsetLine = -1 }, "limit": func(a *DiffArgs) { a.LimitLines = 5001 },
	} {
		_, err := r.diff(change)
		wantCode(t, name, err, pathguard.InvalidArguments)
	}
	for path, want := range map[string]pathguard.Code{
		"../x": pathguard.InvalidPath, "/etc/passwd": pathguard.InvalidPath, ".env": pathguard.PathDenied,
		"node_modules/x": pathguard.PathIgnored, ".git/config": pathguard.PathIgnored, "missing.txt": "", ":(top)a.txt": "", "--output=x": "", ".": "",
	} {
		_, err := r.diff(func(a *DiffArgs) { a.Path = path })
		wantCode(t, path, err, want)
	}
}
