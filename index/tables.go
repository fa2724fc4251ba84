package index

import (
	"cmp"
	"slices"

	"projectknowledge/store"
)

// tables are the sources and chunks of the index being made, numbered.
type tables struct {
	sources  []store.Source
	docs     []*invertedDoc // per source: its new form, or nil when taken over
	oldRow   []int          // per source: its row in the old index, or none
	remap    []uint32       // per old chunk: its new number, or dropped
	chunks   uint32
	nextBase uint64
	flagger  flagger
	changed  bool // something differs from the old index
}

// firstBase is the row id base of the first source of a new index.
const firstBase = 1

// newTables numbers sources and chunks in path order. A source that is taken
// over keeps its base; a new one gets the next (P-52).
func (u *update) newTables() *tables {
	t := &tables{nextBase: firstBase}
	if u.old != nil {
		t.nextBase = u.old.Meta().NextBase
		t.changed = u.plan.pruned+u.v.updated+u.v.deleted > 0
	}
	for i := range u.plan.entries {
		e := &u.plan.entries[i]
		switch {
		case e.doc != nil:
			t.addDoc(e.doc)
		case e.old != none:
			t.addOld(e.old, u.plan.old[e.old])
		}
	}
	t.renumber(u.plan.old)
	return t
}

func (t *tables) addDoc(doc *invertedDoc) {
	s := &doc.source
	s.Flags = t.flagger.flags(s.Path)
	s.Base, s.First, s.Chunks = t.nextBase, t.chunks, uint32(len(doc.chunks))
	t.nextBase += uint64(max(s.Chunks, 1))
	t.add(*s, doc, none)
}

func (t *tables) addOld(row int, s store.Source) {
	s.First = t.chunks
	t.add(s, nil, row)
}

func (t *tables) add(s store.Source, doc *invertedDoc, row int) {
	t.sources = append(t.sources, s)
	t.docs = append(t.docs, doc)
	t.oldRow = append(t.oldRow, row)
	t.chunks += s.Chunks
}

// renumber fills remap from the old rows that were taken over.
func (t *tables) renumber(old []store.Source) {
	if len(old) == 0 {
		return
	}
	last := old[len(old)-1]
	t.remap = make([]uint32, last.First+last.Chunks)
	for i := range t.remap {
		t.remap[i] = dropped
	}
	for i, row := range t.oldRow {
		if row == none {
			continue
		}
		for k := range t.sources[i].Chunks {
			t.remap[old[row].First+k] = t.sources[i].First + k
		}
	}
}

func (t *tables) paths() []string {
	paths := make([]string, len(t.sources))
	for i := range t.sources {
		paths[i] = t.sources[i].Path
	}
	return paths
}

// writeChunks adds the chunk table: new chunks from their documents, others
// from the old index.
func (u *update) writeChunks(w *store.Writer, t *tables) error {
	write := func(r *store.Reader) error {
		for i, doc := range t.docs {
			if doc != nil {
				for _, c := range doc.chunks {
					if err := w.AddChunk(store.Chunk{Source: uint32(i), Line: c.line, Lines: c.lines, Terms: c.terms}); err != nil {
						return err
					}
				}
				continue
			}
			from := u.plan.old[t.oldRow[i]]
			for k := range from.Chunks {
				c := r.Chunk(from.First + k)
				c.Source = uint32(i)
				if err := w.AddChunk(c); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if u.old == nil {
		return write(nil)
	}
	return u.old.View(write)
}

// inOrder gives the documents of an inverter in the order of the index; what
// was inverted and then not published is not among them.
func (inv *inverter) inOrder() []*invertedDoc {
	slices.SortFunc(inv.docs, func(a, b *invertedDoc) int { return cmp.Compare(a.source.Path, b.source.Path) })
	return inv.docs
}

// cycle is the bookkeeping that the next refresh goes on from (P-55).
func (p *plan) cycle() store.Cycle {
	c := store.Cycle{Cursor: p.cursor}
	for i := range p.entries {
		e := &p.entries[i]
		switch {
		case e.pending:
			c.Pending = append(c.Pending, store.Pending{Path: e.path, Held: e.held})
		case e.skipped != "":
			c.Skipped = append(c.Skipped, store.Skipped{Path: e.path, Reason: e.skipped})
		}
	}
	return c
}

// coverage is section G of the provider's specification.
func (u *update) coverage(t *tables) Coverage {
	c := Coverage{
		Revision: u.run.Revision, IndexedAtUnix: u.ix.now().Unix(),
		EligibleFiles: len(u.plan.entries), IndexedFiles: len(t.sources), Chunks: int(t.chunks),
		StopReason: u.v.stopReason(), Mode: string(u.run.Mode),
		ReusedFiles: u.v.reused, UpdatedFiles: u.v.updated, DeletedFiles: u.plan.pruned + u.v.deleted,
		ExcludedByReason: map[string]int{}, SkippedByReason: map[string]int{},
	}
	for _, s := range t.sources {
		c.IndexedBytes += s.Size
		c.OversizedLinesOmitted += int(s.Omitted)
	}
	for reason, n := range u.run.Excluded {
		if n > 0 {
			c.ExcludedByReason[reason] = n
			c.ExcludedEntries += n
		}
	}
	for i := range u.plan.entries {
		e := &u.plan.entries[i]
		switch {
		case e.pending:
			c.RemainingFiles++
			if !e.row() {
				c.UnprocessedFiles++
			}
		case e.skipped != "":
			c.SkippedFiles++
			c.SkippedByReason[e.skipped]++
		}
	}
	return c
}
