package store

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
)

// An index whose tables are carried over equals one that is written from the same content, byte for byte.
func TestCopyTables(t *testing.T) {
	for _, size := range []int{0, 1, 200, 4200} {
		want := newSample(9, size, 10*size+1)
		from, path := testDir(t)
		mustPublish(t, from, want)
		snap := mustOpen(t, from)
		to, copied := testDir(t)
		w, err := to.Create()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.CopyTables(snap); err != nil {
			t.Fatal(err)
		}
		if err := w.Publish(context.Background(), want.meta); err != nil {
			t.Fatal(err)
		}
		if diff, err := want.compare(mustOpen(t, to)); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		if _, err := Check(mustOpen(t, to)); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(fileBytes(t, path), fileBytes(t, copied)) {
			t.Errorf("%d sources: the copy has other bytes", size)
		}
	}
}

// Damage is not blessed with new checksums, and a Writer that has content takes no copy.
func TestCopyTablesRefuses(t *testing.T) {
	want := newSample(9, 200, 2000)
	d, path := testDir(t)
	mustPublish(t, d, want)
	snap := mustOpen(t, d)
	w, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if err := w.AddSource(want.sources[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.CopyTables(snap); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("a copy over content: %v", err)
	}
	if !readsBack(want, snap) { // every block is proved now
		t.Fatal("not readable")
	}
	b := fileBytes(t, path)
	for i := 2 * pageSize; i < len(b); i += 100 {
		b[i] ^= 1
	}
	overwrite(t, path+"/"+FileName, b)
	fresh, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Discard()
	if err := fresh.CopyTables(snap); !errors.Is(err, ErrDamaged) {
		t.Errorf("a copy of damage: %v", err)
	}
}

// Samples ascend, are terms, and cut the dictionary into stretches of about equal length.
func TestSampleTerm(t *testing.T) {
	want := newSample(9, 400, 4000)
	d, _ := testDir(t)
	mustPublish(t, d, want)
	err := mustOpen(t, d).View(func(r *Reader) error {
		const n = 8
		last := 0
		for i := range n {
			name := r.SampleTerm(i, n)
			at, ok := slices.BinarySearchFunc(want.terms, string(name), func(a sampleTerm, b string) int {
				return bytes.Compare([]byte(a.term), []byte(b))
			})
			if !ok || i == 0 && at != 0 || i > 0 && (at-last < len(want.terms)/n/2 || at-last > 2*len(want.terms)/n) {
				t.Errorf("sample %d is %q, number %d after %d", i, name, at, last)
			}
			last = at
		}
		for i, c := range want.chunks {
			if got := r.ChunkTerms(uint32(i)); got != c.Terms {
				t.Errorf("chunk %d has %d terms, want %d", i, got, c.Terms)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	empty, _ := testDir(t)
	mustPublish(t, empty, newSample(1, 0, 1))
	err = mustOpen(t, empty).View(func(r *Reader) error {
		if name := r.SampleTerm(0, 4); name != nil {
			t.Errorf("a sample of nothing: %q", name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
