package index

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"projectknowledge/tokenize"
)

// queryWords gives the words of the query as the words of a path are compared
// with them.
func (s *search) queryWords() []string {
	terms := make([]tokenize.QueryTerm, len(s.terms))
	for i := range s.terms {
		terms[i] = s.terms[i].QueryTerm
	}
	return partTerms(terms)
}

// definitions are chunks that define what the query asks for, in order.
type definitions []definition

type definition struct {
	chunk  uint32
	weight float64
	name   string // in lower case
}

// definitions collects the chunks that define what the query asks for, when it
// is one identifier.
func (s *search) definitions() definitions {
	names := queryNames(s.q.Text)
	if len(names) != 1 {
		return nil
	}
	var buf []byte
	exact, folded := definitionTerms(&buf, names[0])
	name := string(bytes.ToLower(names[0]))
	d := s.definedAs(nil, exact, s.w.definition, name)
	d = s.definedAs(d, folded, s.w.definition*s.w.otherCase, name)
	slices.SortFunc(d, func(a, b definition) int {
		if a.chunk != b.chunk {
			return cmp.Compare(a.chunk, b.chunk)
		}
		return cmp.Compare(b.weight, a.weight)
	})
	return d
}

// queryNames gives the distinct words of a query as they are spelt.
func queryNames(query string) [][]byte {
	var scanner tokenize.Scanner
	scanner.Reset([]byte(query))
	var words [][]byte
	for w := scanner.Next(); w != nil && len(words) < MaxQueryTerms; w = scanner.Next() {
		if !slices.ContainsFunc(words, func(have []byte) bool { return bytes.Equal(have, w) }) {
			words = append(words, bytes.Clone(w))
		}
	}
	return words
}

// definedAs adds the chunks of a definition term.
func (s *search) definedAs(d definitions, term []byte, weight float64, name string) definitions {
	if term == nil {
		return d
	}
	found, ok := s.r.Term(term)
	if !ok {
		return d
	}
	it := s.r.Postings(found)
	for n := it.Next(s.acc.block[:]); n > 0; n = it.Next(s.acc.block[:]) {
		for _, p := range s.acc.block[:n] {
			d = append(d, definition{p.Chunk, weight, name})
		}
	}
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

// definitionWeight is the signal of a candidate that defines what the query asks
// for.
func (s *search) definitionWeight(c *candidate) float64 {
	if len(s.defs) == 0 {
		return 0
	}
	i, _ := slices.BinarySearchFunc(s.defs, c.chunk, func(d definition, chunk uint32) int { return cmp.Compare(d.chunk, chunk) })
	w := 0.0
	for ; i < len(s.defs) && s.defs[i].chunk == c.chunk; i++ {
		v := s.defs[i].weight
		if s.defs[i].name == s.acc.files[c.file].words.whole {
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
