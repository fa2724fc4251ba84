package store

import "encoding/binary"

// dictionary decodes every block and list and holds them against the tables.
func (c *checker) dictionary(r *Reader) {
	texts := make([]uint32, r.Chunks())
	var paths []PathPosting
	for cursor := r.Seek(nil); cursor.Next(); {
		t := cursor.Term()
		c.report.Terms++
		c.report.Postings += uint64(t.Chunks)
		c.report.Paths += uint64(t.Sources)
		c.list(r, cursor.Name(), t, texts)
		paths = r.PathPostings(t, paths[:0])
		for _, p := range paths {
			if p.Name == 0 && p.Folder == 0 {
				c.problem("term %q has a path posting without a count", cursor.Name())
				break
			}
		}
	}
	if c.report.Terms != int(r.Terms()) {
		c.problem("the dictionary has %d terms, the metadata says %d", c.report.Terms, r.Terms())
	}
	for i, n := range texts {
		if i < len(c.terms) && n != c.terms[i] {
			c.problem("chunk %d has %d terms, the postings say %d", i, c.terms[i], n)
			break
		}
	}
	for k := range c.s.terms {
		c.segment(k)
	}
}

// list decodes one posting list, adds its text counts and compares the skip records with what they lead to.
func (c *checker) list(r *Reader, name []byte, t Term, texts []uint32) {
	it := r.Postings(t)
	var block [skipInterval]Posting
	for record := 0; ; record++ {
		if record > 0 && it.left > 0 {
			b := it.skips[(record-1)*skipRecord:]
			if uint64(binary.LittleEndian.Uint32(b))+1 != it.next || binary.LittleEndian.Uint32(b[4:]) != uint32(it.pos) {
				c.problem("skip record %d of term %q is wrong", record-1, name)
			}
		}
		n := it.Next(block[:])
		if n == 0 {
			return
		}
		for _, p := range block[:n] {
			texts[p.Chunk] += uint32(p.Text)
			if p.Text == 0 && p.Names == 0 {
				c.problem("term %q has a posting without a count", name)
			}
		}
	}
}

// segment checks the records of one block index and that the blocks use up terms, names and lists.
func (c *checker) segment(k int) {
	g := c.s.termSegment(k)
	terms := uint32(0)
	for i := range g.count {
		e, first := g.entry(c.s, i), g.firstTerm(c.s, i)
		if e.prefix != termPrefix(first) {
			c.problem("block %d of term segment %d has a wrong prefix", i, k)
		}
		b, list, end := g.block(c.s, i)
		inBlock := uint32(0)
		for p := 0; p < len(b); inBlock++ {
			if inBlock > 0 {
				_, rest, after := sharedLengths(b, p)
				p = after + rest
			}
			var t Term
			t, p = termValue(b, p, list, end)
			list = t.list + t.size + t.pathSz
		}
		if list != end || inBlock > termsPerBlock {
			c.problem("block %d of term segment %d does not use up its lists", i, k)
		}
		terms += inBlock
	}
	first, last := g.entry(c.s, 0), g.entry(c.s, g.count)
	switch {
	case first.block != 0 || first.list != 0 || first.name != 0:
		c.problem("term segment %d does not begin at its start", k)
	case g.names+uint64(last.name) != g.blocks, g.blocks+uint64(last.block) != uint64(len(g.data)), uint64(last.list) != uint64(len(g.lists.data)):
		c.problem("term segment %d has bytes left over", k)
	case terms != g.terms:
		c.problem("term segment %d has %d terms, its header says %d", k, terms, g.terms)
	}
}
