package index

import "testing"

// What ranking knows of a path without looking at it.
func TestFlags(t *testing.T) {
	tests := []struct {
		path  string
		words uint32
		kind  uint32
	}{
		{"main.go", 1, 0},
		{"src/HTTPServer_test.go", 3, flagTestFile},
		{"a/utf8/e89b.md", 3, 0}, // 89, e89, 89b: parts of one letter say nothing
		{"pkg/running.go", 1, 0},
		{"文档/项目知识.md", 3, 0},
		{"foo_foo_bar.c", 2, 0},
		{"old/tests/x.rs", 1, flagTestFile},
		{"Contest.java", 1, 0},
		{"latest/protest.ts", 1, 0},
		{"FooTest.java", 2, flagTestFile},
		{"test_foo.py", 2, flagTestFile},
		{"user.spec.ts", 2, flagTestFile},
		{"---.md", 0, 0},
		{"Makefile", 1, 0},
	}
	var f flagger
	for _, tt := range tests {
		if got := f.flags(tt.path); got != tt.words|tt.kind {
			t.Errorf("%s: %#x, want %d words and kind %#x", tt.path, got, tt.words, tt.kind)
		}
	}
}
