package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
)

// Posting says how often a term occurs in one chunk: in its text, and among the names defined in it.
// At least one count is above zero.
type Posting struct {
	Chunk       uint32
	Text, Names uint16
}

// PathPosting says how often a term occurs in a source's path: in its last component, and in the others.
// At least one count is above zero.
type PathPosting struct {
	Source       uint32
	Name, Folder uint8
}

// The two low bits of a posting's first number.
const (
	countOne   = 0 // once in the text, in no name
	countTwo   = 1 // twice in the text, in no name
	countText  = 2 // the text count less three follows, in no name
	countNames = 3 // twice the text count follows, plus one when the count in names less two follows and is not one
)

// The two low bits of a path posting's first number.
const (
	pathName   = 0 // once in the last component
	pathFolder = 1 // once in the other components
	pathBoth   = 2 // once in each
	pathCounts = 3 // both counts follow, a byte each
)

// skipEntries gives the number of skip records of a list of n postings.
func skipEntries(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return (n - 1) / skipInterval
}

// appendPostings appends the encoded list, skip records first. The postings must ascend strictly by chunk
// and have a count; the error names the first that does not.
func appendPostings(dst []byte, list []Posting) ([]byte, error) {
	skips := len(dst)
	dst = append(dst, make([]byte, skipEntries(uint32(len(list)))*skipRecord)...)
	start := len(dst)
	next := uint64(0)
	for i, p := range list {
		if uint64(p.Chunk) < next || p.Text == 0 && p.Names == 0 {
			return nil, fmt.Errorf("posting %d of chunk %d is out of order or empty", i, p.Chunk)
		}
		if i > 0 && i%skipInterval == 0 {
			record := dst[skips+(i/skipInterval-1)*skipRecord:]
			binary.LittleEndian.PutUint32(record, uint32(next-1))
			binary.LittleEndian.PutUint32(record[4:], uint32(len(dst)-start))
		}
		delta := (uint64(p.Chunk) - next) << 2
		next = uint64(p.Chunk) + 1
		switch {
		case p.Names > 0:
			dst = binary.AppendUvarint(dst, delta|countNames)
			if p.Names == 1 {
				dst = binary.AppendUvarint(dst, uint64(p.Text)<<1)
				break
			}
			dst = binary.AppendUvarint(dst, uint64(p.Text)<<1|1)
			dst = binary.AppendUvarint(dst, uint64(p.Names-2))
		case p.Text == 1:
			dst = binary.AppendUvarint(dst, delta|countOne)
		case p.Text == 2:
			dst = binary.AppendUvarint(dst, delta|countTwo)
		default:
			dst = binary.AppendUvarint(dst, delta|countText)
			dst = binary.AppendUvarint(dst, uint64(p.Text-3))
		}
	}
	return dst, nil
}

// appendPathPostings appends the encoded path list under the rules of appendPostings.
func appendPathPostings(dst []byte, list []PathPosting) ([]byte, error) {
	next := uint64(0)
	for i, p := range list {
		if uint64(p.Source) < next || p.Name == 0 && p.Folder == 0 {
			return nil, fmt.Errorf("path posting %d of source %d is out of order or empty", i, p.Source)
		}
		delta := (uint64(p.Source) - next) << 2
		next = uint64(p.Source) + 1
		switch {
		case p.Name == 1 && p.Folder == 0:
			dst = binary.AppendUvarint(dst, delta|pathName)
		case p.Name == 0 && p.Folder == 1:
			dst = binary.AppendUvarint(dst, delta|pathFolder)
		case p.Name == 1 && p.Folder == 1:
			dst = binary.AppendUvarint(dst, delta|pathBoth)
		default:
			dst = binary.AppendUvarint(dst, delta|pathCounts)
			dst = append(dst, p.Name, p.Folder)
		}
	}
	return dst, nil
}

// number reads a varint of at most 35 bits at b[p:] and the position behind it. It unwinds with damage at
// the end of b and on a longer number.
func number(b []byte, p int) (uint64, int) {
	v := uint64(0)
	for shift := uint(0); shift < 35; shift += 7 {
		if uint(p) >= uint(len(b)) {
			damaged("a number runs past the end of its list")
		}
		c := b[p]
		p++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, p
		}
	}
	damaged("a number has too many digits")
	return 0, 0
}

// PostingIter decodes one posting list. The zero value is an empty list. It aliases the index file and is
// valid inside the View that gave it.
type PostingIter struct {
	list   []byte // encoded postings
	skips  []byte // skip records
	pos    int    // of the next posting in list
	next   uint64 // one above the last chunk decoded
	left   uint32 // postings not decoded yet
	total  uint32
	chunks uint32 // chunks of the index
}

// newPostingIter gives the postings of an encoded list of n, whose chunks lie below chunks.
func newPostingIter(list []byte, n, chunks uint32) PostingIter {
	skips := int64(skipEntries(n)) * skipRecord
	if skips > int64(len(list)) {
		damaged("a posting list is shorter than its skip records")
	}
	return PostingIter{list: list[skips:], skips: list[:skips], left: n, total: n, chunks: chunks}
}

// Left gives the number of postings that Next has not given yet.
func (it *PostingIter) Left() uint32 { return it.left }

// Next decodes the following postings into dst, as many as fit, and gives their number: 0 at the end of the
// list. It allocates nothing. A list that is not sound unwinds to View.
func (it *PostingIter) Next(dst []Posting) int {
	n := min(len(dst), int(it.left))
	b, p, next := it.list, it.pos, it.next
	for i := range dst[:n] {
		if len(b)-p < shortPosting {
			next, p = longPosting(b, p, next, &dst[i])
			continue
		}
		w := b[p : p+shortPosting : p+shortPosting]
		// The length of the number and the counts of the first three codes are computed without a branch: they
		// follow each other like noise, and a wrong guess of the processor costs more than a posting.
		two := uint32(w[0] >> 7) // 1 when the number has a second byte
		v := uint32(w[0]&0x7f) | uint32(w[1])<<7&-two
		q := 1 + int(two)
		code := v & 3
		explicit := code >> 1 // 1 for countText and countNames
		c := uint32(w[q])
		if v >= 1<<14 || code == countNames || c&(explicit<<7) != 0 {
			next, p = longPosting(b, p, next, &dst[i])
			continue
		}
		next += uint64(v >> 2)
		dst[i] = Posting{Chunk: uint32(next), Text: uint16(code + 1 + c&-explicit)}
		next++
		p += q + int(explicit)
	}
	if next > uint64(it.chunks) {
		damaged("a posting names a chunk beyond the table")
	}
	it.pos, it.next, it.left = p, next, it.left-uint32(n)
	if it.left == 0 && p != len(b) {
		damaged("a posting list has bytes left over")
	}
	return n
}

// shortPosting is the most bytes that a posting with a short number, no count in names and a short count takes.
const shortPosting = 3

// longPosting decodes one posting of any form into d and gives one above its chunk and the position behind it.
func longPosting(b []byte, p int, next uint64, d *Posting) (uint64, int) {
	v, p := number(b, p)
	next += v >> 2
	d.Chunk = uint32(next)
	if code := v & 3; code < countText {
		d.Text, d.Names = uint16(code+1), 0
	} else {
		d.Text, d.Names, p = explicitCounts(b, p, code)
	}
	return next + 1, p
}

// explicitCounts reads the counts that do not fit the two low bits.
func explicitCounts(b []byte, p int, code uint64) (text, names uint16, next int) {
	t, p := number(b, p)
	if code == countText {
		if t > math.MaxUint16-3 {
			damaged("a posting's count is too large")
		}
		return uint16(t) + 3, 0, p
	}
	if t>>1 > math.MaxUint16 {
		damaged("a posting's count is too large")
	}
	if t&1 == 0 {
		return uint16(t >> 1), 1, p
	}
	n, p := number(b, p)
	if n > math.MaxUint16-2 {
		damaged("a posting's count is too large")
	}
	return uint16(t >> 1), uint16(n) + 2, p
}

// Seek positions the iterator so that Next goes on with the first posting of chunk or a later one, in
// either direction. It reads the skip records and decodes at most one stretch of them.
func (it *PostingIter) Seek(chunk uint32) {
	le := binary.LittleEndian
	records := len(it.skips) / skipRecord
	k := sort.Search(records, func(i int) bool { return le.Uint32(it.skips[i*skipRecord:]) >= chunk })
	it.pos, it.next, it.left = 0, 0, it.total
	if k > 0 {
		record := it.skips[(k-1)*skipRecord:]
		it.next = uint64(le.Uint32(record)) + 1
		it.pos = int(le.Uint32(record[4:]))
		it.left -= uint32(k) * skipInterval
		if it.pos > len(it.list) {
			damaged("a skip record points past its list")
		}
	}
	for it.left > 0 {
		before := *it
		var one [1]Posting
		it.Next(one[:])
		if one[0].Chunk >= chunk {
			*it = before
			return
		}
	}
}

// decodePathPostings appends the n path postings of an encoded list, whose sources lie below sources.
func decodePathPostings(b []byte, n, sources uint32, dst []PathPosting) []PathPosting {
	if int64(n) > int64(len(b)) {
		damaged("a path list is shorter than its count")
	}
	p, next := 0, uint64(0)
	for range n {
		var v uint64
		v, p = number(b, p)
		next += v >> 2
		d := PathPosting{Source: uint32(next)}
		next++
		switch v & 3 {
		case pathName:
			d.Name = 1
		case pathFolder:
			d.Folder = 1
		case pathBoth:
			d.Name, d.Folder = 1, 1
		default:
			if p+2 > len(b) {
				damaged("a path list is cut")
			}
			d.Name, d.Folder = b[p], b[p+1]
			p += 2
		}
		if next > uint64(sources) {
			damaged("a path posting names a source beyond the table")
		}
		dst = append(dst, d)
	}
	if p != len(b) {
		damaged("a path list has bytes left over")
	}
	return dst
}
