package tokenize

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostileSize is the greatest size of a file that is read.
const hostileSize = 256 << 10

// hostileTexts are what P-48 speaks of and what the rules of this package would suffer from, each of one file's size.
var hostileTexts = map[string]func() string{
	"punctuation":         repeated("!"),
	"wide punctuation":    repeated("。"),
	"underscores":         repeated("_"),
	"one letter":          repeated("a"),
	"one capital":         repeated("A"),
	"accented letter":     repeated("é"),
	"combining mark":      repeated("\u0301"),
	"marks on one letter": func() string { return "a" + repeated("\u0301")() },
	"mixed marks":         func() string { return "a" + repeated("\u0301\u0323\u0345")() },
	"camel case":          repeated("aB"),
	"letters and digits":  repeated("a1"),
	"initialisms":         repeated("AAb1"),
	"underscored":         repeated("a_"),
	"capitals and digits": func() string { return strings.Repeat("A", hostileSize/2) + strings.Repeat("b1", hostileSize/4) },
	"Han":                 repeated("项"),
	"Thai":                repeated("กิ"),
	"Khmer stack":         repeated("ក្"),
	"Hangul":              repeated("한"),
	"jamo lead":           repeated("\u1112"),
	"jamo":                repeated("\u1112\u1161\u11AB"),
	"half-width kana":     repeated("ﾊﾞ"),
	"Han with marks":      func() string { return "项" + repeated("\u3099")() },
	"Arabic":              repeated("س"),
	"Arabic stops":        repeated("س."),
	"stop and marks":      repeated("س." + strings.Repeat("\u064E", 1000)),
	"joiners":             func() string { return "س" + repeated("\u200D")() },
	"invalid bytes":       repeated("\xff"),
	"cut characters":      repeated("a\xe9"),
	"unique words":        unique("w%x "),
	"unique parts":        unique("w%xZ"),
	"unique numbers":      unique("%d_"),
	"every character":     everyCharacter,
}

func repeated(s string) func() string {
	return func() string { return strings.Repeat(s, hostileSize/len(s)) }
}

func unique(format string) func() string {
	return func() string {
		var b strings.Builder
		for i := 0; b.Len() < hostileSize; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
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
			content := []byte(text())
			var tokenizer Tokenizer
			checkLinear(t, content, checkOutput(t, &tokenizer, content))
			tokenizer.Query(string(content), 64)
			e := &tokenizer.expander
			room := cap(e.room) + cap(e.word.folded) + cap(e.word.kinds) + 4*cap(e.word.offsets) +
				cap(e.terms.bytes) + 12*cap(e.terms.spans) + 4*cap(e.terms.slots) +
				cap(e.folder.source) + cap(e.folder.work)
			if limit := 64 * hostileSize; room > limit {
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
