package index

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"projectknowledge/store"
)

// A merge joins the posting runs of the workers, the path run and what is
// taken over from the old index into the dictionary of a new one. The
// dictionary is cut into stretches, several of which are encoded at once and
// then written in order, so that the result does not depend on scheduling and
// memory is bounded by a few stretches.
type merge struct {
	runs    []*postingRun
	paths   *pathRun
	old     *store.Snapshot // nil when nothing is taken over
	remap   []uint32
	workers int
}

// stretchPostings is about how many postings one stretch holds.
const stretchPostings = 1 << 19

// listBytes is about what a posting takes up encoded.
const listBytes = 2

// write adds every term to w.
func (m *merge) write(ctx context.Context, w *store.Writer) error {
	bounds, err := m.bounds()
	if err != nil {
		return err
	}
	for i := 0; i < len(bounds)-1; i += m.workers {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.round(w, bounds[i:min(i+m.workers+1, len(bounds))]); err != nil {
			return err
		}
	}
	return nil
}

// round encodes the stretches between neighbouring bounds side by side.
func (m *merge) round(w *store.Writer, bounds [][]byte) error {
	n := len(bounds) - 1
	out := make([]store.TermRun, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			errs[i] = guard(func() error { return m.stretch(bounds[i], bounds[i+1], &out[i]) })
		})
	}
	wg.Wait()
	for i := range n {
		if errs[i] != nil {
			return errs[i]
		}
		if err := w.AddTerms(&out[i]); err != nil {
			return err
		}
	}
	return nil
}

// bounds gives the first terms of the stretches; the first is empty and the
// last nil. They are sampled from the largest input.
func (m *merge) bounds() ([][]byte, error) {
	var largest *postingRun
	total := 0
	for _, r := range m.runs {
		total += len(r.postings)
		if len(r.order) > 0 && (largest == nil || len(r.order) > len(largest.order)) {
			largest = r
		}
	}
	var sample func(i, n int) []byte // the term at i/n of the largest input
	if largest != nil {
		sample = func(i, n int) []byte { return largest.terms.term(largest.order[len(largest.order)*i/n]) }
	}
	if m.old == nil {
		return cutBounds(m.workers, total, sample), nil
	}
	var bounds [][]byte
	err := m.old.View(func(r *store.Reader) error {
		if r.Terms() > 0 && (largest == nil || int(r.Terms()) > len(largest.order)) {
			sample = r.SampleTerm
		}
		total += int(r.TotalTerms()) // no fewer than its postings
		bounds = cutBounds(m.workers, total, sample)
		return nil
	})
	return bounds, err
}

func cutBounds(workers, postings int, sample func(i, n int) []byte) [][]byte {
	bounds := [][]byte{{}}
	if sample != nil {
		n := max(workers, (postings+stretchPostings-1)/stretchPostings)
		for i := 1; i < n; i++ {
			b := slices.Clone(sample(i, n))
			if bytes.Compare(b, bounds[len(bounds)-1]) > 0 {
				bounds = append(bounds, b)
			}
		}
	}
	return append(bounds, nil)
}

// stretch encodes the terms from a bound on until the next one.
func (m *merge) stretch(from, until []byte, out *store.TermRun) error {
	streams := []termStream{m.paths.stream(from, until)}
	for _, r := range m.runs {
		s := r.stream(from, until)
		terms, names, postings := s.left()
		out.Grow(terms, names, postings*listBytes)
		streams = append(streams, s)
	}
	if m.old == nil {
		joinStreams(streams, out)
		return nil
	}
	return m.old.View(func(r *store.Reader) error {
		joinStreams(append(streams, newOldStream(r, m.remap, from, until)), out)
		return nil
	})
}

// joinStreams adds the terms of all streams to out, each once.
func joinStreams(streams []termStream, out *store.TermRun) {
	live := streams[:0]
	for _, s := range streams {
		if s.next() {
			live = append(live, s)
		}
	}
	var texts [][]store.Posting
	var joined []store.Posting
	var name []byte
	for len(live) > 0 {
		name = append(name[:0], least(live)...)
		texts = texts[:0]
		var path []store.PathPosting
		for _, s := range live {
			if !bytes.Equal(s.name(), name) {
				continue
			}
			if t := s.text(); len(t) > 0 {
				texts = append(texts, t)
			}
			if p := s.path(); len(p) > 0 {
				path = p
			}
		}
		text := joined[:0]
		if len(texts) == 1 {
			out.Add(name, texts[0], path)
		} else {
			for _, t := range texts {
				text = joinPostings(text, t)
			}
			joined = text
			out.Add(name, text, path)
		}
		live = advance(live, name)
	}
}

func least(streams []termStream) []byte {
	name := streams[0].name()
	for _, s := range streams[1:] {
		if n := s.name(); bytes.Compare(n, name) < 0 {
			name = n
		}
	}
	return name
}

// advance moves the streams that stand on name and drops those that end.
func advance(streams []termStream, name []byte) []termStream {
	live := streams[:0]
	for _, s := range streams {
		if !bytes.Equal(s.name(), name) || s.next() {
			live = append(live, s)
		}
	}
	return live
}

// joinPostings merges two lists over disjoint chunks; the result is in the
// memory of a when it fits.
func joinPostings(a, b []store.Posting) []store.Posting {
	if len(a) == 0 || a[len(a)-1].Chunk < b[0].Chunk {
		return append(a, b...)
	}
	i, j := len(a)-1, len(b)-1
	a = append(a, b...)
	for k := len(a) - 1; j >= 0; k-- {
		if i >= 0 && a[i].Chunk > b[j].Chunk {
			a[k] = a[i]
			i--
		} else {
			a[k] = b[j]
			j--
		}
	}
	return a
}
