//go:build linux

package provider

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// P-9, P-79, P-81: which lines are given for which arguments.
func TestReadRanges(t *testing.T) {
	text := ""
	for i := 1; i <= 500; i++ {
		text += fmt.Sprintf("line %d\n", i)
	}
	w := newWorld(t, map[string]string{"long.md": text, "empty.md": "", "lf.md": "\n", "bom.md": "\ufefffirst\r\nsecond\r"})
	p := w.admit()
	for _, c := range []struct {
		path       string
		start, end int
		wantStart  int
		wantEnd    int
		cut        bool
		code       Code
	}{
		{"long.md", 0, 0, 1, 48, false, ""},
		{"long.md", 100, 0, 100, 147, false, ""},
		{"long.md", 480, 0, 480, 500, false, ""},
		{"long.md", 499, 900, 499, 500, false, ""},
		{"long.md", 0, 3, 1, 3, false, ""},
		{"long.md", 500, 500, 500, 500, false, ""},
		{"long.md", 1, 200, 1, 200, false, ""},
		{"long.md", 1, 201, 1, 200, true, ""},
		{"long.md", 400, 1 << 60, 400, 500, false, ""},
		{"long.md", 1<<63 - 1, 0, 0, 0, false, InvalidRange},
		{"long.md", 501, 510, 0, 0, false, InvalidRange},
		{"long.md", -4, 2, 0, 0, false, InvalidArguments},
		{"long.md", 9, 3, 0, 0, false, InvalidArguments},
		{"long.md", 60, 3, 0, 0, false, InvalidArguments},
		{"long.md", 1, -1, 0, 0, false, InvalidArguments},
		{"empty.md", 0, 0, 0, 0, false, InvalidRange},
		{"lf.md", 0, 0, 1, 1, false, ""},
		{"bom.md", 0, 0, 1, 2, false, ""},
	} {
		result, err := p.Read(t.Context(), ReadRequest{Path: c.path, SourceHash: w.hash(c.path), StartLine: c.start, EndLine: c.end})
		if c.code != "" {
			wantCode(t, err, c.code)
			continue
		}
		w.must(err)
		if result.StartLine != c.wantStart || result.EndLine != c.wantEnd || result.Truncated != c.cut {
			t.Errorf("%s %d..%d gives %d..%d, truncated %v", c.path, c.start, c.end, result.StartLine, result.EndLine, result.Truncated)
		}
		whole, err := os.ReadFile(w.root + "/" + c.path)
		w.must(err)
		checkLines(t, string(whole), result.StartLine, result.EndLine, result.Text)
		if result.TotalLines != strings.Count(string(whole), "\n")+map[bool]int{true: 1}[!strings.HasSuffix(string(whole), "\n")] {
			t.Errorf("%s has %d lines", c.path, result.TotalLines)
		}
		if *result.ObservedRevision != w.git("rev-parse", "HEAD") || result.Path != c.path {
			t.Errorf("%+v", result)
		}
	}
}

// P-31, P-32, P-77, P-78, P-82: what is refused, in the order of the checks.
func TestReadRefusals(t *testing.T) {
	w := newWorld(t, map[string]string{
		"README.md": "text\n", "secrets/x.md": "otter\n", "id_rsa.txt": "otter\n", "data.csv": "otter\n", ".env": "otter\n", ".github/x.md": "otter\n",
		"nul.md": "\x00", "latin.md": "caf\xe9\n", "large.md": strings.Repeat("a", 262145), "exact.md": strings.Repeat("a\n", 131072), "linked.md": "otter\n", "fifo.md": "x\n",
		"leak.md": "gh" + "p_" + strings.Repeat("a1B2", 9) + "\n",
	})
	w.must(os.Symlink("README.md", w.root+"/link.md"))
	w.git("add", "-A", "-f")
	w.commit()
	w.must(os.Link(w.root+"/linked.md", w.dir+"/second"))
	w.remove("fifo.md")
	w.must(syscall.Mkfifo(w.root+"/fifo.md", 0o644))
	w.write("loose.md", "otter\n")
	p := w.admit()
	hash := w.hash("README.md")
	for _, c := range []struct {
		path, hash string
		want       Code
	}{
		{"", hash, InvalidArguments},
		{strings.Repeat("a", MaxArgument+1), hash, InvalidArguments},
		{"README.md", "abc", InvalidArguments},
		{"README.md", strings.ToUpper(hash), InvalidArguments},
		{"README.md", strings.Repeat("g", 64), InvalidArguments},
		{"../x.md", "abc", InvalidArguments},
		{"../proj/README.md", hash, InvalidPath},
		{"/etc/passwd", hash, InvalidPath},
		{w.root + "/README.md", hash, InvalidPath},
		{"./README.md", hash, InvalidPath},
		{"src/../README.md", hash, InvalidPath},
		{"src//parser.go", hash, InvalidPath},
		{"src/", hash, InvalidPath},
		{"..", hash, InvalidPath},
		{"a\x00b", hash, InvalidPath},
		{"README.md\n", hash, InvalidPath},
		{"a\u0085b.md", hash, InvalidPath},
		{"a\xff.md", hash, InvalidPath},
		{"src\\parser.go", hash, InvalidPath},
		{".env", hash, InvalidPath},
		{".github/x.md", hash, InvalidPath},
		{".git/config", hash, InvalidPath},
		{strings.Repeat("é", 600) + ".md", hash, InvalidPath},
		{"secrets/x.md", hashOf("otter\n"), SourceUnavailable},
		{"id_rsa.txt", hashOf("otter\n"), SourceUnavailable},
		{"data.csv", hashOf("otter\n"), SourceUnavailable},
		{"loose.md", hashOf("otter\n"), SourceUnavailable},
		{"nope.md", hash, SourceUnavailable},
		{"readme.md", hash, SourceUnavailable},
		{"README.md/x", hash, SourceUnavailable},
		{"secrets", hash, SourceUnavailable},
		{"link.md", hash, SourceUnavailable},
		{"linked.md", hashOf("otter\n"), SourceUnavailable},
		{"fifo.md", hashOf("x\n"), SourceUnavailable},
		{"nul.md", hashOf("\x00"), SourceUnavailable},
		{"latin.md", hashOf("caf\xe9\n"), SourceUnavailable},
		{"large.md", hash, SourceUnavailable},
		{"leak.md", hash, SourceUnavailable},
		{"README.md", hashOf("other"), SourceChanged},
		{"README.md", hash, ""},
		{"exact.md", hashOf(strings.Repeat("a\n", 131072)), ""},
	} {
		_, err := p.Read(t.Context(), ReadRequest{Path: c.path, SourceHash: c.hash})
		if c.want == "" {
			w.must(err)
			continue
		}
		wantCode(t, err, c.want)
	}
	// P-78: the answer does not tell which rule refused a path.
	_, secret := p.Read(t.Context(), ReadRequest{Path: "secrets/x.md", SourceHash: hash})
	_, absent := p.Read(t.Context(), ReadRequest{Path: "nope.md", SourceHash: hash})
	if secret.Error() != absent.Error() {
		t.Errorf("%v and %v", secret, absent)
	}
}

// P-77: the root is looked at after the path form and before everything else.
func TestReadChecksTheRootAfterThePath(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	hash := w.hash("README.md")
	w.replaceRoot()
	for path, want := range map[string]Code{"../x": InvalidPath, "nope.md": RootChanged, "README.md": RootChanged} {
		_, err := p.Read(t.Context(), ReadRequest{Path: path, SourceHash: hash})
		wantCode(t, err, want)
	}
}

// P-40, P-77, P-80: for any text, hash and range, a read is the lines of the file within the bound, or one of its errors.
func TestReadGivesTheLinesOfTheFile(t *testing.T) {
	w := newWorld(t, basic)
	p := w.admit()
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("ab \"\\\t\r\x01é中\u2028\u0085"))), 0, 30).Draw(rt, "lines")
		text := strings.Join(lines, "\n")
		if rapid.Bool().Draw(rt, "long") {
			text = strings.ReplaceAll(text, "a", strings.Repeat("\x01", 300))
		}
		w.write("README.md", text)
		req := ReadRequest{Path: "README.md", SourceHash: hashOf(text), StartLine: rapid.IntRange(0, 35).Draw(rt, "start"), EndLine: rapid.IntRange(0, 35).Draw(rt, "end")}
		result, err := p.Read(t.Context(), req)
		if err != nil {
			for _, code := range []Code{InvalidArguments, InvalidRange, LineTooLarge} {
				if isCode(err, code) {
					return
				}
			}
			rt.Fatal(err)
		}
		checkLines(rt, text, result.StartLine, result.EndLine, result.Text)
		if size := compactSize(rt, result); size > MaxResultBytes {
			rt.Fatalf("%d bytes", size)
		}
	})
}

// P-80: lines are cut from the end to the bound; a first line that is over it is an error; lines over 4 KiB are readable.
func TestReadByteBound(t *testing.T) {
	w := newWorld(t, map[string]string{
		"wide.md": strings.Repeat(strings.Repeat("w", 999)+"\n", 40), "long.md": strings.Repeat("l", 9000) + "\nshort\n",
		"over.md": strings.Repeat("o", 17000) + "\nshort\n", "escaped.md": strings.Repeat("\x01", 3000) + "\nshort\n",
	})
	p := w.admit()
	read := func(path string, start int) (*ReadResult, error) {
		return p.Read(t.Context(), ReadRequest{Path: path, SourceHash: w.hash(path), StartLine: start})
	}
	result, err := read("wide.md", 1)
	w.must(err)
	if size := compactSize(t, result); size > MaxResultBytes || size < MaxResultBytes-1001 || !result.Truncated || result.EndLine != 16 {
		t.Errorf("lines %d to %d, %d bytes, truncated %v", result.StartLine, result.EndLine, size, result.Truncated)
	}
	if result, err = read("long.md", 1); err != nil || len(result.Text) != 9006 {
		t.Errorf("%v", err)
	}
	for _, path := range []string{"over.md", "escaped.md"} {
		_, err = read(path, 1)
		wantCode(t, err, LineTooLarge)
		if result, err = read(path, 2); err != nil || result.Text != "short" {
			t.Errorf("%v", err)
		}
	}
	// The command line has no byte bound.
	p = w.admit(func(o *Options) { o.ResultBytes = 0 })
	if result, err = read("over.md", 1); err != nil || result.EndLine != 2 {
		t.Errorf("%v", err)
	}
}
