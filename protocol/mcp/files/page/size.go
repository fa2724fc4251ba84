package page

import (
	"encoding/json"
	"fmt"
	"sync"
	"unicode/utf8"
)

// A Meter adds up the bytes that a result takes as compact JSON without HTML escaping (M-43). The zero Meter has no room.
type Meter struct{ left int }

// NewMeter gives the room that a limit leaves once fixed bytes are spent on what stands around the entries.
func NewMeter(limit, fixed int) Meter { return Meter{left: limit - fixed} }

// Left gives the bytes that are still free; it may be negative when the fixed part alone was over the limit.
func (m *Meter) Left() int { return m.left }

// Take spends n bytes and reports whether they were there; when they were not, nothing is spent.
func (m *Meter) Take(n int) bool {
	if n > m.left {
		return false
	}
	m.left -= n
	return true
}

// Bound gives the bytes of v as JSON. It is meant for samples that hold the longest values of every field of bounded
// length and nothing in the others, computed once: their length and StringSize of the others bound an entry. The comma
// after an entry is counted.
func Bound(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("page: sample %T: %v", v, err))
	}
	return len(text) + 1
}

// BoundOnce is Bound plus some bytes, computed when it is first asked for, so that a program which serves no page does not
// pay for the samples at its start.
func BoundOnce(v any, more int) func() int {
	return sync.OnceValue(func() int { return Bound(v) + more })
}

// StringSize gives an upper bound of the bytes that s takes inside the quotes of a JSON string, reached by an encoder
// that escapes what the standard library's does, HTML aside.
func StringSize(s string) int {
	n := len(s)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			n += int(escapeCost[c])
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && width == 1 || r == '\u2028' || r == '\u2029' {
			n += len(`\ufffd`) - width
		}
		i += width
	}
	return n
}

// BytesSize is StringSize for bytes.
func BytesSize(s []byte) int {
	n := len(s)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			n += int(escapeCost[c])
			i++
			continue
		}
		r, width := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && width == 1 || r == '\u2028' || r == '\u2029' {
			n += len(`\ufffd`) - width
		}
		i += width
	}
	return n
}

// escapeCost is what an ASCII character takes beyond its one byte.
var escapeCost = func() (cost [utf8.RuneSelf]uint8) {
	for c := range cost {
		switch {
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t':
			cost[c] = 1
		case c < ' ', c == 0x7f:
			cost[c] = uint8(len(`\u0000`) - 1)
		}
	}
	return cost
}()
