package tokenize

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strings"
	"testing"
)

// vocabulary is the Snowball project's English vocabulary (BSD licence), each word in letters with the stem that an
// independent implementation of the Porter algorithm gives it. Left out are the 43 of its 29,403 words on which later
// programs depart from the paper of 1980, those in -bly and -logy and "ies": here they are stemmed as the paper says.
//
//go:embed testdata/vocabulary.txt.gz
var vocabulary []byte

func TestStemOverTheVocabulary(t *testing.T) {
	unpacked, err := gzip.NewReader(bytes.NewReader(vocabulary))
	if err != nil {
		t.Fatal(err)
	}
	words, wrong := 0, 0
	for lines := bufio.NewScanner(unpacked); lines.Scan(); words++ {
		word, want, _ := strings.Cut(lines.Text(), " ")
		if got := string(Stem([]byte(word))); got != want {
			if wrong++; wrong <= 20 {
				t.Errorf("stem of %q is %q, want %q", word, got, want)
			}
		}
	}
	if wrong > 0 || words != 29_360 {
		t.Errorf("%d of %d words are wrong", wrong, words)
	}
}
