package index

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// wordTable maps the raw bytes of a word to the numbers of its terms, so that
// a word is folded, split and stemmed once and not at every occurrence. It is
// open-addressed with linear probing; a word of at most 16 bytes lies in the
// entry itself and is compared as two integers.
//
// The hash is seeded for each table, so that no document can be written to
// make it slow.
type wordTable struct {
	entries []wordEntry
	used    int
	seed    [2]uint64
	long    maphash.Seed
	arena   []byte   // bytes of words longer than 16 bytes
	terms   []uint32 // term numbers of all words, each word's together
}

// wordEntry is free when size is 0. For a short word lo and hi are its bytes,
// zero-padded, which is unambiguous since no word holds a NUL. For a long one
// lo is its hash and hi its offset in the arena.
type wordEntry struct {
	lo, hi uint64
	first  uint32 // offset in terms
	count  uint16
	size   uint16 // bytes of the word
}

const (
	shortWord       = 16
	firstTable      = 1 << 12
	maxWordBytes    = 1<<16 - 1
	maxWordsKept    = 1 << 21 // past that the table starts anew: a bound on hostile text
	maxTermsPerWord = 1<<16 - 1
)

// newWordTable gives an empty table with room for so many words.
func newWordTable(words int) *wordTable {
	t := &wordTable{long: maphash.MakeSeed()}
	t.seed[0] = maphash.Bytes(t.long, []byte("a")) | 1
	t.seed[1] = maphash.Bytes(t.long, []byte("b")) | 1
	t.clear(words)
	return t
}

func (t *wordTable) clear(words int) {
	t.entries = make([]wordEntry, tableSize(words))
	t.used = 0
	t.arena = t.arena[:0]
	t.terms = t.terms[:0]
}

// tableSize gives the size of a hash table, a power of two, with room for so
// many entries at a load of three quarters.
func tableSize(entries int) int {
	size := firstTable
	for size*3 < entries*4 {
		size *= 2
	}
	return size
}

// key gives the two integers that stand for word in an entry.
func (t *wordTable) key(word []byte) (lo, hi uint64) {
	n := len(word)
	if n > shortWord {
		return maphash.Bytes(t.long, word), 0
	}
	var pad [shortWord]byte
	b := pad[:]
	if cap(word) >= shortWord {
		b = word[:shortWord]
	} else {
		copy(b, word)
	}
	lo, hi = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if n <= 8 {
		return lo & (1<<(8*uint(n)) - 1), 0 // a shift by 64 gives 0 in Go, so n = 8 keeps all bits
	}
	return lo, hi & (1<<(8*uint(n-8)) - 1)
}

func (t *wordTable) slot(lo, hi uint64) uint64 {
	h, l := bits.Mul64(lo^t.seed[0], hi^t.seed[1])
	h2, l2 := bits.Mul64(h^l^t.seed[0], t.seed[1])
	return (h2 ^ l2) & uint64(len(t.entries)-1)
}

// find gives the entry of word, or the free entry where it belongs.
func (t *wordTable) find(word []byte) (*wordEntry, uint64, uint64) {
	lo, hi := t.key(word)
	size := uint16(len(word))
	for i := t.slot(lo, hi); ; i = (i + 1) & uint64(len(t.entries)-1) {
		e := &t.entries[i]
		if e.size == 0 {
			return e, lo, hi
		}
		if e.lo != lo || e.size != size {
			continue
		}
		if size <= shortWord {
			if e.hi == hi {
				return e, lo, hi
			}
		} else if bytes.Equal(t.arena[e.hi:e.hi+uint64(size)], word) {
			return e, lo, hi
		}
	}
}

// of gives the term numbers of an entry.
func (t *wordTable) of(e *wordEntry) []uint32 {
	return t.terms[e.first : e.first+uint32(e.count)]
}

// add fills the free entry e with word, whose terms are those appended to
// t.terms since first. The entry is invalid afterwards: the table may grow.
func (t *wordTable) add(e *wordEntry, lo, hi uint64, word []byte, first int) {
	*e = wordEntry{lo: lo, hi: hi, first: uint32(first), count: uint16(len(t.terms) - first), size: uint16(len(word))}
	if len(word) > shortWord {
		e.hi = uint64(len(t.arena))
		t.arena = append(t.arena, word...)
	}
	t.used++
	if t.used*4 > len(t.entries)*3 {
		t.grow()
	}
}

func (t *wordTable) grow() {
	old := t.entries
	t.entries = make([]wordEntry, 2*len(old))
	for i := range old {
		e := &old[i]
		if e.size == 0 {
			continue
		}
		hi := e.hi
		if e.size > shortWord {
			hi = 0
		}
		j := t.slot(e.lo, hi)
		for t.entries[j].size != 0 {
			j = (j + 1) & uint64(len(t.entries)-1)
		}
		t.entries[j] = *e
	}
}

// full tells that the table should start anew before the next document.
func (t *wordTable) full() bool { return t.used > maxWordsKept }
