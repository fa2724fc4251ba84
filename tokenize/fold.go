package tokenize

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Folding is NFC(case fold(NFD(width fold(text)))), without the characters that are not seen. It is put together
// from the normal forms and widths of x/text and the case tables of the standard library, since x/text/cases parses
// the languages of the world when a process starts.

// fullFolds are the full case foldings that neither the canonical decomposition nor the single-character case
// mapping gives: status F of Unicode's CaseFolding.txt.
var fullFolds = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'ŉ': "ʼn", 'ẚ': "aʾ", 'և': "եւ",
	'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st",
	'ﬓ': "մն", 'ﬔ': "մե", 'ﬕ': "մի", 'ﬖ': "վն", 'ﬗ': "մխ",
}

// foldCase appends the case folding of r to dst.
func foldCase(dst []byte, r rune) []byte {
	if full, ok := fullFolds[r]; ok {
		return append(dst, full...)
	}
	// The way over the capital makes one of letters with several small forms, σ and ς.
	if unicode.SimpleFold(r) != r {
		r = unicode.ToLower(unicode.ToUpper(r))
	}
	return utf8.AppendRune(dst, r)
}

// foldWidth returns the ordinary form of a full-width or half-width character.
func foldWidth(r rune) rune {
	if folded := width.LookupRune(r).Folded(); folded != 0 {
		return folded
	}
	return r
}

// invisible reports whether r leaves no trace in a term: format controls, variation selectors and the grapheme
// joiner, which ask for a look and not for another word.
func invisible(r rune) bool {
	const softHyphen, graphemeJoiner = 0x00AD, 0x034F // the least one is the soft hyphen
	return r >= softHyphen && (r == graphemeJoiner || unicode.In(r, unicode.Cf, unicode.Variation_Selector))
}

// foldAlone returns the folded form of r when it is a single character that no neighbour can change.
func foldAlone(r rune) (rune, bool) {
	if invisible(r) {
		return 0, false
	}
	var f folder
	source := utf8.AppendRune(nil, foldWidth(r))
	folded := f.appendFolded(nil, source)
	first, size := utf8.DecodeRune(folded)
	alone := size == len(folded) && norm.NFC.Properties(source).BoundaryBefore() &&
		norm.NFC.Properties(folded).BoundaryBefore()
	return first, alone
}

// bare reports whether a folded character loses nothing with its accents.
func bare(r rune) bool {
	var f folder
	source := utf8.AppendRune(nil, r)
	return string(f.appendStripped(nil, source)) == string(source)
}

// accent reports whether r is a mark that a word is also found without (P-44): those of Latin, Greek and Cyrillic
// letters, and the points of Hebrew and Arabic. The vowel signs of Indic scripts are no accents.
func accent(r rune) bool {
	const firstMark = 0x0300
	return r >= firstMark && unicode.Is(unicode.M, r) &&
		unicode.In(r, unicode.Inherited, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// strokes are letters with a stroke in place of an accent, which have no decomposition, and the dotless i.
var strokes = map[rune]rune{'đ': 'd', 'ħ': 'h', 'ı': 'i', 'ł': 'l', 'ø': 'o', 'ŧ': 't'}

// folder holds the room that folding needs between its steps. The zero value is ready.
type folder struct {
	source []byte // of a cluster, after width folding
	work   []byte
}

// appendFolded appends the folded form of source, whose widths are folded already, to dst.
func (f *folder) appendFolded(dst, source []byte) []byte {
	work := norm.NFD.Append(f.work[:0], source...)
	decomposed := len(work)
	for i := 0; i < decomposed; {
		r, size := utf8.DecodeRune(work[i:decomposed])
		i += size
		if !invisible(r) { // the normal form puts joiners into very long chains of marks
			work = foldCase(work, r)
		}
	}
	f.work = work
	return norm.NFC.Append(dst, work[decomposed:]...)
}

// appendStripped appends folded, a term's folded form, without its accents to dst.
func (f *folder) appendStripped(dst, folded []byte) []byte {
	work := norm.NFD.Append(f.work[:0], folded...)
	decomposed := len(work)
	for i := 0; i < decomposed; {
		r, size := utf8.DecodeRune(work[i:decomposed])
		i += size
		if accent(r) || invisible(r) {
			continue
		}
		if plain, ok := strokes[r]; ok {
			r = plain
		}
		work = utf8.AppendRune(work, r)
	}
	f.work = work
	return norm.NFC.Append(dst, work[decomposed:]...)
}

// appendCluster appends the folded form of a base character with its marks to dst.
func (f *folder) appendCluster(dst, cluster []byte) []byte {
	f.source = f.source[:0]
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRune(cluster[i:])
		i += size
		if r == utf8.RuneError && size == 1 || invisible(r) {
			continue
		}
		f.source = utf8.AppendRune(f.source, foldWidth(r))
	}
	return f.appendFolded(dst, f.source)
}

// appendPair appends the folded form of a word of a cut script to dst.
func (f *folder) appendPair(dst, word []byte) []byte {
	start := len(dst)
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		p := propertyOf(r)
		if p&propertyPlain == 0 {
			return f.appendCluster(dst[:start], word)
		}
		dst = utf8.AppendRune(dst, p.folded())
	}
	return dst
}

// identifier makes w the folded form of word, cluster by cluster.
func (f *folder) identifier(w *identifier, word []byte) {
	w.folded, w.kinds, w.offsets, w.accents = w.folded[:0], w.kinds[:0], w.offsets[:0], false
	for i := 0; i < len(word); {
		w.offsets = append(w.offsets, int32(len(w.folded)))
		end := i + 1
		if b := word[i]; b < utf8.RuneSelf && (end == len(word) || word[end] < utf8.RuneSelf) {
			bits := asciiBits[b]
			w.folded = append(w.folded, b|bits&bitUpper<<4)
			w.kinds = append(w.kinds, kindOf(asciiClass(b)))
			i = end
			continue
		}
		r, size := utf8.DecodeRune(word[i:])
		end = markedEnd(word, i+size)
		p := propertyOf(r)
		if r == utf8.RuneError {
			w.kinds = append(w.kinds, kindBorder)
			i = end
			continue
		}
		w.kinds = append(w.kinds, kindOf(p.class()))
		if end == i+size && p&propertyPlain != 0 {
			w.folded = utf8.AppendRune(w.folded, p.folded())
			w.accents = w.accents || p&propertyBare == 0
		} else {
			w.folded = f.appendCluster(w.folded, word[i:end])
			w.accents = true
		}
		i = end
	}
	w.offsets = append(w.offsets, int32(len(w.folded)))
}

// markedEnd returns the end of the marks and joiners that begin at word[i].
func markedEnd(word []byte, i int) int {
	for i < len(word) && word[i] >= utf8.RuneSelf {
		c, size := classOf(word[i:])
		if c != mark && c != joiner {
			break
		}
		i += size
	}
	return i
}

func kindOf(c class) letterKind {
	switch c {
	case lower, letter, hebrew:
		return kindSmall
	case upper:
		return kindCapital
	case digit:
		return kindDigit
	}
	return kindBorder
}
