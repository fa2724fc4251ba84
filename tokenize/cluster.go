package tokenize

import (
	"bytes"
	"unicode/utf8"
)

// A cluster is what P-45 counts as one character: a base and what is written on it. The borders are those of the
// grapheme clusters of UAX #29, except that consonants stacked in Khmer and Myanmar stay together, and that every
// combining mark belongs to the character before it. Canonically equivalent texts have the same clusters.

const (
	khmerCoeng    = 0x17D2 // the next consonant is written below
	myanmarVirama = 0x1039
	thaiSaraAm    = 0x0E33 // a letter in the tables, a mark on its consonant in use
	laoAm         = 0x0EB3
)

// clusterEnd returns the end of the cluster of the given class that begins at text[start], or start when none does.
func clusterEnd(text []byte, start int, c class) int {
	if start >= len(text) || text[start] < utf8.RuneSelf {
		return start
	}
	if c == han && plainHan(text[start:]) {
		if end := start + hanLen; end == len(text) || text[end] < utf8.RuneSelf || plainHan(text[end:]) {
			return end
		}
	}
	base, got, size := decode(text[start:])
	if got != c {
		return start
	}
	end := start + size
	for end < len(text) && text[end] >= utf8.RuneSelf {
		next, got, size := decode(text[end:])
		if got != mark && got != joiner && !(got == c && joined(base, next)) {
			break
		}
		if got != joiner {
			base = next
		}
		end += size
	}
	return end
}

// joined reports whether next, of the same script, belongs to the cluster whose last visible character is last.
func joined(last, next rune) bool {
	switch {
	case last == khmerCoeng, last == myanmarVirama, next == thaiSaraAm, next == laoAm:
		return true
	}
	return jamoJoined(last, next)
}

// hanLen is the number of bytes of the characters that plainHan knows.
const hanLen = 3

// plainHan reports whether text begins with a character from U+4E00 to U+9FFF: the bulk of Chinese text, which is
// no mark, has no other form and needs no look at the tables.
func plainHan(text []byte) bool {
	return len(text) >= hanLen && text[0] >= 0xE4 && text[0] <= 0xE9 && (text[0] > 0xE4 || text[1] >= 0xB8) &&
		text[1]&0xC0 == 0x80 && text[2]&0xC0 == 0x80
}

// Kinds of Hangul characters in the rules of UAX #29.
const (
	jamoNone  = iota
	jamoLead  // L
	jamoVowel // V
	jamoTail  // T
	jamoOpen  // LV, a syllable without a tail
	jamoFull  // LVT
)

func jamoKind(r rune) int {
	const syllables, tails = 0xAC00, 28
	switch {
	case r >= 0x1100 && r <= 0x115F, r >= 0xA960 && r <= 0xA97C:
		return jamoLead
	case r >= 0x1160 && r <= 0x11A7, r >= 0xD7B0 && r <= 0xD7C6:
		return jamoVowel
	case r >= 0x11A8 && r <= 0x11FF, r >= 0xD7CB && r <= 0xD7FB:
		return jamoTail
	case r >= syllables && r <= 0xD7A3:
		if (r-syllables)%tails == 0 {
			return jamoOpen
		}
		return jamoFull
	}
	return jamoNone
}

// jamoJoined holds rules GB6 to GB8 of UAX #29.
func jamoJoined(last, next rune) bool {
	following := jamoKind(next)
	switch jamoKind(last) {
	case jamoLead:
		return following == jamoLead || following == jamoVowel || following == jamoOpen || following == jamoFull
	case jamoOpen, jamoVowel:
		return following == jamoVowel || following == jamoTail
	case jamoFull, jamoTail:
		return following == jamoTail
	}
	return false
}

// FirstUnitIs reports whether the first cluster of term is exactly unit. The terms of a text that hold a character
// as query term with Unit set are those for which this is true; they lie together in a sorted dictionary, from unit
// on, among longer clusters that only begin with the same bytes.
func FirstUnitIs(term, unit []byte) bool {
	if len(unit) == 0 || !bytes.HasPrefix(term, unit) {
		return false
	}
	_, c, _ := decode(term)
	return c.cut() && clusterEnd(term, 0, c) == len(unit)
}
