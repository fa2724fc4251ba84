package index

// Explanation tells how the score of a hit came about. The scores of its terms
// sum to the signal "text", the signals to the score of the hit, up to
// rounding.
type Explanation struct {
	Score   float64       `json:"score"`
	Terms   []TermScore   `json:"terms"`
	Signals []SignalScore `json:"signals"`
}

// TermScore is what one term of the query adds to the text score of a chunk.
type TermScore struct {
	Term   string  `json:"term"`
	IDF    float64 `json:"idf"`
	Chunks int     `json:"chunks"` // document frequency
	Text   int     `json:"text"`   // occurrences in the chunk
	Names  int     `json:"names"`  // occurrences in names defined there
	Score  float64 `json:"score"`
}

// SignalScore is what one signal adds to the score.
type SignalScore struct {
	Signal string  `json:"signal"`
	Score  float64 `json:"score"`
}

func (s *search) explain(c *candidate) *Explanation {
	e := &Explanation{Score: c.score}
	length := float64(s.r.ChunkTerms(c.chunk))
	for i := range s.terms {
		t := &s.terms[i]
		text, names := s.counts(t, c.chunk)
		if text+names == 0 {
			continue
		}
		tf := float64(text) + s.scoring.names*float64(names)
		e.Terms = append(e.Terms, TermScore{
			Term: string(t.Term), IDF: t.idf, Chunks: t.chunks, Text: text, Names: names,
			Score: s.scoring.weigh(t.idf, tf, length, s.average),
		})
	}
	e.Signals = s.signals(c)
	return e
}

// signals tells the parts of a candidate's score in the order in which they
// were joined; those that are zero are left out.
func (s *search) signals(c *candidate) []SignalScore {
	var out []SignalScore
	sum := 0.0
	add := func(name string, v float64) {
		if v != 0 {
			out = append(out, SignalScore{name, v})
			sum += v
		}
	}
	add("text", c.text)
	if s.q.Profile == FTS5 {
		return out
	}
	f := &s.acc.files[c.file]
	add("path", f.path)
	add("name cover", f.cover)
	add("definition", s.definitionWeight(c))
	if c.first {
		add("coherence", f.coherence)
	}
	add("file kind", sum*(f.kind-1))
	add("further chunk", sum*(c.further-1))
	return out
}

// counts gives the occurrences of a term in one chunk.
func (s *search) counts(t *queryTerm, chunk uint32) (text, names int) {
	for _, l := range t.lists {
		it := s.r.Postings(l)
		it.Seek(chunk)
		if it.Next(s.acc.block[:1]) == 1 && s.acc.block[0].Chunk == chunk {
			text += int(s.acc.block[0].Text)
			names += int(s.acc.block[0].Names)
		}
	}
	return text, names
}
