package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Meta describes one published index beside its tables.
type Meta struct {
	Format    int // FormatFirst or Format; set by Open, ignored by Publish
	Tokenizer int // version of the term rules that cut the text
	Rules     int // version of the content rules that admitted the sources
	Coverage  Coverage
	Cycle     Cycle
	NextBase  uint64 // above every Source.Base ever given out (P-52)
}

// Coverage describes one indexing run (section G of the provider's behaviour). Its JSON form is the one
// that every face shows: a coverage without Mode comes from a format 1 index and leaves out the rows that
// exist from format 2 only (P-63).
type Coverage struct {
	Revision              *string        `json:"revision"`
	IndexedAtUnix         int64          `json:"indexed_at_unix"`
	EligibleFiles         int            `json:"eligible_files"`
	IndexedFiles          int            `json:"indexed_files"`
	IndexedBytes          int64          `json:"indexed_bytes"`
	Chunks                int            `json:"chunks"`
	ExcludedEntries       int            `json:"excluded_entries"`
	SkippedFiles          int            `json:"skipped_files"`
	OversizedLinesOmitted int            `json:"oversized_lines_omitted"`
	UnprocessedFiles      int            `json:"unprocessed_files"`
	StopReason            string         `json:"stop_reason"`
	Mode                  string         `json:"mode"`
	ReusedFiles           int            `json:"reused_files"`
	UpdatedFiles          int            `json:"updated_files"`
	DeletedFiles          int            `json:"deleted_files"`
	RemainingFiles        int            `json:"remaining_files"`
	ExcludedByReason      map[string]int `json:"excluded_by_reason"`
	SkippedByReason       map[string]int `json:"skipped_by_reason"`
}

// fullCoverage is Coverage with its rows and without its marshalling rule.
type fullCoverage Coverage

// firstCoverage has the fields of Coverage and shows those of format 1 alone.
type firstCoverage struct {
	Revision              *string        `json:"revision"`
	IndexedAtUnix         int64          `json:"indexed_at_unix"`
	EligibleFiles         int            `json:"eligible_files"`
	IndexedFiles          int            `json:"indexed_files"`
	IndexedBytes          int64          `json:"indexed_bytes"`
	Chunks                int            `json:"chunks"`
	ExcludedEntries       int            `json:"excluded_entries"`
	SkippedFiles          int            `json:"skipped_files"`
	OversizedLinesOmitted int            `json:"oversized_lines_omitted"`
	UnprocessedFiles      int            `json:"unprocessed_files"`
	StopReason            string         `json:"stop_reason"`
	Mode                  string         `json:"-"`
	ReusedFiles           int            `json:"-"`
	UpdatedFiles          int            `json:"-"`
	DeletedFiles          int            `json:"-"`
	RemainingFiles        int            `json:"-"`
	ExcludedByReason      map[string]int `json:"-"`
	SkippedByReason       map[string]int `json:"-"`
}

// MarshalJSON writes the rows that the coverage's format has.
func (c Coverage) MarshalJSON() ([]byte, error) {
	if c.Mode == "" {
		return json.Marshal(firstCoverage(c))
	}
	if c.ExcludedByReason == nil {
		c.ExcludedByReason = map[string]int{}
	}
	if c.SkippedByReason == nil {
		c.SkippedByReason = map[string]int{}
	}
	return json.Marshal(fullCoverage(c))
}

// Cycle is the bookkeeping of the verification cycle under way (P-55). Both lists are in path order,
// without repetition, and share no path.
type Cycle struct {
	Cursor  string // the path at which the next refresh goes on, "" at the start
	Pending []Pending
	Skipped []Skipped
}

// Pending is an eligible path that the cycle has not finished.
type Pending struct {
	Path string
	Held bool // visited in this cycle and held back by a capacity limit
}

// Skipped is a path that was visited in this cycle and refused by its content.
type Skipped struct{ Path, Reason string }

// metadata is the JSON object under the key `metadata` of bucket `meta`; format.go specifies it.
type metadata struct {
	Format    int      `json:"format"`
	Tokenizer int      `json:"tokenizer"`
	Rules     int      `json:"rules"`
	NextBase  uint64   `json:"next_base"`
	Coverage  Coverage `json:"coverage"`
	Tables    tables   `json:"tables"`
	Pending   *int     `json:"pending,omitempty"`
	Cursor    *string  `json:"cursor,omitempty"`
}

// tables counts what the sections hold, so that a missing or surplus segment is noticed at open.
type tables struct {
	Sources   uint32 `json:"sources"`
	Chunks    uint32 `json:"chunks"`
	Terms     uint32 `json:"terms"`
	TextTerms uint64 `json:"text_terms"`
	Bytes     int64  `json:"bytes"`
	Skipped   int    `json:"skipped"`
}

// encode gives the one accepted spelling of the object.
func (m *metadata) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return nil, fmt.Errorf("encode metadata: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeMetadata accepts exactly what encode writes: encoding the decoded object again must give the same
// bytes, so an unknown, repeated, missing, misspelt or ill-typed member is refused without a list of cases.
func decodeMetadata(text []byte) (*metadata, error) {
	m := new(metadata)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	if m.Format != FormatFirst && m.Format != Format {
		return nil, fmt.Errorf("metadata of unknown format %d", m.Format)
	}
	again, err := m.encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, text) {
		return nil, errors.New("metadata with missing, unknown or ill-formed members")
	}
	if err := m.validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// validate checks every rule that the object must hold by itself.
func (m *metadata) validate() error {
	second := m.Format == Format
	switch {
	case second != (m.Pending != nil), second != (m.Cursor != nil), second != (m.Coverage.Mode != ""):
		return errors.New("metadata members do not fit the format")
	case m.Tokenizer < 0, m.Rules < 0, m.Tables.Skipped < 0, m.Tables.Bytes < 0:
		return errors.New("metadata with a negative count")
	case !second && m.Tables.Skipped != 0:
		return errors.New("a skipped list in format 1")
	}
	if second {
		if *m.Pending < 0 {
			return errors.New("metadata with a negative count")
		}
		if !utf8.ValidString(*m.Cursor) {
			return errors.New("a cursor that is not UTF-8")
		}
	}
	return m.validateCoverage()
}

// validateCoverage checks the identities of P-62b and P-64 and the counts that the tables repeat.
func (m *metadata) validateCoverage() error {
	c := &m.Coverage
	for _, n := range []int{
		c.EligibleFiles, c.IndexedFiles, c.Chunks, c.ExcludedEntries, c.SkippedFiles, c.OversizedLinesOmitted,
		c.UnprocessedFiles, c.ReusedFiles, c.UpdatedFiles, c.DeletedFiles, c.RemainingFiles,
		int(min(c.IndexedBytes, 0)), int(min(c.IndexedAtUnix, 0)),
	} {
		if n < 0 {
			return errors.New("coverage with a negative count")
		}
	}
	switch {
	case c.StopReason == "":
		return errors.New("coverage without a stop reason")
	case c.IndexedFiles != int(m.Tables.Sources):
		return fmt.Errorf("coverage counts %d indexed files, the source table %d", c.IndexedFiles, m.Tables.Sources)
	case c.Chunks != int(m.Tables.Chunks):
		return fmt.Errorf("coverage counts %d chunks, the chunk table %d", c.Chunks, m.Tables.Chunks)
	case c.IndexedBytes != m.Tables.Bytes:
		return fmt.Errorf("coverage counts %d bytes, the source table %d", c.IndexedBytes, m.Tables.Bytes)
	case c.EligibleFiles != c.IndexedFiles+c.SkippedFiles+c.UnprocessedFiles:
		return errors.New("eligible files are not the sum of indexed, skipped and unprocessed ones")
	}
	if m.Format == FormatFirst {
		return nil
	}
	switch {
	case c.UnprocessedFiles > c.RemainingFiles:
		return errors.New("more unprocessed than remaining files")
	case c.StopReason == "complete" && c.RemainingFiles != 0:
		return errors.New("a complete run with remaining files")
	case c.RemainingFiles != *m.Pending:
		return fmt.Errorf("coverage counts %d remaining files, the pending list %d", c.RemainingFiles, *m.Pending)
	case c.SkippedFiles != m.Tables.Skipped:
		return fmt.Errorf("coverage counts %d skipped files, the skipped list %d", c.SkippedFiles, m.Tables.Skipped)
	case !sumsTo(c.ExcludedByReason, c.ExcludedEntries):
		return errors.New("exclusions by reason do not add up")
	case !sumsTo(c.SkippedByReason, c.SkippedFiles):
		return errors.New("skipped files by reason do not add up")
	}
	return nil
}

// sumsTo reports whether every count is above zero and their sum is want.
func sumsTo(counts map[string]int, want int) bool {
	for reason, n := range counts {
		if n <= 0 || n > want || reason == "" {
			return false
		}
		want -= n
	}
	return want == 0
}
