//go:build linux

package provider

import (
	"slices"
	"testing"
)

// A search with path_glob or languages finds what is there under them, and nothing else (M-61).
func TestSearchFilters(t *testing.T) {
	w := newWorld(t, map[string]string{"src/a.go": "package a // quokka\n", "docs/a.md": "quokka habitat\n"})
	p := w.admit()
	w.indexed(p, Rebuild)
	for _, c := range []struct {
		req  SearchRequest
		want []string
	}{
		{SearchRequest{PathGlob: "docs/**"}, []string{"docs/a.md"}},
		{SearchRequest{Languages: []string{"go"}}, []string{"src/a.go"}},
		{SearchRequest{PathGlob: "src/*", Languages: []string{"md"}}, nil},
	} {
		c.req.Query = "quokka"
		found, err := p.Search(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, hit := range found.Hits {
			paths = append(paths, hit.Path)
		}
		if !slices.Equal(paths, c.want) {
			t.Errorf("%q %q: %q, want %q", c.req.PathGlob, c.req.Languages, paths, c.want)
		}
	}
	_, err := p.Search(t.Context(), SearchRequest{Query: "quokka", PathGlob: "src/["})
	wantCode(t, err, InvalidArguments)
}
