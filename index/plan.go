package index

import (
	"sort"

	"projectknowledge/store"
)

// A plan is the state of one update: every eligible path with what is known of
// it, and the verification cycle it goes on with (P-55).
type plan struct {
	entries []entry // in path order
	order   []int   // entries to visit, from the cursor on, wrapping round
	pruned  int     // rows of the old index whose path is no longer eligible
	old     []store.Source
	fresh   bool // a new cycle began
	cursor  string

	files int   // rows held now
	bytes int64 // their bytes
}

// An entry is one eligible path.
type entry struct {
	path    string
	old     int // row in the old index, or none
	pending bool
	held    bool   // visited in this cycle and held back by a capacity limit
	skipped string // reason of a refusal in this cycle, or ""
	doc     *invertedDoc
}

const none = -1

// row tells whether the entry has a row in the index being made.
func (e *entry) row() bool { return e.old != none || e.doc != nil }

// newPlan joins the eligible paths with the rows of the old index, which is
// nil for a rebuild, and with its cycle. rejudge drops the rows: they were made
// under other rules and count as never indexed.
func newPlan(paths []string, old []store.Source, cycle *store.Cycle) *plan {
	p := &plan{entries: make([]entry, len(paths)), old: old}
	row := 0
	for i, path := range paths {
		for row < len(old) && old[row].Path < path {
			row++
			p.pruned++
		}
		p.entries[i] = entry{path: path, old: none}
		if row < len(old) && old[row].Path == path {
			p.entries[i].old = row
			p.files++
			p.bytes += old[row].Size
			row++
		}
	}
	p.pruned += len(old) - row
	p.resume(cycle)
	p.arrange()
	return p
}

// resume takes over what the last cycle left to do, or starts a new one when
// nothing is left but what a limit holds back.
func (p *plan) resume(cycle *store.Cycle) {
	if cycle == nil || finished(cycle) {
		p.fresh = true
		for i := range p.entries {
			p.entries[i].pending = true
		}
		return
	}
	p.cursor = cycle.Cursor
	for i := range p.entries {
		p.entries[i].pending = p.entries[i].old == none // new paths join the cycle
	}
	for _, s := range cycle.Skipped {
		if e := p.find(s.Path); e != nil {
			e.pending, e.skipped = false, s.Reason
		}
	}
	for _, s := range cycle.Pending {
		if e := p.find(s.Path); e != nil {
			e.pending, e.held, e.skipped = true, s.Held, ""
		}
	}
}

// finished tells that every path of the cycle was visited. Paths that a
// capacity limit holds back stay pending (P-55), but they were visited: a
// corpus over a limit must not keep its other files from being verified again.
func finished(c *store.Cycle) bool {
	for _, p := range c.Pending {
		if !p.Held {
			return false
		}
	}
	return true
}

func (p *plan) find(path string) *entry {
	i := sort.Search(len(p.entries), func(i int) bool { return p.entries[i].path >= path })
	if i == len(p.entries) || p.entries[i].path != path {
		return nil
	}
	return &p.entries[i]
}

// arrange lists the pending entries from the first one behind the cursor.
func (p *plan) arrange() {
	start := sort.Search(len(p.entries), func(i int) bool { return p.entries[i].path > p.cursor })
	if p.cursor == "" {
		start = 0
	}
	for k := range p.entries {
		i := (start + k) % len(p.entries)
		if p.entries[i].pending {
			p.order = append(p.order, i)
		}
	}
}

// fits tells whether an entry may have a row of the given size.
func (p *plan) fits(e *entry, size int64, l Limits) (bool, string) {
	files, bytes := p.files, p.bytes+size
	if e.old != none {
		bytes -= p.old[e.old].Size
	} else {
		files++
	}
	switch {
	case l.Files > 0 && files > l.Files:
		return false, FileLimit
	case l.Bytes > 0 && bytes > l.Bytes:
		return false, CorpusLimit
	}
	return true, ""
}

// dropRow withdraws the old row of an entry, if there is one.
func (p *plan) dropRow(e *entry) bool {
	if e.old == none {
		return false
	}
	p.files--
	p.bytes -= p.old[e.old].Size
	e.old = none
	return true
}
