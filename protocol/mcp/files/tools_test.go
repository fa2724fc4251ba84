package files

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// project is a world that has everything that a listing may meet.
func project(t testing.TB) *world {
	w := newWorld(t, map[string]string{
		"README.md": "# Alpha\n\nHello **world**.\nneedle one\n", "crlf.txt": "a\r\nneedle crlf\r\nlast", "empty.txt": "",
		"src/main.go": "package main\n\n// Needle two\nfunc main() { println(\"needle three\") }\n", "src/a/b/c/deep.txt": "deep\n", "src/a.txt": "x\n",
		"notes/中文 说明.txt": "研究计划 needle\n", ".env": "needle SECRET\n", "conf/secrets.yaml": "needle SECRET\n", "conf/ok.yaml": "fine: needle\n",
		"node_modules/m.js": "needle ignored\n", "model.safetensors": "needle", "bin.dat": "\x00needle", "latin1.txt": "caf\xe9 needle\n", ".github/w.yml": "needle dot\n",
		"big.txt": strings.Repeat("needle\n", 200_000), "bom.txt": "\ufeffneedle bom\n",
	})
	w.link("README.md", "ln-inside.md")
	w.link("src", "ln-src")
	w.link("/etc", "ln-out")
	w.link(".env", "ln-secret.txt")
	w.link("nowhere", "ln-dangling")
	return w
}

func paths(r *GlobResult) (all []string) {
	for _, m := range r.Matches {
		all = append(all, m.Path)
	}
	return all
}

func places(r *GrepResult) (all []string) {
	for _, m := range r.Matches {
		all = append(all, fmt.Sprintf("%s:%d", m.Path, m.LineNumber))
	}
	return all
}

func wantText(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// TestGlob holds M-51: regular files, bytewise by whole path, links and hidden names left out.
func TestGlob(t *testing.T) {
	w := project(t)
	glob := func(pattern string) []string { return paths(w.glob(pattern, context.Background(), 0, 100)) }
	wantText(t, "star", glob("src/*.go"), "[src/main.go]")
	wantText(t, "all", glob("**"), "[README.md big.txt bin.dat bom.txt conf/ok.yaml crlf.txt empty.txt latin1.txt notes/中文 说明.txt src/a.txt src/a/b/c/deep.txt src/main.go]")
	wantText(t, "denied", glob("**/*.yaml"), "[conf/ok.yaml]")
	wantText(t, "dot", glob(".github/*"), "[.github/w.yml]")
	wantText(t, "link", glob("ln-*"), "[]")
	text, err := json.Marshal(w.glob("*.md", context.Background(), 0, 1))
	must(t, err)
	wantText(t, "wire", string(text), `{"pattern":"*.md","matches":[{"path":"README.md","size":37}],"offset":0,"max_results":1,"next_offset":null,"total_count":1,"has_more":false,"truncated":false,"complete":true,"truncation_reason":null}`)
}

// TestGrep holds M-51.
func TestGrep(t *testing.T) {
	w := project(t)
	r := w.grep(GrepArgs{Pattern: "needle (one|three)", Path: ".", CaseSensitive: true})
	wantText(t, "matches", places(r), "[README.md:4 src/main.go:4]")
	wantText(t, "counts", fmt.Sprint(r.FilesScanned, r.FilesSkipped, *r.TotalCount, r.Complete), "10 3 2 true")
	r = w.grep(GrepArgs{Pattern: "needle", CaseSensitive: true})
	wantText(t, "all", places(r), "[.github/w.yml:1 README.md:4 bom.txt:1 conf/ok.yaml:1 crlf.txt:2 notes/中文 说明.txt:1 src/main.go:4]")
	wantText(t, "line end", r.Matches[4].Text, "needle crlf")
	wantText(t, "byte order mark", places(w.grep(GrepArgs{Pattern: "^needle bom", CaseSensitive: true})), "[bom.txt:1]")
	wantText(t, "one directory", places(w.grep(GrepArgs{Pattern: "needle", Path: "src", CaseSensitive: true})), "[src/main.go:4]")
	wantText(t, "linked directory", places(w.grep(GrepArgs{Pattern: "needle", Path: "ln-src", CaseSensitive: true})), "[ln-src/main.go:4]")
	wantText(t, "one file", places(w.grep(GrepArgs{Pattern: "needle", Path: "README.md", CaseSensitive: true})), "[README.md:4]")
	wantText(t, "without case", places(w.grep(GrepArgs{Pattern: "nEEdle tWo"})), "[src/main.go:3]")
	wantText(t, "binary file", w.grep(GrepArgs{Pattern: "needle", Path: "bin.dat"}).FilesSkipped, 1)
	text, err := json.Marshal(w.grep(GrepArgs{Pattern: "one$", CaseSensitive: true, MaxResults: 1}))
	must(t, err)
	wantText(t, "wire", string(text), `{"matches":[{"path":"README.md","line_number":4,"text":"needle one","text_truncated":false}],"files_scanned":10,"files_skipped":3,"offset":0,"max_results":1,"next_offset":null,"total_count":1,"has_more":false,"truncated":false,"complete":true,"truncation_reason":null}`)
	for path, want := range map[string]pathguard.Code{".env": pathguard.PathDenied, "node_modules": pathguard.PathIgnored, "missing": pathguard.NotFound, "../x": pathguard.InvalidPath, "ln-out": pathguard.PathOutsideRoot} {
		_, err := Grep(context.Background(), w.scope, GrepArgs{Pattern: "x", Path: path, MaxResults: 1}, DefaultLimits(), nil)
		wantCode(t, path, err, want)
	}
}

// TestGrepLongLines: a line is shown up to 2,000 characters, and less where the result has no room for it (M-43, M-51).
func TestGrepLongLines(t *testing.T) {
	w := newWorld(t, map[string]string{
		"exact.txt": strings.Repeat("研", 2000) + "\n", "long.txt": strings.Repeat("研", 2001) + "\n", "control.txt": strings.Repeat("\x01研", 1000) + "\n",
	})
	r := w.grep(GrepArgs{Pattern: "研", CaseSensitive: true})
	if r.Matches[1].TextTruncated || !r.Matches[2].TextTruncated || r.Matches[2].Text != r.Matches[1].Text {
		t.Errorf("cut at %d and %d bytes", len(r.Matches[1].Text), len(r.Matches[2].Text))
	}
	limits := Limits{ReadBytes: 1 << 20, ResultBytes: 4096}
	for offset := range 3 {
		r, err := Grep(context.Background(), w.scope, GrepArgs{Pattern: "研", Offset: offset, MaxResults: 10}, limits, nil)
		must(t, err)
		if size := compactSize(t, r); len(r.Matches) != 1 || !r.Matches[0].TextTruncated || size > 4096 {
			t.Errorf("page %d: %d matches, %d bytes", offset, len(r.Matches), size)
		}
	}
}

// TestList holds M-49.
func TestList(t *testing.T) {
	w := project(t)
	r, err := ListDir(context.Background(), w.scope, ListArgs{Path: "", Limit: 1000}, DefaultLimits())
	must(t, err)
	var got []string
	for _, e := range r.Entries {
		got = append(got, fmt.Sprintf("%s:%.1s:%v", e.Name, e.Type, e.Symlink))
		if _, err := time.Parse(time.RFC3339, e.ModifiedAt); err != nil || e.Path != e.Name || (e.Size != nil) != (e.Type == pathguard.File) {
			t.Errorf("entry %+v", e)
		}
	}
	wantText(t, "entries", strings.Join(got, " "), ".github:d:false README.md:f:false big.txt:f:false bin.dat:f:false bom.txt:f:false conf:d:false crlf.txt:f:false empty.txt:f:false latin1.txt:f:false ln-inside.md:f:true ln-src:d:true notes:d:false src:d:false")
	r, err = ListDir(context.Background(), w.scope, ListArgs{Path: "src/", Offset: 1, Limit: 1}, DefaultLimits())
	must(t, err)
	r.Entries[0].ModifiedAt = ""
	text, err := json.Marshal(r)
	must(t, err)
	wantText(t, "wire", string(text), `{"path":"src","entries":[{"name":"a.txt","path":"src/a.txt","type":"file","size":2,"modified_at":"","symlink":false}],"offset":1,"limit":1,"next_offset":2,"total_count":3,"has_more":true,"truncated":true,"complete":false,"truncation_reason":"page_limit"}`)
	for path, want := range map[string]pathguard.Code{"README.md": pathguard.NotADirectory, ".env": pathguard.PathDenied, "missing": pathguard.NotFound} {
		_, err := ListDir(context.Background(), w.scope, ListArgs{Path: path, Limit: 1}, DefaultLimits())
		wantCode(t, path, err, want)
	}
}

// TestTree holds M-48.
func TestTree(t *testing.T) {
	w := project(t)
	tree := func(path string, depth, most int) (*TreeResult, string) {
		t.Helper()
		r, err := Tree(context.Background(), w.scope, TreeArgs{Path: path, MaxDepth: depth, MaxEntries: most}, DefaultLimits(), nil)
		must(t, err)
		var all []string
		for _, e := range r.Entries {
			all = append(all, fmt.Sprint(e.Path, e.Depth))
		}
		reason := page.Reason("none")
		if r.TruncationReason != nil {
			reason = *r.TruncationReason
		}
		return r, fmt.Sprintf("%v %d %v %v %s %s", all, r.EntryCount, r.Complete, r.Truncated, r.Coverage, reason)
	}
	_, got := tree("src", 20, 500)
	wantText(t, "full", got, "[src/a1 src/a/b2 src/a/b/c3 src/a/b/c/deep.txt4 src/a.txt1 src/main.go1] 6 true false full_subtree none")
	_, got = tree("src", 4, 6)
	wantText(t, "just enough", got, "[src/a1 src/a/b2 src/a/b/c3 src/a/b/c/deep.txt4 src/a.txt1 src/main.go1] 6 true false full_subtree none")
	_, got = tree("src", 2, 500)
	wantText(t, "depth", got, "[src/a1 src/a/b2 src/a.txt1 src/main.go1] 4 true false requested_depth depth_limit")
	_, got = tree("src", 20, 2)
	wantText(t, "entries", got, "[src/a1 src/a/b2] 2 false true partial entry_limit")
	r, err := Tree(context.Background(), w.scope, TreeArgs{Path: ".", MaxDepth: 20, MaxEntries: 500}, Limits{ResultBytes: treeFixed() + 300}, nil)
	must(t, err)
	if *r.TruncationReason != page.ByteLimit || r.Complete || compactSize(t, r) > treeFixed()+300 {
		t.Errorf("bytes: %+v", r)
	}
	text, err := json.Marshal(r.Entries[0])
	must(t, err)
	wantText(t, "wire", string(text), `{"path":".github","name":".github","type":"directory","depth":1,"size":null}`)
	whole, _ := tree(".", 20, 500)
	for _, e := range whole.Entries {
		if strings.Contains(e.Path, "SECRET") || strings.HasPrefix(e.Path, "ln-src/") || strings.Contains(e.Path, ".env") {
			t.Errorf("shows %s", e.Path)
		}
	}
}

// TestProgress: a long walk tells how far it is (M-9).
func TestProgress(t *testing.T) {
	content := make(map[string]string)
	for i := range 3 * progressEvery {
		content[fmt.Sprintf("d%d/%d.txt", i%9, i)] = "x\n"
	}
	w := newWorld(t, content)
	var told []int
	progress := func(done int) { told = append(told, done) }
	_, err := Grep(context.Background(), w.scope, GrepArgs{Pattern: "x", MaxResults: 1}, DefaultLimits(), progress)
	must(t, err)
	wantText(t, "grep", told, fmt.Sprint([]int{progressEvery, 2 * progressEvery, 3 * progressEvery}))
	told = nil
	_, err = Glob(context.Background(), w.scope, GlobArgs{Pattern: "**", MaxResults: 1}, DefaultLimits(), progress)
	must(t, err)
	wantText(t, "glob", len(told), 3)
}

// TestToolArguments holds the bounds of M-48 to M-51.
func TestToolArguments(t *testing.T) {
	w := newWorld(t, nil)
	ctx, limits := context.Background(), DefaultLimits()
	for name, call := range map[string]func() error{
		"depth 0": func() error { _, err := Tree(ctx, w.scope, TreeArgs{MaxEntries: 1}, limits, nil); return err },
		"depth 21": func() error {
			_, err := Tree(ctx, w.scope, TreeArgs{MaxDepth: 21, MaxEntries: 1}, limits, nil)
			return err
		},
		"entries 5001": func() error {
			_, err := Tree(ctx, w.scope, TreeArgs{MaxDepth: 1, MaxEntries: 5001}, limits, nil)
			return err
		},
		"list limit":  func() error { _, err := ListDir(ctx, w.scope, ListArgs{Limit: 1001}, limits); return err },
		"list offset": func() error { _, err := ListDir(ctx, w.scope, ListArgs{Limit: 1, Offset: -1}, limits); return err },
		"glob results": func() error {
			_, err := Glob(ctx, w.scope, GlobArgs{Pattern: "x", MaxResults: 2001}, limits, nil)
			return err
		},
		"glob offset": func() error {
			_, err := Glob(ctx, w.scope, GlobArgs{Pattern: "x", MaxResults: 1, Offset: 1 << 30}, limits, nil)
			return err
		},
		"grep results": func() error {
			_, err := Grep(ctx, w.scope, GrepArgs{Pattern: "x", MaxResults: 1001}, limits, nil)
			return err
		},
		"grep no results": func() error { _, err := Grep(ctx, w.scope, GrepArgs{Pattern: "x"}, limits, nil); return err },
	} {
		wantCode(t, name, call(), pathguard.InvalidArguments)
	}
}
