package store

import (
	"bytes"
	"fmt"
	"slices"
)

// TermRun encodes a stretch of the dictionary. Several runs may be filled by different goroutines and then
// appended to one Writer in term order; where the stretches are cut has no influence on the file. The zero
// value is empty and ready.
type TermRun struct {
	names []byte // terms, one after the other
	lists []byte // of each term its posting list and its path list
	terms []runTerm
	texts uint64 // sum of all text counts
	last  uint64 // one above the highest chunk
	path  uint64 // one above the highest source
	err   error
}

// runTerm is one term of a run; its bytes end where the next one's begin.
type runTerm struct {
	name, list  uint64 // start in names and in lists
	chunks      uint32 // length of the posting list
	sources     uint32 // length of the path list
	pathListLen uint32 // bytes of the path list, at the end
}

// Add appends a term with its postings, each list ascending and one of them not empty. Terms ascend by
// bytes. Everything is copied. The first call that breaks a rule makes AddTerms fail.
func (r *TermRun) Add(term []byte, text []Posting, path []PathPosting) {
	if r.err != nil {
		return
	}
	if len(term) == 0 || len(term) > MaxTerm || len(text) == 0 && len(path) == 0 {
		r.err = fmt.Errorf("term %q with %d and %d postings", term, len(text), len(path))
		return
	}
	if n := len(r.terms); n > 0 && bytes.Compare(r.names[r.terms[n-1].name:], term) >= 0 {
		r.err = fmt.Errorf("term %q does not follow %q", term, r.names[r.terms[n-1].name:])
		return
	}
	t := runTerm{name: uint64(len(r.names)), list: uint64(len(r.lists)), chunks: uint32(len(text)), sources: uint32(len(path))}
	lists, err := appendPostings(r.lists, text)
	if err == nil {
		before := len(lists)
		if lists, err = appendPathPostings(lists, path); err == nil {
			t.pathListLen = uint32(len(lists) - before)
		}
	}
	if err != nil {
		r.err = fmt.Errorf("term %q: %w", term, err)
		return
	}
	r.lists = lists
	r.names = append(r.names, term...)
	r.terms = append(r.terms, t)
	for i := range text {
		r.texts += uint64(text[i].Text)
	}
	if n := len(text); n > 0 {
		r.last = max(r.last, uint64(text[n-1].Chunk)+1)
	}
	if n := len(path); n > 0 {
		r.path = max(r.path, uint64(path[n-1].Source)+1)
	}
}

// Grow makes room for so many further terms with so many bytes of names and of encoded lists. A wrong guess costs
// memory or copying and nothing else.
func (r *TermRun) Grow(terms, names, lists int) {
	r.terms = slices.Grow(r.terms, terms)
	r.names = slices.Grow(r.names, names)
	r.lists = slices.Grow(r.lists, lists)
}

// Len gives the number of terms.
func (r *TermRun) Len() int { return len(r.terms) }

// Bytes gives the memory that the run's content takes, roughly.
func (r *TermRun) Bytes() int { return len(r.names) + len(r.lists) + 32*len(r.terms) }

// Reset empties the run and keeps its memory.
func (r *TermRun) Reset() {
	*r = TermRun{names: r.names[:0], lists: r.lists[:0], terms: r.terms[:0]}
}

// term gives the bytes and the encoded lists of term i.
func (r *TermRun) term(i int) (name, lists []byte, t *runTerm) {
	t = &r.terms[i]
	nameEnd, listEnd := uint64(len(r.names)), uint64(len(r.lists))
	if i+1 < len(r.terms) {
		nameEnd, listEnd = r.terms[i+1].name, r.terms[i+1].list
	}
	return r.names[t.name:nameEnd], r.lists[t.list:listEnd], t
}
