package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// reseal gives every checksum of a damaged file anew, so that what is behind the checksums meets the
// decoders. A file without a usable footer stays as it is.
func reseal(b []byte) []byte {
	if len(b) < footerSize {
		return b
	}
	le := binary.LittleEndian
	foot := b[len(b)-footerSize:]
	body := le.Uint64(foot[24:])
	tail := uint64(le.Uint32(foot[20:])) + footerSize
	if body == 0 || body > uint64(len(b)) || body+4*uint64(blockCount(int64(body)))+tail != uint64(len(b)) {
		return b
	}
	for i := range blockCount(int64(body)) {
		start := uint64(i) * blockSize
		le.PutUint32(b[body+4*uint64(i):], checksum(b[start:min(start+blockSize, body)]))
	}
	le.PutUint32(foot[40:], checksum(b[body:len(b)-footerSize]))
	le.PutUint32(foot[44:], checksum(foot[:44]))
	return b
}

// readAll uses every way into a file; an outcome that is neither content nor the known error fails the test.
func readAll(t *testing.T, b []byte) error {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, FileName), b, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := d.Open()
	if err == nil {
		defer s.Close()
		if _, err = new(sample).compareLoosely(s); err == nil {
			_, err = Check(s)
		}
	}
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("an unknown error: %v", err)
	}
	return err
}

// compareLoosely reads like compare, without expecting anything, and seeks besides.
func (s *sample) compareLoosely(snap *Snapshot) (n int, err error) {
	err = snap.View(func(r *Reader) error {
		for i := range r.Sources() {
			src := r.Source(i)
			r.FindSource(src.Path)
		}
		for i := range r.Chunks() {
			r.Chunk(i)
			r.ChunkTerms(i)
		}
		for c := r.Seek(nil); c.Next(); n++ {
			t, _ := r.Term(c.Name())
			readTerm(r, "", t)
			it := r.Postings(c.Term())
			it.Seek(r.Chunks() / 2)
			r.SampleTerm(n%7, 7)
		}
		for _, from := range []string{"w", "知", "\xff"} {
			c := r.Seek([]byte(from))
			c.Next()
		}
		return nil
	})
	return n, err
}

// P-84: a file that is wrong under right checksums is met with the known error or with some answer.
func TestResealedDamage(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(6, 150, 1500))
	sound := fileBytes(t, path)
	body := int(binary.LittleEndian.Uint64(sound[len(sound)-footerSize+24:]))
	rnd := rand.New(rand.NewPCG(6, 6))
	for range *damages / 2 {
		b := bytes.Clone(sound)
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(len(b) - footerSize)
			if rnd.IntN(3) == 0 {
				at = body + rnd.IntN(len(b)-footerSize-body)
			}
			switch end := min(at+1+rnd.IntN(9), len(b)-footerSize); rnd.IntN(3) {
			case 0:
				b[at] ^= 1 << rnd.IntN(8)
			case 1:
				clear(b[at:end])
			default:
				for i := at; i < end; i++ {
					b[i] = byte(rnd.Uint32())
				}
			}
		}
		readAll(t, reseal(b))
	}
}

func FuzzOpen(f *testing.F) {
	for _, size := range []int{0, 2, 30} {
		d, path := testDir(f)
		mustPublish(f, d, newSample(uint64(size), size, 40))
		f.Add(fileBytes(f, path), true)
		f.Add(fileBytes(f, path)[:9000], false)
	}
	f.Add([]byte("not an index"), false)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		if sealed {
			b = reseal(bytes.Clone(b))
		}
		readAll(t, b)
	})
}

// decodeAll decodes a list in blocks of the given size and reports damage.
func decodeAll(list []byte, n, chunks uint32, block int) (out []Posting, err error) {
	err = guard([]byte{}, func() error {
		it := newPostingIter(list, n, chunks)
		dst := make([]Posting, block)
		for k := it.Next(dst); k > 0; k = it.Next(dst) {
			out = append(out, dst[:k]...)
		}
		return nil
	})
	return out, err
}

func FuzzPostings(f *testing.F) {
	list, _ := appendPostings(nil, []Posting{{5, 1, 0}, {6, 4, 0}, {300, 7, 2}})
	f.Add(list, uint32(3), uint32(301))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, uint32(2), uint32(9))
	f.Fuzz(func(t *testing.T, list []byte, n, chunks uint32) {
		out, err := decodeAll(list, n, chunks, 7)
		guard([]byte{}, func() error {
			it := newPostingIter(list, n, chunks)
			it.Seek(chunks / 2)
			return nil
		})
		guard([]byte{}, func() error {
			decodePathPostings(list, n, chunks, nil)
			return nil
		})
		if err != nil {
			return
		}
		if len(out) != int(n) {
			t.Fatalf("%d postings instead of %d", len(out), n)
		}
		for i := range out {
			if out[i].Chunk >= chunks || i > 0 && out[i].Chunk <= out[i-1].Chunk {
				t.Fatalf("posting %d out of order: %v", i, out)
			}
		}
	})
}

func FuzzDictionary(f *testing.F) {
	var run TermRun
	run.Add([]byte("chunk"), []Posting{{0, 1, 0}}, nil)
	f.Add([]byte("\x50s\x04\x03"), []byte("chunk"), uint32(4))
	f.Add([]byte("\xffs\x04\x03"), []byte("chunk"), uint32(4))
	f.Fuzz(func(t *testing.T, block, first []byte, lists uint32) {
		guard([]byte{}, func() error {
			name := bytes.Clone(first)
			list := uint32(0)
			for p := 0; p < len(block); {
				var shared, rest int
				shared, rest, p = sharedLengths(block, p)
				if shared > len(name) {
					return nil
				}
				name = append(name[:shared], block[p:p+rest]...)
				var term Term
				term, p = termValue(block, p+rest, list, lists)
				list = term.list + term.size + term.pathSz
				if len(name) > MaxTerm || list > lists {
					t.Fatalf("term of %d bytes, lists to %d of %d", len(name), list, lists)
				}
			}
			return nil
		})
	})
}

// Any list comes back as it was, in blocks of any size, and Seek finds the first posting from a chunk on.
func TestPostingsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 700).Draw(t, "postings")
		dense := rapid.Uint32Range(0, 40_000).Draw(t, "gap")
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var list []Posting
		chunk := uint32(0)
		for range n {
			chunk += 1 + uint32(rnd.Uint64()%uint64(dense+1))
			list = append(list, Posting{Chunk: chunk - 1, Text: count16(rnd), Names: count16(rnd) >> rnd.IntN(17)})
			if p := &list[len(list)-1]; p.Text == 0 && p.Names == 0 {
				p.Text = 1
			}
		}
		b, err := appendPostings([]byte("before"), list)
		if err != nil {
			t.Fatal(err)
		}
		b = b[len("before"):]
		got, err := decodeAll(b, uint32(n), chunk, rapid.IntRange(1, 300).Draw(t, "block"))
		if err != nil || !slices.Equal(got, list) {
			t.Fatalf("%v: %v instead of %v", err, got, list)
		}
		it := newPostingIter(b, uint32(n), chunk)
		for range 5 {
			from := uint32(rnd.Uint64() % uint64(chunk+2))
			at, _ := slices.BinarySearchFunc(list, from, func(p Posting, c uint32) int { return int(p.Chunk) - int(c) })
			it.Seek(from)
			one := make([]Posting, 1)
			if k := it.Next(one); int(it.Left())+k != n-at || k == 1 && one[0] != list[at] {
				t.Fatalf("seek %d: %v with %d left, want number %d of %d", from, one, it.Left(), at, n)
			}
		}
	})
}

// count16 draws counts as they are, mostly small, with the limits now and then.
func count16(rnd *rand.Rand) uint16 {
	if rnd.IntN(20) == 0 {
		return uint16(65535 - rnd.IntN(3))
	}
	return uint16(rnd.IntN(6))
}

// Every term is found, every other one is not, and Seek begins at the first term that is not below.
func TestDictionaryProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00ü知")), 1, 40, -1), 1, 200, rapid.ID).Draw(t, "terms")
		slices.Sort(words)
		s := &sample{chunks: []Chunk{{Line: 1, Lines: 1, Terms: uint16(len(words))}}}
		s.sources = []Source{{Path: "a", Lines: 1, Chunks: 1}}
		for _, w := range words {
			s.terms = append(s.terms, sampleTerm{term: w, text: []Posting{{Text: 1}}})
		}
		s.meta = Meta{NextBase: 1, Coverage: Coverage{EligibleFiles: 1, IndexedFiles: 1, Chunks: 1, StopReason: "complete", Mode: "rebuild"}}
		dir, err := os.MkdirTemp("", "dictionary")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		d, err := OpenDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if err := s.publish(d); err != nil {
			t.Fatal(err)
		}
		snap, err := d.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		probes := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00ü知")), 0, 40, -1), 1, 50).Draw(t, "probes")
		err = snap.View(func(r *Reader) error {
			for _, w := range append(probes, words...) {
				at, want := slices.BinarySearch(words, w)
				if _, ok := r.Term([]byte(w)); ok != want {
					t.Fatalf("term %q: found %v", w, ok)
				}
				c := r.Seek([]byte(w))
				for ; c.Next(); at++ {
					if string(c.Name()) != words[at] {
						t.Fatalf("seek %q: %q instead of %q", w, c.Name(), words[at])
					}
				}
				if at != len(words) {
					t.Fatalf("seek %q ends at %d of %d", w, at, len(words))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
