package tokenize

import (
	"bytes"
	"slices"
)

// QueryTerm is one distinct term of a query.
type QueryTerm struct {
	Term  []byte // the caller's own
	Whole bool   // an undivided word, stemmed or as written
	Unit  bool   // one character of a script that is cut into pairs: stands for all terms for which FirstUnitIs is true
	Word  int    // the number of the word of the query that gave it first, from 0; each pair counts as a word
	Stop  bool   // an English stop word
}

// Query cuts a query into at most max distinct terms, in the order of their first appearance (P-47). It differs from
// the terms of a text in two ways: the last character of a run that is cut into pairs is left out, unless it is the
// only one, and a whole word is asked for both stemmed and unstemmed; such a second form follows all other terms and
// takes no place from them.
func (t *Tokenizer) Query(text string, max int) []QueryTerm {
	var terms, variants []QueryTerm
	t.expander.query = true
	defer func() { t.expander.query = false }()
	t.scanner.Reset([]byte(text))
	number := 0
	for word := t.scanner.Next(); word != nil && len(terms) < max; word = t.scanner.Next() {
		if t.scanner.kind == lastWord {
			continue
		}
		t.expander.collect(word)
		for i, span := range t.expander.terms.spans {
			term := QueryTerm{
				Term:  t.expander.terms.term(i),
				Whole: span.form&formWhole != 0,
				Unit:  t.scanner.kind == loneWord,
				Word:  number,
				Stop:  span.form&formStop != 0,
			}
			if span.form&formVariant != 0 {
				variants = appendDistinct(variants, term, max)
			} else {
				terms = appendDistinct(terms, term, max)
			}
		}
		number++
	}
	for _, variant := range variants {
		terms = appendDistinct(terms, variant, max)
	}
	return terms
}

// appendDistinct appends a copy of term to terms unless it is there or there is no place. A term that is a whole
// word once is one, and a term that is no stop word once is none.
func appendDistinct(terms []QueryTerm, term QueryTerm, max int) []QueryTerm {
	for i := range terms {
		if old := &terms[i]; old.Unit == term.Unit && bytes.Equal(old.Term, term.Term) {
			old.Whole = old.Whole || term.Whole
			old.Stop = old.Stop && term.Stop
			return terms
		}
	}
	if len(terms) >= max {
		return terms
	}
	term.Term = slices.Clone(term.Term)
	return append(terms, term)
}
