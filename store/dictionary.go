package store

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// Term says in how many chunks and source paths a term occurs, and leads to its lists.
type Term struct {
	Chunks  uint32 // length of the posting list
	Sources uint32 // length of the path list

	segment      uint32
	list         uint32 // start of the lists in the postings segment
	size, pathSz uint32 // bytes of the posting list and of the path list behind it
}

// termSegment is one stretch of the dictionary, its header read.
type termSegment struct {
	*segment
	lists  *segment
	count  int    // blocks
	terms  uint32 // terms in them
	names  uint64 // start of the first terms in data
	blocks uint64 // start of the blocks in data
}

// termSegment reads the header of segment k.
func (s *Snapshot) termSegment(k int) (g termSegment) {
	g.segment, g.lists = &s.terms[k], &s.lists[k]
	if len(g.data) < termsHeader {
		damaged("a term segment is cut")
	}
	s.verify(g.off, termsHeader)
	le := binary.LittleEndian
	count, terms := uint64(le.Uint32(g.data)), le.Uint32(g.data[4:])
	names, blocks := uint64(le.Uint32(g.data[8:])), uint64(le.Uint32(g.data[12:]))
	g.names = termsHeader + (count+1)*blockRecord
	g.blocks = g.names + names
	if count == 0 || uint64(terms) < count || uint64(terms) > count*termsPerBlock || g.blocks+blocks != uint64(len(g.data)) {
		damaged("a term segment whose parts contradict each other")
	}
	g.count, g.terms = int(count), terms
	return g
}

// blockEntry is one record of a segment's block index.
type blockEntry struct {
	prefix            uint64
	block, list, name uint32
}

// entry reads record i; record count closes the last block.
func (g *termSegment) entry(s *Snapshot, i int) blockEntry {
	at := termsHeader + uint64(i)*blockRecord
	s.verify(g.off+at, blockRecord)
	b := g.data[at : at+blockRecord]
	le := binary.LittleEndian
	return blockEntry{le.Uint64(b), le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])}
}

// firstTerm gives the first term of block i.
func (g *termSegment) firstTerm(s *Snapshot, i int) []byte {
	start, end := uint64(g.entry(s, i).name), uint64(g.entry(s, i+1).name)
	if start >= end || end > g.blocks-g.names || end-start > MaxTerm {
		damaged("a block without a first term")
	}
	s.verify(g.off+g.names+start, end-start)
	return g.data[g.names+start : g.names+end]
}

// block gives the bytes of block i and the stretch of the lists that it leads to.
func (g *termSegment) block(s *Snapshot, i int) (b []byte, listStart, listEnd uint32) {
	e, after := g.entry(s, i), g.entry(s, i+1)
	size := uint64(len(g.data)) - g.blocks
	if e.block >= after.block || uint64(after.block) > size || e.list > after.list || uint64(after.list) > uint64(len(g.lists.data)) {
		damaged("a block lies outside its segment")
	}
	s.verify(g.off+g.blocks+uint64(e.block), uint64(after.block-e.block))
	return g.data[g.blocks+uint64(e.block) : g.blocks+uint64(after.block)], e.list, after.list
}

// compareFirst compares the first term of block i with term, whose prefix is given.
func (g *termSegment) compareFirst(s *Snapshot, i int, term []byte, prefix uint64) int {
	switch p := g.entry(s, i).prefix; {
	case p < prefix:
		return -1
	case p > prefix:
		return 1
	}
	return bytes.Compare(g.firstTerm(s, i), term)
}

// locate gives the last block whose first term is not above term; ok is false when there is none.
func (s *Snapshot) locate(term []byte) (g termSegment, segment, block int, ok bool) {
	prefix := termPrefix(term)
	k := sort.Search(len(s.terms), func(k int) bool {
		g := s.termSegment(k)
		return g.compareFirst(s, 0, term, prefix) > 0
	})
	if k == 0 {
		return g, 0, 0, false
	}
	g = s.termSegment(k - 1)
	lo, hi := 0, g.count
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) / 2); g.compareFirst(s, mid, term, prefix) > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return g, k - 1, lo, true
}

// SampleTerm gives the first term of the block that stands at i/n of the dictionary, 0 ≤ i < n, valid inside
// the View, or nil when there is no term. Neighbouring samples bound stretches of about equal length.
func (r *Reader) SampleTerm(i, n int) []byte {
	blocks := 0
	for k := range r.s.terms {
		blocks += r.s.termSegment(k).count
	}
	if blocks == 0 {
		return nil
	}
	at := int(int64(blocks) * int64(i) / int64(n))
	for k := range r.s.terms {
		g := r.s.termSegment(k)
		if at < g.count {
			return g.firstTerm(r.s, at)
		}
		at -= g.count
	}
	return nil
}

// Term looks a term up: some ten comparisons in the index of blocks, then at most one block.
func (r *Reader) Term(term []byte) (Term, bool) {
	s := r.s
	g, k, i, ok := s.locate(term)
	if !ok {
		return Term{}, false
	}
	b, list, listEnd := g.block(s, i)
	first := g.firstTerm(s, i)
	matched := commonPrefix(first, term)
	found := matched == len(term) && matched == len(first)
	for p := 0; ; {
		var t Term
		t, p = termValue(b, p, list, listEnd)
		if found {
			t.segment = uint32(k)
			return t, true
		}
		list = t.list + t.size + t.pathSz
		if p == len(b) {
			return Term{}, false
		}
		var shared, rest int
		shared, rest, p = sharedLengths(b, p)
		suffix := b[p : p+rest]
		p += rest
		if shared < matched {
			return Term{}, false
		}
		if shared > matched {
			continue
		}
		n := commonPrefix(suffix, term[matched:])
		matched += n
		switch {
		case matched == len(term):
			if n != rest {
				return Term{}, false
			}
			found = true
		case n < rest && suffix[n] > term[matched]:
			return Term{}, false
		}
	}
}

// commonPrefix gives the number of leading bytes that a and b share.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// sharedLengths reads the lengths in front of a term that is not the first of its block.
func sharedLengths(b []byte, p int) (shared, rest, next int) {
	if p >= len(b) {
		damaged("a block is cut")
	}
	shared, rest = int(b[p]>>4), int(b[p]&15)+1
	p++
	var more uint64
	if shared == 15 {
		more, p = number(b, p)
		shared += int(more)
	}
	if rest == 16 {
		more, p = number(b, p)
		rest += int(more)
	}
	if shared+rest > MaxTerm || rest > len(b)-p {
		damaged("a block is cut")
	}
	return shared, rest, p
}

// termValue reads what stands behind a term whose lists begin at list.
func termValue(b []byte, p int, list, listEnd uint32) (Term, int) {
	var head, size, sources, pathSz uint64
	head, p = number(b, p)
	if head>>1 > 0 {
		size, p = number(b, p)
	}
	if head&1 != 0 {
		sources, p = number(b, p)
		pathSz, p = number(b, p)
	}
	if head == 0 || head&1 != 0 && sources == 0 || head>>1 > maxTable || sources > maxTable || size+pathSz > uint64(listEnd-list) {
		damaged("a term leads outside its lists")
	}
	return Term{
		Chunks: uint32(head >> 1), Sources: uint32(sources),
		list: list, size: uint32(size), pathSz: uint32(pathSz),
	}, p
}

// Postings gives the iterator over a term's posting list.
func (r *Reader) Postings(t Term) PostingIter {
	return newPostingIter(r.listBytes(t.segment, t.list, t.size), t.Chunks, r.s.count.Chunks)
}

// PathPostings appends a term's path list to dst.
func (r *Reader) PathPostings(t Term, dst []PathPosting) []PathPosting {
	return decodePathPostings(r.listBytes(t.segment, t.list+t.size, t.pathSz), t.Sources, r.s.count.Sources, dst)
}

func (r *Reader) listBytes(k, start, size uint32) []byte {
	if size == 0 {
		return nil
	}
	if uint64(k) >= uint64(len(r.s.lists)) || uint64(start)+uint64(size) > uint64(len(r.s.lists[k].data)) {
		damaged("a list lies outside its segment")
	}
	g := &r.s.lists[k]
	r.s.verify(g.off+uint64(start), uint64(size))
	return g.data[start : start+size : start+size]
}
