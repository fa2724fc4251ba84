package tokenize

import "unicode"

// cutScripts are the scripts that are cut into pairs, each by itself. Hangul and kana are never neighbours of one
// pair; the scripts of the last row share one class, since they do not stand beside one another in practice.
var cutScripts = []struct {
	class  class
	script *unicode.RangeTable
}{
	{han, unicode.Han},
	{hiragana, unicode.Hiragana},
	{katakana, unicode.Katakana},
	{hangul, unicode.Hangul},
	{thai, unicode.Thai},
	{lao, unicode.Lao},
	{khmer, unicode.Khmer},
	{myanmar, unicode.Myanmar},
	{unspaced, unicode.Tai_Le},
	{unspaced, unicode.New_Tai_Lue},
	{unspaced, unicode.Tai_Tham},
	{unspaced, unicode.Tai_Viet},
	{unspaced, unicode.Ahom},
	{unspaced, unicode.Tangut},
	{unspaced, unicode.Nushu},
	{unspaced, unicode.Khitan_Small_Script},
}

// casedScripts are the scripts with capital letters, whose words are identifier words (P-44), and the letters that
// belong to no single script.
var casedScripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Coptic,
	unicode.Glagolitic, unicode.Cherokee, unicode.Deseret, unicode.Osage, unicode.Old_Hungarian,
	unicode.Warang_Citi, unicode.Medefaidrin, unicode.Vithkuqi, unicode.Common, unicode.Inherited,
}

const (
	ideographicIteration = 0x3005 // 々, of no script in the tables but Han in use
	ideographicZero      = 0x3007 // 〇
	prolongedSound       = 0x30FC // ー, shared by both kana in the tables; P-45 gives it to Katakana
	prolongedSoundHalf   = 0xFF70
	voicedSoundHalf      = 0xFF9E // letters in the tables; their ordinary forms are the combining U+3099 and U+309A
	semiVoicedSoundHalf  = 0xFF9F
	geresh               = 0x05F3 // a letter to UAX #29, of the Hebrew word before it; punctuation in the tables
	zeroWidthSpace       = 0x200B // a word space that is not seen
	lowLineWide          = 0xFF3F // full-width '_'

	// The planes that Unicode keeps for Han characters, so that those of later versions are known as well.
	hanPlanesFirst = 0x20000
	hanPlanesLast  = 0x3FFFD
)

// classify looks r up in the Unicode tables.
func classify(r rune) class {
	switch r {
	case '_', lowLineWide:
		return underscore
	case ideographicIteration, ideographicZero:
		return han
	case prolongedSound, prolongedSoundHalf:
		return katakana
	case voicedSoundHalf, semiVoicedSoundHalf:
		return mark
	case geresh:
		return connector
	case zeroWidthSpace:
		return separator
	}
	switch {
	case r >= hanPlanesFirst && r <= hanPlanesLast:
		return han
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.Nd, r):
		return digit
	case unicode.Is(unicode.Cf, r):
		return joiner
	case unicode.Is(unicode.Pc, r):
		return connector
	case unicode.Is(unicode.Han, r): // radicals are symbols in the tables
		return han
	case unicode.Is(unicode.L, r), unicode.Is(unicode.Nl, r):
		return classifyLetter(r)
	}
	return separator
}

func classifyLetter(r rune) class {
	for _, s := range cutScripts {
		if unicode.Is(s.script, r) {
			return s.class
		}
	}
	switch {
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r), unicode.In(r, casedScripts...):
		return lower
	case unicode.Is(unicode.Hebrew, r):
		return hebrew
	}
	return letter
}
