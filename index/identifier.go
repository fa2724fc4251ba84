package index

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"projectknowledge/tokenize"
)

// definitions are chunks that define what the query asks for, in order.
type definitions []definition

type definition struct {
	chunk  uint32
	weight float64
}

// definitions collects the chunks that define what the query asks for, when it
// is one identifier, and sets the name that it asks for.
func (s *search) definitions() definitions {
	names := queryNames(s.q.Text)
	if len(names) != 1 {
		return nil
	}
	term, spelling := definitionTerm(new([]byte), names[0])
	if term == nil {
		return nil
	}
	found, ok := s.r.Term(term)
	if !ok {
		return nil
	}
	s.name = string(term[1:])
	d := make(definitions, 0, found.Chunks)
	it := s.r.Postings(found)
	for n := it.Next(s.acc.block[:]); n > 0; n = it.Next(s.acc.block[:]) {
		for _, p := range s.acc.block[:n] {
			w := s.w.definition
			if p.Names != spelling {
				w *= s.w.otherCase
			}
			d = append(d, definition{p.Chunk, w})
		}
	}
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

func (d definitions) chunks() []uint32 {
	out := make([]uint32, len(d))
	for i := range d {
		out[i] = d[i].chunk
	}
	return out
}

// definitionWeight is the signal of a candidate that defines what the query asks
// for.
func (s *search) definitionWeight(c *candidate) float64 {
	if len(s.defs) == 0 {
		return 0
	}
	i, ok := slices.BinarySearchFunc(s.defs, c.chunk, func(d definition, chunk uint32) int { return cmp.Compare(d.chunk, chunk) })
	if !ok {
		return 0
	}
	w := s.defs[i].weight
	name, _ := SplitPath(string(s.r.SourcePath(s.acc.files[c.file].source)))
	if s.name == strings.ToLower(name) {
		w *= s.w.namesake
	}
	return w * s.top
}

// kindFactor lets test files count for less, unless the query asks for tests.
func (s *search) kindFactor(flags uint32) float64 {
	if flags&flagTestFile != 0 && !s.asks("test", "spec", "fixtur", "mock") {
		return s.w.test
	}
	return 1
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
