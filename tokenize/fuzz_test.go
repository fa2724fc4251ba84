package tokenize

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// addSeeds gives a fuzz target the texts in which the rules meet.
func addSeeds(f *testing.F) {
	for _, text := range []string{
		"parseHTTPRequest parse_http_request IPv6Addr HTTP2Server", "项目知识 第3章", "ﾃｽﾄ結果とﾊﾞｸﾞ", "Größe ΣΟΦΟΣ İﬁ",
		"cafe\u0301_menu", "ข้าวเช้า ខ្មែរ", "한글 \u1112\u1161\u11ab", "צה\"ל שָׁלוֹם س.س", "a\xff\xe9b\u200d\u0301",
		"𠀀\U000E0100 \U0010FFFF\uFFFE", "ＭＡＸ＿１",
	} {
		f.Add([]byte(text))
	}
}

// FuzzEach: any bytes are survived; terms are neither empty nor too long, valid, and linear in the text; the words
// give the same terms whoever asks.
func FuzzEach(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var tokenizer Tokenizer
		checkLinear(t, text, checkOutput(t, &tokenizer, text))
		// Not a word of a Scanner, but survived as well.
		var e Expander
		e.Expand(text, func(term []byte) {
			if len(term) == 0 || !utf8.Valid(term) || utf8.RuneCount(term) > MaxTermRunes {
				t.Fatalf("term %q of a word that is none", term)
			}
		})
	})
}

// FuzzQuery: any query is survived, gives distinct terms up to the limit, and finds a text that is the same.
func FuzzQuery(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		const limit = 64
		var tokenizer Tokenizer
		query := tokenizer.Query(string(text), limit)
		if len(query) > limit {
			t.Fatalf("%d terms", len(query))
		}
		for i, q := range query {
			if len(q.Term) == 0 || !utf8.Valid(q.Term) || utf8.RuneCount(q.Term) > MaxTermRunes {
				t.Fatalf("term %q", q.Term)
			}
			if q.Unit && !FirstUnitIs(q.Term, q.Term) {
				t.Fatalf("character %q does not find itself", q.Term)
			}
			for _, earlier := range query[:i] {
				if earlier.Unit == q.Unit && bytes.Equal(earlier.Term, q.Term) {
					t.Fatalf("term %q comes twice", q.Term)
				}
			}
		}
		met := false
		terms := 0
		tokenizer.Each(text, func(term []byte) {
			terms++
			for _, q := range query {
				met = met || bytes.Equal(term, q.Term) || q.Unit && FirstUnitIs(term, q.Term)
			}
		})
		if met != (terms > 0) {
			t.Fatalf("query %q does not find its own text", describeAll(query))
		}
	})
}
