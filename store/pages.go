package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
)

// bbolt's page layout, read here because bbolt itself trusts every number in it. All integers are
// little-endian.
const (
	pageHeader   = 16 // id u64, flags u16, count u16, overflow u32
	pageElement  = 16
	bucketHeader = 16 // root page u64, sequence u64
	metaSize     = 64

	branchPage   = 0x01
	leafPage     = 0x02
	metaPage     = 0x04
	freelistPage = 0x10
	bucketFlag   = 0x01

	boltMagic   = 0xED0CDAED
	boltVersion = 2

	maxDepth = 16 // of branch pages; 16 levels of at least two keys are more than a file of maxBuild needs
)

// rootMeta is the newer of bbolt's two meta pages.
type rootMeta struct{ root, freelist, pages, tx uint64 }

// readMeta checks both meta pages, which the first two pages of a file hold, and gives the newer one.
// Both must be sound: a published file has no interrupted transaction behind it.
func readMeta(two []byte, body int64) (rootMeta, error) {
	var newest rootMeta
	le := binary.LittleEndian
	for i := range 2 {
		p := two[i*pageSize : (i+1)*pageSize]
		m := p[pageHeader:]
		sum := fnv.New64a()
		sum.Write(m[:metaSize-8])
		switch {
		case le.Uint64(p) != uint64(i), le.Uint16(p[8:]) != metaPage:
			return rootMeta{}, fmt.Errorf("page %d is no meta page", i)
		case le.Uint32(m) != boltMagic, le.Uint32(m[4:]) != boltVersion, le.Uint32(m[8:]) != pageSize:
			return rootMeta{}, fmt.Errorf("meta page %d is of another store", i)
		case le.Uint64(m[56:]) != sum.Sum64():
			return rootMeta{}, fmt.Errorf("the checksum of meta page %d is wrong", i)
		}
		this := rootMeta{root: le.Uint64(m[16:]), freelist: le.Uint64(m[32:]), pages: le.Uint64(m[40:]), tx: le.Uint64(m[48:])}
		if i == 0 || this.tx > newest.tx {
			newest = this
		}
	}
	if newest.pages != uint64(body)/pageSize {
		return rootMeta{}, fmt.Errorf("%d pages announced, %d present", newest.pages, uint64(body)/pageSize)
	}
	return newest, nil
}

// pageWalk visits every page that a root leads to, each at most once, so that it ends on any input, and
// collects the values. Every bucket of ours lies in the root and holds one key.
type pageWalk struct {
	pages  uint64
	seen   []uint64                     // one bit a page
	bytes  func(extent) ([]byte, error) // of an extent inside the body, valid until the next call
	values []value
}

// walkPages gives the values of a body in bucket order and marks the pages that it needs in seen.
func walkPages(root rootMeta, bytes func(extent) ([]byte, error)) (*pageWalk, error) {
	w := &pageWalk{pages: root.pages, seen: make([]uint64, root.pages/64+1), bytes: bytes}
	return w, w.tree("", root.root, 0)
}

// use marks the pages id … id+overflow as reached.
func (w *pageWalk) use(id, overflow uint64) error {
	if id < 2 || id >= w.pages || overflow >= w.pages-id {
		return fmt.Errorf("page %d with %d more lies outside the file", id, overflow)
	}
	for p := id; p <= id+overflow; p++ {
		if w.seen[p/64]&(1<<(p%64)) != 0 {
			return fmt.Errorf("page %d is used twice", p)
		}
		w.seen[p/64] |= 1 << (p % 64)
	}
	return nil
}

// tree visits the page tree of the bucket with the given name ("" is the root bucket).
func (w *pageWalk) tree(bucket string, id uint64, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("page %d lies too deep", id)
	}
	if id < 2 || id >= w.pages {
		return fmt.Errorf("page %d lies outside the file", id)
	}
	head, err := w.bytes(extent{id * pageSize, pageHeader})
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	flags, count, overflow := le.Uint16(head[8:]), int(le.Uint16(head[10:])), uint64(le.Uint32(head[12:]))
	if le.Uint64(head) != id {
		return fmt.Errorf("page %d calls itself %d", id, le.Uint64(head))
	}
	if err := w.use(id, overflow); err != nil {
		return err
	}
	page := extent{id * pageSize, (overflow + 1) * pageSize}
	switch flags {
	case leafPage:
		return w.leaf(bucket, page, count)
	case branchPage:
		return w.branch(bucket, page, count, depth)
	}
	return fmt.Errorf("page %d is of kind %#x", id, flags)
}

// copied gives bytes that stay valid.
func (w *pageWalk) copied(at extent) ([]byte, error) {
	b, err := w.bytes(at)
	return bytes.Clone(b), err
}

func (w *pageWalk) branch(bucket string, page extent, count, depth int) error {
	if pageHeader+uint64(count)*pageElement > page.size {
		return fmt.Errorf("page %d has too many elements", page.off/pageSize)
	}
	elements, err := w.copied(extent{page.off + pageHeader, uint64(count) * pageElement})
	if err != nil {
		return err
	}
	for i := range count {
		if err := w.tree(bucket, binary.LittleEndian.Uint64(elements[i*pageElement+8:]), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// leaf visits the elements of a leaf page, or of an inline one inside a bucket's value.
func (w *pageWalk) leaf(bucket string, page extent, count int) error {
	if pageHeader+uint64(count)*pageElement > page.size {
		return fmt.Errorf("a page of bucket %q has too many elements", bucket)
	}
	if bucket != "" && count != 1 {
		return fmt.Errorf("bucket %q holds %d keys", bucket, count)
	}
	elements, err := w.copied(extent{page.off + pageHeader, uint64(count) * pageElement})
	if err != nil {
		return err
	}
	previous := ""
	for i := range count {
		e := elements[i*pageElement:]
		le := binary.LittleEndian
		flags, pos := le.Uint32(e), uint64(le.Uint32(e[4:]))
		keySize, valueSize := uint64(le.Uint32(e[8:])), uint64(le.Uint32(e[12:]))
		start := pageHeader + uint64(i)*pageElement + pos
		if start+keySize+valueSize > page.size || keySize == 0 || keySize > pageSize {
			return fmt.Errorf("an element of bucket %q lies outside its page", bucket)
		}
		name, err := w.bytes(extent{page.off + start, keySize})
		if err != nil {
			return err
		}
		key := string(name)
		if i > 0 && key <= previous {
			return fmt.Errorf("the keys of bucket %q are out of order", bucket)
		}
		previous = key
		if err := w.element(bucket, key, flags, extent{page.off + start + keySize, valueSize}); err != nil {
			return err
		}
	}
	return nil
}

// keyOf gives the one key that a bucket holds.
func keyOf(bucket string) string {
	if bucket == metaBucket {
		return metaKey
	}
	return segmentKey
}

func (w *pageWalk) element(bucket, key string, flags uint32, at extent) error {
	switch {
	case flags == 0 && bucket != "" && key == keyOf(bucket):
		w.values = append(w.values, value{bucket, at})
		return nil
	case flags != bucketFlag || bucket != "" || at.size < bucketHeader:
		return fmt.Errorf("element %q of bucket %q is of a foreign kind", key, bucket)
	}
	head, err := w.bytes(extent{at.off, bucketHeader})
	if err != nil {
		return err
	}
	if root := binary.LittleEndian.Uint64(head); root != 0 {
		return w.tree(key, root, 0)
	}
	inline := extent{at.off + bucketHeader, at.size - bucketHeader}
	if inline.size < pageHeader {
		return fmt.Errorf("bucket %q is cut", key)
	}
	if head, err = w.bytes(extent{inline.off, pageHeader}); err != nil {
		return err
	}
	if binary.LittleEndian.Uint16(head[8:]) != leafPage {
		return fmt.Errorf("bucket %q has an inline page of a foreign kind", key)
	}
	return w.leaf(key, inline, int(binary.LittleEndian.Uint16(head[10:])))
}
