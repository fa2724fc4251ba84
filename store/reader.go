package store

import (
	"encoding/binary"
	"sort"
)

// Reader gives the content of a snapshot inside one View. Ordinals that it is given must be below the
// counts; one that came from the file and is not unwinds to View as damage.
type Reader struct{ s *Snapshot }

// Sources gives the number of sources.
func (r *Reader) Sources() uint32 { return r.s.count.Sources }

// Chunks gives the number of chunks.
func (r *Reader) Chunks() uint32 { return r.s.count.Chunks }

// Terms gives the number of distinct terms.
func (r *Reader) Terms() uint32 { return r.s.count.Terms }

// TotalTerms gives the sum of Chunk.Terms over all chunks.
func (r *Reader) TotalTerms() uint64 { return r.s.count.TextTerms }

// Damaged unwinds to View with ErrDamaged, for contradictions that the caller finds.
func (r *Reader) Damaged(why string) { damaged(why) }

// record gives the verified bytes of the record of size bytes at position at of segment k of a table.
func (s *Snapshot) record(table []segment, k uint32, at, size uint64) []byte {
	if uint64(k) >= uint64(len(table)) || at+size > uint64(len(table[k].data)) {
		damaged("a record beyond its table")
	}
	g := &table[k]
	s.verify(g.off+at, size)
	return g.data[at : at+size]
}

// sourceRecord gives the record of source i.
func (s *Snapshot) sourceRecord(i uint32) []byte {
	return s.record(s.sources, i/sourcesPerSegment, uint64(i%sourcesPerSegment)*sourceRecord, sourceRecord)
}

// chunkRecord gives the record of chunk i.
func (s *Snapshot) chunkRecord(i uint32) []byte {
	return s.record(s.chunks, i/chunksPerSegment, uint64(i%chunksPerSegment)*chunkRecord, chunkRecord)
}

// Source gives source i. The path is a copy.
func (r *Reader) Source(i uint32) Source {
	b := r.s.sourceRecord(i)
	le := binary.LittleEndian
	src := Source{
		Path:    string(r.SourcePath(i)),
		Size:    int64(le.Uint64(b[32:])),
		Base:    le.Uint64(b[40:]),
		First:   le.Uint32(b[48:]),
		Chunks:  le.Uint32(b[52:]),
		Lines:   le.Uint32(b[56:]),
		Omitted: le.Uint32(b[60:]),
		Flags:   le.Uint32(b[64:]),
	}
	copy(src.Hash[:], b)
	if src.Size < 0 || uint64(src.First)+uint64(src.Chunks) > uint64(r.s.count.Chunks) {
		damaged("a source claims chunks beyond the table")
	}
	return src
}

// SourcePath gives the path of source i, valid inside the View.
func (r *Reader) SourcePath(i uint32) []byte {
	s := r.s
	le := binary.LittleEndian
	end := le.Uint32(s.sourceRecord(i)[68:])
	start := uint32(0)
	if i%sourcesPerSegment > 0 {
		start = le.Uint32(s.sourceRecord(i - 1)[68:])
	}
	if k := i / sourcesPerSegment; uint64(k) < uint64(len(s.paths)) {
		g := &s.paths[k]
		if start < end && uint64(end) <= uint64(len(g.data)) && end-start <= MaxPath {
			s.verify(g.off+uint64(start), uint64(end-start))
			return g.data[start:end:end]
		}
	}
	damaged("a source without a path")
	return nil
}

// FindSource gives the ordinal of the source with this path, by binary search.
func (r *Reader) FindSource(path string) (uint32, bool) {
	n := int(r.Sources())
	i := sort.Search(n, func(i int) bool { return string(r.SourcePath(uint32(i))) >= path })
	if i < n && string(r.SourcePath(uint32(i))) == path {
		return uint32(i), true
	}
	return 0, false
}

// Chunk gives chunk i, read in place.
func (r *Reader) Chunk(i uint32) Chunk {
	b := r.s.chunkRecord(i)
	le := binary.LittleEndian
	c := Chunk{Source: le.Uint32(b), Line: le.Uint32(b[4:]), Lines: le.Uint16(b[8:]), Terms: le.Uint16(b[10:])}
	if c.Source >= r.s.count.Sources || c.Line == 0 || c.Lines == 0 {
		damaged("a chunk with impossible coordinates")
	}
	return c
}

// ChunkTerms gives Chunk(i).Terms, and nothing else, at less cost.
func (r *Reader) ChunkTerms(i uint32) uint16 {
	return binary.LittleEndian.Uint16(r.s.chunkRecord(i)[10:])
}

// ChunkRange gives Source(i).First and Source(i).Chunks, and nothing else, at less cost.
func (r *Reader) ChunkRange(i uint32) (first, chunks uint32) {
	b := r.s.sourceRecord(i)
	first, chunks = binary.LittleEndian.Uint32(b[48:]), binary.LittleEndian.Uint32(b[52:])
	if uint64(first)+uint64(chunks) > uint64(r.s.count.Chunks) {
		damaged("a source claims chunks beyond the table")
	}
	return first, chunks
}

// checkTables checks that the tables have the lengths that the metadata announces.
func (s *Snapshot) checkTables() {
	checkTable(s.sources, s.count.Sources, sourcesPerSegment, sourceRecord)
	checkTable(s.chunks, s.count.Chunks, chunksPerSegment, chunkRecord)
	if len(s.paths) != len(s.sources) {
		damaged("the paths do not fit the sources")
	}
	if len(s.lists) != len(s.terms) || (len(s.terms) == 0) != (s.count.Terms == 0) {
		damaged("the term segments do not fit the lists")
	}
}

func checkTable(table []segment, count, perSegment, size uint32) {
	left := uint64(count)
	for i := range table {
		n := min(left, uint64(perSegment))
		if n == 0 || uint64(len(table[i].data)) != n*uint64(size) {
			damaged("a table has another length than announced")
		}
		left -= n
	}
	if left > 0 {
		damaged("a table is shorter than announced")
	}
}
