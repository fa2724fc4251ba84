package store

import (
	"encoding/binary"
	"errors"
)

// CopyTables takes over the sources, chunks, terms and lists of a snapshot as they are, in place of
// AddSource, AddChunk and AddTerms. Every byte is verified anew, also where an earlier reading did, so that
// damage since then is not blessed with new checksums. It costs about what reading and writing the file costs.
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

// carry writes a copy of a segment as the next one of its section. The blocks are proved after the copy was
// made, whatever was proved before.
func (w *Writer) carry(s *Snapshot, b *segmentBuffer, g *segment) error {
	b.data = append(b.data[:0], g.data...)
	for k := g.off / blockSize; k <= (g.off+uint64(len(g.data))-1)/blockSize; k++ {
		s.verifyBlock(k)
	}
	return w.flush(b)
}

// SourceFlags gives Source(i).Flags, and nothing else, at less cost.
func (r *Reader) SourceFlags(i uint32) uint32 {
	return binary.LittleEndian.Uint32(r.s.sourceRecord(i)[64:])
}
