package tokenize

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	hostileSize = 256 << 10 // the greatest size of a file that is read
	craftedSize = 32 << 10  // enough to tell a cost that is not linear
)

// hostileTexts are the texts that P-48 speaks of, of the greatest size, and texts that the rules of this package
// would suffer from.
var hostileTexts = map[string]string{
	"punctuation":    repeated("!", hostileSize),
	"one letter":     repeated("a", hostileSize),
	"combining mark": repeated("\u0301", hostileSize),
	"unique words":   unique("w%x ", hostileSize),
	"Han":            repeated("项", hostileSize),
	"Thai":           repeated("กิ", hostileSize),
	"Hangul":         repeated("한", hostileSize),

	"wide punctuation":    repeated("。", craftedSize),
	"underscores":         repeated("_", craftedSize),
	"one capital":         repeated("A", craftedSize),
	"accented letter":     repeated("é", craftedSize),
	"marks on one letter": "a" + repeated("\u0301", craftedSize),
	"mixed marks":         "a" + repeated("\u0301\u0323\u0345", craftedSize),
	"camel case":          repeated("aB", craftedSize),
	"letters and digits":  repeated("a1", craftedSize),
	"initialisms":         repeated("AAb1", craftedSize),
	"underscored":         repeated("a_", craftedSize),
	"capitals and digits": repeated("A", craftedSize) + repeated("b1", craftedSize),
	"Khmer stack":         repeated("ក្", craftedSize),
	"jamo lead":           repeated("\u1112", craftedSize),
	"jamo":                repeated("\u1112\u1161\u11AB", craftedSize),
	"half-width kana":     repeated("ﾊﾞ", craftedSize),
	"Han with marks":      "项" + repeated("\u3099", craftedSize),
	"Arabic":              repeated("س", craftedSize),
	"Arabic stops":        repeated("س.", craftedSize),
	"stop and marks":      repeated("س."+strings.Repeat("\u064E", 1000), craftedSize),
	"joiners":             "س" + repeated("\u200D", craftedSize),
	"invalid bytes":       repeated("\xff", craftedSize),
	"cut characters":      repeated("a\xe9", craftedSize),
	"unique parts":        unique("w%xZ", craftedSize),
	"unique numbers":      unique("%d_", craftedSize),
	"every character":     everyCharacter(),
}

func repeated(s string, size int) string { return strings.Repeat(s, size/len(s)) }

func unique(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func everyCharacter() string {
	var b strings.Builder
	for r := rune(0); b.Len() < hostileSize; r += 17 {
		b.WriteRune(r)
	}
	return b.String()
}

// output measures what a text gives.
type output struct{ terms, bytes int }

// checkOutput checks every term of text and measures them.
func checkOutput(t testing.TB, tokenizer *Tokenizer, text []byte) (out output) {
	tokenizer.Each(text, func(term []byte) {
		out.terms++
		out.bytes += len(term)
		if len(term) == 0 || !utf8.Valid(term) || utf8.RuneCount(term) > MaxTermRunes {
			t.Fatalf("term %q", term)
		}
	})
	return out
}

// checkLinear checks that a text gives no more than a fixed number of terms and bytes for each of its bytes. A
// character is in at most six pieces of its word, each with and without accents; a part cut to MaxTermRunes costs
// less than it is long.
func checkLinear(t testing.TB, text []byte, out output) {
	if limit := 12 * (len(text) + 1); out.terms > limit || out.bytes > 4*limit {
		t.Fatalf("%d terms of %d bytes from %d bytes", out.terms, out.bytes, len(text))
	}
}

// P-48: hostile text costs no more than its size, in terms and in memory that stays.
func TestHostileTexts(t *testing.T) {
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			content := []byte(text)
			var tokenizer Tokenizer
			checkLinear(t, content, checkOutput(t, &tokenizer, content))
			tokenizer.Query(string(content), 64)
			e := &tokenizer.expander
			room := cap(e.room) + cap(e.word.folded) + cap(e.word.kinds) + 4*cap(e.word.offsets) +
				cap(e.terms.bytes) + 12*cap(e.terms.spans) + 4*cap(e.terms.slots) +
				cap(e.folder.source) + cap(e.folder.work)
			if limit := 64 * (len(content) + 1024); room > limit {
				t.Errorf("%d bytes are kept, more than %d", room, limit)
			}
		})
	}
}

// Nothing is allocated per word or term once a text of its kind has been met.
func TestNoAllocations(t *testing.T) {
	texts := map[string]string{
		"code":    "func parseHTTPRequest(r *Request) (*HTTP2Server, error) { return _x, URLs[14] } // relational caches",
		"accents": "cafe\u0301_menu Größe résumés \u212Aelvin ＲｅｄｉｓＣｌｉｅｎｔ２",
	}
	for _, p := range prose {
		texts[p.name] = p.text
	}
	for name, text := range texts {
		content := []byte(text)
		var tokenizer Tokenizer
		terms := 0
		count := func(term []byte) { terms += len(term) }
		tokenizer.Each(content, count)
		if allocs := testing.AllocsPerRun(20, func() { tokenizer.Each(content, count) }); allocs != 0 {
			t.Errorf("%s: %v allocations a text", name, allocs)
		}
	}
}
