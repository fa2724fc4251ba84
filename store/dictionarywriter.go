package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// dictionaryWriter turns runs into segments of front-coded blocks and the segments of their lists.
type dictionaryWriter struct {
	w              *Writer
	terms, lists   segmentBuffer
	entries, names []byte // block records and first terms of the segment under way
	blocks         []byte // front-coded blocks
	blockTerms     int    // terms in the block under way
	blockLists     int    // length of lists where the block began
	segmentTerms   uint32
	previous       []byte
	texts          uint64
	target         segmentTarget
}

// segmentTarget is where a segment or a block is closed; each ends at the next term.
type segmentTarget struct{ blocks, lists, blockLists int }

func (d *dictionaryWriter) init(w *Writer) {
	d.w = w
	d.terms.section, d.lists.section = sectionTerms, sectionPostings
	d.target = segmentTarget{termsTarget, postingsTarget, blockListTarget}
}

func (d *dictionaryWriter) started() bool { return len(d.previous) > 0 }

// AddTerms appends a run's terms, which follow those already written. The run is not changed.
func (w *Writer) AddTerms(r *TermRun) error {
	if w.err != nil {
		return w.err
	}
	switch {
	case r.err != nil:
		return w.fail(fmt.Errorf("store: %w", r.err))
	case r.last > uint64(w.counts.Chunks) || r.path > uint64(w.counts.Sources):
		return w.fail(errors.New("store: a posting beyond the chunks or sources"))
	case uint64(w.counts.Terms)+uint64(r.Len()) > maxTable:
		return w.fail(errors.New("store: too many terms"))
	}
	if !w.dict.started() {
		if err := w.flushTables(); err != nil {
			return err
		}
	}
	for i := range r.terms {
		term, lists, t := r.term(i)
		if err := w.dict.add(term, lists, t); err != nil {
			return w.fail(err)
		}
	}
	w.counts.Terms += uint32(r.Len())
	w.dict.texts += r.texts
	return nil
}

func (d *dictionaryWriter) add(term, lists []byte, t *runTerm) error {
	if bytes.Compare(d.previous, term) >= 0 {
		return fmt.Errorf("store: term %q does not follow %q", term, d.previous)
	}
	switch {
	case d.blockTerms == 0:
		d.startBlock(term)
	case d.blockTerms == termsPerBlock, len(d.lists.data)-d.blockLists >= d.target.blockLists:
		if len(d.blocks) >= d.target.blocks || len(d.lists.data) >= d.target.lists {
			if err := d.flush(); err != nil {
				return err
			}
		}
		d.startBlock(term)
	default:
		d.blocks = appendShared(d.blocks, d.previous, term)
	}
	d.blocks = appendTermValue(d.blocks, t, len(lists))
	d.lists.data = append(d.lists.data, lists...)
	d.previous = append(d.previous[:0], term...)
	d.blockTerms++
	d.segmentTerms++
	return nil
}

// startBlock opens a block whose first term goes into the segment's index and not into the block.
func (d *dictionaryWriter) startBlock(term []byte) {
	d.entries = appendBlockRecord(d.entries, termPrefix(term), len(d.blocks), len(d.lists.data), len(d.names))
	d.names = append(d.names, term...)
	d.blockTerms, d.blockLists = 0, len(d.lists.data)
}

func appendBlockRecord(b []byte, prefix uint64, block, list, name int) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, prefix)
	b = le.AppendUint32(b, uint32(block))
	b = le.AppendUint32(b, uint32(list))
	return le.AppendUint32(b, uint32(name))
}

// termPrefix gives the first eight bytes of a term as a number that compares as they do; a shorter term is
// filled up with zeros.
func termPrefix(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}

// appendShared appends a term as the number of bytes shared with the previous one and the rest. Both
// lengths share a byte while they are small: high nibble the shared bytes, low nibble the rest less one; a
// nibble of 15 says that a varint with the excess over 15 follows.
func appendShared(b, previous, term []byte) []byte {
	shared := 0
	for shared < len(previous) && shared < len(term) && previous[shared] == term[shared] {
		shared++
	}
	rest := len(term) - shared
	b = append(b, byte(min(shared, 15)<<4|min(rest-1, 15)))
	if shared >= 15 {
		b = binary.AppendUvarint(b, uint64(shared-15))
	}
	if rest-1 >= 15 {
		b = binary.AppendUvarint(b, uint64(rest-1-15))
	}
	return append(b, term[shared:]...)
}

// appendTermValue appends what a term leads to: list lengths in postings and in bytes.
func appendTermValue(b []byte, t *runTerm, listBytes int) []byte {
	hasPath := uint64(0)
	if t.sources > 0 {
		hasPath = 1
	}
	b = binary.AppendUvarint(b, uint64(t.chunks)<<1|hasPath)
	if t.chunks > 0 {
		b = binary.AppendUvarint(b, uint64(listBytes)-uint64(t.pathListLen))
	}
	if t.sources > 0 {
		b = binary.AppendUvarint(b, uint64(t.sources))
		b = binary.AppendUvarint(b, uint64(t.pathListLen))
	}
	return b
}

// flush writes the segment under way: header, block records with a closing one, first terms, blocks.
func (d *dictionaryWriter) flush() error {
	if d.segmentTerms == 0 {
		return nil
	}
	if len(d.lists.data) > maxSegment || len(d.blocks) > maxSegment {
		return errors.New("store: a term has too many postings")
	}
	le := binary.LittleEndian
	blocks := len(d.entries) / blockRecord
	d.entries = appendBlockRecord(d.entries, 0, len(d.blocks), len(d.lists.data), len(d.names))
	b := d.terms.data[:0]
	b = le.AppendUint32(b, uint32(blocks))
	b = le.AppendUint32(b, d.segmentTerms)
	b = le.AppendUint32(b, uint32(len(d.names)))
	b = le.AppendUint32(b, uint32(len(d.blocks)))
	b = append(b, d.entries...)
	b = append(b, d.names...)
	d.terms.data = append(b, d.blocks...)
	if err := d.w.flush(&d.terms); err != nil {
		return err
	}
	if len(d.lists.data) == 0 {
		return errors.New("store: a term segment without lists")
	}
	if err := d.w.flush(&d.lists); err != nil {
		return err
	}
	d.entries, d.names, d.blocks = d.entries[:0], d.names[:0], d.blocks[:0]
	d.blockTerms, d.blockLists, d.segmentTerms = 0, 0, 0
	return nil
}
