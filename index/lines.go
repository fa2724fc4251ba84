package index

import "bytes"

// A line ends at LF only; a final LF starts no further line; one CR right
// before the LF, or at the very end, is not part of the line's text (P-40).

// cutLine gives the first line of text without its terminator and the rest.
func cutLine(text []byte) (line, rest []byte) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return trimCR(text[:i]), text[i+1:]
	}
	return trimCR(text), nil
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// LineCount gives the number of lines of text.
func LineCount(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// Excerpt gives lines first..last of text, one-based and inclusive, joined
// with LF and without a final LF (P-74). It reports false when the range does
// not lie inside the text.
func Excerpt(text []byte, first, last int) (string, bool) {
	if first < 1 || last < first {
		return "", false
	}
	rest := text
	for n := 1; n < first; n++ {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return "", false
		}
		rest = rest[i+1:]
	}
	if len(rest) == 0 {
		return "", false
	}
	out := make([]byte, 0, excerptSize(rest, last-first+1))
	for n := first; n <= last; n++ {
		if len(rest) == 0 {
			return "", false
		}
		var line []byte
		line, rest = cutLine(rest)
		if n > first {
			out = append(out, '\n')
		}
		out = append(out, line...)
	}
	return string(out), true
}

// excerptSize gives the bytes that the first n lines of text take up at most.
func excerptSize(text []byte, n int) int {
	size := 0
	for ; n > 0 && size < len(text); n-- {
		i := bytes.IndexByte(text[size:], '\n')
		if i < 0 {
			return len(text)
		}
		size += i + 1
	}
	return size
}
