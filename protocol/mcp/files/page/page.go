// Package page holds what every result that comes in pages has in common: where the page begins, how long it may be,
// whether more follows, why it ended, and how many bytes it takes on the wire.
//
// A tool collects entries, tells a Cut where it stopped, and embeds the form that its arguments ask for:
//
//	cut := page.Cut{Offset: 200, Shown: 100, Total: 450, Reason: page.PageLimit}
//	result.OffsetPage = cut.OffsetPage(100) // has_more, next_offset 300
//
// A page never claims completeness that it does not have, and never offers a next offset that does not lead forward.
package page

// Bounds of an offset argument. The upper one keeps every sum of an offset and a limit inside an int of 32 bits.
const (
	MinOffset = 0
	MaxOffset = 1<<30 - 1
)

// A Reason says which limit kept a result from being complete (M-41).
type Reason string

// The reasons of M-41.
const (
	PageLimit  Reason = "page_limit"  // as many entries as were asked for
	ByteLimit  Reason = "byte_limit"  // another entry would exceed the result's bytes
	EntryLimit Reason = "entry_limit" // a tree with more entries than were asked for
	DepthLimit Reason = "depth_limit" // a tree that goes deeper than was asked for
	Timeout    Reason = "timeout"     // the call's time is over
	ScanLimit  Reason = "scan_limit"  // more was to be looked at than a call may
)

// UncountedTotal stands in a Cut for a total that was not counted to the end.
const UncountedTotal = -1

// A Cut is where a page ended.
type Cut struct {
	Offset int    // entries skipped before the page
	Shown  int    // entries on the page
	Total  int    // all entries, UncountedTotal when the count was stopped
	More   bool   // entries follow the page, or may follow: their number was not found out
	Reason Reason // why the page ended although More
}

// An Outcome is what every page tells about its completeness (M-41, M-42).
type Outcome struct {
	TotalCount       *int    `json:"total_count"`
	HasMore          bool    `json:"has_more"`
	Truncated        bool    `json:"truncated"`
	Complete         bool    `json:"complete"`
	TruncationReason *Reason `json:"truncation_reason"`
}

// OffsetPage is the form of a page that counts entries by offset and limit.
type OffsetPage struct {
	Offset     int  `json:"offset"`
	Limit      int  `json:"limit"`
	NextOffset *int `json:"next_offset"`
	Outcome
}

// ResultPage is the form of a page that counts matches by offset and max_results.
type ResultPage struct {
	Offset     int  `json:"offset"`
	MaxResults int  `json:"max_results"`
	NextOffset *int `json:"next_offset"`
	Outcome
}

// LinePage is the form of a page that counts lines.
type LinePage struct {
	OffsetLine     int  `json:"offset_line"`
	LimitLines     int  `json:"limit_lines"`
	NextOffsetLine *int `json:"next_offset_line"`
	Outcome
}

// OffsetPage gives the page of a tool that has offset and limit.
func (c Cut) OffsetPage(limit int) OffsetPage {
	outcome, next := c.outcome()
	return OffsetPage{Offset: c.Offset, Limit: limit, NextOffset: next, Outcome: outcome}
}

// ResultPage gives the page of a tool that has offset and max_results.
func (c Cut) ResultPage(limit int) ResultPage {
	outcome, next := c.outcome()
	return ResultPage{Offset: c.Offset, MaxResults: limit, NextOffset: next, Outcome: outcome}
}

// LinePage gives the page of a tool that has offset_line and limit_lines.
func (c Cut) LinePage(limit int) LinePage {
	outcome, next := c.outcome()
	return LinePage{OffsetLine: c.Offset, LimitLines: limit, NextOffsetLine: next, Outcome: outcome}
}

// outcome applies M-42: complete and truncated are opposites, has_more comes only with an offset that leads forward. A
// page that was stopped before its first entry is incomplete without a continuation: asking again begins anew.
func (c Cut) outcome() (Outcome, *int) {
	o := Outcome{Complete: !c.More, Truncated: c.More}
	if c.Total != UncountedTotal {
		total := c.Total
		o.TotalCount = &total
	}
	if !c.More {
		return o, nil
	}
	reason := c.Reason
	o.TruncationReason = &reason
	if c.Shown == 0 {
		return o, nil
	}
	o.HasMore = true
	next := c.Offset + c.Shown
	return o, &next
}
