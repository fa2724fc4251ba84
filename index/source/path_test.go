package source

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestInvalidPaths(t *testing.T) { // P-31
	for _, path := range []string{
		"", "/a.md", "a//b.md", "a/", "/", ".", "..", "./a.md", "a/./b.md", "a/../b.md", "../a.md", "a/..", "a\\b.md", "a\nb.md", "a\tb.md",
		"a\x00.md", "a\x1f.md", "a\x7f.md", "a\u0080.md", "a\u0085.md", "a\u009f.md", "a\xff.md", "caf\xe9.md", "\xc3/\xa9.md",
		".hidden/a\x01.md", "secrets/../a", strings.Repeat("a/", 511) + "aaa", strings.Repeat("a", MaxPathBytes-2) + ".md",
	} {
		if got := ClassifyPath(path); got != InvalidPath {
			t.Errorf("ClassifyPath(%.60q) = %q", path, got)
		}
		if got := ValidPath(path); got != InvalidPath {
			t.Errorf("ValidPath(%.60q) = %q", path, got)
		}
	}
}

func TestHiddenPaths(t *testing.T) { // P-32, and before what is sensitive (P-62b)
	for _, path := range []string{".env", ".git/config", ".github/workflows/a.yml", "a/.b/c.md", "a/.b", "...", "a/..b/c.md", "secrets/.x", ".é.md"} {
		if got := ClassifyPath(path); got != Hidden {
			t.Errorf("ClassifyPath(%q) = %q", path, got)
		}
		if got := ValidPath(path); got != Hidden {
			t.Errorf("ValidPath(%q) = %q", path, got)
		}
	}
}

func TestFormats(t *testing.T) { // P-33
	for _, list := range []string{proseExtensions, codeExtensions, configurationExtensions} {
		for _, extension := range strings.Fields(list) {
			for _, path := range []string{"x." + extension, "a/b/x." + strings.ToUpper(extension), "x.png." + extension} {
				if got := ClassifyPath(path); got != "" {
					t.Errorf("ClassifyPath(%q) = %q", path, got)
				}
			}
		}
	}
	for _, name := range strings.Fields(wholeNames) {
		for _, path := range []string{name, "a/" + strings.ToUpper(name)} {
			if got := ClassifyPath(path); got != "" {
				t.Errorf("ClassifyPath(%q) = %q", path, got)
			}
		}
	}
	for _, path := range []string{"a.png", "a.zip", "a.ipynb", "a.csv", "a.diff", "a.patch", "a.crt", "a", "go", "md", "a.", "a.md.", "a.md ",
		"a.markdown2", "makefile.am", "a.go.mod", "x/README.html2", "a.m4", "é", "a.тхт"} {
		if got := ClassifyPath(path); got != UnsupportedFormat {
			t.Errorf("ClassifyPath(%q) = %q", path, got)
		}
		if got := ValidPath(path); got != "" {
			t.Errorf("ValidPath(%q) = %q", path, got)
		}
	}
}

func TestSensitivePaths(t *testing.T) { // P-34, P-35
	var paths []string
	for _, name := range strings.Fields(sensitiveComponents) {
		paths = append(paths, name+"/a.go", "x/"+name+"/y/a.md", "x/"+name, strings.ToUpper(name)+"/a.go")
	}
	for _, name := range strings.Fields(sensitiveNames) {
		paths = append(paths, name, "a/"+strings.ToUpper(name))
	}
	for _, prefix := range strings.Fields(sensitivePrefixes) {
		paths = append(paths, prefix, prefix+".pub", "a/"+prefix+"-old.md", strings.ToUpper(prefix)+".txt")
	}
	for _, suffix := range strings.Fields(sensitiveSuffixes) {
		paths = append(paths, "a"+suffix, "x/a.md"+strings.ToUpper(suffix))
	}
	for _, word := range strings.Fields(sensitiveWords) {
		paths = append(paths, word+".md", "my-"+word+".yaml", "my_"+word+"_list.JSON", "a."+word+".toml", strings.ToUpper(word)+".txt", "a/x-"+word+"-y.properties")
	}
	paths = append(paths, "SECRETS/a.go", "Id_RSA.txt", "to\u212aens/a.go", "x/\u212aeystore/a.go", "é/password.md", "pass\u00e9/tokens/ü.md")
	for _, path := range paths {
		if got := ClassifyPath(path); got != SensitivePath {
			t.Errorf("ClassifyPath(%q) = %q", path, got)
		}
	}
	for _, path := range []string{
		"tokenizer.go", "src/authors.md", "password_policy.go", "token.go", "my-token.py", "secretary.md", "a/passwordless.md", "mytoken.md",
		"key.md", "api-key.md", "api_keys/a.md", "ssh.md", "keystore.go", "credential-helper.go", "a.pem.md", "env.md", "token/a.go", "x/xsecret/a.go",
	} {
		if got := ClassifyPath(path); got != "" {
			t.Errorf("ClassifyPath(%q) = %q", path, got)
		}
	}
}

// TestDirectoriesAreJudgedOnce holds the judgement of paths in order against that of each path by itself.
func TestDirectoriesAreJudgedOnce(t *testing.T) {
	component := rapid.SampledFrom([]string{"a", "b", ".h", "secrets", "x\x01", "", "..", "token.md", "a.go", "b.png", "é", "README", strings.Repeat("l", 400)})
	rapid.Check(t, func(t *rapid.T) {
		seen := newCollector(0)
		for range rapid.IntRange(1, 20).Draw(t, "paths") {
			path := strings.Join(rapid.SliceOfN(component, 1, 4).Draw(t, "path"), "/")
			if got, want := seen.classify(path), ClassifyPath(path); got != want {
				t.Fatalf("%q: %q in order, %q alone", path, got, want)
			}
		}
	})
}

func TestPathsInASCIICostNoAllocation(t *testing.T) {
	for _, path := range []string{"cmd/project/main.go", "a/SECRETS/b.md", "docs/api-password-list.yaml", "x/y/z/image.png"} {
		if n := testing.AllocsPerRun(100, func() { ClassifyPath(path) }); n != 0 {
			t.Errorf("%q: %v allocations", path, n)
		}
	}
}

func BenchmarkClassifyPath(b *testing.B) {
	paths, _ := libraryFiles(b)
	for b.Loop() {
		for _, path := range paths {
			ClassifyPath(path)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(paths)), "ns/path")
}
