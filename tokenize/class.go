package tokenize

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// class says what a character does to the word that is being scanned.
type class uint8

const (
	separator class = iota
	underscore
	digit
	lower     // a letter of a script with capitals that is no capital itself
	upper     // a capital of such a script
	mark      // continues the character before it
	joiner    // invisible format control; continues words of scripts without capitals
	connector // parts a word of such a script without ending it
	letter    // a letter of a script without capitals, written with spaces
	hebrew    // such a letter, with the boundary rules of its own in UAX #29
	han       // from here on: scripts cut into pairs
	hiragana
	katakana
	hangul
	thai
	lao
	khmer
	myanmar
	unspaced // any other script written without spaces
)

// cut reports whether characters of the class are cut into pairs (P-45).
func (c class) cut() bool { return c >= han }

// spaced reports whether the class is a letter of a script that UAX #29 cuts into words.
func (c class) spaced() bool { return c == letter || c == hebrew }

// Bits of asciiBits. A byte with none of them separates words.
const (
	bitLower = 1 << iota
	bitUpper
	bitDigit
	bitUnderscore
	bitWide // first or further byte of a character outside ASCII

	bitsLetter = bitLower | bitUpper
	bitsTerm   = bitsLetter | bitDigit // a word without any of these is no term
	bitsWord   = bitsTerm | bitUnderscore
)

// asciiBits classifies single bytes.
var asciiBits = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = bitLower
		case 'A' <= c && c <= 'Z':
			t[c] = bitUpper
		case '0' <= c && c <= '9':
			t[c] = bitDigit
		case c == '_':
			t[c] = bitUnderscore
		case c >= utf8.RuneSelf:
			t[c] = bitWide
		}
	}
	return t
}()

// property is what is known of one character. Zero stands for a character not yet looked up.
//
//	bits 0 to 20    its folded form, when that is a single character
//	bits 21 to 41   its folded form without accents, when that is a single character
//	bits 42 to 46   its class
//	bits 59 to 63   the flags below
type property uint64

const (
	propertyBareShift  = 21
	propertyClassShift = 42

	propertyRune  property = 1<<propertyBareShift - 1
	propertyClass property = 1<<5 - 1

	propertyKnown property = 1 << 63
	propertyPlain property = 1 << 62 // the folded form is one character that no neighbour can change
	propertySelf  property = 1 << 61 // the folded form is the character itself, as long as no neighbour changes it
	propertyBare  property = 1 << 60 // the folded form has no accent
	propertyStrip property = 1 << 59 // the folded form without accents is one character that no neighbour can change
)

func (p property) class() class { return class(p >> propertyClassShift & propertyClass) }

func (p property) folded() rune { return rune(p & propertyRune) }

func (p property) stripped() rune { return rune(p >> propertyBareShift & propertyRune) }

// propertyPage holds the properties of 256 neighbouring characters.
type propertyPage [256]atomic.Uint64

// propertyPages caches what the Unicode tables say, shared by all goroutines. A page is made when the first of its
// characters is met, an entry when its character is, so that a short-lived process pays only for what it reads.
var propertyPages [(unicode.MaxRune + 1) >> 8]atomic.Pointer[propertyPage]

// propertyOf returns the properties of r, which must be a valid character.
func propertyOf(r rune) property {
	if page := propertyPages[r>>8].Load(); page != nil {
		if p := property(page[r&0xff].Load()); p != 0 {
			return p
		}
	}
	return lookUpProperty(r)
}

func lookUpProperty(r rune) property {
	p := propertyKnown | property(classify(r))<<propertyClassShift | foldProperties(r)
	slot := &propertyPages[r>>8]
	if slot.Load() == nil {
		slot.CompareAndSwap(nil, new(propertyPage))
	}
	slot.Load()[r&0xff].Store(uint64(p))
	return p
}

// decode reads the first character of text, which must not be empty. Bytes that are no UTF-8 come back as
// separators of one byte.
func decode(text []byte) (r rune, c class, size int) {
	if text[0] < utf8.RuneSelf {
		return rune(text[0]), asciiClass(text[0]), 1
	}
	r, size = utf8.DecodeRune(text)
	if r == utf8.RuneError {
		return r, separator, size
	}
	return r, propertyOf(r).class(), size
}

func asciiClass(b byte) class {
	switch asciiBits[b] {
	case bitLower:
		return lower
	case bitUpper:
		return upper
	case bitDigit:
		return digit
	case bitUnderscore:
		return underscore
	}
	return separator
}
