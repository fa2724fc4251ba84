package index

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// wordTable maps the raw bytes of a word to the numbers of its terms, so that
// a word is folded, split and stemmed once and not at every occurrence.
//
// Most of the time of a build goes into this look-up, and most of that into
// waiting for memory, so the entries are small: words of at most eight bytes
// lie in 16-byte entries, compared as one integer; longer ones in 24-byte
// entries, as two integers up to 16 bytes and by their bytes above. A word with
// one term, which most are, has the number of the term in its entry. Both
// tables are open-addressed with linear probing.
//
// The hash is seeded for each table, so that no document can be written to
// make it slow.
type wordTable struct {
	short []shortWord
	long  []longWord
	used  int // entries of short
	usedL int // entries of long

	seed  [2]uint64
	hash  maphash.Seed
	arena []byte   // bytes of words longer than 16 bytes
	terms []uint32 // term numbers of words with more or fewer than one term
}

// termsRef leads to the term numbers of a word: the number itself when count
// is 1, else the place of the first in wordTable.terms.
type termsRef struct {
	first uint32
	count uint16
	size  uint16 // bytes of the word; 0 in a free entry
}

// shortWord is an entry for a word of at most eight bytes, zero-padded, which
// is unambiguous since no word holds a NUL.
type shortWord struct {
	key uint64
	termsRef
}

// longWord is an entry for a longer word: its bytes, zero-padded, or its hash
// and its offset in the arena.
type longWord struct {
	lo, hi uint64
	termsRef
}

const (
	shortBytes      = 8
	inlineBytes     = 16
	firstTable      = 1 << 12
	maxWordBytes    = 1<<16 - 1
	maxWordsKept    = 1 << 19 // past that the table starts anew: a bound on hostile text
	maxTermsPerWord = 1<<16 - 1
)

// newWordTable gives an empty table with room for so many words.
func newWordTable(words int) *wordTable {
	t := &wordTable{hash: maphash.MakeSeed()}
	t.seed[0] = maphash.Bytes(t.hash, []byte("a")) | 1
	t.seed[1] = maphash.Bytes(t.hash, []byte("b")) | 1
	t.clear(words)
	return t
}

func (t *wordTable) clear(words int) {
	t.short = make([]shortWord, tableSize(words/2))
	t.long = make([]longWord, tableSize(words/2))
	t.used, t.usedL = 0, 0
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

// shortKey gives the integer that stands for a word of at most eight bytes. It
// may read bytes of the text behind the word, within the slice's capacity.
func shortKey(word []byte) uint64 {
	n := len(word)
	if cap(word) >= shortBytes {
		return binary.LittleEndian.Uint64(word[:shortBytes]) & (1<<(8*uint(n)) - 1) // a shift by 64 gives 0 in Go
	}
	var pad [shortBytes]byte
	copy(pad[:], word)
	return binary.LittleEndian.Uint64(pad[:])
}

// longKey gives the two integers that stand for a word of more than eight
// bytes; those of one over 16 bytes are its hash and 0.
func (t *wordTable) longKey(word []byte) (lo, hi uint64) {
	n := len(word)
	if n > inlineBytes {
		return maphash.Bytes(t.hash, word), 0
	}
	lo = binary.LittleEndian.Uint64(word)
	if n == inlineBytes {
		return lo, binary.LittleEndian.Uint64(word[8:])
	}
	return lo, shortKey(word[8:])
}

func (t *wordTable) shortSlot(key uint64) uint64 {
	h, l := bits.Mul64(key^t.seed[0], t.seed[1])
	return (h ^ l) & uint64(len(t.short)-1)
}

func (t *wordTable) longSlot(lo, hi uint64) uint64 {
	h, l := bits.Mul64(lo^t.seed[0], hi^t.seed[1])
	h2, l2 := bits.Mul64(h^l^t.seed[0], t.seed[1])
	return (h2 ^ l2) & uint64(len(t.long)-1)
}

// find gives the terms of a word, or the free entry where they belong. The
// entry is valid until the next add.
func (t *wordTable) find(word []byte) (found termsRef, at wordPlace) {
	if len(word) <= shortBytes {
		key := shortKey(word)
		mask := uint64(len(t.short) - 1)
		for i := t.shortSlot(key); ; i = (i + 1) & mask {
			e := &t.short[i]
			if e.key == key {
				return e.termsRef, wordPlace{}
			}
			if e.size == 0 {
				return termsRef{}, wordPlace{slot: i, lo: key, short: true}
			}
		}
	}
	lo, hi := t.longKey(word)
	size := uint16(len(word))
	mask := uint64(len(t.long) - 1)
	for i := t.longSlot(lo, hi); ; i = (i + 1) & mask {
		e := &t.long[i]
		if e.size == 0 {
			return termsRef{}, wordPlace{slot: i, lo: lo, hi: hi}
		}
		if e.lo == lo && e.size == size && (e.hi == hi || size > inlineBytes && bytes.Equal(t.arena[e.hi:e.hi+uint64(size)], word)) {
			return e.termsRef, wordPlace{}
		}
	}
}

// wordPlace is a free entry with the key that it is to have.
type wordPlace struct {
	slot, lo, hi uint64
	short        bool
}

// add enters a word at the free place that find gave; its terms are those
// appended to t.terms since first.
func (t *wordTable) add(at wordPlace, word []byte, first int) termsRef {
	ref := termsRef{first: uint32(first), count: uint16(len(t.terms) - first), size: uint16(len(word))}
	if ref.count == 1 {
		ref.first = t.terms[first]
		t.terms = t.terms[:first]
	}
	if at.short {
		t.short[at.slot] = shortWord{at.lo, ref}
		if t.used++; t.used*4 > len(t.short)*3 {
			t.growShort()
		}
		return ref
	}
	if len(word) > inlineBytes {
		at.hi = uint64(len(t.arena))
		t.arena = append(t.arena, word...)
	}
	t.long[at.slot] = longWord{at.lo, at.hi, ref}
	if t.usedL++; t.usedL*4 > len(t.long)*3 {
		t.growLong()
	}
	return ref
}

func (t *wordTable) growShort() {
	old := t.short
	t.short = make([]shortWord, 2*len(old))
	mask := uint64(len(t.short) - 1)
	for i := range old {
		if old[i].size == 0 {
			continue
		}
		j := t.shortSlot(old[i].key)
		for t.short[j].size != 0 {
			j = (j + 1) & mask
		}
		t.short[j] = old[i]
	}
}

func (t *wordTable) growLong() {
	old := t.long
	t.long = make([]longWord, 2*len(old))
	mask := uint64(len(t.long) - 1)
	for i := range old {
		e := &old[i]
		if e.size == 0 {
			continue
		}
		hi := e.hi
		if e.size > inlineBytes {
			hi = 0
		}
		j := t.longSlot(e.lo, hi)
		for t.long[j].size != 0 {
			j = (j + 1) & mask
		}
		t.long[j] = *e
	}
}

// full tells that the table should start anew before the next document.
func (t *wordTable) full() bool { return t.used+t.usedL > maxWordsKept }
