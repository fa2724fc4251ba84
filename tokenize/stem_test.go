package tokenize

import (
	_ "embed"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stems are words and their stems, two a line; they agree with the Snowball project's implementation of the
// algorithm.
//
//go:embed testdata/stems.txt
var stems string

func TestStem(t *testing.T) {
	pairs := 0
	for line := range strings.Lines(stems) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			t.Fatalf("bad line %q", line)
		}
		if got := string(Stem([]byte(fields[0]))); got != fields[1] {
			t.Errorf("stem of %q is %q, want %q", fields[0], got, fields[1])
		}
		pairs++
	}
	if pairs < 300 {
		t.Errorf("only %d pairs", pairs)
	}
}

// The paper differs from later programs in these words.
func TestStemAsPublished(t *testing.T) {
	for word, want := range map[string]string{
		"conformabli": "conform", "terribli": "terribli", "apologi": "apologi", "is": "is", "as": "as", "exxed": "ex",
		"yying": "yy", "ing": "ing", "ies": "i", "sss": "sss", "eed": "eed",
	} {
		if got := string(Stem([]byte(word))); got != want {
			t.Errorf("stem of %q is %q, want %q", word, got, want)
		}
	}
}

// A stem is a beginning of the word or one letter off, is never empty, never longer, and uses the word's bytes.
func TestStemStaysInPlace(t *testing.T) {
	suffixes := []string{"", "s", "es", "ies", "ed", "eed", "ing", "y", "ational", "izer", "ness", "iveness", "ement",
		"ion", "e", "ll", "able", "iti", "ous"}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "word") +
			rapid.SampledFrom(suffixes).Draw(t, "suffix") + rapid.SampledFrom(suffixes).Draw(t, "suffix")
		buffer := []byte(word + "guard")
		got := Stem(buffer[:len(word)])
		if len(got) == 0 || len(got) > len(word) || &got[0] != &buffer[0] {
			t.Fatalf("stem of %q is %q", word, got)
		}
		if string(buffer[len(word):]) != "guard" {
			t.Fatalf("stem of %q wrote behind the word", word)
		}
	})
}
