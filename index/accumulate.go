package index

import (
	"context"

	"projectknowledge/store"
)

// An accumulator holds one score a chunk while the lists of a query are added
// up, term after term in query order so that sums do not depend on anything
// else. It is reused: only the touched scores are put back to zero.
type accumulator struct {
	scores  []float64
	touched []uint32  // chunks whose score is not zero
	paths   []float64 // per source: score of its path
	met     []pathMet // per source: words of the query in its path
	sources []uint32  // sources whose path score is not zero
	block   [decodeBlock]store.Posting
	path    []store.PathPosting

	cands  []candidate
	inPool []bool // per chunk
	files  []candidateFile
	fileOf []int32 // per source: its place in files plus one, or 0
	order  []ordered
	heap   []int32 // memory of fileHeap
}

func (ix *Index) accumulator(chunks, sources uint32) *accumulator {
	a, _ := ix.pool.Get().(*accumulator)
	if a == nil {
		a = new(accumulator)
	}
	if len(a.scores) < int(chunks) {
		a.scores, a.inPool = make([]float64, chunks), make([]bool, chunks)
	}
	if len(a.paths) < int(sources) {
		a.paths, a.met, a.fileOf = make([]float64, sources), make([]pathMet, sources), make([]int32, sources)
	}
	return a
}

// recycle puts an accumulator back. One that was interrupted is not recycled.
func (ix *Index) recycle(a *accumulator) {
	for _, c := range a.touched {
		a.scores[c] = 0
	}
	for _, s := range a.sources {
		a.paths[s], a.met[s] = 0, pathMet{}
	}
	for i := range a.cands {
		a.inPool[a.cands[i].chunk] = false
	}
	for i := range a.files {
		a.fileOf[a.files[i].source] = 0
	}
	a.touched, a.sources, a.cands, a.files = a.touched[:0], a.sources[:0], a.cands[:0], a.files[:0]
	ix.pool.Put(a)
}

// pathMet counts the words of a query that a path has: in its name, and in all.
type pathMet struct{ name, path uint8 }

// scoring is what one term adds to a chunk.
type scoring struct {
	k1, b float64
	names float64 // weight of an occurrence in a defined name
}

// weigh gives the BM25 weight of a term with frequency tf in a chunk of the
// given length: idf·tf·(k1+1) / (tf + k1·(1 − b + b·length/average), after
// Robertson and Zaragoza, The Probabilistic Relevance Framework (2009). The
// order of the operations is that of SQLite's fts5Bm25Function.
func (s *scoring) weigh(idf, tf, length, average float64) float64 {
	return idf * ((tf * (s.k1 + 1.0)) / (tf + s.k1*(1-s.b+s.b*length/average)))
}

func (s *scoring) frequency(p store.Posting) float64 {
	return float64(p.Text) + s.names*float64(p.Names)
}

// addText adds the lists of a term to the scores of its chunks.
func (a *accumulator) addText(ctx context.Context, r *store.Reader, t *queryTerm, s *scoring, average float64) error {
	if t.joined != nil {
		a.addBlock(r, t.joined, t.idf, s, average)
		return ctx.Err()
	}
	for _, list := range t.lists {
		it := r.Postings(list)
		for n := it.Next(a.block[:]); n > 0; n = it.Next(a.block[:]) {
			a.addBlock(r, a.block[:n], t.idf, s, average)
		}
	}
	return ctx.Err()
}

func (a *accumulator) addBlock(r *store.Reader, block []store.Posting, idf float64, s *scoring, average float64) {
	for _, p := range block {
		w := s.weigh(idf, s.frequency(p), float64(r.ChunkTerms(p.Chunk)), average)
		old := a.scores[p.Chunk]
		if old == 0 {
			a.touched = append(a.touched, p.Chunk)
		}
		a.scores[p.Chunk] = old + w
	}
}
