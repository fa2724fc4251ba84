package main

import (
	"unicode/utf8"

	"projectknowledge/index"
	"projectknowledge/tokenize"
)

// highlighter finds in a text the words that a query asks for, by the very rules that index and query follow.
type highlighter struct {
	terms    map[string]bool
	units    [][]byte // single characters: they stand for every pair that begins with them
	scanner  tokenize.Scanner
	expander tokenize.Expander
}

func newHighlighter(query string) *highlighter {
	var t tokenize.Tokenizer
	terms := t.Query(query, index.MaxQueryTerms)
	h := &highlighter{terms: map[string]bool{}}
	onlyStops := true
	for _, term := range terms {
		onlyStops = onlyStops && term.Stop
	}
	for _, term := range terms {
		switch {
		case term.Stop && !onlyStops:
		case term.Unit:
			h.units = append(h.units, term.Term)
		default:
			h.terms[string(term.Term)] = true
		}
	}
	return h
}

// span is a stretch of bytes of a text.
type span struct{ from, to int }

// spans gives the matching stretches of text in order, none touching another.
func (h *highlighter) spans(text []byte) []span {
	var found []span
	h.scanner.Reset(text)
	at := 0
	for word := h.scanner.Next(); word != nil; word = h.scanner.Next() {
		for &text[at] != &word[0] { // a word is a piece of the text, and words come in order
			at++
		}
		length := h.matched(word)
		if length == 0 {
			continue
		}
		if last := len(found) - 1; last >= 0 && found[last].to >= at {
			found[last].to = max(found[last].to, at+length)
		} else {
			found = append(found, span{at, at + length})
		}
	}
	return found
}

// matched tells how many bytes of a word the query asks for: all, its first character, or none.
func (h *highlighter) matched(word []byte) int {
	length := 0
	h.expander.Expand(word, func(term []byte) {
		if h.terms[string(term)] {
			length = len(word)
		}
		for _, unit := range h.units {
			if length == 0 && tokenize.FirstUnitIs(term, unit) {
				_, length = utf8.DecodeRune(word)
			}
		}
	})
	return length
}
