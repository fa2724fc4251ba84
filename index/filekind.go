package index

import (
	"slices"
	"strings"

	"projectknowledge/tokenize"
)

// A source's flags hold what ranking wants to know of its path, so that no
// path is looked at while ranking: the number of words in its name in the low
// byte, and what its name says of its role above it.
const (
	flagNameWords = 0xff
	flagTestFile  = 1 << 8
)

// flagger computes flags; it keeps its memory from one path to the next.
type flagger struct {
	tok   tokenize.Tokenizer
	terms []string
}

func (f *flagger) flags(path string) uint32 {
	name, _ := SplitPath(path)
	f.terms = f.terms[:0]
	for _, word := range wordTerms(f.tok.Query(name, MaxQueryTerms)) {
		if word.says && !slices.Contains(f.terms, string(word.Term)) {
			f.terms = append(f.terms, string(word.Term))
		}
	}
	return uint32(min(len(f.terms), flagNameWords)) | kindOf(path, name)
}

// wordTerm is a term of a query or a name; says tells whether it stands for a
// word of its own.
type wordTerm struct {
	tokenize.QueryTerm
	says bool
}

// wordTerms marks the terms that are words: the parts of a divided word, and
// the first form of an undivided one. A part of one letter or digit says
// nothing: an identifier like e89b would find every file called b.
func wordTerms(terms []tokenize.QueryTerm) []wordTerm {
	divided := map[int]bool{}
	for _, t := range terms {
		divided[t.Word] = divided[t.Word] || !t.Whole
	}
	out := make([]wordTerm, len(terms))
	for i, t := range terms {
		out[i].QueryTerm = t
		switch {
		case !t.Whole:
			out[i].says = len(t.Term) > 1
		case !divided[t.Word]:
			out[i].says = true
			divided[t.Word] = true
		}
	}
	return out
}

// kindOf looks for the folder and file names that tests carry across
// languages.
func kindOf(path, name string) uint32 {
	lower := strings.ToLower(path)
	for part := range strings.SplitSeq(lower[:strings.LastIndexByte(lower, '/')+1], "/") {
		switch part {
		case "test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test-utils", "testutil", "e2e", "__mocks__":
			return flagTestFile
		}
	}
	lower = strings.ToLower(name)
	for _, end := range []string{"_test", ".test", "-test", "_tests", "_spec", ".spec", "-spec"} {
		if strings.HasSuffix(lower, end) {
			return flagTestFile
		}
	}
	if strings.HasPrefix(lower, "test_") || camelEnd(name, "Test") || camelEnd(name, "Tests") || camelEnd(name, "Spec") {
		return flagTestFile
	}
	return 0
}

// camelEnd reports whether a name ends in a camel-case word behind others.
func camelEnd(name, word string) bool {
	rest, ok := strings.CutSuffix(name, word)
	return ok && rest != "" && rest[len(rest)-1] >= 'a' && rest[len(rest)-1] <= 'z'
}
