package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"projectknowledge/store"
)

// The ranked profile works in two phases. The first adds up BM25 over the text
// and the defined names of every chunk and keeps a pool of the best, joined by
// chunks that define an identifier of the query and by files whose path
// matches. The second weighs that pool by what is known of the files, and lets
// each further chunk of a file count for less.

// A signal is one contribution to a score; see weights.go for what each means.
type signal int

const (
	signalText signal = iota
	signalPath
	signalNameCover
	signalPathShare
	signalDefinition
	signalCoherence
	signalKind
	signalFurther
	numSignals
)

var signalNames = [numSignals]string{
	"text", "path", "name cover", "path share", "definition", "coherence", "file kind", "further chunk",
}

// candidate is a chunk of the pool.
type candidate struct {
	chunk   uint32
	source  uint32
	score   float64 // of the phase that has run
	signals [numSignals]float64
}

func sortCandidates(c []candidate) {
	slices.SortFunc(c, func(a, b candidate) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Compare(a.chunk, b.chunk)
	})
}

// rank is both phases of the ranked profile behind the text scores.
func (s *search) rank() {
	a := s.acc
	for i := range s.terms {
		t := &s.terms[i]
		t.path = s.pathIDF(t)
		a.addPaths(s.r, t)
	}
	s.gather()
	s.weighFiles()
	s.spread()
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
func pathWeight(idf float64, p store.PathPosting) float64 {
	tf := weightPathName*float64(p.Name) + float64(p.Folder)
	return idf * tf * (pathSaturationK1 + 1) / (tf + pathSaturationK1)
}

// gather makes the pool.
func (s *search) gather() {
	a := s.acc
	s.matched = len(a.touched)
	size := max(s.q.Pool, DefaultPool, 2*s.q.Limit)
	in := map[uint32]bool{}
	add := func(chunk uint32) {
		if !in[chunk] {
			in[chunk] = true
			a.cands = append(a.cands, candidate{chunk: chunk, source: s.r.Chunk(chunk).Source, score: a.scores[chunk]})
		}
	}
	for _, c := range best(a.touched, a.scores, size) {
		add(c)
	}
	for _, c := range s.defining() {
		add(c)
	}
	s.addByPath(size, add)
	sortCandidates(a.cands)
}

// defining gives the best chunks that define an identifier of the query.
func (s *search) defining() []uint32 {
	var chunks []uint32
	for i := range s.terms {
		if t := &s.terms[i]; s.identifier(t) > 0 {
			chunks = append(chunks, s.definedIn(t)...)
		}
	}
	return best(chunks, s.acc.scores, maxDefiningPool)
}

// definedIn gives the chunks whose defined names hold the term.
func (s *search) definedIn(t *queryTerm) []uint32 {
	var chunks []uint32
	for _, l := range t.lists {
		it := s.r.Postings(l)
		for n := it.Next(s.acc.block[:]); n > 0; n = it.Next(s.acc.block[:]) {
			for _, p := range s.acc.block[:n] {
				if p.Names > 0 {
					chunks = append(chunks, p.Chunk)
				}
			}
		}
	}
	return chunks
}

// addByPath takes in the files whose path matches best, each by its best
// chunk, or its first when the text of none matches (P-46).
func (s *search) addByPath(size int, add func(chunk uint32)) {
	a := s.acc
	for _, src := range best(a.sources, a.paths, min(size, max(maxPathPool, s.q.Limit))) {
		rec := s.r.Source(src)
		if rec.Chunks == 0 {
			continue // P-46: a source without chunks is never a hit
		}
		top := rec.First
		for c := rec.First; c < rec.First+rec.Chunks; c++ {
			if a.scores[c] > a.scores[top] {
				top = c
			}
		}
		if a.scores[top] == 0 {
			s.matched++
		}
		add(top)
	}
}

// identifier tells how much a definition of the term counts: more when the
// query is that one word, less when it stands among others and looks like an
// identifier, nothing otherwise.
func (s *search) identifier(t *queryTerm) float64 {
	switch {
	case !t.Whole:
		return 0
	case s.oneWord():
		return weightDefinition
	case s.parts(t.Word) > 1:
		return weightInSentence
	}
	return 0
}

func (s *search) oneWord() bool {
	for i := range s.terms {
		if s.terms[i].Word != s.terms[0].Word {
			return false
		}
	}
	return true
}

func (s *search) parts(word int) int {
	n := 0
	for i := range s.terms {
		if s.terms[i].Word == word {
			n++
		}
	}
	return n
}

// fileSignals are the signals that all candidates of a file share.
type fileSignals struct {
	path, cover, share float64
	factor             float64
	whole              string
}

// weighFiles is the second phase up to the order within files.
func (s *search) weighFiles() {
	a := s.acc
	if len(a.cands) == 0 {
		return
	}
	top := a.cands[0].score
	if top == 0 {
		top = 1 // matched by path alone: any scale will do
	}
	words := s.queryWords()
	files := map[uint32]*fileSignals{}
	defs := s.definitions()
	seen := map[uint32]int{}
	for i := range a.cands {
		if i < coherencePool {
			seen[a.cands[i].source]++
		}
	}
	pool := float64(min(len(a.cands), coherencePool))
	coherent := map[uint32]bool{}
	for i := range a.cands {
		c := &a.cands[i]
		f := files[c.source]
		if f == nil {
			f = s.fileSignals(c.source, words)
			files[c.source] = f
		}
		c.signals[signalText] = c.score
		c.signals[signalPath] = weightPath * f.path
		c.signals[signalNameCover] = weightNameCover * f.cover * top
		c.signals[signalPathShare] = weightPathShare * f.share * top
		c.signals[signalDefinition] = top * defs.weight(c.chunk, f.whole)
		if !coherent[c.source] {
			coherent[c.source] = true
			c.signals[signalCoherence] = weightCoherence * float64(seen[c.source]) / pool * top
		}
		sum := 0.0
		for _, v := range c.signals {
			sum += v
		}
		c.signals[signalKind] = sum * (f.factor - 1)
		c.score = sum + c.signals[signalKind]
	}
}

func (s *search) fileSignals(source uint32, words []string) *fileSignals {
	w := s.paths.of(s.r, source)
	f := &fileSignals{path: s.acc.paths[source], factor: s.kindFactor(w.kind), whole: w.whole}
	if len(words) == 0 || len(w.name) == 0 {
		return f
	}
	for _, n := range w.name {
		f.cover += bestMatch(n, words)
	}
	met := 0.0
	for _, q := range words {
		inName := bestMatch(q, w.name)
		inPath := max(inName, bestMatch(q, w.folders))
		met += inPath
		f.share += max(inName, matchFolder*bestMatch(q, w.parent))
	}
	n := float64(len(words))
	f.cover = f.cover / float64(len(w.name)) * math.Sqrt(met/n)
	f.share /= n
	return f
}

// bestMatch tells how well a word is met among others.
func bestMatch(word string, among []string) float64 {
	m := 0.0
	for _, other := range among {
		if other == word {
			return matchExact
		}
		if len(word) >= minPrefix && len(other) >= minPrefix && (strings.HasPrefix(other, word) || strings.HasPrefix(word, other)) {
			m = matchPrefix
		}
	}
	return m
}

// queryWords gives the terms of the query that are no undivided form of a word
// with parts.
func (s *search) queryWords() []string {
	var out []string
	for i := range s.terms {
		t := &s.terms[i]
		if !t.Whole || s.parts(t.Word) == 1 {
			out = append(out, string(t.Term))
		}
	}
	return out
}

// kindFactor lets tests and superseded code count for less, unless the query
// asks for them.
func (s *search) kindFactor(kind fileKind) float64 {
	f := 1.0
	if kind&testFile != 0 && !s.asks("test", "spec", "fixtur", "mock") {
		f *= factorTest
	}
	if kind&legacyFile != 0 && !s.asks("compat", "legaci", "deprec") {
		f *= factorLegacy
	}
	return f
}

func (s *search) asks(prefixes ...string) bool {
	for i := range s.terms {
		for _, p := range prefixes {
			if strings.HasPrefix(string(s.terms[i].Term), p) {
				return true
			}
		}
	}
	return false
}

// definitions are the chunks that define identifiers of the query.
type definitions map[uint32][]definition

type definition struct {
	weight float64
	whole  string
}

func (s *search) definitions() definitions {
	d := definitions{}
	for i := range s.terms {
		t := &s.terms[i]
		w := s.identifier(t)
		if w == 0 {
			continue
		}
		for _, c := range s.definedIn(t) {
			d[c] = append(d[c], definition{w, string(t.Term)})
		}
	}
	return d
}

func (d definitions) weight(chunk uint32, fileName string) float64 {
	w := 0.0
	for _, def := range d[chunk] {
		v := def.weight
		if def.whole == fileName {
			v *= definitionNamesake
		}
		w = max(w, v)
	}
	return w
}

// spread lets each further chunk of a file count for half of the one before
// and keeps the best.
func (s *search) spread() {
	a := s.acc
	sortCandidates(a.cands)
	seen := map[uint32]int{}
	for i := range a.cands {
		c := &a.cands[i]
		n := seen[c.source]
		seen[c.source] = n + 1
		if n > 0 {
			factor := math.Pow(factorFurtherInFile, float64(min(n, maxFurtherInFileHalf)))
			c.signals[signalFurther] = c.score * (factor - 1)
			c.score += c.signals[signalFurther]
		}
	}
	sortCandidates(a.cands)
	s.ranked = a.cands[:min(len(a.cands), s.q.Limit)]
}
