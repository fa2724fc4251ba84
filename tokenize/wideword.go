package tokenize

// wideWordEnd goes on with the word that begins at text[start] and whose characters up to text[at], none perhaps, are
// ASCII letters, digits and '_'; text[at] is outside ASCII. It returns the end of the word, and whether it gives a
// term: letter or digit when it does, else separator. When no word can begin at text[start], the end is that of the
// character there. When a run of a cut script begins there, the result is start and the class of the script.
//
// A word is in a script with capitals or in one without; a letter of the other kind begins a new word. Digits and
// '_' belong to the word before them.
func wideWordEnd(text []byte, start, at int) (end int, found class) {
	w := wordState{text: text}
	for i := start; i < at; i++ {
		w.take(asciiClass(text[i]))
	}
	for i := at; i < len(text); {
		r, c, size := decode(text[i:])
		if i == start && c.cut() {
			return i, c
		}
		if w.takes(c) {
			w.take(c)
			i += size
			continue
		}
		if next := w.overPunctuation(r, i, size); next > i {
			i = next
			continue
		}
		if i == start {
			return i + size, separator
		}
		return i, w.found
	}
	return len(text), w.found
}

// wordState is what the rules for the end of a word look at.
type wordState struct {
	text   []byte
	script class // letter in a word of a script without capitals, lower in one with them, else separator
	last   class // of the last character that is no mark or joiner
	found  class // letter or digit once there was one
}

// takes reports whether a character of the class goes on with the word.
func (w *wordState) takes(c class) bool {
	switch c {
	case lower, upper:
		return w.script != letter
	case letter, hebrew:
		return w.script != lower
	case digit, underscore:
		return true
	case mark:
		return w.last != separator
	case joiner, connector:
		return w.script == letter
	}
	return false
}

func (w *wordState) take(c class) {
	switch c {
	case mark, joiner:
		return
	case lower, upper:
		w.script, w.found = lower, letter
	case letter, hebrew:
		w.script, w.found = letter, letter
	case digit:
		w.found = digit
	}
	w.last = c
}

// overPunctuation holds the rules of UAX #29 by which punctuation inside a word of a script without capitals does
// not end it: WB6, WB7, WB11 and WB12 between two letters or two digits, WB7a to WB7c in Hebrew. The character r is
// text[i:i+size]; the result is the place where the word goes on, or i when it ends there.
func (w *wordState) overPunctuation(r rune, i, size int) int {
	if w.script != letter {
		return i
	}
	between := punctuationOf(r)
	if between == noPunctuation {
		return i
	}
	next, after := classBehind(w.text, i+size)
	switch {
	case w.last.spaced() && next.spaced() && between&betweenLetters != 0,
		w.last == digit && next == digit && between&betweenDigits != 0,
		w.last == hebrew && next == hebrew && r == '"':
		return after
	case w.last == hebrew && r == '\'':
		w.last = connector
		return i + size
	}
	return i
}

// classBehind returns the class of the first character from text[i] on that is no mark or joiner, and its place.
func classBehind(text []byte, i int) (class, int) {
	for i < len(text) {
		_, c, size := decode(text[i:])
		if c != mark && c != joiner {
			return c, i
		}
		i += size
	}
	return separator, i
}

const (
	betweenLetters = 1 << iota
	betweenDigits
	betweenHebrew
	noPunctuation = 0
)

// punctuationOf gives the Word_Break property of the punctuation that may stand inside a word.
func punctuationOf(r rune) int {
	switch r {
	case '.', '\'', 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E: // MidNumLet and Single_Quote
		return betweenLetters | betweenDigits
	case ':', 0x00B7, 0x0387, 0x055F, 0x05F4, 0x2027, 0xFE13, 0xFE55, 0xFF1A: // MidLetter
		return betweenLetters
	case ',', ';', 0x037E, 0x0589, 0x060C, 0x060D, 0x066C, 0x07F8, 0x2044, // MidNum
		0xFE10, 0xFE14, 0xFE50, 0xFE54, 0xFF0C, 0xFF1B:
		return betweenDigits
	case '"':
		return betweenHebrew
	}
	return noPunctuation
}
