package index

import (
	"math"

	"projectknowledge/store"
)

// The ranked profile works in two phases. The first adds up BM25 over the text
// and the defined names of every chunk and keeps a pool of the best, joined by
// chunks that define an identifier of the query and by files whose path
// matches. The second weighs that pool by what is known of the files, and lets
// each further chunk of a file count for less. No document is read.

// candidate is a chunk of the pool.
type candidate struct {
	chunk   uint32
	file    int32   // in accumulator.files
	next    int32   // the following candidate of its file, or -1
	first   bool    // the best of its file
	text    float64 // score of the first phase
	score   float64 // of the phase that has run
	further float64 // factor for being a further chunk of its file
}

// candidateFile is a file with candidates.
type candidateFile struct {
	source            uint32
	path, cover, kind float64 // signals that its chunks have in common
	coherence         float64 // of its best chunk
	head              int32   // its first candidate; after ordering, the best not given yet
	given             int     // how many were given
}

// rank is both phases of the ranked profile behind the text scores.
func (s *search) rank() error {
	for i := range s.terms {
		t := &s.terms[i]
		if len(t.Term) == 1 && !t.Whole {
			continue // see wordTerms
		}
		t.path = s.pathIDF(t)
		s.addPaths(t)
	}
	if err := s.filter(); err != nil {
		return err
	}
	s.gather()
	s.weighFiles()
	s.spread()
	return nil
}

// addPaths adds the path postings of a term to the scores of its sources.
func (s *search) addPaths(t *queryTerm) {
	a := s.acc
	for _, list := range t.lists {
		if list.Sources == 0 {
			continue
		}
		a.path = s.r.PathPostings(list, a.path[:0])
		for _, p := range a.path {
			old := a.paths[p.Source]
			if old == 0 {
				a.sources = append(a.sources, p.Source)
			}
			a.paths[p.Source] = old + s.pathWeight(t.path, p)
			if t.says {
				a.met[p.Source].path++
				if p.Name > 0 {
					a.met[p.Source].name++
				}
			}
		}
	}
}

func (s *search) pathIDF(t *queryTerm) float64 {
	n := 0.0
	for _, l := range t.lists {
		n += float64(l.Sources)
	}
	n = min(n, float64(s.r.Sources()))
	return math.Log1p((float64(s.r.Sources()) - n + 0.5) / (n + 0.5))
}

// pathWeight is BM25 over the path without length: paths are short.
func (s *search) pathWeight(idf float64, p store.PathPosting) float64 {
	tf := float64(p.Name) + float64(p.Folder)
	return idf * tf * (s.w.pathK1 + 1) / (tf + s.w.pathK1)
}

// gather makes the pool.
func (s *search) gather() {
	a := s.acc
	s.matched = len(a.touched)
	size := max(s.q.Pool, DefaultPool, 2*s.q.Limit)
	for _, c := range best(a.touched, a.scores, size) {
		s.join(c)
	}
	s.defs = s.definitions()
	for _, c := range best(s.defs.chunks(), a.scores, maxDefiningPool) {
		if s.admits == nil || s.admits.allowed[s.r.Chunk(c).Source] {
			s.join(c)
		}
	}
	s.joinByPath(size)
}

// join takes a chunk into the pool unless it is there.
func (s *search) join(chunk uint32) {
	a := s.acc
	if a.inPool[chunk] {
		return
	}
	a.inPool[chunk] = true
	source := s.r.Chunk(chunk).Source
	file := a.fileOf[source] - 1
	if file < 0 {
		file = int32(len(a.files))
		a.fileOf[source] = file + 1
		a.files = append(a.files, candidateFile{source: source, head: -1})
	}
	f := &a.files[file]
	a.cands = append(a.cands, candidate{chunk: chunk, file: file, next: f.head, text: a.scores[chunk], further: 1})
	f.head = int32(len(a.cands) - 1)
}

// joinByPath takes in the files whose path matches best, each by its best
// chunk, or its first when the text of none matches (P-46).
func (s *search) joinByPath(size int) {
	a := s.acc
	for _, src := range best(a.sources, a.paths, min(size, max(maxPathPool, s.q.Limit))) {
		first, n := s.r.ChunkRange(src)
		if n == 0 {
			continue // P-46: a source without chunks is never a hit
		}
		top := first
		for c := first; c < first+n; c++ {
			if a.scores[c] > a.scores[top] {
				top = c
			}
		}
		if a.scores[top] == 0 {
			s.matched++
		}
		s.join(top)
	}
}

// weighFiles is the second phase up to the order within files.
func (s *search) weighFiles() {
	a := s.acc
	for i := range a.cands {
		c := &a.cands[i]
		s.top = max(s.top, c.text+s.w.path*a.paths[a.files[c.file].source])
	}
	s.weighCoherence()
	words := 0
	for i := range s.terms {
		if s.terms[i].says {
			words++
		}
	}
	for i := range a.files {
		s.weighFile(&a.files[i], words)
	}
	for i := range a.cands {
		c := &a.cands[i]
		f := &a.files[c.file]
		c.score = (c.text + f.path + f.cover + s.definitionWeight(c)) * f.kind
	}
}

// weighCoherence gives each file its share among the best candidates by text.
func (s *search) weighCoherence() {
	a := s.acc
	a.order = a.order[:0]
	for i := range a.cands {
		a.order = append(a.order, ordered{a.cands[i].text, a.cands[i].chunk, int32(i)})
	}
	n := min(coherencePool, len(a.order))
	for _, o := range bestOrdered(a.order, n) {
		a.files[a.cands[o.at].file].coherence += s.w.coherence * s.top / float64(n)
	}
}

// weighFile sets the signals that the chunks of a file have in common; words
// is the number of words of the query.
func (s *search) weighFile(f *candidateFile, words int) {
	flags := s.r.SourceFlags(f.source)
	f.path = s.w.path * s.acc.paths[f.source]
	f.kind = s.kindFactor(flags)
	met := s.acc.met[f.source]
	if names := flags & flagNameWords; met.name > 0 && names > 0 {
		cover := min(float64(met.name)/float64(names), 1)
		f.cover = s.w.cover * s.top * cover * math.Sqrt(float64(met.path)/float64(words))
	}
}
