package files

import (
	"context"
	"errors"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// A Scope is what a call works on.
type Scope struct {
	Tree           *pathguard.Tree
	WriteDirectory string // of a project, relative to its root; "" for a grant, which has none
}

// Limits are the limits of M-63 that concern reading.
type Limits struct {
	ReadBytes     int64 // largest file that is read, and largest page of a larger document
	DocumentBytes int64 // largest document of the write directory that is read in pages
	ResultBytes   int   // a result as compact JSON (M-43)
}

// DefaultLimits gives the defaults of M-63.
func DefaultLimits() Limits {
	return Limits{ReadBytes: 1 << 20, DocumentBytes: 20 << 20, ResultBytes: 1 << 20}
}

// Progress is told now and then how many files or directories have been looked at; nil is fine. It is called by one
// goroutine at a time and should return at once.
type Progress func(done int)

// progressEvery is how many entries are met between two calls of a Progress.
const progressEvery = 512

func (p Progress) at(done int) {
	if p != nil && done%progressEvery == 0 {
		p(done)
	}
}

// A Range is the bounds of an integer argument with its default.
type Range struct{ Min, Max, Default int }

// Bounds of the arguments, for input schemas and for the checks here (M-48 to M-51).
var (
	OffsetRange  = Range{page.MinOffset, page.MaxOffset, 0}
	DepthRange   = Range{1, 20, 3}
	EntriesRange = Range{1, 5000, 500}
	ListRange    = Range{1, 1000, 200}
	LinesRange   = Range{1, 5000, 500}
	GlobRange    = Range{1, 2000, 200}
	GrepRange    = Range{1, 1000, 100}
)

// Check refuses a value out of bounds (M-44).
func (r Range) Check(name string, value int) error {
	if value < r.Min || value > r.Max {
		return pathguard.Errorf(pathguard.InvalidArguments, "%s must be a whole number from %d to %d.", name, r.Min, r.Max)
	}
	return nil
}

// ended turns the end of a context into the caller's error; other errors pass.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return pathguard.Fault(pathguard.Cancelled).Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return pathguard.Fault(pathguard.Timeout).Because(err)
	}
	return err
}

// timedOut reports whether err is the end of the call's time, which leaves what was found until then valid.
func timedOut(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
