package index

// The constants of both profiles. They are not options: a ranking that
// everybody has is one that can be tested (P-43b).

// fts5Scoring is SQLite FTS5's bm25() with its defaults.
var fts5Scoring = scoring{k1: 1.2, b: 0.75}

// fts5IDFFloor is what FTS5 puts in place of an idf that is not positive.
const fts5IDFFloor = 1e-6

// rankedScoring is BM25 for the ranked profile. A larger k1 than the usual 1.2
// lets further occurrences count for longer, which code rewards; an occurrence
// in a name that the chunk defines counts as that many more in its text.
var rankedScoring = scoring{k1: 2.0, b: 0.75, names: 2.0}

// Weights of the signals. Those that are added are shares of the best text
// score among the candidates, so that they mean the same for every query.
const (
	// BM25 over the words of the path, a field of its own.
	weightPath       = 0.75
	weightPathName   = 10.0 // occurrences of a name word count so many times a folder's
	pathSaturationK1 = 1.2

	// How much of the file's name the query says, times the root of how much
	// of the query the path says: a file called what is asked for.
	weightNameCover = 1.0
	// How many of the query's words the file name or its folder has.
	weightPathShare = 0.5
	matchExact      = 1.0
	matchPrefix     = 0.9  // one is the beginning of the other
	matchFolder     = 0.75 // found in the parent folder
	minPrefix       = 3    // letters that a common beginning must have

	// A query that is one identifier: the chunk that defines it comes first.
	weightDefinition     = 3.0
	definitionNamesake   = 1.5 // times that when the file bears the name too
	weightInSentence     = 0.5 // an identifier among other words
	maxDefiningPool      = 64  // defining chunks that join the candidates
	maxPathPool          = 64  // files that join the candidates by their path
	weightCoherence      = 0.1 // times the file's share among the best candidates
	coherencePool        = 50
	factorTest           = 0.5 // of a test file, unless the query asks for tests
	factorLegacy         = 0.6 // of a compatibility or legacy file, likewise
	factorFurtherInFile  = 0.5 // of each further chunk of a file, so that one file does not fill the list
	maxFurtherInFileHalf = 60  // halvings after which a score counts as none
)
