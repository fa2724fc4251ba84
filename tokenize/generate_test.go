package tokenize

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// alphabets are characters that take part in one rule or another; texts of properties are put together from them.
var alphabets = map[string]string{
	"latin":     "abcxyzABCXYZéÉñßẞłıİﬁſ\u212A",
	"digits":    "0123456789٣५９",
	"wide":      "ＡｂＣｄ１２＿",
	"greek":     "αβσςΣΩ\u2126ΐᾳᾼ",
	"cyrillic":  "абвйёЙЁ",
	"armenian":  "հայՀԱՅև",
	"marks":     "\u0301\u0308\u0323\u0327\u0345\u0338\u3099\u309A\uFE0F\U000E0100",
	"controls":  "\u200B\u200C\u200D\u202E\u2066\uFEFF\u00AD\u034F",
	"signs":     " \t\n.,;:'\"-+/()_·״。、😀€",
	"han":       "项目知识々〇𠀀\uF900\u2F00豈",
	"kana":      "かがはぱきーゝバハｶﾊﾞﾟｰヷ",
	"hangul":    "한글가각\u1112\u1161\u11AB\u1100\u1173ㄱﾡ",
	"thai":      "กขาำเ\u0E31\u0E49ลาວ",
	"khmer":     "ខមរ\u17D2\u17C2មြန\u103A\u1039",
	"arabic":    "سلامأإآ\u064E\u0654",
	"hebrew":    "שלום\u05C1\u05B8׳",
	"hindi":     "हनदक\u093F\u094D\u093C\u0958",
	"unusable":  "\uE000\uFFFD\uFFFF\U0010FFFF",
	"unspaced":  "𗀀𗀁ᥐᥑ",
	"othercase": "ꭰᎠ𞤀𞤢ⴀႠ",
}

// genText draws a text: runs of characters of one alphabet, English words and identifiers, arbitrary characters.
func genText() *rapid.Generator[string] {
	var runs []*rapid.Generator[string]
	for _, name := range slices.Sorted(maps.Keys(alphabets)) {
		runs = append(runs, rapid.StringOfN(rapid.SampledFrom([]rune(alphabets[name])), 1, 5, -1))
	}
	runs = append(runs,
		rapid.SampledFrom([]string{"caching", "caches", "getName", "IPv6Addr", "HTTP2Server", "is", "the", "URLs", "_x_"}),
		rapid.StringN(1, 3, -1))
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(runs...), 0, 12).Draw(t, "runs"), "")
	})
}
