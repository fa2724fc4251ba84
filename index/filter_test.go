package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A filtered query finds what is there, however many better hits lie outside.
func TestFilters(t *testing.T) {
	src := memory{"deep/down/rare.py": "needle\n", "web/go.mod": "module needle\n", "Makefile": "needle:\n", "needle/x.go": "package x\n"}
	for i := range 900 {
		src[fmt.Sprintf("many/f%03d.go", i)] = "needle needle needle\nfunc needle() {}\n"
	}
	ix := build(t, src, Options{})
	tests := []struct {
		q    Query
		want []string
	}{
		{Query{PathGlob: "deep/**"}, []string{"deep/down/rare.py"}},
		{Query{PathGlob: "**/*.py"}, []string{"deep/down/rare.py"}},
		{Query{PathGlob: "*.py"}, nil},
		{Query{PathGlob: "many/f00{0,1}.go"}, []string{"many/f000.go", "many/f001.go"}},
		{Query{Languages: []string{"py"}}, []string{"deep/down/rare.py"}},
		{Query{Languages: []string{"makefile", "go.mod"}}, []string{"Makefile", "web/go.mod"}},
		{Query{Languages: []string{"go"}, PathGlob: "needle/*"}, []string{"needle/x.go"}}, // by its path alone
		{Query{Languages: []string{"py"}, PathGlob: "many/*"}, nil},
		{Query{Languages: []string{"mod"}}, []string{"web/go.mod"}},
	}
	for _, tt := range tests {
		tt.q.Text = "needle"
		got := paths(find(t, ix, tt.q))
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q %v: %v, want %v", tt.q.PathGlob, tt.q.Languages, got, tt.want)
		}
		tt.q.Profile = FTS5
		for _, h := range find(t, ix, tt.q) {
			if !slices.Contains(tt.want, h.Path) {
				t.Errorf("fts5, %q %v: %s", tt.q.PathGlob, tt.q.Languages, h.Path)
			}
		}
	}
	if _, err := ix.Search(context.Background(), Query{Text: "needle", Limit: 1, PathGlob: "a["}); !errors.Is(err, ErrGlob) {
		t.Errorf("err = %v", err)
	}
	if got := find(t, ix, Query{Text: "needle"}); len(got) != 20 {
		t.Errorf("after filtered queries: %d hits", len(got))
	}
}
