package files

import (
	"bytes"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// Finding the lines that can match without matching each: the texts that a match must contain are read off the syntax tree
// of the pattern and searched with the vectorised search of the standard library, which looks at some gigabytes a second
// where the automaton of a pattern manages some ten megabytes.

const (
	maxNeedles     = 8 // more texts to search for are slower than the pattern itself
	minNeedleBytes = 2 // a shorter text is on too many lines, unless it is the whole pattern
)

// A needle is a text that a line is searched for. With fold it has ASCII characters without case variants beyond ASCII
// only, is in lower case, and is found in any case.
type needle struct {
	text []byte
	fold bool
	rare int // with fold: the index of its rarest byte, which is searched first
}

// needlesOf gives texts of which any match of re contains at least one, or none when there is no such small set. exact
// means that a line with one of them is a match for sure.
func needlesOf(re *syntax.Regexp) (needles []needle, exact bool) {
	if re.Op == syntax.OpLiteral {
		if found := literalNeedle(re); len(found.text) == literalBytes(re) && !bytes.ContainsAny(found.text, "\r\n") {
			return []needle{found}, true
		}
	}
	needles = required(re)
	for _, n := range needles {
		if len(n.text) < minNeedleBytes {
			return nil, false
		}
	}
	return needles, false
}

// required is needlesOf for a part of a pattern; nil means that a match of the part need not contain any known text.
func required(re *syntax.Regexp) []needle {
	switch re.Op {
	case syntax.OpLiteral:
		if found := literalNeedle(re); len(found.text) > 0 {
			return []needle{found}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if found := required(sub); better(found, best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			found := required(sub)
			if found == nil || len(all)+len(found) > maxNeedles {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
}

// better prefers the set whose shortest text is longer, and of equals the smaller one.
func better(a, b []needle) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) > 0
	}
	if x, y := shortest(a), shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}

func shortest(set []needle) int {
	n := len(set[0].text)
	for _, one := range set[1:] {
		n = min(n, len(one.text))
	}
	return n
}

func literalBytes(re *syntax.Regexp) int {
	n := 0
	for _, r := range re.Rune {
		n += utf8.RuneLen(r)
	}
	return n
}

// literalNeedle gives the longest stretch of a literal that can be searched for as bytes.
func literalNeedle(re *syntax.Regexp) needle {
	if re.Flags&syntax.FoldCase == 0 {
		return needle{text: []byte(string(re.Rune))}
	}
	var best, run []byte
	for _, r := range re.Rune {
		if !foldsInASCII(r) {
			run = nil
			continue
		}
		run = utf8.AppendRune(run, lowerASCII(r))
		if len(run) > len(best) {
			best = run
		}
	}
	n := needle{text: best, fold: true}
	for i, c := range best {
		if frequency(c) < frequency(best[n.rare]) {
			n.rare = i
		}
	}
	return n
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r | 0x20
	}
	return r
}

// foldsInASCII reports whether every case variant of r is an ASCII character or r has none: true for most letters, not
// for k and s, which have a variant each beyond ASCII.
func foldsInASCII(r rune) bool {
	other := unicode.SimpleFold(r)
	if other == r {
		return true
	}
	return r < utf8.RuneSelf && other < utf8.RuneSelf && unicode.SimpleFold(other) == r
}

// frequency ranks the bytes of source text, rare ones low. Only the order matters, and that only for speed.
func frequency(c byte) int {
	const common = "etaoinsrlcdpumfhgbyvwxkqjz"
	if i := bytes.IndexByte([]byte(common), c|0x20); i >= 0 {
		return 100 - i
	}
	switch c {
	case ' ':
		return 200
	case '\t', '.', ',', '(', ')', '/', '_', '"':
		return 80
	}
	if c >= utf8.RuneSelf {
		return 10
	}
	return 60
}

// index gives the first place of the needle in text, -1 when it is not there.
func (n *needle) index(text []byte) int {
	if !n.fold {
		return bytes.Index(text, n.text)
	}
	return n.indexFold(text)
}

// indexFold looks for the rarest byte in both cases and compares what is around it. The places of the other case are
// looked up once and kept until they are passed.
func (n *needle) indexFold(text []byte) int {
	low := n.text[n.rare]
	high := low
	if 'a' <= low && low <= 'z' {
		high = low - 'a' + 'A'
	}
	nextLow, nextHigh := indexFrom(text, low, n.rare), len(text)
	if high != low {
		nextHigh = indexFrom(text, high, n.rare)
	}
	for {
		at := min(nextLow, nextHigh)
		start := at - n.rare
		if at >= len(text) || start+len(n.text) > len(text) {
			return -1
		}
		if equalFold(text[start:start+len(n.text)], n.text) {
			return start
		}
		if at == nextLow {
			nextLow = indexFrom(text, low, at+1)
		} else {
			nextHigh = indexFrom(text, high, at+1)
		}
	}
}

// indexFrom gives the first place of c in text at or after from, len(text) when there is none.
func indexFrom(text []byte, c byte, from int) int {
	if from >= len(text) {
		return len(text)
	}
	if i := bytes.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// equalFold compares a text with one in lower case, both of the same length; only ASCII letters have a case.
func equalFold(text, lower []byte) bool {
	for i, want := range lower {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != want {
			return false
		}
	}
	return true
}
