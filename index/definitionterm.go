package index

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"projectknowledge/tokenize"
)

// A definition term stands for "this chunk defines this very name", which the
// ordinary terms of the name do not say: they also come from longer names that
// have it as a part. It is the name in lower case behind a byte that no term
// of a text or query begins with, so nobody asks for it by accident. In place
// of a count in names its posting holds how the name is spelt.
const definitionMark = '='

// definitionTerm gives the term for the definition of a name, in the memory of
// buf, and the spelling. It gives nil for a name that is too long to be a term.
func definitionTerm(buf *[]byte, name []byte) (term []byte, spelling uint16) {
	if len(name) == 0 || utf8.RuneCount(name) >= tokenize.MaxTermRunes {
		return nil, 0
	}
	*buf = append((*buf)[:0], definitionMark)
	*buf = append(*buf, bytes.ToLower(name)...)
	return *buf, spellingOf(name)
}

// spelledLetters is how many letters of a name a spelling tells apart.
const spelledLetters = 15

// spellingOf says which of the first letters of a name are capitals: one more
// than a number with a bit for each.
func spellingOf(name []byte) uint16 {
	bits, i := uint16(0), 0
	for _, r := range string(name) {
		if i == spelledLetters {
			break
		}
		if unicode.IsUpper(r) {
			bits |= 1 << i
		}
		i++
	}
	return bits + 1
}
