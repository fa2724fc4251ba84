package tokenize

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/segment"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// For every letter, folding is the canonical caseless form of the Unicode standard, as x/text/cases has it, but that
// Cherokee is folded to small letters like all other scripts and the iota below a letter stays.
func TestFoldingAgreesWithTheStandard(t *testing.T) {
	fold := cases.Fold()
	var f folder
	for r := range rune(unicode.MaxRune) {
		if !unicode.IsLetter(r) || unicode.In(r, unicode.Han, unicode.Hangul) || unicode.Is(unicode.Cherokee, r) || foldWidth(r) != r {
			continue
		}
		decomposed := norm.NFD.String(string(r))
		if last, _ := utf8.DecodeLastRuneInString(decomposed); last == iotaBelow {
			continue
		}
		want := norm.NFC.String(fold.String(decomposed))
		if got, _ := f.appendCluster(nil, []byte(string(r))); string(got) != want {
			t.Errorf("%U %c is folded to %q, want %q", r, r, got, want)
		}
	}
}

// What is kept for single characters agrees with folding them in company.
func TestPropertiesAgreeWithFolding(t *testing.T) {
	var f folder
	for r := range rune(unicode.MaxRune) {
		const sample = 64 // one of so many of the characters that come in great numbers and are all alike
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) || r%sample != 0 && unicode.In(r, unicode.Han, unicode.Hangul) {
			continue
		}
		p := propertyOf(r)
		if p&propertyPlain == 0 {
			continue
		}
		pair := []byte("a" + string(foldWidth(r)) + "a")
		if got, want := string(f.appendFolded(nil, pair)), "a"+string(p.folded())+"a"; got != want {
			t.Errorf("%U is folded to %q, by its properties to %q", r, got, want)
		}
		if p&propertyStrip == 0 {
			continue
		}
		got := string(f.appendStripped(nil, []byte("a"+string(p.folded())+"a")))
		if want := "a" + string(p.stripped()) + "a"; got != want {
			t.Errorf("%U without accent is %q, by its properties %q", r, got, want)
		}
	}
}

// The words of scripts without capitals are those of UAX #29 as the segment package cuts them. It is the measure here
// and not the means: its tables are of Unicode 8.0 and cut the letters of later versions one by one, and behind a
// full stop it misses the rules for Hebrew quotes, WB7a and WB7c, which TestOtherScripts holds instead. One difference
// is meant and not drawn: a number before the first letter belongs to the word there only as far as it has no stops.
func TestWordsAgreeWithUAX29(t *testing.T) {
	const hebrewLetters = "שלוםהנ"
	scripts := rapid.SampledFrom([]string{"سلامأإآ", hebrewLetters, "दकहक\u0958", "ಕಗ", "ትግ"})
	marks := rapid.StringOfN(rapid.SampledFrom([]rune("\u064E\u0654\u05C1\u05B8\u093F\u094D\u0301\u200C\u200D\u200E\u061C")), 0, 2, -1)
	between := rapid.SampledFrom([]string{"", "", "", "_", ".", "'", ":", ",", ";", "·", "״", "׳", "’", " ", "\n", "-",
		"،", "۔", "/", "\u200B", "..", ".'", "٬"})
	number := rapid.StringMatching(`[0-9٣]{1,3}([.,;][0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		script := scripts.Draw(t, "script")
		letters := rapid.SampledFrom([]rune(script))
		var text string
		for range rapid.IntRange(1, 8).Draw(t, "letters") {
			text += string(letters.Draw(t, "letter")) + marks.Draw(t, "marks")
			if rapid.Bool().Draw(t, "numbered") {
				text += number.Draw(t, "number")
			}
			if sign := between.Draw(t, "between"); script != hebrewLetters || !strings.Contains(sign, "'") {
				text += sign + marks.Draw(t, "marks")
			}
		}
		var want []string
		segments, _, _, err := segment.SegmentWordsDirect([]byte(text), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range segments {
			if slices.ContainsFunc([]rune(string(s)), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				want = append(want, string(s))
			}
		}
		if got := wordsOf(text); !slices.Equal(got, want) {
			t.Fatalf("words of %q:\n got %q\nwant %q", text, got, want)
		}
	})
}
