package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Report says what Check read and what it found wrong.
type Report struct {
	Format   int      `json:"format"`
	Bytes    int64    `json:"bytes"`  // of the pages
	Blocks   int      `json:"blocks"` // checksums compared
	Segments int      `json:"segments"`
	Sources  int      `json:"sources"`
	Chunks   int      `json:"chunks"`
	Terms    int      `json:"terms"`
	Postings uint64   `json:"postings"`      // of chunks
	Paths    uint64   `json:"path_postings"` // postings of paths
	Pending  int      `json:"pending"`
	Skipped  int      `json:"skipped"`
	Problems []string `json:"problems"` // one sentence each; empty for a sound file
}

// maxProblems bounds a report: past some findings more of them say nothing new.
const maxProblems = 50

// Check proves the file behind a snapshot sound or names what is wrong: every checksum, bbolt's pages, and
// every table, list and count against the others. It reads the whole file once and needs four bytes of
// memory a chunk and sixteen a source. The error is ErrDamaged when the report has problems.
func Check(s *Snapshot) (Report, error) {
	c := checker{s: s, report: Report{Problems: []string{}}}
	c.report.Format, c.report.Bytes, c.report.Blocks = s.meta.Format, int64(len(s.body)), len(s.sums)
	for _, table := range [][]segment{s.sources, s.paths, s.chunks, s.terms, s.lists, s.pending, s.skipped} {
		c.report.Segments += len(table)
	}
	for _, part := range []func(r *Reader){c.blocks, c.pages, c.sources, c.chunks, c.dictionary, c.cycle} {
		err := s.View(func(r *Reader) error {
			part(r)
			return nil
		})
		var d *damagedError
		if errors.As(err, &d) {
			c.problem("%s", d.why)
		} else if err != nil {
			return c.report, err
		}
	}
	if len(c.report.Problems) > 0 {
		return c.report, &damagedError{c.report.Problems[0]}
	}
	return c.report, nil
}

// checker holds what one part of a check leaves for the others.
type checker struct {
	s      *Snapshot
	report Report
	terms  []uint32 // of each chunk, as the chunk table says
}

// problem notes a finding.
func (c *checker) problem(format string, args ...any) {
	if len(c.report.Problems) < maxProblems {
		c.report.Problems = append(c.report.Problems, fmt.Sprintf(format, args...))
	}
}

// blocks compares every checksum anew, those already proved included.
func (c *checker) blocks(*Reader) {
	for b := range c.s.sums {
		piece := c.s.body[b*blockSize : min((b+1)*blockSize, len(c.s.body))]
		if checksum(piece) != c.s.sums[b] {
			c.problem("the checksum of block %d is wrong", b)
		}
	}
}

// pages walks bbolt's tree, which must lead to the values of the directory and, with the free list, to
// every page once.
func (c *checker) pages(*Reader) {
	s := c.s
	root, err := readMeta(s.bytes(extent{0, 2 * pageSize}), int64(len(s.body)))
	if err != nil {
		c.problem("%v", err)
		return
	}
	walk, err := walkPages(root, func(at extent) ([]byte, error) { return s.bytes(at), nil })
	if err != nil {
		c.problem("%v", err)
		return
	}
	if !slices.Equal(walk.values, s.values) {
		c.problem("the directory and the pages lead to different values")
	}
	if err := walk.freelist(root.freelist); err != nil {
		c.problem("%v", err)
		return
	}
	for p := uint64(2); p < root.pages; p++ {
		if walk.seen[p/64]&(1<<(p%64)) == 0 {
			c.problem("page %d is neither used nor free", p)
			return
		}
	}
}

// freelist marks the free list's own page and every page that it names.
func (w *pageWalk) freelist(id uint64) error {
	if id < 2 || id >= w.pages {
		return fmt.Errorf("the free list's page %d lies outside the file", id)
	}
	head, err := w.bytes(extent{id * pageSize, pageHeader})
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	flags, count, overflow := le.Uint16(head[8:]), uint64(le.Uint16(head[10:])), uint64(le.Uint32(head[12:]))
	if le.Uint64(head) != id || flags != freelistPage || pageHeader+8*count > (overflow+1)*pageSize {
		return fmt.Errorf("page %d is no free list", id)
	}
	if err := w.use(id, overflow); err != nil {
		return err
	}
	ids, err := w.bytes(extent{id*pageSize + pageHeader, 8 * count})
	if err != nil {
		return err
	}
	for i := range count {
		if err := w.use(le.Uint64(ids[8*i:]), 0); err != nil {
			return fmt.Errorf("free list: %w", err)
		}
	}
	return nil
}

// sources checks the order of the paths, the chunk ranges, the row bases and the sum of the sizes.
func (c *checker) sources(r *Reader) {
	type rows struct{ first, end uint64 }
	var (
		previous []byte
		size     int64
		next     uint64
		bases    = make([]rows, 0, r.Sources())
	)
	for i := range r.Sources() {
		src := r.Source(i)
		path := r.SourcePath(i)
		if bytes.Compare(path, previous) <= 0 {
			c.problem("source %d (%q) does not follow the one before it", i, path)
		}
		previous = path
		if uint64(src.First) != next {
			c.problem("the chunks of source %d do not follow those before it", i)
		}
		next = uint64(src.First) + uint64(src.Chunks)
		if src.Omitted > src.Lines {
			c.problem("source %d leaves out more lines than it has", i)
		}
		end := src.Base + max(1, uint64(src.Chunks))
		if src.Base > maxBase || end > c.s.meta.NextBase {
			c.problem("the rows of source %d are not below the next base", i)
		}
		bases = append(bases, rows{src.Base, end})
		size += src.Size
	}
	c.report.Sources = len(bases)
	if next != uint64(r.Chunks()) {
		c.problem("the sources claim %d chunks, the table has %d", next, r.Chunks())
	}
	if size != c.s.count.Bytes {
		c.problem("the sources have %d bytes, the metadata says %d", size, c.s.count.Bytes)
	}
	slices.SortFunc(bases, func(a, b rows) int {
		if a.first < b.first {
			return -1
		}
		return 1
	})
	for i := 1; i < len(bases); i++ {
		if bases[i].first < bases[i-1].end {
			c.problem("row %d belongs to two sources", bases[i].first)
		}
	}
}

// chunks checks that every chunk lies in the range of its source and on lines that the source has.
func (c *checker) chunks(r *Reader) {
	c.terms = make([]uint32, r.Chunks())
	var owner ownerCheck
	for i := range r.Sources() {
		src := r.Source(i)
		owner.add(&src)
	}
	sum := uint64(0)
	for i := range r.Chunks() {
		chunk := r.Chunk(i)
		if why := owner.admit(i, chunk); why != "" {
			c.problem("chunk %d of source %d %s", i, chunk.Source, why)
		}
		c.terms[i] = uint32(chunk.Terms)
		sum += uint64(chunk.Terms)
	}
	c.report.Chunks = len(c.terms)
	if sum != c.s.count.TextTerms {
		c.problem("the chunks have %d terms, the metadata says %d", sum, c.s.count.TextTerms)
	}
}

// cycle holds the two lists against the sources; Open has checked them by themselves.
func (c *checker) cycle(r *Reader) {
	lists := &c.s.meta.Cycle
	c.report.Pending, c.report.Skipped = len(lists.Pending), len(lists.Skipped)
	if c.s.meta.Format == FormatFirst {
		return
	}
	without := 0
	for _, p := range lists.Pending {
		if _, ok := r.FindSource(p.Path); !ok {
			without++
		}
	}
	if without != c.s.meta.Coverage.UnprocessedFiles {
		c.problem("%d pending paths have no row, the coverage says %d", without, c.s.meta.Coverage.UnprocessedFiles)
	}
	for _, p := range lists.Skipped {
		if _, ok := r.FindSource(p.Path); ok {
			c.problem("skipped path %q has a row", p.Path)
		}
	}
}
