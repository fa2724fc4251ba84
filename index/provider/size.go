package provider

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The byte bounds of P-75 and P-80 are measured on compact JSON without HTML escaping. The sizes are computed here,
// piece by piece, so that a list can grow under its bound without being written again for every element.

// escapeSize holds the length of every ASCII byte inside a JSON string.
var escapeSize = func() (size [utf8.RuneSelf]uint8) {
	for c := range size {
		size[c] = 1
		if c < ' ' {
			size[c] = 6
		}
	}
	for _, c := range "\"\\\b\f\n\r\t" {
		size[c] = 2
	}
	return size
}()

// jsonSize gives the length of s inside a JSON string, without the quotes. It is additive over the pieces of a string
// that is cut between characters.
func jsonSize(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf {
			n += int(escapeSize[c])
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && width == 1, r == '\u2028', r == '\u2029':
			n += 6
		default:
			n += width
		}
		i += width - 1
	}
	return n
}

// decimals gives the length of n written in decimal.
func decimals(n int) int {
	var scratch [20]byte
	return len(strconv.AppendInt(scratch[:0], int64(n), 10))
}

// revisionSize gives the length of a revision as a JSON value.
func revisionSize(revision *string) int {
	if revision == nil {
		return len("null")
	}
	return len(*revision) + len(`""`)
}

// newlineSize is the length of the LF between two lines of a text.
const newlineSize = 2

// lineWindow is a stretch of neighbouring lines inside a text.
type lineWindow struct {
	first, count int // first line, zero-based, and number of lines
	from, to     int // their bytes, without a final LF
}

// fitAround gives the largest window of lines of text that contains the line of the highest score, the first of equals,
// and whose JSON form takes at most room bytes. It grows by turns downwards and upwards, so that the lines around the
// best one are kept; without scores these are the first lines. A line that does not fit alone is passed over; false
// when none fits. Linear in the text.
func fitAround(text string, score func(line string) int, room int) (lineWindow, bool) {
	lines := strings.Split(text, "\n")
	at, best := -1, -1
	for i, line := range lines {
		if n := score(line); n > best && jsonSize(line) <= room {
			at, best = i, n
		}
	}
	if at < 0 {
		return lineWindow{}, false
	}
	left := room - jsonSize(lines[at])
	low, high := at, at
	downwards, upwards := true, true
	for downwards || upwards {
		if downwards {
			downwards = high+1 < len(lines) && take(&left, lines[high+1])
			if downwards {
				high++
			}
		}
		if upwards {
			upwards = low > 0 && take(&left, lines[low-1])
			if upwards {
				low--
			}
		}
	}
	from := 0
	for _, line := range lines[:low] {
		from += len(line) + 1
	}
	to := from - 1
	for _, line := range lines[low : high+1] {
		to += len(line) + 1
	}
	return lineWindow{first: low, count: high - low + 1, from: from, to: to}, true
}

// take subtracts one more line with its LF from left, if it fits.
func take(left *int, line string) bool {
	need := newlineSize + jsonSize(line)
	if need > *left {
		return false
	}
	*left -= need
	return true
}
