package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// bigContent feeds a synthetic corpus: terms distinct terms over chunks chunks with some postings postings.
// Half of the terms are in one chunk, and few hold most postings.
type bigContent struct {
	chunks, terms int
	lists         [][]Posting
	total         uint64
	lengths       []uint16
}

func newBigContent(chunks, terms, postings int) *bigContent {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := &bigContent{chunks: chunks, terms: terms, lengths: make([]uint16, chunks)}
	left := postings
	for i := range terms {
		n := 1
		switch {
		case i%100 == 0:
			n = min(chunks/2, 100+rnd.IntN(1800))
		case i%2 == 0:
			n = 1 + rnd.IntN(12)
		}
		n = min(n, max(left, 1))
		left -= n
		list := make([]Posting, 0, n)
		step := max(1, chunks/n)
		for at := rnd.IntN(step); len(list) < n && at < chunks; at += 1 + rnd.IntN(2*step-1) {
			p := Posting{Chunk: uint32(at), Text: 1}
			if r := rnd.IntN(100); r < 30 {
				p.Text = uint16(2 + r/10)
			}
			if rnd.IntN(36) == 0 {
				p.Names = 1
			}
			c.lengths[at] += p.Text
			c.total += uint64(p.Text)
			list = append(list, p)
		}
		c.lists = append(c.lists, list)
	}
	return c
}

func (c *bigContent) term(dst []byte, i int) []byte {
	return fmt.Appendf(dst[:0], "term%x%08d", i%7, i)
}

func (c *bigContent) write(w *Writer) error {
	const perSource = 10
	sources := (c.chunks + perSource - 1) / perSource
	for i := range sources {
		n := min(perSource, c.chunks-i*perSource)
		s := Source{Path: fmt.Sprintf("src/package%04d/file%06d.go", i/20, i), Size: 9000, Lines: 400, Base: uint64(i * 20), First: uint32(i * perSource), Chunks: uint32(n)}
		if err := w.AddSource(s); err != nil {
			return err
		}
	}
	for i := range c.chunks {
		if err := w.AddChunk(Chunk{Source: uint32(i / perSource), Line: uint32(1 + i%perSource*32), Lines: 32, Terms: c.lengths[i]}); err != nil {
			return err
		}
	}
	var r TermRun
	var term []byte
	for mod := range 7 {
		for i := mod; i < c.terms; i += 7 {
			term = c.term(term, i)
			r.Add(term, c.lists[i], nil)
			if r.Bytes() > 1<<20 {
				if err := w.AddTerms(&r); err != nil {
					return err
				}
				r.Reset()
			}
		}
	}
	if err := w.AddTerms(&r); err != nil {
		return err
	}
	return w.Publish(context.Background(), Meta{NextBase: 1 << 40, Coverage: Coverage{
		EligibleFiles: sources, IndexedFiles: sources, IndexedBytes: int64(9000 * sources), Chunks: c.chunks,
		StopReason: "complete", Mode: "rebuild",
	}})
}

// bigIndex publishes the corpus of the benchmarks once a benchmark.
func bigIndex(b *testing.B) (*bigContent, *Dir) {
	c := newBigContent(43_000, 250_000, 3_000_000)
	d, _ := testDir(b)
	w, err := d.Create()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.write(w); err != nil {
		b.Fatal(err)
	}
	return c, d
}

func BenchmarkWrite(b *testing.B) {
	c, d := bigIndex(b)
	b.ReportAllocs()
	for b.Loop() {
		w, err := d.Create()
		if err != nil {
			b.Fatal(err)
		}
		if err := c.write(w); err != nil {
			b.Fatal(err)
		}
	}
	if info, err := d.root.Lstat(FileName); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	}
}

func BenchmarkOpen(b *testing.B) {
	_, d := bigIndex(b)
	b.ReportAllocs()
	for b.Loop() {
		s, err := d.Open()
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func BenchmarkTerm(b *testing.B) {
	c, d := bigIndex(b)
	s := mustOpen(b, d)
	names := make([][]byte, 4096)
	for i := range names {
		names[i] = c.term(nil, i*7919%c.terms)
	}
	b.ReportAllocs()
	err := s.View(func(r *Reader) error {
		for i := 0; b.Loop(); i++ {
			if _, ok := r.Term(names[i%len(names)]); !ok {
				b.Fatal("missing term")
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkPostings(b *testing.B) {
	_, d := bigIndex(b)
	s := mustOpen(b, d)
	b.ReportAllocs()
	var block [skipInterval]Posting
	total := 0
	err := s.View(func(r *Reader) error {
		var long []Term
		for c := r.Seek(nil); c.Next(); {
			if c.Term().Chunks > skipInterval {
				long = append(long, c.Term())
			}
		}
		for i := 0; b.Loop(); i++ {
			it := r.Postings(long[i%len(long)])
			for n := it.Next(block[:]); n > 0; n = it.Next(block[:]) {
				total += n
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total), "ns/posting")
}

// BenchmarkMerge reads the whole dictionary and every list in order, as a refresh does.
func BenchmarkMerge(b *testing.B) {
	_, d := bigIndex(b)
	s := mustOpen(b, d)
	b.ReportAllocs()
	var block [skipInterval]Posting
	for b.Loop() {
		err := s.View(func(r *Reader) error {
			for c := r.Seek(nil); c.Next(); {
				it := r.Postings(c.Term())
				for it.Next(block[:]) > 0 {
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	_, d := bigIndex(b)
	s := mustOpen(b, d)
	sum := 0
	err := s.View(func(r *Reader) error {
		for i := uint32(0); b.Loop(); i = (i + 13) % r.Chunks() {
			sum += int(r.Chunk(i).Terms)
		}
		return nil
	})
	if err != nil || sum == 0 {
		b.Fatal(err)
	}
}
