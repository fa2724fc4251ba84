package index

// The constants of both profiles. They are not options: a ranking that
// everybody has is one that can be tested (P-43b).

// fts5Scoring is SQLite FTS5's bm25() with its defaults.
var fts5Scoring = scoring{k1: 1.2, b: 0.75}

// fts5IDFFloor is what FTS5 puts in place of an idf that is not positive.
const fts5IDFFloor = 1e-6

// weights are the constants of the ranked profile. Those that are added are
// shares of the best BM25 score of text and path together among the candidates,
// so that they mean the same for every query.
type weights struct {
	// BM25 over the text. A larger k1 than the usual 1.2 lets further
	// occurrences count for longer, which code and prose reward; an occurrence
	// in a name that the chunk defines counts as so many more in its text
	// (P-43b), so that of two like passages the defining one comes first.
	text scoring

	// BM25 over the words of the path, a field of its own. Weighing its name
	// above its folders brought nothing beside cover.
	path, pathK1 float64

	// How much of the file's name the query says, times the root of how much of
	// the query the path says: a file called what is asked for.
	cover float64

	// A query that is one identifier: the chunk that defines it comes first,
	// less so when it is spelt with other capitals. Where several define it, the
	// one in the file of that name is what people mean: the development sets do
	// not show it, since the path says the same there.
	definition, namesake, otherCase float64

	// The file's share among the best candidates, added to its best chunk.
	coherence float64

	// Factors of test files, unless the query asks for tests, and of each
	// further chunk of a file, so that one file does not fill the list.
	test, further float64

	// Whether English stop words of a query that has other words count, too.
	stopWords bool
}

var rankedWeights = weights{
	text: scoring{k1: 1.6, b: 0.6, names: 0.25},
	path: 0.75, pathK1: 1.2,
	cover:      0.3,
	definition: 4, namesake: 1.5, otherCase: 0.7,
	coherence: 1,
	test:      0.4, further: 0.3,
}

// Bounds of the second phase.
const (
	maxDefiningPool = 64 // defining chunks that join the candidates
	maxPathPool     = 64 // files that join the candidates by their path
	coherencePool   = 50 // best candidates among which a file's share counts
	maxHalvings     = 60 // further chunks after which the factor stays
)
