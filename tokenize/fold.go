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

const iotaBelow = 0x0345

// foldCase appends the case folding of r to dst. Marks stay as they are, the Greek iota below a letter too, which
// full case folding would make a letter: a character remains one character with what is written on it.
func foldCase(dst []byte, r rune) []byte {
	if full, ok := fullFolds[r]; ok {
		return append(dst, full...)
	}
	// The way over the capital makes one of letters with several small forms, σ and ς.
	if r != iotaBelow && unicode.SimpleFold(r) != r {
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

// foldProperties finds out what folding does to r by itself.
func foldProperties(r rune) (p property) {
	if invisible(r) {
		return 0
	}
	var f folder
	source := utf8.AppendRune(nil, foldWidth(r))
	folded := f.appendFolded(nil, source)
	stripped := f.appendStripped(nil, folded)
	if one, size := utf8.DecodeRune(folded); size == len(folded) {
		p |= property(one)
		if one == r {
			p |= propertySelf
		}
		if startsAnew(source) && startsAnew(folded) {
			p |= propertyPlain
		}
	}
	if one, size := utf8.DecodeRune(stripped); size == len(stripped) && startsAnew(folded) && startsAnew(stripped) {
		p |= property(one)<<propertyBareShift | propertyStrip
	}
	if string(stripped) == string(folded) {
		p |= propertyBare
	}
	return p
}

// startsAnew reports whether the normal form of text is the same behind any other text.
func startsAnew(text []byte) bool {
	return len(text) > 0 && norm.NFC.Properties(text).BoundaryBefore()
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

// folder holds what folding needs between its steps. The zero value is ready.
type folder struct {
	source  []byte // of a cluster, after width folding
	work    []byte
	letters norm.Iter
}

// appendForm appends the normal form of text to dst. Unlike Form.Append it allocates nothing.
func (f *folder) appendForm(form norm.Form, dst, text []byte) []byte {
	if form.QuickSpan(text) == len(text) {
		return append(dst, text...)
	}
	for f.letters.Init(form, text); !f.letters.Done(); {
		dst = append(dst, f.letters.Next()...)
	}
	return dst
}

// appendFolded appends the folded form of source, whose widths are folded already, to dst.
func (f *folder) appendFolded(dst, source []byte) []byte {
	work := f.appendForm(norm.NFD, f.work[:0], source)
	decomposed := len(work)
	for i := 0; i < decomposed; {
		r, size := utf8.DecodeRune(work[i:decomposed])
		i += size
		if !invisible(r) { // the normal form puts joiners into very long chains of marks
			work = foldCase(work, r)
		}
	}
	f.work = work
	return f.appendForm(norm.NFC, dst, work[decomposed:])
}

// appendStripped appends folded, a term's folded form, without its accents to dst.
func (f *folder) appendStripped(dst, folded []byte) []byte {
	work := f.appendForm(norm.NFD, f.work[:0], folded)
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
	return f.appendForm(norm.NFC, dst, work[decomposed:])
}

// appendBare is appendStripped, character by character where that is enough.
func (f *folder) appendBare(dst, folded []byte) []byte {
	start := len(dst)
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRune(folded[i:])
		i += size
		p := propertyOf(r)
		if p&propertyStrip == 0 {
			return f.appendStripped(dst[:start], folded)
		}
		dst = utf8.AppendRune(dst, p.stripped())
	}
	return dst
}

// appendCluster appends the folded form of a base character with its marks, or of several of them, to dst, and
// reports whether it has no accents.
func (f *folder) appendCluster(dst, cluster []byte) (_ []byte, bare bool) {
	start, all := len(dst), propertyPlain|propertySelf|propertyBare
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRune(cluster[i:])
		i += size
		p := propertyOf(r)
		all &= p
		dst = utf8.AppendRune(dst, p.folded())
	}
	bare = all&propertyBare != 0
	if all&propertyPlain != 0 || all&propertySelf != 0 && norm.NFC.QuickSpan(cluster) == len(cluster) {
		return dst, bare
	}
	f.source = f.source[:0]
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRune(cluster[i:])
		if i += size; !invisible(r) {
			f.source = utf8.AppendRune(f.source, foldWidth(r))
		}
	}
	return f.appendFolded(dst[:start], f.source), bare
}

// identifier makes w the folded form of word, one kind and offset for each character with its marks.
func (f *folder) identifier(w *identifier, word []byte) {
	w.folded, w.kinds, w.offsets, w.accents = w.folded[:0], w.kinds[:0], w.offsets[:0], false
	for i := 0; i < len(word); {
		w.offsets = append(w.offsets, int32(len(w.folded)))
		b, end := word[i], i+1
		if b < utf8.RuneSelf && (end == len(word) || word[end] < utf8.RuneSelf) {
			w.folded = append(w.folded, b|asciiBits[b]&bitUpper<<4)
			w.kinds = append(w.kinds, kindOf(asciiClass(b)))
			i = end
			continue
		}
		r, c, size := decode(word[i:])
		end = markedEnd(word, i+size)
		w.kinds = append(w.kinds, kindOf(c))
		if r != utf8.RuneError { // which no word of a Scanner holds
			var bare bool
			w.folded, bare = f.appendCluster(w.folded, word[i:end])
			w.accents = w.accents || !bare
		}
		i = end
	}
	w.offsets = append(w.offsets, int32(len(w.folded)))
}

// markedEnd returns the end of the marks and joiners that begin at word[i].
func markedEnd(word []byte, i int) int {
	for i < len(word) && word[i] >= utf8.RuneSelf {
		_, c, size := decode(word[i:])
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
