package store

import "bytes"

// TermCursor walks the dictionary in term order. It is valid inside the View that gave it, allocates
// nothing after Seek, and decodes each block once.
type TermCursor struct {
	s           *Snapshot
	g           termSegment
	segment     int
	block       int // the following block of g
	b           []byte
	p           int
	list, limit uint32
	name        []byte
	term        Term
	held        bool // name and term are ahead of Next
}

// Seek gives a cursor whose first Next is the first term that is not below from.
func (r *Reader) Seek(from []byte) TermCursor {
	c := TermCursor{s: r.s, name: make([]byte, 0, 256)}
	if g, k, i, ok := r.s.locate(from); ok {
		c.g, c.segment, c.block = g, k, i
	} else {
		c.segment = -1
	}
	for c.Next() {
		if bytes.Compare(c.name, from) >= 0 {
			c.held = true
			break
		}
	}
	return c
}

// Next goes to the following term and reports whether there is one.
func (c *TermCursor) Next() bool {
	if c.held {
		c.held = false
		return true
	}
	if c.p == len(c.b) {
		return c.nextBlock()
	}
	shared, rest, p := sharedLengths(c.b, c.p)
	if shared > len(c.name) || shared < len(c.name) && c.b[p] <= c.name[shared] {
		damaged("the dictionary is out of order")
	}
	c.name = append(c.name[:shared], c.b[p:p+rest]...)
	c.value(p + rest)
	return true
}

func (c *TermCursor) nextBlock() bool {
	if c.block == c.g.count {
		if c.segment+1 >= len(c.s.terms) {
			return false
		}
		c.segment++
		c.g, c.block = c.s.termSegment(c.segment), 0
	}
	first := c.g.firstTerm(c.s, c.block)
	if len(c.name) > 0 && bytes.Compare(first, c.name) <= 0 {
		damaged("the dictionary is out of order")
	}
	c.name = append(c.name[:0], first...)
	c.b, c.list, c.limit = c.g.block(c.s, c.block)
	c.block++
	c.value(0)
	return true
}

func (c *TermCursor) value(p int) {
	c.term, c.p = termValue(c.b, p, c.list, c.limit)
	c.term.segment = uint32(c.segment)
	c.list = c.term.list + c.term.size + c.term.pathSz
}

// Name gives the term's bytes, valid until the next call of Next.
func (c *TermCursor) Name() []byte { return c.name }

// Term gives what the term leads to.
func (c *TermCursor) Term() Term { return c.term }
