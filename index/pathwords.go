package index

import (
	"strings"
	"sync"

	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// pathWords is what the ranked profile looks at in a path.
type pathWords struct {
	whole   string   // the undivided name in lower case
	name    []string // distinct terms of the name's parts
	folders []string // of all folders
	kind    fileKind
}

// fileKind is what the names in a path say of a file's role.
type fileKind uint8

const (
	testFile fileKind = 1 << iota
	legacyFile
)

// pathTable keeps the pathWords of one generation as they are first needed.
type pathTable struct {
	mu    sync.RWMutex
	words map[uint32]*pathWords
}

func newPathTable() *pathTable { return &pathTable{words: map[uint32]*pathWords{}} }

func (t *pathTable) of(r *store.Reader, source uint32) *pathWords {
	t.mu.RLock()
	w := t.words[source]
	t.mu.RUnlock()
	if w != nil {
		return w
	}
	w = cutPath(string(r.SourcePath(source)))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.words) >= maxPathsKept {
		clear(t.words)
	}
	t.words[source] = w
	return w
}

// maxPathsKept bounds a pathTable: some 10 MB.
const maxPathsKept = 1 << 15

func cutPath(path string) *pathWords {
	name, _ := SplitPath(path)
	folder := path[:strings.LastIndexByte(path, '/')+1]
	var tok tokenize.Tokenizer
	w := &pathWords{whole: strings.ToLower(name), kind: kindOf(path, name)}
	w.name = partTerms(tok.Query(name, MaxQueryTerms))
	w.folders = partTerms(tok.Query(folder, MaxQueryTerms))
	return w
}

// partTerms gives the terms of the parts of words, and of a word without parts
// its first form. Parts of one letter or digit say nothing of a path: an
// identifier like e89b would find every file called b.
func partTerms(terms []tokenize.QueryTerm) []string {
	divided := map[int]bool{}
	for _, t := range terms {
		divided[t.Word] = divided[t.Word] || !t.Whole
	}
	var out []string
	for _, t := range terms {
		if !t.Whole {
			if len(t.Term) > 1 {
				out = append(out, string(t.Term))
			}
		} else if !divided[t.Word] {
			divided[t.Word] = true
			out = append(out, string(t.Term))
		}
	}
	return out
}

// kindOf looks for the folder and file names that tests and superseded code
// carry across languages.
func kindOf(path, name string) fileKind {
	var kind fileKind
	lower := strings.ToLower(path)
	for part := range strings.SplitSeq(lower[:strings.LastIndexByte(lower, '/')+1], "/") {
		switch part {
		case "test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test-utils", "testutil", "e2e", "__mocks__":
			kind |= testFile
		case "compat", "legacy", "deprecated", "_compat":
			kind |= legacyFile
		}
	}
	lower = strings.ToLower(name)
	for _, end := range []string{"_test", ".test", "-test", "_tests", "_spec", ".spec", "-spec"} {
		if strings.HasSuffix(lower, end) {
			kind |= testFile
		}
	}
	if strings.HasPrefix(lower, "test_") || camelEnd(name, "Test") || camelEnd(name, "Tests") || camelEnd(name, "Spec") {
		kind |= testFile
	}
	for _, word := range []string{"compat", "legacy", "deprecated"} {
		if lower == word || strings.HasSuffix(lower, "_"+word) || strings.HasSuffix(lower, "-"+word) || strings.HasPrefix(lower, word+"_") || strings.HasPrefix(lower, word+"-") {
			kind |= legacyFile
		}
	}
	return kind
}

// camelEnd reports whether a name ends in a camel-case word behind others.
func camelEnd(name, word string) bool {
	rest, ok := strings.CutSuffix(name, word)
	return ok && rest != "" && rest[len(rest)-1] >= 'a' && rest[len(rest)-1] <= 'z'
}
