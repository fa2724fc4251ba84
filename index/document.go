package index

import (
	"context"
	"errors"
)

// A Source is what an index is built from: a set of documents, each with a
// path that is unique within the source.
//
// Update calls Paths once, and Read and Admit from several goroutines at once.
type Source interface {
	// Paths gives the paths of every document at this moment in ascending
	// byte order without repetition.
	Paths(ctx context.Context) ([]string, error)

	// Read gives the current bytes of a document, in the memory of buf when
	// they fit there. It returns a *Refusal for a document that is to be left
	// out; any other error ends the update and leaves the published index as
	// it was.
	Read(ctx context.Context, path string, buf []byte) ([]byte, error)

	// Admit judges the content of a document whose bytes were not judged
	// before. It returns a *Refusal for content that must not be indexed.
	// When the rules change, Options.Rules must change too.
	Admit(path string, text []byte) error
}

// Refusal is the error by which a Source leaves a document out. Reason is a
// short snake_case word that is counted in Coverage.SkippedByReason.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "document refused: " + r.Reason }

// Errors of this package. A missing index is reported as fs.ErrNotExist and a
// damaged or foreign one as store.ErrDamaged.
var (
	// ErrNoTerms reports a query without any term (P-47).
	ErrNoTerms = errors.New("index: the query has no term")
	// ErrBudget reports that the work budget ended before anything could be
	// committed; the published index is unchanged (P-57).
	ErrBudget = errors.New("index: the work budget ended before anything could be committed")
	// ErrOrder reports a Source whose paths are not ascending and unique.
	ErrOrder = errors.New("index: the paths of the source are not in ascending order")
	// ErrClosed reports the use of a closed Index.
	ErrClosed = errors.New("index: closed")
)

// Limits bound what an index holds. Zero means no bound.
type Limits struct {
	Files int   // indexed documents
	Bytes int64 // their bytes together
}

// Options configure an Index.
type Options struct {
	Limits  Limits
	Workers int // goroutines that read and tokenize; 0 means GOMAXPROCS
	Rules   int // version of the rules behind Source.Admit
}

// Mode is how an update begins.
type Mode string

const (
	// Rebuild starts anew; it needs no readable old index (P-61).
	Rebuild Mode = "rebuild"
	// Refresh takes over what is unchanged. Without an index it builds one.
	Refresh Mode = "refresh"
)

// Why an update stopped (P-59), as Coverage.StopReason says it. When several
// hold, the first of time, files and bytes is told.
const (
	Complete    = "complete"
	TimeBudget  = "time_budget"
	FileLimit   = "file_limit"
	CorpusLimit = "corpus_limit"
)

// Progress tells how far an update is.
type Progress struct {
	Files int   // documents visited
	Total int   // documents to visit
	Bytes int64 // bytes read
}
