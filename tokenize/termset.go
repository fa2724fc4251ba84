package tokenize

import "hash/maphash"

// termSet holds the distinct terms of one word in the order in which they were added.
type termSet struct {
	bytes []byte // all terms, one behind the other
	spans []termSpan
	slots []int32 // open addressing over spans, index + 1; used from manyTerms on
	seed  maphash.Seed
}

type termSpan struct {
	start, end int32
	form       termForm
}

// termForm is what a query wants to know of a term.
type termForm uint8

const (
	formWhole   termForm = 1 << iota // the undivided word
	formStop                         // an English stop word
	formVariant                      // asked for by queries alone
)

// manyTerms is the number of terms up to which comparing with each is faster than hashing.
const manyTerms = 16

func (s *termSet) reset() {
	s.bytes, s.spans = s.bytes[:0], s.spans[:0]
}

func (s *termSet) term(i int) []byte {
	span := s.spans[i]
	return s.bytes[span.start:span.end:span.end]
}

// add takes a copy of term, unless it is empty or there already; the forms of equal terms are joined, but for those
// that hold only when they hold for all.
func (s *termSet) add(term []byte, form termForm) {
	if len(term) == 0 {
		return
	}
	if i, ok := s.find(term); ok {
		const every = formStop | formVariant
		old := s.spans[i].form
		s.spans[i].form = (old|form)&^every | old&form&every
		return
	}
	start := int32(len(s.bytes))
	s.bytes = append(s.bytes, term...)
	s.spans = append(s.spans, termSpan{start, int32(len(s.bytes)), form})
	if len(s.spans) >= manyTerms {
		s.index()
	}
}

// find returns the place of an equal term.
func (s *termSet) find(term []byte) (int, bool) {
	if len(s.spans) >= manyTerms {
		slot := s.slot(term)
		return int(s.slots[slot]) - 1, s.slots[slot] != 0
	}
	for i := range s.spans {
		if string(s.term(i)) == string(term) {
			return i, true
		}
	}
	return 0, false
}

// index enters the last term into the slots, and all terms when the slots begin to be used or grow.
func (s *termSet) index() {
	n := len(s.spans)
	if n > manyTerms && 2*n <= len(s.slots) {
		s.slots[s.slot(s.term(n-1))] = int32(n)
		return
	}
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	size := 4 * manyTerms
	for size < 4*n {
		size *= 2
	}
	if cap(s.slots) < size {
		s.slots = make([]int32, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
	for i := range s.spans {
		s.slots[s.slot(s.term(i))] = int32(i + 1)
	}
}

// slot returns the slot that holds term, or the free one where it belongs.
func (s *termSet) slot(term []byte) int {
	mask := len(s.slots) - 1
	i := int(maphash.Bytes(s.seed, term)) & mask
	for s.slots[i] != 0 && string(s.term(int(s.slots[i])-1)) != string(term) {
		i = (i + 1) & mask
	}
	return i
}
