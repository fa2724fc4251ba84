package tokenize

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// wordsOf returns the words of text.
func wordsOf(text string) []string {
	var s Scanner
	var words []string
	s.Reset([]byte(text))
	for word := s.Next(); word != nil; word = s.Next() {
		words = append(words, string(word))
	}
	return words
}

func TestEachIsTheTermsOfTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		var e Expander
		var want []string
		for _, word := range wordsOf(text) {
			before := len(want)
			e.Expand([]byte(word), func(term []byte) { want = append(want, string(term)) })
			terms := want[before:]
			if len(terms) == 0 {
				t.Fatalf("word %q has no term", word)
			}
			for i, term := range terms {
				if slices.Contains(terms[:i], term) {
					t.Fatalf("word %q gives %q twice", word, term)
				}
			}
		}
		if got := termsOf(text); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// The short ways of Expand agree with the long one.
func TestExpandAgreesWithCollect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, word := range wordsOf(genText().Draw(t, "text")) {
			var e, long Expander
			var got, want []string
			e.Expand([]byte(word), func(term []byte) { got = append(got, string(term)) })
			long.collect([]byte(word))
			for i := range long.terms.spans {
				want = append(want, string(long.terms.term(i)))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("word %q: short way %q, long way %q", word, got, want)
			}
		}
	})
}

// Words are pieces of the text itself, in order.
func TestWordsLieInTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(genText().Draw(t, "text"))
		var s Scanner
		s.Reset(text)
		from := 0
		for word := s.Next(); word != nil; word = s.Next() {
			for from < len(text) && &word[0] != &text[from] {
				from++
			}
			if from == len(text) || !utf8.Valid(word) {
				t.Fatalf("word %q is no piece of the text, or stands before the word before it", word)
			}
		}
		if s.Next() != nil {
			t.Fatal("a word after the end")
		}
	})
}

// P-44: text in NFD equals NFC.
func TestNormalFormsMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		composed, decomposed := termsOf(norm.NFC.String(text)), termsOf(norm.NFD.String(text))
		if !slices.Equal(composed, decomposed) {
			t.Fatalf("NFC %q, NFD %q", composed, decomposed)
		}
		for _, term := range composed {
			if !norm.NFC.IsNormalString(term) {
				t.Fatalf("term %q is not in NFC", term)
			}
		}
	})
}

// P-44: full-width letters and digits equal their narrow forms.
func TestWidthsMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([A-Za-z0-9_]{1,9} ){0,5}`).Draw(t, "text")
		widened := strings.Map(func(r rune) rune {
			if asciiBits[r]&bitsWord != 0 {
				return r - '!' + '！'
			}
			return r
		}, text)
		if got, want := termsOf(widened), termsOf(text); !slices.Equal(got, want) {
			t.Fatalf("%q gives %q, %q gives %q", widened, got, text, want)
		}
	})
}

// found reports whether the terms of a text hold a term of a query that is worth a hit by itself: the whole word,
// or a pair or character of a cut script.
func found(terms []string, query []QueryTerm, pairs bool) bool {
	for _, q := range query {
		for _, term := range terms {
			switch {
			case q.Unit && FirstUnitIs([]byte(term), q.Term), (pairs || q.Whole) && term == string(q.Term):
				return true
			}
		}
	}
	return false
}

// upperCase is strings.ToUpper, but leaves the Greek iota below a letter a mark.
func upperCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r == iotaBelow {
			return r
		}
		return unicode.ToUpper(r)
	}, s)
}

// P-44, P-45: whatever word of a text is asked for, in any case and normal form, its whole is found.
func TestQueriesMeetTexts(t *testing.T) {
	forms := map[string]func(string) string{
		"as written": func(s string) string { return s },
		"upper case": upperCase,
		"lower case": strings.ToLower,
		"NFD":        norm.NFD.String,
		"NFC":        norm.NFC.String,
	}
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		terms := termsOf(text)
		for _, word := range wordsOf(text) {
			_, c, _ := decode([]byte(word))
			for name, form := range forms {
				var tokenizer Tokenizer
				query := tokenizer.Query(form(word), 64)
				if !found(terms, query, c.cut()) {
					t.Fatalf("word %q %s: query %q does not meet %q", word, name, describeAll(query), terms)
				}
			}
		}
	})
}

// Every term that a query asks for, but for the second forms of its words, is in a text that holds the query.
func TestQueryTermsAreTermsOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		terms := termsOf(text)
		var tokenizer Tokenizer
		limit := rapid.IntRange(0, 70).Draw(t, "limit")
		query := tokenizer.Query(text, limit)
		if len(query) > limit {
			t.Fatalf("%d terms, at most %d were asked for", len(query), limit)
		}
		for i, q := range query {
			if !q.Whole && !q.Unit && !slices.Contains(terms, string(q.Term)) {
				t.Fatalf("query term %q is not in %q", q.Term, terms)
			}
			if q.Unit && !found(terms, query[i:i+1], false) {
				t.Fatalf("character %q is not in %q", q.Term, terms)
			}
		}
	})
}

// P-45: a character is found anywhere in a run.
func TestUnitsAreFoundAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"han", "kana", "hangul", "thai", "khmer", "unspaced"}).Draw(t, "script")
		text := rapid.StringOfN(rapid.SampledFrom([]rune(alphabets[name])), 1, 8, -1).Draw(t, "text")
		terms := termsOf(text)
		for i := 0; i < len(text); {
			_, c, size := decode([]byte(text[i:]))
			end := i + size
			if c.cut() {
				end = clusterEnd([]byte(text), i, c)
				var tokenizer Tokenizer
				if query := tokenizer.Query(text[i:end], 64); len(query) != 1 || !found(terms, query, false) {
					t.Fatalf("character %q of %q: query %q, terms %q", text[i:end], text, describeAll(query), terms)
				}
			}
			i = end
		}
	})
}

// Tokenizers of several goroutines share what is known of characters.
func TestTokenizersSideBySide(t *testing.T) {
	want := termsOf(prose[1].text + prose[4].text)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var text strings.Builder
			for r := rune(0x100); r < 0x2000; r += 3 {
				text.WriteRune(r)
			}
			termsOf(text.String())
			if got := termsOf(prose[1].text + prose[4].text); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	group.Wait()
}
