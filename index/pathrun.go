package index

import (
	"bytes"
	"slices"
	"strings"

	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// A pathRun holds the postings of the words in the paths of all sources
// (P-46): the last component without its extension counts as the name, the
// other components and the extension as folders.
type pathRun struct {
	terms    *termTable
	order    []uint32
	start    []uint32
	postings []store.PathPosting
}

type pathWord struct {
	term    uint32
	posting store.PathPosting
}

// newPathRun cuts the paths, given in the order of the index.
func newPathRun(paths []string) *pathRun {
	run := &pathRun{terms: newTermTable(0)}
	var words []pathWord
	var tok tokenize.Tokenizer
	var text []byte
	for i, path := range paths {
		first := len(words)
		name, folder := SplitPath(path)
		text = append(text[:0], name...)
		tok.Each(text, func(term []byte) {
			words = append(words, pathWord{run.terms.number(term), store.PathPosting{Source: uint32(i), Name: 1}})
		})
		text = append(text[:0], folder...)
		tok.Each(text, func(term []byte) {
			words = append(words, pathWord{run.terms.number(term), store.PathPosting{Source: uint32(i), Folder: 1}})
		})
		words = words[:first+joinPathWords(words[first:])]
	}
	run.sort(words)
	return run
}

// SplitPath cuts a path into the words of its name, which is the last
// component without extension, and the rest, as the path field of the index
// sees it.
func SplitPath(path string) (name, folder string) {
	slash := strings.LastIndexByte(path, '/')
	name = path[slash+1:]
	folder = path[:slash+1]
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		folder += name[dot:]
		name = name[:dot]
	}
	return name, folder
}

// joinPathWords adds up the entries of one source that have the same term and
// gives how many are left.
func joinPathWords(words []pathWord) int {
	slices.SortFunc(words, func(a, b pathWord) int { return int(a.term) - int(b.term) })
	n := 0
	for _, w := range words {
		if n > 0 && words[n-1].term == w.term {
			p := &words[n-1].posting
			p.Name = addCount(p.Name, w.posting.Name)
			p.Folder = addCount(p.Folder, w.posting.Folder)
			continue
		}
		words[n] = w
		n++
	}
	return n
}

func addCount(a, b uint8) uint8 { return uint8(min(int(a)+int(b), 255)) }

// sort is a counting sort by term; within a term the sources stay in order.
func (run *pathRun) sort(words []pathWord) {
	run.order = run.terms.sorted()
	next := make([]uint32, run.terms.len())
	for _, w := range words {
		next[w.term]++
	}
	run.start = places(run.order, next)
	run.postings = make([]store.PathPosting, len(words))
	for _, w := range words {
		run.postings[next[w.term]] = w.posting
		next[w.term]++
	}
}

// pathStream gives the terms of a pathRun that lie below a bound.
type pathStream struct {
	run   *pathRun
	i     int
	until []byte
}

func (run *pathRun) stream(from, until []byte) *pathStream {
	i, _ := slices.BinarySearchFunc(run.order, from, func(id uint32, from []byte) int {
		return bytes.Compare(run.terms.term(id), from)
	})
	return &pathStream{run: run, i: i - 1, until: until}
}

func (s *pathStream) next() bool {
	s.i++
	return s.i < len(s.run.order) && (s.until == nil || bytes.Compare(s.name(), s.until) < 0)
}

func (s *pathStream) name() []byte          { return s.run.terms.term(s.run.order[s.i]) }
func (s *pathStream) text() []store.Posting { return nil }
func (s *pathStream) path() []store.PathPosting {
	return s.run.postings[s.run.start[s.i]:s.run.start[s.i+1]]
}
