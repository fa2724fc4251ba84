package index

import (
	"bytes"
	"unicode/utf8"

	"projectknowledge/tokenize"
)

// A definition term stands for "this chunk defines this very name", which the
// ordinary terms of the name do not say: they also come from longer names that
// have it as a part. It begins with a byte that no term of a text or query
// begins with, so nobody asks for it by accident. A name has one in its own
// spelling and, when that differs, one in lower case.
const definitionMark = '='

// definitionTerms gives the terms for the definition of a name: in its own
// spelling, and in lower case, nil when that is the same. Both are in the
// memory of buf. Names that are too long to be a term have none.
func definitionTerms(buf *[]byte, name []byte) (exact, folded []byte) {
	if len(name) == 0 || utf8.RuneCount(name) >= tokenize.MaxTermRunes {
		return nil, nil
	}
	b := append((*buf)[:0], definitionMark)
	b = append(b, name...)
	n := len(b)
	b = append(b, definitionMark)
	b = append(b, bytes.ToLower(name)...)
	*buf = b
	if bytes.Equal(b[:n], b[n:]) {
		return b[:n:n], nil
	}
	return b[:n:n], b[n:]
}
