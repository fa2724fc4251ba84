package index

import (
	"math"
	"slices"

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
	file    int32   // in search.files
	nth     int32   // how many chunks of its file stand before it
	text    float64 // score of the first phase
	score   float64 // of the phase that has run
	further float64 // factor for being a further chunk of its file
}

// candidateFile is a file with candidates.
type candidateFile struct {
	source            uint32
	path, cover, kind float64 // signals that its chunks have in common
	coherence         float64 // of its best chunk
	seen              int32   // chunks ranked so far
	words             *pathWords
}

// rank is both phases of the ranked profile behind the text scores.
func (s *search) rank() error {
	for i := range s.terms {
		t := &s.terms[i]
		if len(t.Term) == 1 && !t.Whole {
			continue // see partTerms
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
	tf := s.w.pathName*float64(p.Name) + float64(p.Folder)
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
		a.files = append(a.files, candidateFile{source: source})
	}
	a.cands = append(a.cands, candidate{chunk: chunk, file: file, text: a.scores[chunk], further: 1})
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
	words := s.queryWords()
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

// weighFile sets the signals that the chunks of a file have in common.
func (s *search) weighFile(f *candidateFile, words []string) {
	f.words = s.paths.of(s.r, f.source)
	f.path = s.w.path * s.acc.paths[f.source]
	f.kind = s.kindFactor(f.words.kind)
	if len(words) == 0 || len(f.words.name) == 0 {
		return
	}
	cover := 0.0
	for _, n := range f.words.name {
		cover += s.match(n, words)
	}
	met := 0.0
	for _, q := range words {
		met += max(s.match(q, f.words.name), s.match(q, f.words.folders))
	}
	f.cover = s.w.cover * s.top * cover / float64(len(f.words.name)) * math.Sqrt(met/float64(len(words)))
}

// match tells how well a word is met among others: 1 when it is there, less
// when one is the beginning of the other.
func (s *search) match(word string, among []string) float64 {
	m := 0.0
	for _, other := range among {
		if other[0] != word[0] {
			continue
		}
		if other == word {
			return 1
		}
		if n := min(len(word), len(other)); n >= minPrefix && word[:n] == other[:n] {
			m = s.w.prefix
		}
	}
	return m
}

// spread lets each further chunk of a file count for half of the one before,
// and keeps the best.
func (s *search) spread() {
	a := s.acc
	a.order = a.order[:0]
	for i := range a.cands {
		a.order = append(a.order, ordered{a.cands[i].score, a.cands[i].chunk, int32(i)})
	}
	slices.SortFunc(a.order, compareOrdered)
	for i := range a.order {
		o := &a.order[i]
		c := &a.cands[o.at]
		f := &a.files[c.file]
		if c.nth = f.seen; c.nth == 0 {
			c.score += f.coherence * f.kind
		} else {
			c.further = math.Pow(s.w.further, float64(min(c.nth, maxHalvings)))
			c.score *= c.further
		}
		f.seen++
		o.score = c.score
	}
	top := bestOrdered(a.order, s.q.Limit)
	slices.SortFunc(top, compareOrdered)
	for _, o := range top {
		s.ranked = append(s.ranked, a.cands[o.at])
	}
}
