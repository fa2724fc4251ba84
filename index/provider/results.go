package provider

import (
	"projectknowledge/index"
	"projectknowledge/store"
)

// Mode says how an index call treats the published index (P-49).
type Mode string

const (
	Rebuild Mode = "rebuild"
	Refresh Mode = "refresh"
)

// IndexRequest asks for an index run. An empty mode stands for a rebuild.
type IndexRequest struct {
	Mode Mode
	// Progress is called now and then during the run, from one goroutine at a time; nil for none.
	Progress func(index.Progress)
}

// IndexResult is the answer of an index call (P-62).
type IndexResult struct {
	Indexed  bool           `json:"indexed"`
	Coverage store.Coverage `json:"coverage"`
}

// StatusResult is the answer of a status call: the saved metadata of the index, if there is one (P-67).
type StatusResult struct {
	Indexed  bool            `json:"indexed"`
	Format   int             `json:"format,omitempty"`
	Coverage *store.Coverage `json:"coverage,omitempty"`
}

// SearchRequest asks for ranked excerpts. A zero limit stands for DefaultLimit: a face that is given an explicit zero
// refuses it itself (P-70).
type SearchRequest struct {
	Query   string
	Limit   int
	Profile index.Profile
	// Explain adds score, row id and signals to every hit; it is refused where results have a byte bound.
	Explain bool
	// PathGlob and Languages, when given, leave only the sources that they name, before anything is ranked (M-61).
	PathGlob  string
	Languages []string
	// Allow, when not nil, decides by path whether a source may be a hit; a refused one leaves no trace (M-61).
	Allow func(path string) bool
}

// SearchResult is the answer of a search (P-73).
type SearchResult struct {
	Hits             []Hit   `json:"hits"`
	Stale            int     `json:"stale_candidates_omitted"`
	Truncated        bool    `json:"results_truncated"`
	IndexRevision    *string `json:"index_revision"`
	ObservedRevision *string `json:"observed_revision"`
	// Terms are the distinct terms that the query was cut into.
	Terms []string `json:"-"`
}

// Hit is one verified excerpt: its text is cut from bytes that were read and hashed during the call (P-69, P-74).
type Hit struct {
	Path             string  `json:"path"`
	StartLine        int     `json:"start_line"`
	EndLine          int     `json:"end_line"`
	Text             string  `json:"text"`
	SourceHash       string  `json:"source_hash"`
	IndexRevision    *string `json:"index_revision"`
	ObservedRevision *string `json:"observed_revision"`
	// Score and Explanation are there only when the request asked to explain.
	Score       *float64           `json:"score,omitempty"`
	Row         *uint64            `json:"row_id,omitempty"`
	Explanation *index.Explanation `json:"explanation,omitempty"`
}

// ReadRequest asks for lines of a source whose current bytes have the given hash. A zero line stands for an absent
// argument: a face that is given an explicit zero refuses it itself (P-79).
type ReadRequest struct {
	Path       string
	SourceHash string
	StartLine  int
	EndLine    int
}

// ReadResult is the answer of a read (P-81).
type ReadResult struct {
	Path             string  `json:"path"`
	StartLine        int     `json:"start_line"`
	EndLine          int     `json:"end_line"`
	Text             string  `json:"text"`
	SourceHash       string  `json:"source_hash"`
	ObservedRevision *string `json:"observed_revision"`
	TotalLines       int     `json:"total_lines"`
	Truncated        bool    `json:"results_truncated"`
}

// The sizes below are of compact JSON; they are exact, member for member, with the structs above.

const (
	searchFrame = len(`{"hits":[],"stale_candidates_omitted":,"results_truncated":,"index_revision":,"observed_revision":}`)
	hitFrame    = len(`{"path":"","start_line":,"end_line":,"text":"","source_hash":"","index_revision":,"observed_revision":}`)
	readFrame   = len(`{"path":"","start_line":,"end_line":,"text":"","source_hash":"","observed_revision":,"total_lines":,"results_truncated":}`)
)

// frameSize is the most that a search result takes without its hits. The two members that are not known before the end
// are counted at their widest.
func (r *SearchResult) frameSize() int {
	return searchFrame + decimals(MaxCandidates) + len("false") + revisionSize(r.IndexRevision) + revisionSize(r.ObservedRevision)
}

// frameSize is what a hit takes without its text.
func (h *Hit) frameSize() int {
	return hitFrame + jsonSize(h.Path) + decimals(h.StartLine) + decimals(h.EndLine) + HashDigits +
		revisionSize(h.IndexRevision) + revisionSize(h.ObservedRevision)
}

// frameSize is what a read result takes without its text.
func (r *ReadResult) frameSize() int {
	truncated := len("false")
	if r.Truncated {
		truncated = len("true")
	}
	return readFrame + jsonSize(r.Path) + decimals(r.StartLine) + decimals(r.EndLine) + len(r.SourceHash) +
		revisionSize(r.ObservedRevision) + decimals(r.TotalLines) + truncated
}
