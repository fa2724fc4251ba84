package index

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// definitionCase is a line of a language and the names that it defines,
// parted by "|"; none for a line that defines nothing.
type definitionCase struct {
	line, names string
}

// names collects what path's definitions find on one line.
func names(path, line string) []string {
	var found []string
	DefinitionsFor(path).Line([]byte(line), func(name []byte) {
		found = append(found, string(name))
	})
	return found
}

// checkDefinitions runs the cases of one language.
func checkDefinitions(t *testing.T, path string, cases []definitionCase) {
	t.Helper()
	t.Run(path, func(t *testing.T) {
		for _, c := range cases {
			var want []string
			if c.names != "" {
				want = strings.Split(c.names, "|")
			}
			if got := names(path, c.line); !slices.Equal(got, want) {
				t.Errorf("%q defines %q, want %q", c.line, got, want)
			}
		}
	})
}

// TestDefinitionsFormats holds that every format of P-33 has definitions,
// apart from those where there is nothing to define.
func TestDefinitionsFormats(t *testing.T) {
	const formats = `md markdown mdx rst adoc asciidoc org
		go py pyi rs c h cc cpp cxx hh hpp hxx m mm cs java kt kts scala groovy gradle swift rb php pl pm lua r jl dart
		ex exs erl hrl hs ml mli fs fsx clj cljs cljc edn el lisp scm nim zig vue svelte js mjs cjs jsx ts mts cts tsx
		html htm css scss sass less sql sh bash zsh fish ps1 bat cmd awk proto graphql gql thrift tf hcl cmake mk nix
		bzl bazel json jsonc json5 yaml yml toml ini cfg conf properties xml xsd`
	for extension := range strings.FieldsSeq(formats) {
		if DefinitionsFor("some/folder/file."+strings.ToUpper(extension)).grammar == nil {
			t.Errorf("no definitions for .%s", extension)
		}
	}
	const whole = `Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Gemfile Rakefile
		Brewfile justfile BUILD WORKSPACE README CHANGELOG CONTRIBUTING go.mod`
	for name := range strings.FieldsSeq(whole) {
		if DefinitionsFor("folder/"+name).grammar == nil {
			t.Errorf("no definitions for %s", name)
		}
	}
	for _, name := range []string{"a.txt", "LICENSE", "go.sum", "x", "", ".go/", strings.Repeat("x", 5000)} {
		if DefinitionsFor(name).grammar != nil {
			t.Errorf("definitions for %q", name)
		}
	}
}

// TestDefinitionsGrammars holds what the tables must obey for the matcher to
// see their words.
func TestDefinitionsGrammars(t *testing.T) {
	for extension := range formatExtensions {
		g := DefinitionsFor("x." + extension).grammar
		for word := range g.words {
			if len(word) > maxWord {
				t.Errorf("%s: word %q is longer than %d", extension, word, maxWord)
			}
			if g.anyCase && word != strings.ToLower(word) {
				t.Errorf("%s: %q can never be met", extension, word)
			}
			for _, c := range []byte(word) {
				if !g.name[c] {
					t.Errorf("%s: %q holds %q, which is no byte of a name", extension, word, c)
				}
			}
		}
	}
}

// TestDefinitionsNoAllocation holds that judging a line allocates nothing.
func TestDefinitionsNoAllocation(t *testing.T) {
	lines := map[string]string{
		"a.go": "func (r *Reader) ReadSlice(delim byte) (line []byte, err error) {", "a.sql": "CREATE TABLE IF NOT EXISTS shop.orders (",
		"a.md": "## Posting lists", "a.java": "  public static <T> List<T> copyOf(Collection<T> from) {", "a.css": ".button.primary:hover {",
		"a.ts": "  async load(id: string): Promise<Order> {", "a.yaml": "- name: build", "a.py": "    async def fetch(self):",
	}
	for path, line := range lines {
		d, text, count := DefinitionsFor(path), []byte(line), 0
		if n := testing.AllocsPerRun(100, func() {
			d.Line(text, func(name []byte) { count += len(name) })
		}); n != 0 {
			t.Errorf("%s: %v allocations a line", path, n)
		}
		if count == 0 {
			t.Errorf("%s: %q defines nothing", path, line)
		}
	}
}

// TestDefinitionsSubslices holds that names lie within the line.
func TestDefinitionsSubslices(t *testing.T) {
	line := []byte("const first, second = 1, 2")
	at := 0
	DefinitionsFor("a.go").Line(line, func(name []byte) {
		i := bytes.Index(line[at:], name)
		if i < 0 || &line[at+i] != &name[0] {
			t.Errorf("%q is no subslice of the line", name)
		}
		at += i + len(name)
	})
	if at == 0 {
		t.Error("no names")
	}
}

// FuzzDefinitions: no line of any language panics, gives an empty name, one
// outside of the line, or more names than the line has bytes.
func FuzzDefinitions(f *testing.F) {
	for _, seed := range []string{"func (r *T) Name(x int) {", "pub(crate) fn f<'a>(", "CREATE TABLE \"a\".\"b\" (", "('", "type ('a", "(def ^{", "<h1", ".. _", "[[", "- - -", "#", "}", "\"", "--", "::", "a::::b(", "~", "x[ ] y", "\x80\xff("} {
		f.Add(seed)
	}
	var all []Definitions
	for extension := range formatExtensions {
		all = append(all, DefinitionsFor("x."+extension))
	}
	for name := range formatNames {
		all = append(all, DefinitionsFor(name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		line := []byte(text)
		for _, d := range all {
			count := 0
			d.Line(line, func(name []byte) {
				count++
				if len(name) == 0 || len(name) > len(line) || !bytes.Contains(line, name) {
					t.Fatalf("%q gives %q", line, name)
				}
			})
			if count > len(line) {
				t.Fatalf("%q gives %d names", line, count)
			}
		}
	})
}
