package index

import (
	"bytes"
	"cmp"
	"slices"

	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// MaxQueryTerms is how many distinct terms of a query count, in order (P-47).
const MaxQueryTerms = 64

// Profile chooses how hits are scored (P-43).
type Profile int

const (
	// Ranked is BM25 over weighted fields with file-level signals.
	Ranked Profile = iota
	// FTS5 is SQLite FTS5's bm25() with its defaults over the text alone.
	FTS5
)

// Query is what to search for.
type Query struct {
	Text    string
	Limit   int     // most hits to give; at least 1
	Profile Profile // Ranked by default
	Pool    int     // candidates that go on to the second phase; 0 means DefaultPool
	Explain bool    // attach to each hit how its score came about

	PathGlob  string   // hits in paths that match alone: *, ?, [..], {a,b} and **; "" for all
	Languages []string // hits in these formats alone, by extension or whole name in lower case; none for all
}

// DefaultPool is how many candidates the ranked profile weighs by file-level
// signals, unless the query asks for more hits.
const DefaultPool = 400

// queryTerm is a term of a query found in the dictionary.
type queryTerm struct {
	wordTerm
	lists  []store.Term    // one, or those that a single character stands for
	joined []store.Posting // the union of several lists, else nil
	chunks int             // document frequency
	idf    float64
	path   float64 // idf over the paths
}

// cutQuery cuts a query as the profile sees it: the ranked profile leaves
// English stop words out of a query that has other terms (P-47).
func cutQuery(q Query) []queryTerm {
	var tok tokenize.Tokenizer
	all := tok.Query(q.Text, MaxQueryTerms)
	keep := all
	if q.Profile == Ranked && !rankedWeights.stopWords {
		keep = slices.DeleteFunc(slices.Clone(all), func(t tokenize.QueryTerm) bool { return t.Stop })
		if len(keep) == 0 {
			keep = all
		}
	}
	terms := make([]queryTerm, len(keep))
	for i, t := range wordTerms(keep) {
		terms[i].wordTerm = t
	}
	return terms
}

// resolve looks a term up. A single character of a script written without
// spaces stands for every pair that begins with it and for itself at the end
// of a run (P-45).
func (t *queryTerm) resolve(r *store.Reader) {
	if !t.Unit {
		if found, ok := r.Term(t.Term); ok {
			t.lists = append(t.lists, found)
			t.chunks = int(found.Chunks)
		}
		return
	}
	for c := r.Seek(t.Term); c.Next() && bytes.HasPrefix(c.Name(), t.Term); {
		if tokenize.FirstUnitIs(c.Name(), t.Term) {
			t.lists = append(t.lists, c.Term())
		}
	}
	if len(t.lists) == 1 {
		t.chunks = int(t.lists[0].Chunks)
	} else if len(t.lists) > 1 {
		t.joined = unite(r, t.lists)
		t.chunks = len(t.joined)
	}
}

// unite gives the union of posting lists, their counts added up.
func unite(r *store.Reader, lists []store.Term) []store.Posting {
	var all []store.Posting
	var block [decodeBlock]store.Posting
	for _, t := range lists {
		it := r.Postings(t)
		for n := it.Next(block[:]); n > 0; n = it.Next(block[:]) {
			all = append(all, block[:n]...)
		}
	}
	slices.SortFunc(all, func(a, b store.Posting) int { return cmp.Compare(a.Chunk, b.Chunk) })
	n := 0
	for _, p := range all {
		if n > 0 && all[n-1].Chunk == p.Chunk {
			all[n-1].Text += p.Text
			all[n-1].Names += p.Names
			continue
		}
		all[n] = p
		n++
	}
	return all[:n]
}

// decodeBlock is how many postings are decoded at a time.
const decodeBlock = 256
