package store

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// pathWriter front-codes an ascending list of paths, each with something behind it, into segments.
type pathWriter struct {
	w        *Writer
	buffer   segmentBuffer
	previous string
}

// add appends a path and what follows it. The first path of a segment shares nothing.
func (p *pathWriter) add(path string, tail ...byte) error {
	if path == "" || len(path) > MaxPath || p.previous != "" && path <= p.previous {
		return fmt.Errorf("store: path %.80q of list %s is empty, too long or out of order", path, p.buffer.section)
	}
	if len(p.buffer.data) >= cycleTarget {
		if err := p.w.flush(&p.buffer); err != nil {
			return err
		}
	}
	previous := p.previous
	if len(p.buffer.data) == 0 {
		previous = ""
	}
	shared := 0
	for shared < len(previous) && shared < len(path) && previous[shared] == path[shared] {
		shared++
	}
	b := binary.AppendUvarint(p.buffer.data, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(path)-shared))
	b = append(b, path[shared:]...)
	p.buffer.data = append(b, tail...)
	p.previous = path
	return nil
}

// writeCycle writes the pending and the skipped list.
func (w *Writer) writeCycle(c *Cycle) error {
	pending := pathWriter{w: w, buffer: segmentBuffer{section: sectionPending}}
	for _, p := range c.Pending {
		held := byte(0)
		if p.Held {
			held = 1
		}
		if err := pending.add(p.Path, held); err != nil {
			return err
		}
	}
	if err := w.flush(&pending.buffer); err != nil {
		return err
	}
	skipped := pathWriter{w: w, buffer: segmentBuffer{section: sectionSkipped}}
	for _, s := range c.Skipped {
		if s.Reason == "" || len(s.Reason) > maxReason {
			return fmt.Errorf("store: skipped path %.80q without a usable reason", s.Path)
		}
		tail := append([]byte{byte(len(s.Reason))}, s.Reason...)
		if err := skipped.add(s.Path, tail...); err != nil {
			return err
		}
	}
	if err := w.flush(&skipped.buffer); err != nil {
		return err
	}
	return c.disjoint()
}

// disjoint checks that no path is pending and skipped at once; both lists are in order.
func (c *Cycle) disjoint() error {
	for i, j := 0, 0; i < len(c.Pending) && j < len(c.Skipped); {
		a, b := c.Pending[i].Path, c.Skipped[j].Path
		switch {
		case a == b:
			return errors.New("store: a path is both pending and skipped")
		case a < b:
			i++
		default:
			j++
		}
	}
	return nil
}

// pathDecoder walks the entries of one segment of a path list.
type pathDecoder struct {
	b    []byte
	p    int
	path []byte
}

// next gives the following path, which the next call overwrites, and leaves p behind it; nil at the end.
func (d *pathDecoder) next() []byte {
	if d.p == len(d.b) {
		return nil
	}
	shared, p := number(d.b, d.p)
	rest, p := number(d.b, p)
	if shared > uint64(len(d.path)) || rest == 0 || shared+rest > MaxPath || rest > uint64(len(d.b)-p) {
		damaged("a path list is cut or out of order")
	}
	suffix := d.b[p : p+int(rest)]
	if int(shared) < len(d.path) && suffix[0] <= d.path[shared] {
		damaged("a path list is out of order")
	}
	d.path = append(d.path[:shared], suffix...)
	d.p = p + int(rest)
	return d.path
}

// tail gives the n bytes behind the path.
func (d *pathDecoder) tail(n int) []byte {
	if n > len(d.b)-d.p {
		damaged("a path list is cut")
	}
	d.p += n
	return d.b[d.p-n : d.p]
}

// readPending decodes the pending list, which must have count entries.
func (s *Snapshot) readPending(count int) []Pending {
	var list []Pending
	last := ""
	for i := range s.pending {
		d := pathDecoder{b: s.whole(&s.pending[i])}
		for path := d.next(); path != nil; path = d.next() {
			held := d.tail(1)[0]
			if held > 1 || string(path) <= last || len(list) == count {
				damaged("the pending list is not sound")
			}
			last = string(path)
			list = append(list, Pending{Path: last, Held: held == 1})
		}
	}
	if len(list) != count {
		damaged("the pending list is shorter than announced")
	}
	return list
}

// readSkipped decodes the skipped list, which must have count entries.
func (s *Snapshot) readSkipped(count int) []Skipped {
	var list []Skipped
	last := ""
	for i := range s.skipped {
		d := pathDecoder{b: s.whole(&s.skipped[i])}
		for path := d.next(); path != nil; path = d.next() {
			size := int(d.tail(1)[0])
			reason := d.tail(size)
			if size == 0 || string(path) <= last || len(list) == count {
				damaged("the skipped list is not sound")
			}
			last = string(path)
			list = append(list, Skipped{Path: last, Reason: string(reason)})
		}
	}
	if len(list) != count {
		damaged("the skipped list is shorter than announced")
	}
	return list
}
