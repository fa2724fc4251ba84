package store

import (
	"encoding/binary"
	"errors"
)

// CopyTables takes over the sources, chunks, terms and lists of a snapshot as they are, in place of
// AddSource, AddChunk and AddTerms. Every byte is verified before it is written, so damage is not blessed
// with new checksums. It costs about what reading and writing the file costs.
func (w *Writer) CopyTables(s *Snapshot) error {
	if w.err != nil {
		return w.err
	}
	if w.counts != (tables{}) || w.dict.started() {
		return w.fail(errors.New("store: CopyTables after something was added"))
	}
	err := s.View(func(*Reader) error {
		for i := range s.sources {
			if err := w.carry(s, &w.sources, &s.sources[i]); err != nil {
				return err
			}
			if err := w.carry(s, &w.paths, &s.paths[i]); err != nil {
				return err
			}
		}
		for i := range s.chunks {
			if err := w.carry(s, &w.chunks, &s.chunks[i]); err != nil {
				return err
			}
		}
		for i := range s.terms {
			if err := w.carry(s, &w.dict.terms, &s.terms[i]); err != nil {
				return err
			}
			if err := w.carry(s, &w.dict.lists, &s.lists[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return w.fail(err)
	}
	w.counts = s.count
	w.chunkRange, w.chunkTexts, w.dict.texts = uint64(s.count.Chunks), s.count.TextTerms, s.count.TextTerms
	w.nextBase = s.meta.NextBase
	return nil
}

// carry writes a verified segment as the next one of its section.
func (w *Writer) carry(s *Snapshot, b *segmentBuffer, g *segment) error {
	if err := w.put(segmentName(b.section, b.ordinal), segmentKey, s.whole(g)); err != nil {
		return err
	}
	b.ordinal++
	return nil
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

// ChunkTerms gives Chunk(i).Terms, and nothing else, at less cost.
func (r *Reader) ChunkTerms(i uint32) uint16 {
	return binary.LittleEndian.Uint16(r.s.record(r.s.chunks, i, chunksPerSegment, chunkRecord)[10:])
}

// ChunkRange gives Source(i).First and Source(i).Chunks, and nothing else, at less cost.
func (r *Reader) ChunkRange(i uint32) (first, chunks uint32) {
	b := r.s.record(r.s.sources, i, sourcesPerSegment, sourceRecord)
	first, chunks = binary.LittleEndian.Uint32(b[48:]), binary.LittleEndian.Uint32(b[52:])
	if uint64(first)+uint64(chunks) > uint64(r.s.count.Chunks) {
		damaged("a source claims chunks beyond the table")
	}
	return first, chunks
}
