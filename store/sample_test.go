package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// sample is the content of one index, as a caller hands it to a Writer.
type sample struct {
	sources []Source
	chunks  []Chunk
	terms   []sampleTerm
	meta    Meta
}

type sampleTerm struct {
	term string
	text []Posting
	path []PathPosting
}

// newSample makes a consistent index content of some size; the same arguments give the same content.
func newSample(seed uint64, sources, words int) *sample {
	rnd := rand.New(rand.NewPCG(seed, 7))
	s := &sample{}
	text := map[string]map[uint32]Posting{}
	paths := map[string]map[uint32]PathPosting{}
	for i := range sources {
		n := rnd.IntN(4)
		if i == 0 && sources > 0 {
			n = 2
		}
		src := Source{
			Path: fmt.Sprintf("dir%03d/源%05d.go", i/7, i), Size: int64(rnd.IntN(1 << 18)), Lines: uint32(n*32 + rnd.IntN(9)),
			Hash: sha256.Sum256(fmt.Append(nil, seed, i)), Base: uint64(10 + 5*i), First: uint32(len(s.chunks)), Chunks: uint32(n), Flags: uint32(i),
		}
		for c := range n {
			s.chunks = append(s.chunks, s.sampleChunk(rnd, text, words, uint32(i), uint32(len(s.chunks)), uint32(1+32*c)))
		}
		word := fmt.Sprintf("dir%03d", i/7)
		if paths[word] == nil {
			paths[word] = map[uint32]PathPosting{}
		}
		paths[word][uint32(i)] = PathPosting{Source: uint32(i), Name: uint8(i % 3), Folder: uint8(1 + i%2)}
		s.sources = append(s.sources, src)
	}
	s.collect(text, paths)
	s.meta = s.newMeta()
	return s
}

func (s *sample) sampleChunk(rnd *rand.Rand, text map[string]map[uint32]Posting, words int, source, chunk, line uint32) Chunk {
	c := Chunk{Source: source, Line: line, Lines: uint16(1 + rnd.IntN(32))}
	for range 1 + rnd.IntN(40) {
		w := int(rnd.ExpFloat64() * float64(words) / 6)
		word := fmt.Sprintf("w%x", uint32(w*2654435761)%uint32(words))
		if w%11 == 0 {
			word = fmt.Sprintf("知识 a rather long term with much in common %d", w)
		}
		if rnd.IntN(12) == 0 {
			word = "the"
		}
		if text[word] == nil {
			text[word] = map[uint32]Posting{}
		}
		p := text[word][chunk]
		p.Chunk = chunk
		p.Text++
		if rnd.IntN(36) == 0 {
			p.Names++
		}
		text[word][chunk] = p
		c.Terms++
	}
	return c
}

func (s *sample) collect(text map[string]map[uint32]Posting, paths map[string]map[uint32]PathPosting) {
	names := map[string]bool{}
	for w := range text {
		names[w] = true
	}
	for w := range paths {
		names[w] = true
	}
	for w := range names {
		t := sampleTerm{term: w}
		for _, p := range text[w] {
			t.text = append(t.text, p)
		}
		for _, p := range paths[w] {
			t.path = append(t.path, p)
		}
		slices.SortFunc(t.text, func(a, b Posting) int { return int(a.Chunk) - int(b.Chunk) })
		slices.SortFunc(t.path, func(a, b PathPosting) int { return int(a.Source) - int(b.Source) })
		s.terms = append(s.terms, t)
	}
	slices.SortFunc(s.terms, func(a, b sampleTerm) int {
		switch {
		case a.term < b.term:
			return -1
		case a.term > b.term:
			return 1
		}
		return 0
	})
}

func (s *sample) newMeta() Meta {
	revision := "0123456789abcdef0123456789abcdef01234567"
	m := Meta{Tokenizer: 1, Rules: 3, NextBase: 10 + 5*uint64(len(s.sources)+1)}
	for i := range 5 {
		m.Cycle.Pending = append(m.Cycle.Pending, Pending{Path: fmt.Sprintf("later/p%03d.go", i), Held: i%2 == 0})
	}
	m.Cycle.Skipped = []Skipped{{"bin/a.go", "binary"}, {"bin/b.go", "oversized"}}
	m.Cycle.Cursor = "later/p002.go"
	c := Coverage{
		Revision: &revision, IndexedAtUnix: 1_700_000_000, IndexedFiles: len(s.sources), Chunks: len(s.chunks),
		ExcludedEntries: 3, ExcludedByReason: map[string]int{"hidden": 2, "symlink": 1},
		SkippedFiles: 2, SkippedByReason: map[string]int{"binary": 1, "oversized": 1},
		UnprocessedFiles: 5, RemainingFiles: 5, StopReason: "time_budget", Mode: "rebuild", UpdatedFiles: len(s.sources),
	}
	for _, src := range s.sources {
		c.IndexedBytes += src.Size
	}
	c.EligibleFiles = c.IndexedFiles + c.SkippedFiles + c.UnprocessedFiles
	m.Coverage = c
	return m
}

// fill hands the content to w in runs of the given number of terms.
func (s *sample) fill(w *Writer, run int) error {
	for _, src := range s.sources {
		if err := w.AddSource(src); err != nil {
			return err
		}
	}
	for _, c := range s.chunks {
		if err := w.AddChunk(c); err != nil {
			return err
		}
	}
	var r TermRun
	for i, t := range s.terms {
		r.Add([]byte(t.term), t.text, t.path)
		if (i+1)%run == 0 || i+1 == len(s.terms) {
			if err := w.AddTerms(&r); err != nil {
				return err
			}
			r.Reset()
		}
	}
	return nil
}

// publish writes the content into d.
func (s *sample) publish(d *Dir) error {
	w, err := d.Create()
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := s.fill(w, 100); err != nil {
		return err
	}
	return w.Publish(context.Background(), s.meta)
}

func testDir(t testing.TB) (*Dir, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	d, err := OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, path
}

func mustPublish(t testing.TB, d *Dir, s *sample) {
	t.Helper()
	if err := s.publish(d); err != nil {
		t.Fatal(err)
	}
}

func mustOpen(t testing.TB, d *Dir) *Snapshot {
	t.Helper()
	s, err := d.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func fileBytes(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path, FileName))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
