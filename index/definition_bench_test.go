package index

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// BenchmarkDefinitions judges every line of the Go standard library.
func BenchmarkDefinitions(b *testing.B) {
	var texts [][]byte
	size := int64(0)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	library := os.DirFS(strings.TrimSpace(string(root)))
	err = fs.WalkDir(library, "src", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := fs.ReadFile(library, path)
		texts = append(texts, text)
		size += int64(len(text))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	d := DefinitionsFor("x.go")
	b.SetBytes(size)
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		found = 0
		count := func([]byte) { found++ }
		for _, text := range texts {
			for len(text) > 0 {
				line, rest, _ := bytes.Cut(text, []byte{'\n'})
				d.Line(line, count)
				text = rest
			}
		}
	}
	b.ReportMetric(float64(found), "names")
}

// BenchmarkDefinitionsHostile judges lines of 4,096 bytes made to keep the
// matcher busy, in every language.
func BenchmarkDefinitionsHostile(b *testing.B) {
	var all []Definitions
	for extension := range formatExtensions {
		all = append(all, DefinitionsFor("x."+extension))
	}
	for _, c := range []struct{ name, unit string }{
		{"words", "a "}, {"open", "f("}, {"closed", "f()"}, {"modifiers", "static public const "}, {"colons", "a::"}, {"metadata", "(def ^{} "}, {"angles", "<a,"}, {"quotes", "\"a\" "}, {"create", "create table "}, {"arrows", "a=>b="},
	} {
		line := []byte(strings.Repeat(c.unit, 4096/len(c.unit)))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(line) * len(all)))
			for b.Loop() {
				for _, d := range all {
					d.Line(line, func([]byte) {})
				}
			}
		})
	}
}
