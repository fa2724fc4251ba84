package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Check names what is wrong under right checksums: every contradiction that a file can hold.
func TestCheckFindings(t *testing.T) {
	content := newSample(21, 300, 3000)
	d, path := testDir(t)
	mustPublish(t, d, content)
	sound := fileBytes(t, path)
	snap := mustOpen(t, d)
	le := binary.LittleEndian
	add32 := func(g segment, at uint64, by uint32) func(b []byte) {
		return func(b []byte) {
			p := b[g.off+at:]
			le.PutUint32(p, le.Uint32(p)+by)
		}
	}
	withChunks := uint64(0)
	for content.sources[withChunks].Chunks < 2 {
		withChunks++
	}
	source, chunk := withChunks*sourceRecord, uint64(content.sources[withChunks].First)*chunkRecord
	root, err := readMeta(sound, int64(len(snap.body)))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, problem string
		change        func(b []byte)
	}{
		{"source order", "does not follow the one before", func(b []byte) { b[snap.paths[0].off] = 'z' }},
		{"source size", "the metadata says", add32(snap.sources[0], source+32, 1)},
		{"row base", "belongs to two sources", add32(snap.sources[0], source+40, 5)},
		{"row base above", "not below the next base", add32(snap.sources[0], source+40, 1<<20)},
		{"first chunk", "do not follow those before", add32(snap.sources[0], source+48, 1)},
		{"chunk count", "do not follow those before", add32(snap.sources[0], source+52, 1)},
		{"lines", "names lines that the source does not have", add32(snap.sources[0], source+56, ^uint32(31))},
		{"omitted lines", "leaves out more lines", add32(snap.sources[0], source+60, 9999)},
		{"path end", "without a path", add32(snap.sources[0], source+68, 1<<20)},
		{"chunk source", "outside the range of its source", add32(snap.chunks[0], chunk, 1)},
		{"chunk line", "names lines", add32(snap.chunks[0], chunk+4, 4000)},
		{"chunk line zero", "impossible coordinates", add32(snap.chunks[0], chunk+4, ^uint32(0))},
		{"chunk overlap", "overlaps", add32(snap.chunks[0], chunk+chunkRecord+4, ^uint32(31))},
		{"chunk terms", "the postings say", func(b []byte) { b[snap.chunks[0].off+chunk+10]++; b[snap.chunks[0].off+chunk+chunkRecord+10]-- }},
		{"term count", "its header says", add32(snap.terms[0], 4, ^uint32(0))},
		{"prefix", "wrong prefix", func(b []byte) { b[snap.terms[0].off+termsHeader] ^= 1 }},
		{"first term", "wrong prefix", func(b []byte) {
			g := snap.termSegment(0)
			b[g.off+g.names]--
		}},
		{"list start", "", add32(snap.terms[0], termsHeader+blockRecord+12, 1)},
		{"posting", "", func(b []byte) { b[snap.lists[0].off+uint64(len(snap.lists[0].data))/2] ^= 0x55 }},
		{"skip record", "skip record", func(b []byte) { changeSkip(t, snap, b) }},
		{"free list", "is no free list", func(b []byte) { b[root.freelist*pageSize+8] = leafPage }},
		{"lost page", "neither used nor free", func(b []byte) {
			count := b[root.freelist*pageSize+10:]
			le.PutUint16(count, le.Uint16(count)-1)
		}},
		{"page id", "calls itself", func(b []byte) { b[root.root*pageSize] ^= 1 }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := bytes.Clone(sound)
			c.change(b)
			if bytes.Equal(b, sound) {
				t.Fatal("nothing changed")
			}
			d, path := testDir(t)
			if err := os.WriteFile(filepath.Join(path, FileName), reseal(b), 0o600); err != nil {
				t.Fatal(err)
			}
			report, err := Check(mustOpen(t, d))
			if !errors.Is(err, ErrDamaged) || len(report.Problems) == 0 {
				t.Fatalf("got %v, %q", err, report.Problems)
			}
			if !strings.Contains(strings.Join(report.Problems, "\n"), c.problem) {
				t.Errorf("problems %q, want %q", report.Problems, c.problem)
			}
		})
	}
}

// changeSkip changes the first skip record of the first long list.
func changeSkip(t *testing.T, s *Snapshot, b []byte) {
	t.Helper()
	err := s.View(func(r *Reader) error {
		for c := r.Seek(nil); c.Next(); {
			if c.Term().Chunks > skipInterval {
				b[s.lists[c.Term().segment].off+uint64(c.Term().list)]++
				return nil
			}
		}
		return errors.New("no long list")
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A sound file's report counts what is in it.
func TestCheckReport(t *testing.T) {
	want := newSample(21, 30, 300)
	d, _ := testDir(t)
	mustPublish(t, d, want)
	report, err := Check(mustOpen(t, d))
	if err != nil {
		t.Fatal(err)
	}
	postings, paths := uint64(0), uint64(0)
	for _, term := range want.terms {
		postings += uint64(len(term.text))
		paths += uint64(len(term.path))
	}
	if report.Sources != 30 || report.Chunks != len(want.chunks) || report.Terms != len(want.terms) || report.Postings != postings ||
		report.Paths != paths || report.Pending != 5 || report.Skipped != 2 || report.Segments != 7 || report.Format != Format {
		t.Errorf("report %+v", report)
	}
}
