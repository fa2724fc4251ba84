package index

import (
	"cmp"
	"slices"
	"strings"
)

// identifier tells how much a definition of the term counts: more when the
// query is that one word, less when it stands among others and looks like an
// identifier, nothing otherwise.
func (s *search) identifier(t *queryTerm) float64 {
	switch {
	case !t.Whole:
		return 0
	case s.oneWord():
		return s.w.definition
	case s.parts(t.Word) > 1:
		return s.w.inSentence
	}
	return 0
}

func (s *search) oneWord() bool {
	for i := range s.terms {
		if s.terms[i].Word != s.terms[0].Word {
			return false
		}
	}
	return true
}

// parts gives the number of terms of a word of the query.
func (s *search) parts(word int) int {
	n := 0
	for i := range s.terms {
		if s.terms[i].Word == word {
			n++
		}
	}
	return n
}

// queryWords gives the terms of the query that are no undivided form of a word
// with parts.
func (s *search) queryWords() []string {
	var out []string
	for i := range s.terms {
		t := &s.terms[i]
		if !t.Whole || s.parts(t.Word) == 1 {
			out = append(out, string(t.Term))
		}
	}
	return out
}

// definitions are the chunks that define identifiers of the query, in order.
type definitions []definition

type definition struct {
	chunk  uint32
	weight float64
	term   int // in search.terms
}

// definitions collects the chunks whose defined names hold an identifier of
// the query.
func (s *search) definitions() definitions {
	var d definitions
	for i := range s.terms {
		t := &s.terms[i]
		w := s.identifier(t)
		if w == 0 {
			continue
		}
		for _, l := range t.lists {
			it := s.r.Postings(l)
			for n := it.Next(s.acc.block[:]); n > 0; n = it.Next(s.acc.block[:]) {
				for _, p := range s.acc.block[:n] {
					if p.Names > 0 {
						d = append(d, definition{p.Chunk, w, i})
					}
				}
			}
		}
	}
	slices.SortFunc(d, func(a, b definition) int { return cmp.Compare(a.chunk, b.chunk) })
	return d
}

func (d definitions) chunks() []uint32 {
	var out []uint32
	for i := range d {
		if i == 0 || d[i].chunk != d[i-1].chunk {
			out = append(out, d[i].chunk)
		}
	}
	return out
}

// definitionWeight is the signal of a candidate that defines an identifier.
func (s *search) definitionWeight(c *candidate) float64 {
	if len(s.defs) == 0 {
		return 0
	}
	i, _ := slices.BinarySearchFunc(s.defs, c.chunk, func(d definition, chunk uint32) int { return cmp.Compare(d.chunk, chunk) })
	w := 0.0
	for ; i < len(s.defs) && s.defs[i].chunk == c.chunk; i++ {
		v := s.defs[i].weight
		if string(s.terms[s.defs[i].term].Term) == s.acc.files[c.file].words.whole {
			v *= s.w.namesake
		}
		w = max(w, v)
	}
	return w * s.top
}

// kindFactor lets tests and superseded code count for less, unless the query
// asks for them.
func (s *search) kindFactor(kind fileKind) float64 {
	f := 1.0
	if kind&testFile != 0 && !s.asks("test", "spec", "fixtur", "mock") {
		f *= s.w.test
	}
	if kind&legacyFile != 0 && !s.asks("compat", "legaci", "deprec") {
		f *= s.w.legacy
	}
	return f
}

// asks tells whether a term of the query begins with one of the words.
func (s *search) asks(words ...string) bool {
	for i := range s.terms {
		for _, w := range words {
			if strings.HasPrefix(string(s.terms[i].Term), w) {
				return true
			}
		}
	}
	return false
}
