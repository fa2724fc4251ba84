package files

import (
	"bytes"
	"unicode/utf8"
)

// stopEvery is after how many lines a search asks whether it should stop.
const stopEvery = 1 << 10

// A lineSearch finds the matching lines of one text, in order.
type lineSearch struct {
	expression *expression
	text       []byte
	at         int   // where the next line to look at begins
	next       []int // for each needle, its first place at or after at; len(text) when there is none
	looked     int
	stop       func() bool
	stopped    bool // stop said true: the lines after the last one found were not looked at
}

func newLineSearch(e *expression, text []byte, stop func() bool) *lineSearch {
	s := &lineSearch{expression: e, text: text, stop: stop}
	if len(e.needles) > 0 {
		s.next = make([]int, len(e.needles))
		for i := range s.next {
			s.next[i] = -1
		}
	}
	return s
}

// line gives the next matching line as a range of the text without the line's end; ok is false when there is none or the
// search was stopped.
func (s *lineSearch) line() (start, end int, ok bool) {
	for s.candidate() {
		start := s.at
		end := len(s.text)
		if i := bytes.IndexByte(s.text[start:], '\n'); i >= 0 {
			end = start + i
			s.at = end + 1
		} else {
			s.at = len(s.text)
		}
		if end > start && s.text[end-1] == '\r' && end < len(s.text) {
			end--
		}
		if s.matches(start, end) {
			return start, end, true
		}
	}
	return 0, 0, false
}

func (s *lineSearch) matches(start, end int) bool {
	if s.expression.plain {
		return true
	}
	matched := s.expression.match(s.text[start:end], s.stop)
	if len(s.text[start:end])*s.expression.size > maxAtOnce && s.stop() {
		s.stopped = true
		return false
	}
	return matched
}

// candidate moves to the next line that can match.
func (s *lineSearch) candidate() bool {
	if s.looked++; s.looked%stopEvery == 0 && s.stop() {
		s.stopped = true
	}
	if s.stopped || s.at >= len(s.text) {
		return false
	}
	if s.next == nil {
		return true
	}
	nearest := len(s.text)
	for i := range s.next {
		if s.next[i] < s.at {
			s.next[i] = len(s.text)
			if found := s.expression.needles[i].index(s.text[s.at:]); found >= 0 {
				s.next[i] = s.at + found
			}
		}
		nearest = min(nearest, s.next[i])
	}
	if nearest == len(s.text) {
		return false
	}
	s.at += bytes.LastIndexByte(s.text[s.at:nearest], '\n') + 1
	return true
}

// shown gives what is shown of a line and whether that is not all (M-51).
func shown(line []byte) (text string, cut bool) {
	if len(line) <= MaxLineChars {
		return string(line), false
	}
	end := 0
	for range MaxLineChars {
		_, width := utf8.DecodeRune(line[end:])
		if end += width; end >= len(line) {
			return string(line), false
		}
	}
	return string(line[:end]), true
}
