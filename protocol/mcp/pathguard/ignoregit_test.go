//go:build linux

package pathguard

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The ignore rules are held against Git itself: whatever a list of patterns hides for git check-ignore it hides here (M-39).

// ignoreWorld is a work tree with awkward names, on which patterns are tried.
type ignoreWorld struct {
	dir   string
	paths []string // ascending
	isDir map[string]bool
}

func newIgnoreWorld(t *testing.T) *ignoreWorld {
	t.Helper()
	w := &ignoreWorld{dir: t.TempDir(), isDir: map[string]bool{}}
	w.git(t, "init", "-q")
	for _, dir := range []string{"a", "b", "a/b", "a/b/a", "b/a", "ab", "a.b", "a b", "b/-", "[a]", "a/b/c d"} {
		w.add(t, dir, true)
	}
	for _, dir := range []string{"", "a/", "a/b/", "b/", "ab/", "a.b/", "[a]/", "a/b/a/"} {
		for _, name := range []string{"c", "c.a", "x-y", "b.c ", "é", "!a", "#a", "A1", "c]", "c\\", "*"} {
			w.add(t, dir+name, false)
		}
	}
	slices.Sort(w.paths)
	return w
}

func (w *ignoreWorld) add(t *testing.T, path string, dir bool) {
	t.Helper()
	full := filepath.Join(w.dir, path)
	var err error
	if dir {
		err = os.MkdirAll(full, 0o755)
	} else {
		err = os.WriteFile(full, nil, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.paths = append(w.paths, path)
	w.isDir[path] = dir
}

func (w *ignoreWorld) git(t testing.TB, args ...string) {
	t.Helper()
	if _, err := w.run(nil, args...); err != nil {
		t.Fatal(err)
	}
}

func (w *ignoreWorld) run(input []byte, args ...string) ([]byte, error) {
	command := exec.Command("git", args...)
	command.Dir = w.dir
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"}
	command.Stdin = bytes.NewReader(input)
	answer, err := command.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 && len(exit.Stderr) == 0 {
		err = nil // nothing is ignored
	}
	return answer, err
}

// ignoredByGit gives what Git ignores under the patterns.
func (w *ignoreWorld) ignoredByGit(patterns string) ([]string, error) {
	if err := os.WriteFile(filepath.Join(w.dir, ".git", "info", "exclude"), []byte(patterns), 0o644); err != nil {
		return nil, err
	}
	answer, err := w.run([]byte(strings.Join(w.paths, "\x00")+"\x00"), "check-ignore", "--no-index", "--stdin", "-z")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(answer), func(r rune) bool { return r == 0 }), nil
}

func (w *ignoreWorld) ignoredHere(patterns string) []string {
	rules := ParseRules([]byte(patterns))
	var ignored []string
	for _, path := range w.paths {
		if rules.Ignored(path, w.isDir[path]) {
			ignored = append(ignored, path)
		}
	}
	return ignored
}

func (w *ignoreWorld) compare(patterns string) error {
	want, err := w.ignoredByGit(patterns)
	if err != nil {
		return err
	}
	if got := w.ignoredHere(patterns); !slices.Equal(got, want) {
		return fmt.Errorf("patterns %q\nignored here: %q\nignored by Git: %q", patterns, got, want)
	}
	return nil
}

// patternPieces are what random patterns are put together from.
var patternPieces = []string{
	"a", "b", "c", "ab", "a.b", "c.a", ".", "*", "**", "***", "?", "/", "//", "[ab]", "[!a]", "[^a]", "[a-c]", "[]a]", "[!]a]", "[a-]",
	"[[:alpha:]]", "[[:digit:][:upper:]]", "[[:nope:]]", "[[:alpha]", "[a[]", "[a", "[", "]", "-", "\\", "\\*", "\\a", "\\!", "\\#", "\\ ", " ",
	"!", "#", "é", "[\\]]", "[a/]", "[c-a]", "[\\a-\\c]", "**/", "/**", "/**/", "\r", "\t",
}

func TestIgnoreRulesAgreeWithGit(t *testing.T) { // M-39
	world := newIgnoreWorld(t)
	line := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(patternPieces), 1, 6).Draw(t, "pieces"), "")
	}).Filter(func(line string) bool { return !starsBehindLiteral(line) })
	rapid.Check(t, func(t *rapid.T) {
		patterns := strings.Join(rapid.SliceOfN(line, 1, 5).Draw(t, "lines"), "\n")
		if err := world.compare(patterns); err != nil {
			t.Fatal(err)
		}
	})
}

// starsBehindLiteral reports whether the first wildcard of a line is "**" and stands behind a literal, as in "a**/b".
// Git's manual says that such stars are ordinary ones; some versions of Git cut the literal off first and then take them for a boundary.
func starsBehindLiteral(line string) bool {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "!"), "/")
	at := strings.IndexAny(line, "*?[\\")
	return at > 0 && line[at-1] != '/' && strings.HasPrefix(line[at:], "**")
}

func TestIgnoreRulesOfTheManualAgreeWithGit(t *testing.T) { // M-39
	world := newIgnoreWorld(t)
	for _, patterns := range []string{
		"", "#a", "\\#a", "!a\na", "a\n!a", "a/\n!a/c", "*\n!a\n!a/*", "/a", "a/b", "/*\n!/a", "**/b", "a/**", "a/**/c", "**", "*.a", "a/*.a",
		"a b/", "b.c\\ ", "b.c ", "c \n", "\\!a", "[a-b]", "[[:upper:]]1", "A1\r\n", "\xef\xbb\xbfc", "c\\", "c\\\\", "\\*", "[*]", "**/a/**/b", "/**/c", "x-?", "[!a-w]-y", "a\\/**/b", "**\\/b", "a/**\\/c",
	} {
		if err := world.compare(patterns); err != nil {
			t.Error(err)
		}
	}
}
