package store

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// damages is the number of random damages of each kind of test; the long form of CI asks for 5000.
var damages = flag.Int("damages", 300, "random damages to the index file")

// harm changes a copy of an index file in some random way and names what it did.
func harm(rnd *rand.Rand, file []byte) (b []byte, what string) {
	b = bytes.Clone(file)
	at, n := rnd.IntN(len(b)), 1+rnd.IntN(5000)
	end := min(at+n, len(b))
	switch rnd.IntN(9) {
	case 0:
		b[at] ^= 1 << rnd.IntN(8)
		return b, fmt.Sprintf("flip at %d", at)
	case 1:
		clear(b[at:end])
		return b, fmt.Sprintf("zero %d to %d", at, end)
	case 2:
		return b[:at], fmt.Sprintf("cut at %d", at)
	case 3:
		for i := range b[at:end] {
			b[at+i] = byte(rnd.Uint32())
		}
		return b, fmt.Sprintf("noise %d to %d", at, end)
	case 4:
		blocks := len(b) / pageSize
		i, j := rnd.IntN(blocks)*pageSize, rnd.IntN(blocks)*pageSize
		page := bytes.Clone(b[i : i+pageSize])
		copy(b[i:], b[j:j+pageSize])
		copy(b[j:], page)
		return b, fmt.Sprintf("swap pages at %d and %d", i, j)
	case 5:
		return append(b, make([]byte, n)...), fmt.Sprintf("append %d zeros", n)
	case 6:
		return append(b[:at], b[end:]...), fmt.Sprintf("take out %d to %d", at, end)
	case 7:
		clear(b[at:])
		return b, fmt.Sprintf("zero from %d on", at)
	}
	at = rnd.IntN(2 * pageSize)
	b[at] ^= 1 << rnd.IntN(8)
	return b, fmt.Sprintf("flip in the meta pages at %d", at)
}

// known reports whether an outcome is allowed: the known error, or the right content.
func known(diff string, err error) bool {
	if err != nil {
		return errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist)
	}
	return diff == ""
}

// P-84, P-85: a file damaged before opening gives the known error or the right answers.
func TestDamagedFile(t *testing.T) {
	for _, want := range []*sample{newSample(1, 5, 40), newSample(2, 260, 3000)} {
		d, path := testDir(t)
		mustPublish(t, d, want)
		sound := fileBytes(t, path)
		rnd := rand.New(rand.NewPCG(uint64(len(sound)), 1))
		for range *damages / 2 {
			b, what := harm(rnd, sound)
			if err := os.WriteFile(filepath.Join(path, FileName), b, 0o600); err != nil {
				t.Fatal(err)
			}
			snap, err := d.Open()
			diff := ""
			if err == nil {
				diff, err = want.compare(snap)
				if _, checkErr := Check(snap); checkErr == nil && !bytes.Equal(b, sound) {
					t.Errorf("%s: check finds nothing", what)
				} else if checkErr != nil && !errors.Is(checkErr, ErrDamaged) {
					t.Errorf("%s: check: %v", what, checkErr)
				}
				snap.Close()
			}
			if !known(diff, err) {
				t.Fatalf("%s: %v\n%s", what, err, diff)
			}
		}
	}
}

// P-86: damage in place under an open map gives the known error, right answers, or a snapshot that is
// known not to be current.
func TestDamagedWhileOpen(t *testing.T) {
	want := newSample(4, 200, 2500)
	d, path := testDir(t)
	mustPublish(t, d, want)
	sound := fileBytes(t, path)
	name := filepath.Join(path, FileName)
	rnd := rand.New(rand.NewPCG(9, 9))
	old := time.Unix(1_600_000_000, 0)
	for range *damages / 2 {
		if err := os.WriteFile(name, sound, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
		snap, err := d.Open()
		if err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(2) == 0 {
			if diff, err := want.compare(snap); err != nil || diff != "" {
				t.Fatalf("before the damage: %v %s", err, diff)
			}
		}
		b, what := harm(rnd, sound)
		overwrite(t, name, b)
		current, err := snap.Current()
		if err != nil {
			t.Fatal(err)
		}
		diff, err := want.compare(snap)
		if current && !known(diff, err) {
			t.Fatalf("%s: %v\n%s", what, err, diff)
		}
		if current && !bytes.Equal(b, sound) {
			t.Fatalf("%s: the snapshot calls itself current", what)
		}
		if _, err := Check(snap); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%s: check: %v", what, err)
		}
		snap.Close()
	}
}

// overwrite writes b over the file in place.
func overwrite(t *testing.T, name string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(len(b))); err != nil {
		t.Fatal(err)
	}
}

// A file cut to nothing and restored again and again under running views never ends the process.
func TestCutUnderViews(t *testing.T) {
	want := newSample(5, 200, 2500)
	d, path := testDir(t)
	mustPublish(t, d, want)
	sound := fileBytes(t, path)
	name := filepath.Join(path, FileName)
	snap := mustOpen(t, d)
	stop := make(chan struct{})
	done := make(chan error, 2)
	for range 2 {
		go func() {
			for {
				select {
				case <-stop:
					done <- nil
					return
				default:
				}
				err := snap.View(func(r *Reader) error {
					for c := r.Seek(nil); c.Next(); {
						readTerm(r, "", c.Term())
					}
					return nil
				})
				if err != nil && !errors.Is(err, ErrDamaged) {
					done <- err
					return
				}
			}
		}()
	}
	for i := range 30 {
		if err := os.Truncate(name, int64(i*len(sound)/60)); err != nil {
			t.Error(err)
		}
		if s, err := d.Open(); err == nil {
			s.Close()
		} else if !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
		overwrite(t, name, sound)
	}
	close(stop)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// P-84: what is no index at all.
func TestForeignFiles(t *testing.T) {
	content := func(b []byte) func(name string) error {
		return func(name string) error { return os.WriteFile(name, b, 0o600) }
	}
	noise := make([]byte, 100_000)
	rnd := rand.New(rand.NewPCG(3, 3))
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	cases := map[string]func(name string) error{
		"empty":     content(nil),
		"one byte":  content([]byte{0}),
		"text":      content([]byte(strings.Repeat("not an index\n", 3000))),
		"zeros":     content(make([]byte, 1<<20)),
		"noise":     content(noise),
		"footer":    content(append(make([]byte, 4*pageSize), (&trailer{body: 4 * pageSize}).encode()...)),
		"directory": func(name string) error { return os.Mkdir(name, 0o700) },
		"foreign bbolt": func(name string) error {
			db, err := bbolt.Open(name, 0o600, nil)
			if err != nil {
				return err
			}
			return db.Close()
		},
		"foreign bbolt with our metadata": func(name string) error {
			db, err := bbolt.Open(name, 0o600, nil)
			if err != nil {
				return err
			}
			defer db.Close()
			return db.Update(func(tx *bbolt.Tx) error {
				b, err := tx.CreateBucket([]byte(metaBucket))
				if err != nil {
					return err
				}
				return b.Put([]byte(metaKey), []byte(`{"format":2}`))
			})
		},
		"symlink": func(name string) error {
			d, path := testDir(t)
			mustPublish(t, d, newSample(1, 3, 10))
			return os.Symlink(filepath.Join(path, FileName), name)
		},
		"dangling symlink": func(name string) error { return os.Symlink("nowhere", name) },
	}
	for what, make := range foreignHere(cases) {
		t.Run(what, func(t *testing.T) {
			d, path := testDir(t)
			if err := make(filepath.Join(path, FileName)); err != nil {
				t.Fatal(err)
			}
			s, err := d.Open()
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
			if strings.Contains(err.Error(), path) {
				t.Errorf("the error tells the path: %v", err)
			}
		})
	}
}

// Only this room's damage and faults of this map become ErrDamaged; the state of the goroutine comes back.
func TestViewPanics(t *testing.T) {
	d, _ := testDir(t)
	mustPublish(t, d, newSample(1, 3, 10))
	s := mustOpen(t, d)
	pass := func(name string, fn func(r *Reader)) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: the panic did not pass", name)
			}
		}()
		s.View(func(r *Reader) error {
			fn(r)
			return nil
		})
	}
	var none *int
	pass("foreign", func(*Reader) { panic("foreign") })
	pass("index", func(r *Reader) { _ = make([]int, r.Sources())[r.Sources()] })
	pass("nil pointer", func(*Reader) { *none = 1 })
	pass("error value", func(*Reader) { panic(errors.New("foreign")) })
	err := s.View(func(r *Reader) error {
		r.Damaged("the caller's finding")
		return nil
	})
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the caller's finding") {
		t.Errorf("Damaged: %v", err)
	}
	own := errors.New("own")
	if err := s.View(func(*Reader) error { return own }); err != own {
		t.Errorf("own error: %v", err)
	}
}

// Ordinals beyond the tables unwind as damage instead of reading something else.
func TestOrdinalsBeyond(t *testing.T) {
	d, _ := testDir(t)
	mustPublish(t, d, newSample(1, 3, 10))
	s := mustOpen(t, d)
	for name, fn := range map[string]func(r *Reader){
		"source":      func(r *Reader) { r.Source(r.Sources()) },
		"source path": func(r *Reader) { r.SourcePath(1 << 31) },
		"chunk":       func(r *Reader) { r.Chunk(r.Chunks()) },
		"term":        func(r *Reader) { r.Postings(Term{Chunks: 1, segment: 7, size: 3}) },
	} {
		err := s.View(func(r *Reader) error {
			fn(r)
			return nil
		})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
