//go:build linux

package provider

import (
	"os"
	"strings"
	"testing"
)

// P-30 to P-37, P-62b: what a path is, which rule refuses it, and whether the index knows it.
func TestExplainPath(t *testing.T) {
	w := newWorld(t, map[string]string{
		"README.md": "text\n", "stale.md": "old\n", "secrets/x.md": "x\n", "data.csv": "x\n", ".env": "x\n", "binary.md": "\x00", "gone.md": "x\n",
		"leak.md": "gh" + "p_" + strings.Repeat("a1B2", 9) + "\n", "dir/a.md": "x\n", "[x]*.md": "x\n",
	})
	w.must(os.Symlink("README.md", w.root+"/link.md"))
	w.git("add", "-A", "-f")
	w.commit()
	p := w.admit()
	report := func(path string) PathReport {
		t.Helper()
		got, err := p.ExplainPath(t.Context(), path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return *got
	}
	if got := report("README.md"); got.Indexed || got.Stale || !got.Source {
		t.Errorf("without an index: %+v", got)
	}
	w.indexed(p, Rebuild)
	w.write("stale.md", "new\n")
	w.write("loose.md", "x\n")
	w.remove("gone.md")
	for _, want := range []PathReport{
		{Path: "README.md", Tracked: true, Source: true, Indexed: true, Size: 5, SourceHash: hashOf("text\n")},
		{Path: "stale.md", Tracked: true, Source: true, Indexed: true, Stale: true, Size: 4, SourceHash: hashOf("new\n")},
		{Path: "gone.md", Tracked: true, Reason: "unreadable", Indexed: true, Stale: true},
		{Path: "[x]*.md", Tracked: true, Source: true, Indexed: true, Size: 2, SourceHash: hashOf("x\n")},
		{Path: "secrets/x.md", Tracked: true, Reason: "sensitive_path"},
		{Path: "data.csv", Tracked: true, Reason: "unsupported_format"},
		{Path: ".env", Tracked: true, Reason: "hidden"},
		{Path: "binary.md", Tracked: true, Reason: "binary"},
		{Path: "leak.md", Tracked: true, Reason: "sensitive_content", Rule: "github-token"},
		{Path: "link.md", Tracked: true, Reason: "symlink"},
		{Path: "loose.md"},
		{Path: "dir"},
		{Path: "nope.md"},
		{Path: "*.md"},
		{Path: "nope.bin", Reason: "unsupported_format"},
		{Path: "../x.md", Reason: "invalid_path"},
		{Path: w.root + "/README.md", Reason: "invalid_path"},
		{Path: "", Reason: "invalid_path"},
		{Path: "a\x00b", Reason: "invalid_path"},
		{Path: "-dash.md"},
	} {
		got := report(want.Path)
		if want.Path == "dir" {
			want.Reason = got.Reason // a name without extension is of no format
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// P-30: a conflicted path is tracked and excluded as such.
func TestExplainConflictedPath(t *testing.T) {
	listing := "100644 1111111111111111111111111111111111111111 1\ta.md\x00100644 2222222222222222222222222222222222222222 2\ta.md\x00"
	if kind, tracked := entryKind(listing, "a.md"); kind != "conflicted" || !tracked {
		t.Errorf("%q, %v", kind, tracked)
	}
	if kind, tracked := entryKind("160000 1111111111111111111111111111111111111111 0\tsub\x00", "sub"); kind != "submodule" || !tracked {
		t.Errorf("%q, %v", kind, tracked)
	}
}
