package index

import (
	"context"
	"math"
	"slices"

	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// Hit is a chunk that matches a query. Its lines are those that were indexed:
// whoever shows them compares Hash with the document's bytes first.
type Hit struct {
	Path        string
	StartLine   int // one-based
	EndLine     int // inclusive
	SourceLines int // lines that the whole source had
	Hash        [32]byte
	Score       float64
	Row         uint64       // row id: the base of the source plus the ordinal of the chunk (P-52)
	Explanation *Explanation // when the query asked for it
}

// Results are the hits of a query, best first.
type Results struct {
	Hits     []Hit
	Matched  int      // chunks that match, whether given or not
	Revision *string  // of the coverage
	Rules    int      // version of the rules that admitted the sources, see Options.Rules
	Terms    []string // the terms that were searched for
}

// Search ranks the chunks of the published index. It reads no document. It
// returns ErrNoTerms for a query without a term, fs.ErrNotExist without an
// index and store.ErrDamaged for one that cannot be trusted.
//
// The time is linear in the lengths of the terms' posting lists.
func (ix *Index) Search(ctx context.Context, q Query) (Results, error) {
	terms := cutQuery(q)
	if len(terms) == 0 {
		return Results{}, ErrNoTerms
	}
	var res Results
	err := ix.view(func(g *sharedSnapshot, r *store.Reader) error {
		m := g.Meta()
		if m.Tokenizer != tokenize.Version {
			r.Damaged("the index has the terms of other rules")
		}
		res = Results{Revision: m.Coverage.Revision, Rules: m.Rules}
		s := newSearch(q, terms, r)
		s.acc = ix.accumulator(r.Chunks(), r.Sources())
		if err := s.run(ctx); err != nil {
			return err
		}
		res.Matched = s.matched
		res.Hits = s.hits()
		ix.recycle(s.acc)
		return nil
	})
	for i := range terms {
		res.Terms = append(res.Terms, string(terms[i].Term))
	}
	return res, err
}

// search is one query over one generation.
type search struct {
	q       Query
	terms   []queryTerm
	r       *store.Reader
	acc     *accumulator
	scoring scoring
	average float64 // length of a chunk in terms
	w       *weights
	top     float64 // best BM25 score of text and path among the candidates
	defs    definitions
	name    string  // in lower case, when there are definitions of it
	admits  *filter // nil when every source may be a hit
	matched int
	ranked  []candidate // best first
}

func newSearch(q Query, terms []queryTerm, r *store.Reader) *search {
	s := &search{q: q, terms: terms, r: r, scoring: fts5Scoring, w: &rankedWeights}
	if q.Profile == Ranked {
		s.scoring = s.w.text
	}
	if n := r.Chunks(); n > 0 {
		s.average = float64(r.TotalTerms()) / float64(n)
	}
	for i := range s.terms {
		t := &s.terms[i]
		t.lists, t.joined, t.chunks = nil, nil, 0
		t.resolve(r)
		t.idf = s.idf(t.chunks)
	}
	return s
}

// idf gives the inverse document frequency of a term found in n chunks. FTS5's
// has a floor, below which a term of most chunks falls; the ranked profile's
// is Lucene's, which stays positive and keeps such terms in order.
func (s *search) idf(n int) float64 {
	ratio := (float64(s.r.Chunks()) - float64(n) + 0.5) / (float64(n) + 0.5)
	if s.q.Profile == Ranked {
		return math.Log1p(ratio)
	}
	if idf := math.Log(ratio); idf > 0 {
		return idf
	}
	return fts5IDFFloor
}

func (s *search) run(ctx context.Context) error {
	for i := range s.terms {
		if err := s.acc.addText(ctx, s.r, &s.terms[i], &s.scoring, s.average); err != nil {
			return err
		}
	}
	if s.q.Profile == FTS5 {
		if err := s.filter(); err != nil {
			return err
		}
		s.plain()
		return nil
	}
	return s.rank()
}

// plain orders by the score alone.
func (s *search) plain() {
	a := s.acc
	s.matched = len(a.touched)
	top := best(a.touched, a.scores, s.q.Limit)
	for _, c := range top {
		s.ranked = append(s.ranked, candidate{chunk: c, text: a.scores[c], score: a.scores[c]})
	}
	slices.SortFunc(s.ranked, func(a, b candidate) int {
		return compareOrdered(ordered{score: a.score, chunk: a.chunk}, ordered{score: b.score, chunk: b.chunk})
	})
}

// hits describes the ranked candidates.
func (s *search) hits() []Hit {
	hits := make([]Hit, 0, len(s.ranked))
	for i := range s.ranked {
		c := s.r.Chunk(s.ranked[i].chunk)
		src := s.r.Source(c.Source)
		h := Hit{
			Path: src.Path, StartLine: int(c.Line), EndLine: int(c.Line) + int(c.Lines) - 1,
			SourceLines: int(src.Lines), Hash: src.Hash, Score: s.ranked[i].score,
			Row: src.Base + uint64(s.ranked[i].chunk-src.First),
		}
		if s.q.Explain {
			h.Explanation = s.explain(&s.ranked[i])
		}
		hits = append(hits, h)
	}
	return hits
}
