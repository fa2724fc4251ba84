package index

import (
	"math"
)

// fileHeap holds the files that still have candidates, the one with the best
// next candidate first. A candidate is weighed as a further chunk only when the
// one before it was given, so that the order within most files is never worked
// out.
type fileHeap struct {
	a     *accumulator
	files []int32
}

func (h *fileHeap) better(i, j int32) bool {
	a, b := &h.a.cands[h.a.files[i].head], &h.a.cands[h.a.files[j].head]
	return a.score > b.score || a.score == b.score && a.chunk < b.chunk
}

func (h *fileHeap) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(h.files) {
			return
		}
		if c+1 < len(h.files) && h.better(h.files[c+1], h.files[c]) {
			c++
		}
		if !h.better(h.files[c], h.files[i]) {
			return
		}
		h.files[i], h.files[c] = h.files[c], h.files[i]
		i = c
	}
}

// spread gives the best candidates in order, each further chunk of a file for a
// part of what it would count alone.
func (s *search) spread() {
	a := s.acc
	h := fileHeap{a: a, files: a.heap[:0]}
	for i := range a.files {
		s.lead(&a.files[i])
		h.files = append(h.files, int32(i))
	}
	a.heap = h.files
	for i := len(h.files)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	for len(h.files) > 0 && len(s.ranked) < s.q.Limit {
		f := &a.files[h.files[0]]
		s.ranked = append(s.ranked, a.cands[f.head])
		f.head = a.cands[f.head].next
		f.given++
		if f.head < 0 {
			last := len(h.files) - 1
			h.files[0] = h.files[last]
			h.files = h.files[:last]
		} else {
			s.lead(f)
		}
		h.down(0)
	}
}

// lead moves the best remaining candidate of a file to its head and weighs it
// for the place that it has within the file.
func (s *search) lead(f *candidateFile) {
	cands := s.acc.cands
	before, best := int32(-1), f.head
	for last, i := f.head, cands[f.head].next; i >= 0; last, i = i, cands[i].next {
		if c, b := &cands[i], &cands[best]; c.score > b.score || c.score == b.score && c.chunk < b.chunk {
			before, best = last, i
		}
	}
	c := &cands[best]
	if before >= 0 {
		cands[before].next, c.next = c.next, f.head
		f.head = best
	}
	if f.given == 0 {
		c.first = true
		c.score += f.coherence * f.kind
	} else {
		c.further = math.Pow(s.w.further, float64(min(f.given, maxHalvings)))
		c.score *= c.further
	}
}
