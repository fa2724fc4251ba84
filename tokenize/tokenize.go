// Package tokenize cuts text into the terms that an index holds and a query asks for.
//
// Three kinds of words are told apart:
//
//   - identifier words: maximal runs of letters with their combining marks, digits and '_', in scripts with
//     capital letters. They give the word itself, its parts at '_', at camelCase borders and between letters and
//     digits: parseHTTPRequest gives parsehttprequest, parse, http, request;
//   - runs of scripts written without spaces (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar and their kin), which
//     give each pair of neighbouring characters and the last character: 项目知识 gives 项目, 目知, 知识, 识;
//   - words of all other scripts by the word boundaries of UAX #29.
//
// Terms are in folded case and Normalization Form C, full-width and half-width forms are brought to their ordinary
// ones, and English words are reduced to their Porter stem, in index and query alike. A term is never empty, is
// valid UTF-8 and has at most MaxTermRunes characters. The work is linear in the text, whatever the text is; bytes
// that are no UTF-8 separate words. After warm-up nothing is allocated per word or term.
//
// The package knows nothing of files, positions or ranking.
package tokenize

// Version numbers the rules of this package. It changes whenever the terms of any text change, so that an index
// with terms of other rules is not taken for a current one. testdata/terms.golden shows such a change.
const Version = 1

// MaxTermRunes is the greatest length of a term in characters; a longer one is cut to its first ones (P-44).
const MaxTermRunes = 64

// Tokenizer gives the terms of texts and queries. The zero value is ready. It is reused from text to text and is
// not safe for concurrent use.
type Tokenizer struct {
	scanner  Scanner
	expander Expander
}

// Each calls emit for every term occurrence of text, in order: the terms of each word that a Scanner gives, as an
// Expander gives them. A term is valid only inside emit.
func (t *Tokenizer) Each(text []byte, emit func(term []byte)) {
	t.scanner.Reset(text)
	for word := t.scanner.Next(); word != nil; word = t.scanner.Next() {
		t.expander.Expand(word, emit)
	}
}
