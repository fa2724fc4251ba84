package tokenize

import "unicode/utf8"

// Scanner cuts text into words. Every word is a piece of the text, as it stands there; words of one text may
// overlap where a script is cut into pairs. The terms of a word depend on the bytes of the word alone, so that a
// caller may keep them in a table by the word's bytes.
//
// The zero value scans an empty text. A Scanner is not safe for concurrent use and allocates nothing.
type Scanner struct {
	text []byte
	pos  int // where the next word is looked for, outside a run

	// The run of a cut script that is being given out.
	run        class // separator outside a run
	start, end int   // the cluster that begins the next word
	kind       wordKind
}

// wordKind says what a word of a Scanner is.
type wordKind uint8

const (
	identifierWord wordKind = iota // or one of UAX #29
	pairWord                       // two neighbouring clusters
	lastWord                       // the last cluster of a run of several
	loneWord                       // the only cluster of a run
)

// Reset makes s begin at the start of text, which must not change while s reads it.
func (s *Scanner) Reset(text []byte) { *s = Scanner{text: text} }

// Next returns the next word, or nil at the end of the text. It is never empty and stays valid as long as the text
// does; it may not be written to.
func (s *Scanner) Next() []byte {
	if s.run != separator {
		return s.nextOfRun()
	}
	text, i := s.text, s.pos
	for i < len(text) {
		if asciiBits[text[i]] == 0 {
			i++
			continue
		}
		end, found := asciiWordEnd(text, i), separator
		if end < len(text) && text[end] >= utf8.RuneSelf {
			if end, found = wideWordEnd(text, i, end); found.cut() {
				s.run, s.start, s.end = found, i, clusterEnd(text, i, found)
				s.kind = loneWord
				return s.nextOfRun()
			}
		} else if text[i] != '_' || !underscoresOnly(text[i:end]) {
			found = letter
		}
		if found != separator {
			s.pos, s.kind = end, identifierWord
			return text[i:end:end]
		}
		i = end
	}
	s.pos = i
	return nil
}

// nextOfRun returns the pair that begins with the cluster at hand, or at the end of the run that cluster alone.
func (s *Scanner) nextOfRun() []byte {
	start, second := s.start, s.end
	end := clusterEnd(s.text, second, s.run)
	if end == second {
		if s.kind != loneWord {
			s.kind = lastWord
		}
		s.pos, s.run = end, separator
		return s.text[start:end:end]
	}
	s.kind = pairWord
	s.start, s.end = second, end
	return s.text[start:end:end]
}
