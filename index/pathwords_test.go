package index

import (
	"slices"
	"testing"

	"projectknowledge/tokenize"
)

// The words of a path are those that the words of a query are compared with.
func TestPathWords(t *testing.T) {
	tests := []struct {
		path          string
		whole         string
		name, folders []string
		kind          fileKind
	}{
		{"main.go", "main", []string{"main"}, nil, 0},
		{"src/HTTPServer_test.go", "httpserver_test", []string{"http", "server", "test"}, []string{"src"}, testFile},
		{"a-b/utf8/e89b.md", "e89b", []string{"89", "e89", "89b"}, []string{"a", "b", "utf"}, 0},
		{"pkg/running/.hidden", ".hidden", []string{"hidden"}, []string{"pkg", "run"}, 0},
		{"文档/项目知识.md", "项目知识", []string{"项目", "目知", "知识", "识"}, []string{"文档", "档"}, 0},
		{"legacy/tests/x.rs", "x", []string{"x"}, []string{"legaci", "test"}, testFile | legacyFile},
		{"Contest.java", "contest", []string{"contest"}, nil, 0},
		{"FooTest.java", "footest", []string{"foo", "test"}, nil, testFile},
		{"latest/spec.ts", "spec", []string{"spec"}, []string{"latest"}, 0},
	}
	var c pathCutter
	for _, tt := range tests {
		w := c.cut(tt.path)
		if w.whole != tt.whole || !slices.Equal(w.name, tt.name) || !slices.Equal(w.folders, tt.folders) || w.kind != tt.kind {
			t.Errorf("%s: %+v, want %+v", tt.path, *w, tt)
		}
		name, _ := SplitPath(tt.path)
		var tok tokenize.Tokenizer
		query := partTerms(tok.Query(name, MaxQueryTerms))
		for _, q := range query {
			if !slices.Contains(w.name, q) {
				t.Errorf("%s: the query %q asks for %q, the path has %q", tt.path, name, q, w.name)
			}
		}
	}
}
