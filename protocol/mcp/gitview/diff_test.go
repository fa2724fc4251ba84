package gitview

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestDiff holds M-58 for the work tree and the index.
func TestDiff(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "bee\n", ".env": "K=SECRET\n", "touched.txt": "same\n", "odd \"name\t.txt": "x\n", "计划.md": "x\n", "bin": "\x00\x01"})
	r.put("a.txt", "one\nTWO\nthree\n")
	r.put("b.txt", "bee staged\n")
	r.run("add", "b.txt")
	r.put(".env", "K=SECRET-changed\n")
	r.put("计划.md", "y\n")
	r.put("bin", "\x00\x02")
	r.touch("touched.txt")
	d := r.mustDiff(nil)
	if !strings.Contains(d.Content, "-two\n+TWO\n") || strings.Contains(d.Content, "bee") || strings.Contains(d.Content, "SECRET") || strings.Contains(d.Content, "touched") {
		t.Errorf("content:\n%s", d.Content)
	}
	if d.FilesChanged != 3 || d.Insertions != 2 || d.Deletions != 2 || d.BinaryFiles != 1 || !d.Complete {
		t.Errorf("summary %+v", d)
	}
	if d := r.mustDiff(staged); !strings.Contains(d.Content, "+bee staged") || d.FilesChanged != 1 || !d.Staged {
		t.Errorf("staged %+v", d)
	}
	if d := r.mustDiff(func(a *DiffArgs) { a.Path = "计划.md" }); d.FilesChanged != 1 || !strings.Contains(d.Content, "+y") {
		t.Errorf("one path %+v", d)
	}
	if d := r.mustDiff(func(a *DiffArgs) { a.ContextLines = 0 }); strings.Contains(d.Content, " three") {
		t.Errorf("without context:\n%s", d.Content)
	}
	must(t, os.Remove(filepath.Join(r.root, "a.txt")))
	if d := r.mustDiff(func(a *DiffArgs) { a.Path = "a.txt" }); d.Deletions != 3 || !strings.Contains(d.Content, "deleted file mode") {
		t.Errorf("deleted %+v", d)
	}
}

// TestDiffOfDirectoryBecomingDenied: what stands below a name that is asked for is judged by itself (M-38, M-58).
func TestDiffOfDirectoryBecomingDenied(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "file\n"})
	must(t, os.Remove(filepath.Join(r.root, "a")))
	r.put("a/.env", "SECRET\n")
	r.put("a/ok.txt", "fine\n")
	r.run("add", "-A", "-f")
	d := r.mustDiff(func(a *DiffArgs) { a.Path, a.Staged = "a", true })
	if strings.Contains(d.Content, "SECRET") || !strings.Contains(d.Content, "+fine") || d.FilesChanged != 2 {
		t.Errorf("content:\n%s", d.Content)
	}
}

// TestDiffPages: pages of lines join to the whole, and a line that no page can hold says so (M-42, M-43).
func TestDiffPages(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "x\n", "b.txt": "y\n", "wide.txt": "w\n"})
	r.put("a.txt", strings.Repeat("changed \"line\"\n", 200))
	r.put("b.txt", "no newline")
	whole := r.mustDiff(nil)
	for _, c := range []struct{ limit, bytes int }{{1, resultBytes}, {13, resultBytes}, {5000, 2048}} {
		var got strings.Builder
		for offset, pages := 0, 0; ; pages++ {
			d, err := r.git.Diff(t.Context(), r.repository(), DiffArgs{ContextLines: 3, OffsetLine: offset, LimitLines: c.limit}, c.bytes)
			must(t, err)
			text, err := json.Marshal(d)
			must(t, err)
			if len(text) > c.bytes || *d.TotalCount != whole.LineCount || pages > whole.LineCount {
				t.Fatalf("page of %d bytes, total %d", len(text), *d.TotalCount)
			}
			got.WriteString(d.Content)
			if d.NextOffsetLine == nil {
				break
			}
			if offset = *d.NextOffsetLine; c.limit == 1 && offset > 40 {
				got.Reset()
				got.WriteString(whole.Content)
				break
			}
		}
		if got.String() != whole.Content {
			t.Errorf("limit %d: pages do not join", c.limit)
		}
	}
	r.put("wide.txt", strings.Repeat("w", 3000)+"\n")
	_, err := r.git.Diff(t.Context(), r.repository(), DiffArgs{Path: "wide.txt", OffsetLine: 6, LimitLines: 10}, 2048)
	wantCode(t, "wide line", err, pathguard.LineTooLong)
}

// TestDiffConfiguration: what a repository may configure about the form of diffs changes nothing that is parsed.
func TestDiffConfiguration(t *testing.T) {
	r := newRepo(t, map[string]string{"计划 a.txt": "one\n\ntwo\n", "b.txt": "bee\n"})
	r.put("计划 a.txt", "one\n\nTWO\n")
	want := r.mustDiff(nil)
	for name, value := range map[string]string{
		"diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.renames": "copies", "color.ui": "always", "color.diff": "always",
		"diff.colorMoved": "zebra", "diff.wordRegex": ".", "diff.suppressBlankEmpty": "true", "core.quotePath": "false", "diff.srcPrefix": "x/",
		"diff.context": "9", "diff.interHunkContext": "9", "core.abbrev": "7", "diff.algorithm": "patience", "diff.relative": "true", "diff.orderFile": "b.txt",
		"status.showUntrackedFiles": "no", "status.branch": "false", "status.relativePaths": "true", "status.showStash": "true", "status.aheadBehind": "false", "core.pager": "less",
	} {
		r.run("config", name, value)
		d := r.mustDiff(nil)
		if d.FilesChanged != want.FilesChanged || d.Insertions != want.Insertions || d.Deletions != want.Deletions || !strings.Contains(d.Content, "-two\n+TWO\n") {
			t.Errorf("%s: %+v", name, d)
		}
		if s := r.mustStatus(); entries(s) != ".M 计划 a.txt" {
			t.Errorf("%s: %s", name, entries(s))
		}
		r.run("config", "--unset", name)
	}
}

// TestNotUTF8: a diff of other encodings is shown as well as it can be.
func TestNotUTF8(t *testing.T) {
	r := newRepo(t, map[string]string{"l.txt": "caf\xe9\n"})
	r.put("l.txt", "caf\xe8\n")
	if d := r.mustDiff(nil); !strings.Contains(d.Content, "-caf\uFFFD\n+caf\uFFFD\n") {
		t.Errorf("content %q", d.Content)
	}
}

// TestOutputLimit: too much output ends Git (M-60).
func TestOutputLimit(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	r.put("a.txt", strings.Repeat("0123456789abcdef\n", 2000))
	command, err := r.git.ready(t.Context(), r.repository())
	must(t, err)
	_, err = command.run(t.Context(), 4096, diffArguments(DiffArgs{}, "")...)
	wantCode(t, "long diff", err, pathguard.GitOutputTooLarge)
}

// TestEnvironment: nothing of the server's own environment reaches Git but the search path (M-59).
func TestEnvironment(t *testing.T) {
	t.Setenv("GIT_EXTERNAL_DIFF", "/bin/false")
	t.Setenv("PATH", "relative"+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	command := command{git: r.git, place: place{root: "R", gitDirectory: "D"}, drivers: []setting{{"filter.a=b.clean", ""}}}
	got := strings.Join(command.environment(), "\n")
	want := fmt.Sprintf(`PATH=%s
HOME=%s
LC_ALL=C
GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_SYSTEM=/dev/null
GIT_ATTR_NOSYSTEM=1
GIT_OPTIONAL_LOCKS=0
GIT_TERMINAL_PROMPT=0
GIT_NO_LAZY_FETCH=1
GIT_PROTOCOL_FROM_USER=0
GIT_ALLOW_PROTOCOL=
GIT_LITERAL_PATHSPECS=1
GIT_DIR=D
GIT_WORK_TREE=R
GIT_CONFIG_KEY_0=core.fsmonitor
GIT_CONFIG_VALUE_0=false
GIT_CONFIG_KEY_1=core.hooksPath
GIT_CONFIG_VALUE_1=/dev/null
GIT_CONFIG_KEY_2=core.untrackedCache
GIT_CONFIG_VALUE_2=false
GIT_CONFIG_KEY_3=core.attributesFile
GIT_CONFIG_VALUE_3=/dev/null
GIT_CONFIG_KEY_4=core.pager
GIT_CONFIG_VALUE_4=cat
GIT_CONFIG_KEY_5=diff.autoRefreshIndex
GIT_CONFIG_VALUE_5=false
GIT_CONFIG_KEY_6=diff.external
GIT_CONFIG_VALUE_6=
GIT_CONFIG_KEY_7=core.sshCommand
GIT_CONFIG_VALUE_7=false
GIT_CONFIG_KEY_8=protocol.allow
GIT_CONFIG_VALUE_8=never
GIT_CONFIG_KEY_9=log.showSignature
GIT_CONFIG_VALUE_9=false
GIT_CONFIG_KEY_10=core.excludesFile
GIT_CONFIG_VALUE_10=/dev/null
GIT_CONFIG_KEY_11=diff.orderFile
GIT_CONFIG_VALUE_11=/dev/null
GIT_CONFIG_KEY_12=filter.a=b.clean
GIT_CONFIG_VALUE_12=
GIT_CONFIG_COUNT=13`, absolutePath(os.Getenv("PATH")), r.git.home)
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if strings.Contains(r.git.search, "relative") {
		t.Errorf("search path %s", r.git.search)
	}
}
