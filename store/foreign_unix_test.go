//go:build unix

package store

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// P-50, P-60, P-86: somebody who cuts, replaces or removes the build file while it is written gets an error out of the
// Writer, and the published index stays.
func TestBuildFileChangedFromOutside(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, build string){
		"cut to nothing": func(t *testing.T, build string) { mustDo(t, os.Truncate(build, 0)) },
		"cut to a page":  func(t *testing.T, build string) { mustDo(t, os.Truncate(build, 4096)) },
		"replaced by a file": func(t *testing.T, build string) {
			mustDo(t, os.Remove(build))
			mustDo(t, os.WriteFile(build, []byte("x"), 0o600))
		},
		"replaced by a link": func(t *testing.T, build string) { mustDo(t, os.Remove(build)); mustDo(t, os.Symlink(FileName, build)) },
		"removed":            func(t *testing.T, build string) { mustDo(t, os.Remove(build)) },
	} {
		t.Run(name, func(t *testing.T) {
			d, path := testDir(t)
			mustPublish(t, d, newSample(1, 20, 50))
			before := fileBytes(t, path)
			next := newSample(2, 400, 900)
			w, err := d.Create()
			mustDo(t, err)
			build := filepath.Join(path, w.name)
			for i := range next.sources {
				if i == len(next.sources)/2 {
					mustDo(t, w.flushSources())
				}
				mustDo(t, w.AddSource(next.sources[i]))
			}
			change(t, build)
			err = next.fillRest(w)
			w.Discard()
			if err == nil {
				t.Fatal("the Writer noticed nothing")
			}
			if !bytes.Equal(fileBytes(t, path), before) {
				t.Fatal("the published index changed")
			}
			mustOpen(t, d).Close()
		})
	}
}

// fillRest hands over what follows the sources and publishes.
func (s *sample) fillRest(w *Writer) error {
	rest := *s
	rest.sources = nil
	if err := rest.fill(w, 100); err != nil {
		return err
	}
	return w.Publish(context.Background(), s.meta)
}

// P-86: one flipped bit anywhere is told when the file is opened.
func TestOpenNoticesEveryFlip(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(3, 60, 200))
	name := filepath.Join(path, FileName)
	sound := fileBytes(t, path)
	for at := 0; at < len(sound); at += 97 {
		flipped := bytes.Clone(sound)
		flipped[at] ^= 1 << (at % 8)
		mustDo(t, os.WriteFile(name, flipped, 0o600))
		if s, err := d.Open(); err == nil {
			s.Close()
			t.Fatalf("a flipped bit at %d of %d is not noticed", at, len(sound))
		}
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
