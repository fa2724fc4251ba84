package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// termTable numbers distinct terms from 0 in order of first appearance and
// keeps their bytes in one arena.
type termTable struct {
	slots  []termSlot // open-addressed, linear probing; id+1, 0 is free
	arena  []byte
	starts []uint32 // start of term i in arena; one more entry than terms
	seed   maphash.Seed
}

type termSlot struct{ hash, id uint32 }

// newTermTable gives an empty table with room for so many terms.
func newTermTable(terms int) *termTable {
	return &termTable{
		slots: make([]termSlot, tableSize(terms)), starts: make([]uint32, 1, terms+1),
		arena: make([]byte, 0, terms*termBytes), seed: maphash.MakeSeed(),
	}
}

// termBytes is about the length of a term.
const termBytes = 10

func (t *termTable) len() int { return len(t.starts) - 1 }

func (t *termTable) term(id uint32) []byte { return t.arena[t.starts[id]:t.starts[id+1]] }

// number gives the number of term and takes it in when it is new.
func (t *termTable) number(term []byte) uint32 {
	h := maphash.Bytes(t.seed, term)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s.id == 0 {
			return t.add(i, uint32(h>>32), term)
		}
		if s.hash == uint32(h>>32) && bytes.Equal(t.term(s.id-1), term) {
			return s.id - 1
		}
	}
}

func (t *termTable) add(slot uint64, hash uint32, term []byte) uint32 {
	id := uint32(t.len())
	t.arena = append(t.arena, term...)
	t.starts = append(t.starts, uint32(len(t.arena)))
	t.slots[slot] = termSlot{hash, id + 1}
	if t.len()*4 > len(t.slots)*3 {
		t.grow()
	}
	return id
}

func (t *termTable) grow() {
	t.slots = make([]termSlot, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for id := range uint32(t.len()) {
		h := maphash.Bytes(t.seed, t.term(id))
		i := h & mask
		for t.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = termSlot{uint32(h >> 32), id + 1}
	}
}

// sorted gives the numbers of all terms in ascending byte order of the terms.
func (t *termTable) sorted() []uint32 {
	type key struct {
		prefix uint64 // first eight bytes, big-endian: most comparisons end here
		id     uint32
	}
	keys := make([]key, t.len())
	for id := range keys {
		keys[id] = key{prefixOf(t.term(uint32(id))), uint32(id)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.prefix, b.prefix); c != 0 {
			return c
		}
		return bytes.Compare(t.term(a.id), t.term(b.id))
	})
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.id
	}
	return order
}

func prefixOf(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}
