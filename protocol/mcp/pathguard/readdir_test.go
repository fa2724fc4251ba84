//go:build linux

package pathguard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestListingsShowWhatCanBeAskedFor(t *testing.T) { // M-32, M-33, M-35, M-38, M-39
	w := newWorld(t)
	w.put("a.txt", "a/x", "B", "é", "100%.txt", "a%20b", ".hidden", ".git/config", ".env", "auth.json", "x.pyc", "venv/x", "~home", "c:drive", "sub/~y", "sub/c:z")
	for _, name := range []string{"bad\xff", "new\nline", "back\\slash", "bidi\u202e", "%2e%2e", "%2fx", "%2eenv", "a%00", "%61uth"} {
		if err := os.WriteFile(filepath.Join(w.root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.link("link", "a", "link2", "a.txt", "out", "..", "dead", "none")
	tree := w.open()
	got := list(t, tree, "")
	want := []string{".hidden", "100%.txt", "B", "a/", "a%20b", "a.txt", "link/@", "link2@", "sub/", "é"}
	if !slices.Equal(got, want) {
		t.Errorf("listing\n got %q\nwant %q", got, want)
	}
	if got := list(t, tree, "link"); !slices.Equal(got, []string{"link/x"}) {
		t.Errorf("a linked directory shows %q", got)
	}
	if got := list(t, tree, "sub/"); !slices.Equal(got, []string{"sub/c:z", "sub/~y"}) {
		t.Errorf("a directory further down shows %q", got)
	}
	entries, _, err := tree.ReadDir(context.Background(), "", 0, All)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, err := tree.Resolve(entry.Path, ForEither); err != nil {
			t.Errorf("%q is listed and cannot be asked for: %v", entry.Path, err)
		}
	}
}

func TestPagesOfAListing(t *testing.T) { // M-42, M-49
	w := newWorld(t)
	const many = 1000
	for i := range many {
		w.put(fmt.Sprintf("f%04d.txt", i*7919%many))
	}
	tree := w.open()
	for _, limit := range []int{1, 333, many, many + 1, All} {
		var all []string
		for offset := 0; offset < many; offset += len(all) - offset {
			page, total, err := tree.ReadDir(context.Background(), ".", offset, limit)
			if err != nil || total != many || len(page) == 0 || len(page) > limit {
				t.Fatalf("offset %d: %d entries of %d, %v", offset, len(page), total, err)
			}
			all = append(all, marked(page)...)
			if limit == 1 && offset == 20 {
				break
			}
		}
		if !slices.IsSorted(all) || len(slices.Compact(all)) != len(all) {
			t.Errorf("pages of %d are not in order", limit)
		}
	}
	page, total, err := tree.ReadDir(context.Background(), ".", many+5, 10)
	if len(page) != 0 || total != many || err != nil {
		t.Errorf("past the end: %d of %d, %v", len(page), total, err)
	}
	if page[:0] == nil {
		t.Error("an empty page is no list")
	}
}

func TestListingThroughALinkKnowsBothNames(t *testing.T) { // M-35, M-39
	w := newWorld(t)
	w.put("data/cachefile", "data/keep", "data/deep/out.log")
	w.link("view", "data")
	for rules, want := range map[string]string{
		"data/cachefile": "[view/deep/ view/keep]", "view/cachefile": "[view/deep/ view/keep]", "/data/deep/": "[view/cachefile view/keep]", "": "[view/cachefile view/deep/ view/keep]",
	} {
		tree, err := Open(w.root, ParseRules([]byte(rules)))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(list(t, tree, "view")); got != want {
			t.Errorf("rules %q: %s, want %s", rules, got, want)
		}
		_ = tree.Close()
	}
	tree, err := Open(w.root, ParseRules([]byte("data/deep")))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	_, err = read(tree, "view/deep/out.log")
	wantCode(t, "a file in a directory that is ignored under its own name", err, PathIgnored)
}

func TestIgnoreFilesOfTheProjectAreNotRead(t *testing.T) { // M-39
	w := newWorld(t)
	w.put("a.txt", "node_modules/x")
	for _, name := range []string{".gitignore", ".mcpignore", "default.mcpignore"} {
		if err := os.WriteFile(filepath.Join(w.root, name), []byte("a.txt\n!node_modules\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := list(t, w.open(), "."); !slices.Equal(got, []string{".gitignore", ".mcpignore", "a.txt", "default.mcpignore"}) {
		t.Errorf("the listing shows %q", got)
	}
}

func TestListingStops(t *testing.T) { // M-8
	w := newWorld(t)
	w.put("a", "b")
	tree := w.open()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := tree.ReadDir(ctx, ".", 0, All); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled listing gives %v", err)
	}
	_, _, err := tree.ReadDir(context.Background(), "a", 0, All)
	wantCode(t, "a file", err, NotADirectory)
	_, _, err = tree.ReadDir(context.Background(), strings.Repeat("x", 20), 0, All)
	wantCode(t, "nothing", err, NotFound)
}
