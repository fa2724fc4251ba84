package provider

import (
	"projectknowledge/index"
	"projectknowledge/tokenize"
)

// add appends a hit under the byte bound: whole, cut to neighbouring complete lines, or not at all (P-75). One that is
// left out counts towards the limit, so that a full result ends the search.
func (s *searchRun) add(hit Hit) {
	bound := s.p.opt.ResultBytes
	if bound == 0 {
		s.result.Hits = append(s.result.Hits, hit)
		return
	}
	comma := min(len(s.result.Hits), 1)
	room := bound - s.result.frameSize() - s.size - comma
	need := hit.frameSize() + jsonSize(hit.Text)
	if need > room {
		s.truncate(true)
		if !s.cut(&hit, room) {
			s.leftOut++
			return
		}
		need = hit.frameSize() + jsonSize(hit.Text)
	}
	s.size += comma + need
	s.result.Hits = append(s.result.Hits, hit)
}

// cut keeps the lines of the hit that fit into room bytes: in the ranked profile those around the line that the most
// terms of the query stand on, else the first ones.
func (s *searchRun) cut(hit *Hit, room int) bool {
	score := func(string) int { return 0 }
	if s.req.Profile == index.Ranked {
		score = lineScorer(s.req.Query)
	}
	// The numbers of the kept lines are not known yet: none is longer than that of the last line.
	spare := decimals(hit.EndLine) - decimals(hit.StartLine)
	window, ok := fitAround(hit.Text, score, room-hit.frameSize()-spare)
	if !ok {
		return false
	}
	hit.Text = hit.Text[window.from:window.to]
	hit.StartLine += window.first
	hit.EndLine = hit.StartLine + window.count - 1
	return true
}

// lineScorer counts the distinct terms of the query that a line holds.
func lineScorer(query string) func(line string) int {
	var cutter tokenize.Tokenizer
	terms := cutter.Query(query, index.MaxQueryTerms)
	return func(line string) int {
		met := make([]bool, len(terms))
		count := 0
		cutter.Each([]byte(line), func(term []byte) {
			for i, wanted := range terms {
				if met[i] || !matches(wanted, term) {
					continue
				}
				met[i] = true
				count++
			}
		})
		return count
	}
}

// matches reports whether a term of a text is one that the query term asks for.
func matches(wanted tokenize.QueryTerm, term []byte) bool {
	if wanted.Unit {
		return tokenize.FirstUnitIs(term, wanted.Term)
	}
	return string(wanted.Term) == string(term)
}
