package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// secondReader reads an index through bbolt's own tree and the words of format.go alone. It shares no code
// with the reader of this room.
type secondReader struct{ values map[string][]byte }

func openSecond(t *testing.T, name string) *secondReader {
	t.Helper()
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r := &secondReader{values: map[string][]byte{}}
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt's check: %v", err)
		}
		return tx.ForEach(func(bucket []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(key, value []byte) error {
				r.values[string(bucket)+"/"+string(key)] = bytes.Clone(value)
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *secondReader) segment(section string, k int) []byte {
	return r.values[fmt.Sprintf("%s.%08x/segment", section, k)]
}

// terms reads the whole dictionary.
func (r *secondReader) terms() (out []sampleTerm) {
	for k := 0; ; k++ {
		seg, lists := r.segment("terms", k), r.segment("postings", k)
		if seg == nil {
			return out
		}
		u32 := func(at int) int { return int(binary.LittleEndian.Uint32(seg[at:])) }
		n := u32(0)
		firsts := 16 + 20*(n+1)
		blocks := firsts + u32(8)
		for i := range n {
			at := 16 + 20*i
			first := seg[firsts+u32(at+16) : firsts+u32(at+36)]
			block := seg[blocks+u32(at+8) : blocks+u32(at+28)]
			out = append(out, secondBlock(block, first, lists[u32(at+12):])...)
		}
	}
}

// varints takes varints off the front of bytes.
type varints []byte

func (v *varints) next() int {
	x, n := binary.Uvarint(*v)
	*v = (*v)[n:]
	return int(x)
}

func secondBlock(block varints, name, lists []byte) (out []sampleTerm) {
	for first := true; len(block) > 0; first = false {
		if !first {
			s, r := int(block[0]>>4), int(block[0]&15)
			block = block[1:]
			if s == 15 {
				s += block.next()
			}
			if r == 15 {
				r += block.next()
			}
			name = append(bytes.Clone(name[:s]), block[:r+1]...)
			block = block[r+1:]
		}
		t := sampleTerm{term: string(name)}
		head := block.next()
		if n := head >> 1; n > 0 {
			size := block.next()
			t.text = secondPostings(lists[(n-1)/128*8:size], n)
			lists = lists[size:]
		}
		if head&1 == 1 {
			n := block.next()
			size := block.next()
			t.path = secondPaths(lists[:size], n)
			lists = lists[size:]
		}
		out = append(out, t)
	}
	return out
}

func secondPostings(list varints, n int) (out []Posting) {
	chunk := -1
	for range n {
		v := list.next()
		chunk += 1 + v/4
		p := Posting{Chunk: uint32(chunk)}
		switch v % 4 {
		case 0:
			p.Text = 1
		case 1:
			p.Text = 2
		case 2:
			p.Text = uint16(list.next() + 3)
		case 3:
			t := list.next()
			p.Text, p.Names = uint16(t/2), 1
			if t%2 == 1 {
				p.Names = uint16(list.next() + 2)
			}
		}
		out = append(out, p)
	}
	return out
}

func secondPaths(list varints, n int) (out []PathPosting) {
	source := -1
	for range n {
		v := list.next()
		source += 1 + v/4
		p := PathPosting{Source: uint32(source)}
		switch v % 4 {
		case 0:
			p.Name = 1
		case 1:
			p.Folder = 1
		case 2:
			p.Name, p.Folder = 1, 1
		case 3:
			p.Name, p.Folder = list[0], list[1]
			list = list[2:]
		}
		out = append(out, p)
	}
	return out
}

// sources reads both tables.
func (r *secondReader) tables() (sources []Source, chunks []Chunk) {
	le := binary.LittleEndian
	for k := 0; r.segment("sources", k) != nil; k++ {
		start := uint32(0)
		for b := r.segment("sources", k); len(b) > 0; b = b[72:] {
			end := le.Uint32(b[68:])
			sources = append(sources, Source{
				Path: string(r.segment("paths", k)[start:end]), Hash: [32]byte(b[:32]), Size: int64(le.Uint64(b[32:])),
				Base: le.Uint64(b[40:]), First: le.Uint32(b[48:]), Chunks: le.Uint32(b[52:]), Lines: le.Uint32(b[56:]),
				Omitted: le.Uint32(b[60:]), Flags: le.Uint32(b[64:]),
			})
			start = end
		}
	}
	for k := 0; r.segment("chunks", k) != nil; k++ {
		for b := r.segment("chunks", k); len(b) > 0; b = b[12:] {
			chunks = append(chunks, Chunk{le.Uint32(b), le.Uint32(b[4:]), le.Uint16(b[8:]), le.Uint16(b[10:])})
		}
	}
	return sources, chunks
}

// The specification in format.go is enough for a second reader, and bbolt itself finds the file sound.
func TestSecondReader(t *testing.T) {
	for _, size := range []struct{ sources, words int }{{0, 1}, {40, 300}, {5000, 60000}} {
		want := newSample(11, size.sources, size.words)
		d, path := testDir(t)
		mustPublish(t, d, want)
		r := openSecond(t, filepath.Join(path, FileName))
		got := &sample{terms: r.terms(), meta: want.meta}
		got.sources, got.chunks = r.tables()
		if !want.equal(got) {
			t.Errorf("%d sources: the second reader reads something else", size.sources)
		}
		m, err := decodeMetadata(r.values["meta/metadata"])
		if err != nil || int(m.Tables.Terms) != len(want.terms) {
			t.Errorf("%d sources: metadata %+v, %v", size.sources, m, err)
		}
		if snap := mustOpen(t, d); !readsBack(want, snap) {
			t.Errorf("%d sources: the first reader reads something else", size.sources)
		}
	}
}

func readsBack(want *sample, snap *Snapshot) bool {
	got, err := readSample(snap)
	return err == nil && want.equal(got)
}

// Where segments and blocks are cut changes the file and nothing that is read.
func TestManySegments(t *testing.T) {
	want := newSample(12, 300, 9000)
	for _, target := range []segmentTarget{{1, 1, 1}, {2000, 1 << 20, 1 << 20}, {1 << 20, 3000, 200}} {
		d, path := testDir(t)
		w, err := d.Create()
		if err != nil {
			t.Fatal(err)
		}
		w.dict.target = target
		if err := want.fill(w, 1000); err != nil {
			t.Fatal(err)
		}
		if err := w.Publish(context.Background(), want.meta); err != nil {
			t.Fatal(err)
		}
		snap := mustOpen(t, d)
		if len(snap.terms) < 4 || !readsBack(want, snap) {
			t.Errorf("%v: %d segments", target, len(snap.terms))
		}
		if report, err := Check(snap); err != nil {
			t.Errorf("%v: %v", target, report.Problems)
		}
		r := openSecond(t, filepath.Join(path, FileName))
		got := &sample{terms: r.terms(), meta: want.meta}
		if got.sources, got.chunks = r.tables(); !want.equal(got) {
			t.Errorf("%v: the second reader reads something else", target)
		}
	}
}
