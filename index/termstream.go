package index

import (
	"bytes"
	"slices"

	"projectknowledge/store"
)

// A termStream gives terms in ascending byte order, each with its postings in
// the numbering of the index that is being written. What it gives is valid
// until the next call of next.
type termStream interface {
	next() bool
	name() []byte
	text() []store.Posting
	path() []store.PathPosting
}

// runStream gives the terms of a postingRun that lie below a bound.
type runStream struct {
	run   *postingRun
	i     int
	until []byte // first term not to give; nil for none
}

func (r *postingRun) stream(from, until []byte) *runStream {
	return &runStream{run: r, i: r.find(from) - 1, until: until}
}

// find gives the place of the first term that is not below one.
func (r *postingRun) find(term []byte) int {
	i, _ := slices.BinarySearchFunc(r.order, term, func(id uint32, term []byte) int {
		return bytes.Compare(r.terms.term(id), term)
	})
	return i
}

// left tells how much is to come: terms, bytes of their names, postings.
func (s *runStream) left() (terms, names, postings int) {
	first, end := s.i+1, len(s.run.order)
	if s.until != nil {
		end = s.run.find(s.until)
	}
	if first >= end {
		return 0, 0, 0
	}
	average := len(s.run.terms.arena) / len(s.run.order)
	return end - first, (end - first) * (average + 1), int(s.run.start[end] - s.run.start[first])
}

func (s *runStream) next() bool {
	for s.i++; s.i < len(s.run.order); s.i++ {
		if s.until != nil && bytes.Compare(s.name(), s.until) >= 0 {
			return false
		}
		if s.run.start[s.i] < s.run.start[s.i+1] {
			return true // a term of withdrawn documents alone has no posting
		}
	}
	return false
}

func (s *runStream) name() []byte { return s.run.terms.term(s.run.order[s.i]) }
func (s *runStream) text() []store.Posting {
	return s.run.postings[s.run.start[s.i]:s.run.start[s.i+1]]
}
func (s *runStream) path() []store.PathPosting { return nil }

// dropped marks a chunk of the old index that the new one does not take over.
const dropped = ^uint32(0)

// oldStream gives the terms of a published index with the postings of the
// chunks that are taken over, renumbered.
type oldStream struct {
	r      *store.Reader
	cursor store.TermCursor
	until  []byte
	remap  []uint32 // new number of each old chunk, or dropped
	buf    []store.Posting
}

func newOldStream(r *store.Reader, remap []uint32, from, until []byte) *oldStream {
	return &oldStream{r: r, cursor: r.Seek(from), until: until, remap: remap}
}

func (s *oldStream) next() bool {
	for s.cursor.Next() {
		if s.until != nil && bytes.Compare(s.cursor.Name(), s.until) >= 0 {
			return false
		}
		if s.load(); len(s.buf) > 0 {
			return true
		}
	}
	return false
}

// load decodes the list under the cursor and keeps what is taken over.
func (s *oldStream) load() {
	t := s.cursor.Term()
	n := int(t.Chunks)
	s.buf = slices.Grow(s.buf[:0], n)[:n]
	it := s.r.Postings(t)
	got := 0
	for got < n {
		k := it.Next(s.buf[got:])
		if k == 0 {
			s.r.Damaged("a posting list is shorter than its document frequency")
		}
		got += k
	}
	kept := 0
	for _, p := range s.buf {
		if p.Chunk >= uint32(len(s.remap)) {
			s.r.Damaged("a posting names a chunk that does not exist")
		}
		if c := s.remap[p.Chunk]; c != dropped {
			p.Chunk = c
			s.buf[kept] = p
			kept++
		}
	}
	s.buf = s.buf[:kept]
}

func (s *oldStream) name() []byte              { return s.cursor.Name() }
func (s *oldStream) text() []store.Posting     { return s.buf }
func (s *oldStream) path() []store.PathPosting { return nil }
