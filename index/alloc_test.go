package index

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"projectknowledge/store"
)

// Nothing is allocated per token once its word is known, nor per posting.
func TestNoAllocationPerToken(t *testing.T) {
	text := []byte(strings.Repeat("func parseHTTPRequest(r *Request) error { return 项目知识 }\n", 400))
	inv := newInverter(0)
	words := func() {
		inv.addText(text)
		for _, id := range inv.touched {
			inv.cells[id] = 0
		}
		inv.touched, inv.length = inv.touched[:0], 0
	}
	words()
	if n := testing.AllocsPerRun(20, words); n > 0 {
		t.Errorf("%v allocations for %d bytes of known words", n, len(text))
	}
}

func TestNoAllocationPerPosting(t *testing.T) {
	src := memory{}
	for i := range 400 {
		src[fmt.Sprintf("f%03d.md", i)] = strings.Repeat("alpha beta gamma\n\n", 40)
	}
	ix := build(t, src, Options{})
	q := Query{Text: "alpha", Profile: FTS5, Limit: 5}
	err := ix.view(func(g *sharedSnapshot, r *store.Reader) error {
		acc := ix.accumulator(r.Chunks(), r.Sources())
		s := newSearch(q, cutQuery(q), r)
		s.acc = acc
		run := func() {
			for _, c := range acc.touched {
				acc.scores[c] = 0
			}
			acc.touched = acc.touched[:0]
			if err := acc.addText(context.Background(), r, &s.terms[0], &s.scoring, s.average); err != nil {
				t.Error(err)
			}
		}
		run()
		if len(acc.touched) < 800 {
			t.Errorf("only %d postings", len(acc.touched))
		}
		if n := testing.AllocsPerRun(20, run); n > 0 {
			t.Errorf("%v allocations for %d postings", n, len(acc.touched))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	warm := func() { find(t, ix, Query{Text: "alpha beta gamma f001", Limit: 20}) }
	warm()
	if n := testing.AllocsPerRun(20, warm); n > 200 {
		t.Errorf("a warm query makes %v allocations", n)
	} else {
		t.Logf("a warm query of four terms makes %v allocations", n)
	}
}
