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

	cutter pathCutter
}

func newPathTable() *pathTable { return &pathTable{words: map[uint32]*pathWords{}} }

func (t *pathTable) of(r *store.Reader, source uint32) *pathWords {
	t.mu.RLock()
	w := t.words[source]
	t.mu.RUnlock()
	if w != nil {
		return w
	}
	path := string(r.SourcePath(source))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.words) >= maxPathsKept {
		clear(t.words)
	}
	w = t.cutter.cut(path)
	t.words[source] = w
	return w
}

// maxPathsKept bounds a pathTable: some 10 MB.
const maxPathsKept = 1 << 15

// pathCutter cuts paths; it keeps its memory from one to the next.
type pathCutter struct {
	scanner  tokenize.Scanner
	expander tokenize.Expander
	text     []byte
	terms    []byte // of the path under way, one after the other
	ends     []int  // where each ends
}

func (c *pathCutter) cut(path string) *pathWords {
	name, _ := SplitPath(path)
	w := &pathWords{whole: strings.ToLower(name), kind: kindOf(path, name)}
	c.terms, c.ends = c.terms[:0], c.ends[:0]
	c.add(name)
	names := len(c.ends)
	c.add(path[:strings.LastIndexByte(path, '/')+1])
	all := string(c.terms)
	words := make([]string, len(c.ends))
	start := 0
	for i, end := range c.ends {
		words[i] = all[start:end]
		start = end
	}
	w.name, w.folders = words[:names:names], words[names:]
	return w
}

// add appends the terms of the parts of words, and of a word without parts its
// only term, as partTerms does for a query: of several terms the first is the
// undivided word, and a part of one letter says nothing.
func (c *pathCutter) add(text string) {
	c.text = append(c.text[:0], text...)
	c.scanner.Reset(c.text)
	for word := c.scanner.Next(); word != nil; word = c.scanner.Next() {
		first, whole := len(c.ends), len(c.terms)
		c.expander.Expand(word, func(term []byte) {
			c.terms = append(c.terms, term...)
			c.ends = append(c.ends, len(c.terms))
		})
		if len(c.ends)-first > 1 {
			c.dropWhole(first, whole)
		}
	}
}

// dropWhole takes the undivided form and one-letter parts out of the terms of
// a word, which begin at first in ends and at start in terms.
func (c *pathCutter) dropWhole(first, start int) {
	kept, to, from := first, start, c.ends[first]
	for _, end := range c.ends[first+1:] {
		if end-from > 1 {
			to += copy(c.terms[to:], c.terms[from:end])
			c.ends[kept] = to
			kept++
		}
		from = end
	}
	c.ends, c.terms = c.ends[:kept], c.terms[:to]
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
