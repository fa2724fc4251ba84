package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// compare reads everything back and compares it with the content.
func (s *sample) compare(snap *Snapshot) (diff string, err error) {
	got, err := readSample(snap)
	if err == nil && !s.equal(got) {
		want := *s
		want.meta.Format = got.meta.Format
		diff = cmp.Diff(&want, got, cmp.AllowUnexported(sample{}, sampleTerm{}), cmpopts.EquateEmpty()) + "differs"
	}
	return diff, err
}

// readSample reads everything, and every source and term in the other direction as well.
func readSample(snap *Snapshot) (*sample, error) {
	got := &sample{meta: snap.Meta()}
	err := snap.View(func(r *Reader) error {
		for i := range r.Sources() {
			src := r.Source(i)
			got.sources = append(got.sources, src)
			if at, ok := r.FindSource(src.Path); !ok || at != i {
				return errors.New("source not found: " + src.Path)
			}
		}
		for i := range r.Chunks() {
			got.chunks = append(got.chunks, r.Chunk(i))
		}
		for c := r.Seek(nil); c.Next(); {
			got.terms = append(got.terms, readTerm(r, string(c.Name()), c.Term()))
			if t, ok := r.Term(c.Name()); !ok || t != c.Term() {
				return errors.New("term not found: " + string(c.Name()))
			}
		}
		return nil
	})
	return got, err
}

// equal compares without the cost of a report. The format is that of what was read.
func (s *sample) equal(got *sample) bool {
	meta := s.meta
	meta.Format = got.meta.Format
	return slices.Equal(s.sources, got.sources) && slices.Equal(s.chunks, got.chunks) &&
		slices.EqualFunc(s.terms, got.terms, func(a, b sampleTerm) bool {
			return a.term == b.term && slices.Equal(a.text, b.text) && slices.Equal(a.path, b.path)
		}) && cmp.Equal(meta, got.meta, cmpopts.EquateEmpty())
}

func readTerm(r *Reader, name string, t Term) sampleTerm {
	out := sampleTerm{term: name}
	var block [skipInterval]Posting
	it := r.Postings(t)
	for n := it.Next(block[:]); n > 0; n = it.Next(block[:]) {
		out.text = append(out.text, block[:n]...)
	}
	out.path = r.PathPostings(t, nil)
	return out
}

func TestRoundTrip(t *testing.T) {
	for _, size := range []struct{ sources, words int }{{0, 1}, {1, 3}, {40, 300}, {700, 5000}} {
		d, _ := testDir(t)
		want := newSample(uint64(size.sources), size.sources, size.words)
		mustPublish(t, d, want)
		snap := mustOpen(t, d)
		diff, err := want.compare(snap)
		if err != nil || diff != "" {
			t.Errorf("%d sources: %v\n%s", size.sources, err, diff)
		}
		if report, err := Check(snap); err != nil || len(report.Problems) > 0 {
			t.Errorf("%d sources: check: %v, %+v", size.sources, err, report)
		}
	}
}

// The same content gives the same bytes, however it is cut into runs (invariant 6).
func TestSameBytes(t *testing.T) {
	s := newSample(3, 300, 4000)
	var first []byte
	for _, run := range []int{1, 7, 1000, 1 << 20} {
		d, path := testDir(t)
		w, err := d.Create()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.fill(w, run); err != nil {
			t.Fatal(err)
		}
		if err := w.Publish(context.Background(), s.meta); err != nil {
			t.Fatal(err)
		}
		b := fileBytes(t, path)
		if first == nil {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Errorf("runs of %d terms give other bytes", run)
		}
	}
}

func TestMissing(t *testing.T) {
	d, _ := testDir(t)
	if _, err := d.Open(); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		t.Errorf("open without an index: %v", err)
	}
}
