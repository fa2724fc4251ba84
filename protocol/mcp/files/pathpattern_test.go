package files

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestPathPattern holds the syntax of M-51.
func TestPathPattern(t *testing.T) {
	for _, c := range []struct{ pattern, matches, not string }{
		{"src/*.go", "src/main.go", "src/a/main.go main.go src/.go src/.x.go"},
		{"**/*.go", "src/main.go main.go a/b/c.go", "main.god .a/b.go a/.b/c.go a/.c.go"},
		{"**", "a a/b a/b/c", ".a a/.b .a/b"},
		{"src/**", "src/a src/a/b", "src src2/a a/src/b"},
		{"src/**/deep.txt", "src/deep.txt src/a/b/deep.txt", "deep.txt src/.a/deep.txt"},
		{"**/a/**/b", "a/b x/a/b x/a/y/z/b", "a/x b a"},
		{"{README,crlf}.{md,txt}", "README.md crlf.txt README.txt", "README. READMEmd"},
		{"{a,b/{c,d}}/e", "a/e b/c/e b/d/e", "b/e c/e"},
		{"{,x}y", "y xy", "xxy"},
		{"[ce]*.txt", "crlf.txt empty.txt", "a.txt .txt"},
		{"[!a-c]?", "dx 研x", "ax d dxx"},
		{"[]]", "]", "["},
		{"[^]]x", "ax", "]x"},
		{"[a-]", "a -", "b"},
		{"?", "a 研", "ab ."},
		{"a**b", "ab axxb", "a/b"},
		{".github/*.yml", ".github/a.yml", "github/a.yml .github/.a.yml"},
		{".*", ".a .a.b", "a"},
		{"*/.x", "a/.x", ".a/.x"},
		{"{.a,b}/*", ".a/x b/x", ".b/x"},
		{"[.]x", "", ".x x"},
		{"./src//main.go", "src/main.go", "main.go"},
		{"a}", "a}", "a"},
		{"*a*b*c*", "abc xaxbxcx", "acb"},
	} {
		g, err := ParsePathPattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for path := range strings.FieldsSeq(c.matches) {
			if !g.Match(path) {
				t.Errorf("%s does not match %s", c.pattern, path)
			}
		}
		for path := range strings.FieldsSeq(c.not) {
			if g.Match(path) {
				t.Errorf("%s matches %s", c.pattern, path)
			}
		}
	}
}

// TestBadPathPattern holds the refusals of M-51.
func TestBadPathPattern(t *testing.T) {
	for pattern, want := range map[string]pathguard.Code{
		"": pathguard.InvalidArguments, strings.Repeat("x", 513): pathguard.InvalidArguments, strings.Repeat("研", 512): "",
		"/a": pathguard.InvalidPattern, "~/a": pathguard.InvalidPattern, "../a": pathguard.InvalidPattern, "a/../b": pathguard.InvalidPattern, "{a,..}/b": pathguard.InvalidPattern,
		"[a": pathguard.InvalidPattern, "[": pathguard.InvalidPattern, "[]": pathguard.InvalidPattern, "{[a,b}": pathguard.InvalidPattern, "[a/b]": pathguard.InvalidPattern,
		"{a": pathguard.InvalidPattern, "{a,{b}": pathguard.InvalidPattern, "a\\b": pathguard.InvalidPattern, "a\x00": pathguard.InvalidPattern, "a\n": pathguard.InvalidPattern, "\xff": pathguard.InvalidPattern,
		"a/": pathguard.InvalidPattern, "[z-a]": pathguard.InvalidPattern, strings.Repeat("{a,b}", 9): pathguard.InvalidPattern, strings.Repeat("{a,b}", 8): "",
	} {
		_, err := ParsePathPattern(pattern)
		wantCode(t, pattern, err, want)
	}
}

// TestPathPatternAgrees holds the matcher against another one where both mean the same: no names that begin with a dot.
func TestPathPatternAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`\*\*|\*?([ab?]\*?){1,3}|\[ab\]\*?|\[!a\]b?|\{a,b\*\}[ab]?`)
		pattern := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "pattern"), "/")
		path := strings.Join(rapid.SliceOfN(rapid.StringMatching("[ab]{1,4}"), 1, 5).Draw(t, "path"), "/")
		g, err := ParsePathPattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(pattern, "/**") {
			return // there the other one matches the directory itself too
		}
		want, err := doublestar.Match(pattern, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Match(path); got != want {
			t.Fatalf("%s on %s: %v, want %v", pattern, path, got, want)
		}
	})
}

// TestFollower: whatever the order of the paths, a follower answers as a fresh match does, and never leaves out a directory
// in which something matches.
func TestFollower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.StringMatching(`(\*\*/|a/|b\*/|\.c/){0,3}[ab*]{1,3}`).Filter(func(s string) bool {
			_, err := ParsePathPattern(s)
			return err == nil
		})
		g, err := ParsePathPattern(patterns.Draw(t, "pattern"))
		if err != nil {
			t.Fatal(err)
		}
		f := newFollower(g)
		for range 8 {
			path := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[ab]{1,2}|\.c`), 1, 5).Draw(t, "path"), "/")
			want := g.Match(path)
			dir, name := splitPath(path)
			if got := f.enter(dir) && f.match(name); got != want {
				t.Fatalf("%s: %v, want %v", path, got, want)
			}
		}
	})
}

// TestHardPathPattern: patterns that defeat backtracking take the time of both lengths' product at most. They would not
// come to an end otherwise.
func TestHardPathPattern(t *testing.T) {
	long := strings.Repeat("a", 255)
	for _, pattern := range []string{strings.Repeat("*a", 250) + "b", strings.Repeat("**/", 100) + "x", strings.Repeat("{a,*a}", 8) + "*b", strings.Repeat("a*/**/", 60) + "b"} {
		g, err := ParsePathPattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if g.Match(long) || g.Match(strings.Repeat("aaa/", 500)+"a") {
			t.Errorf("%s matches", pattern)
		}
	}
}

// FuzzPathPattern: no pattern makes parsing or matching fail otherwise than with an error.
func FuzzPathPattern(f *testing.F) {
	f.Add("**/{a,[!b-d]}*/?.go", "x/y/z.go")
	f.Add("[]-a]{,}}", "].")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := ParsePathPattern(pattern)
		if err != nil || path == "" || len(path) > pathguard.MaxPathBytes || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//") {
			return
		}
		g.Match(path)
	})
}
