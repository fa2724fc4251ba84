package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var errInjected = errors.New("injected")

// names lists what lies in the index directory.
func names(t testing.TB, path string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// P-60: whatever call of the system fails, the error comes back, the old index is untouched and no build
// file stays.
func TestFailedPublish(t *testing.T) {
	cases := map[string]func(s *system){
		"random": func(s *system) { s.random = func([]byte) (int, error) { return 0, errInjected } },
		"create": func(s *system) { s.create = func(*os.Root, string) (*os.File, error) { return nil, errInjected } },
		"write":  func(s *system) { s.write = func(*os.File, []byte, int64) (int, error) { return 0, errInjected } },
		"sync":   func(s *system) { s.sync = func(*os.File) error { return errInjected } },
		"rename": func(s *system) { s.rename = func(*os.Root, string, string) error { return errInjected } },
	}
	for name, breakIt := range cases {
		t.Run(name, func(t *testing.T) {
			d, path := testDir(t)
			mustPublish(t, d, newSample(1, 20, 100))
			old := fileBytes(t, path)
			sys := host
			breakIt(&sys)
			broken := *d
			broken.sys = &sys
			if err := newSample(2, 20, 100).publish(&broken); !errors.Is(err, errInjected) {
				t.Errorf("got %v", err)
			}
			if !bytes.Equal(fileBytes(t, path), old) {
				t.Error("the old index changed")
			}
			if got := names(t, path); len(got) != 1 {
				t.Errorf("left behind: %v", got)
			}
		})
	}
}

// A directory that cannot be synced after the rename is reported; the new index is in place and whole.
func TestFailedDirectorySync(t *testing.T) {
	d, path := testDir(t)
	sys := host
	sys.syncDir = func(*os.Root) error { return errInjected }
	d.sys = &sys
	want := newSample(2, 20, 100)
	if err := want.publish(d); !errors.Is(err, errInjected) {
		t.Errorf("got %v", err)
	}
	if diff, err := want.compare(mustOpen(t, d)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got := names(t, path); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

// P-50: sync, rename and the directory's sync come in this order, and the trailer before them.
func TestPublishOrder(t *testing.T) {
	d, _ := testDir(t)
	sys := host
	var order []string
	sys.write = func(f *os.File, p []byte, off int64) (int, error) {
		order = append(order, "trailer")
		return host.write(f, p, off)
	}
	sys.sync = func(f *os.File) error { order = append(order, "sync"); return host.sync(f) }
	sys.rename = func(r *os.Root, a, b string) error { order = append(order, "rename"); return host.rename(r, a, b) }
	sys.syncDir = func(r *os.Root) error { order = append(order, "directory"); return host.syncDir(r) }
	d.sys = &sys
	mustPublish(t, d, newSample(1, 3, 10))
	want := []string{"trailer", "sync", "rename", "directory"}
	if len(order) != len(want) {
		t.Fatalf("order %v", order)
	}
	for i := range want {
		if order[i] != want[i] {
			t.Fatalf("order %v", order)
		}
	}
}

func TestCancelledPublish(t *testing.T) {
	d, path := testDir(t)
	s := newSample(1, 20, 100)
	w, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.fill(w, 50); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Publish(ctx, s.meta); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := w.Publish(context.Background(), s.meta); err == nil {
		t.Error("published after a failure")
	}
	w.Discard()
	w.Discard()
	if got := names(t, path); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

// Misuse of a Writer and inconsistent content are errors of the writing calls, never a bad file.
func TestWriterRefuses(t *testing.T) {
	source := Source{Path: "a", Lines: 5, Chunks: 1}
	chunk := Chunk{Line: 1, Lines: 5, Terms: 1}
	one := func(w *Writer, term string, p ...Posting) error {
		var r TermRun
		r.Add([]byte(term), p, nil)
		return w.AddTerms(&r)
	}
	cases := map[string]func(w *Writer) error{
		"empty path":    func(w *Writer) error { return w.AddSource(Source{}) },
		"path order":    func(w *Writer) error { w.AddSource(source); return w.AddSource(source) },
		"gap of chunks": func(w *Writer) error { return w.AddSource(Source{Path: "a", First: 1, Chunks: 1}) },
		"negative size": func(w *Writer) error { return w.AddSource(Source{Path: "a", Size: -1}) },
		"late source":   func(w *Writer) error { w.AddSource(source); w.AddChunk(chunk); return w.AddSource(Source{Path: "b"}) },
		"stray chunk":   func(w *Writer) error { return w.AddChunk(chunk) },
		"line zero":     func(w *Writer) error { w.AddSource(source); return w.AddChunk(Chunk{Lines: 1}) },
		"line beyond":   func(w *Writer) error { w.AddSource(source); return w.AddChunk(Chunk{Line: 2, Lines: 5}) },
		"overlap": func(w *Writer) error {
			w.AddSource(Source{Path: "a", Lines: 5, Chunks: 2})
			w.AddChunk(chunk)
			return w.AddChunk(chunk)
		},
		"posting beyond": func(w *Writer) error { w.AddSource(source); w.AddChunk(chunk); return one(w, "t", Posting{1, 1, 0}) },
		"chunk 2^32-1": func(w *Writer) error {
			w.AddSource(source)
			w.AddChunk(chunk)
			return one(w, "t", Posting{1<<32 - 1, 1, 0})
		},
		"empty posting":   func(w *Writer) error { w.AddSource(source); w.AddChunk(chunk); return one(w, "t", Posting{}) },
		"posting order":   func(w *Writer) error { return one(w, "t", Posting{1, 1, 0}, Posting{1, 1, 0}) },
		"empty term":      func(w *Writer) error { return one(w, "", Posting{0, 1, 0}) },
		"long term":       func(w *Writer) error { return one(w, string(make([]byte, MaxTerm+1)), Posting{0, 1, 0}) },
		"term of nothing": func(w *Writer) error { return one(w, "t") },
		"missing chunk":   func(w *Writer) error { w.AddSource(source); return w.Publish(context.Background(), Meta{NextBase: 1}) },
		"terms do not sum": func(w *Writer) error {
			w.AddSource(source)
			w.AddChunk(chunk)
			return w.Publish(context.Background(), Meta{NextBase: 1})
		},
		"next base": func(w *Writer) error { w.AddSource(Source{Path: "a"}); return w.Publish(context.Background(), Meta{}) },
		"coverage": func(w *Writer) error {
			return w.Publish(context.Background(), Meta{Coverage: Coverage{IndexedFiles: 1, StopReason: "complete", Mode: "rebuild"}})
		},
		"term order": func(w *Writer) error {
			w.AddSource(source)
			w.AddChunk(Chunk{Line: 1, Lines: 1, Terms: 2})
			one(w, "b", Posting{0, 1, 0})
			return one(w, "a", Posting{0, 1, 0})
		},
	}
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			d, path := testDir(t)
			w, err := d.Create()
			if err != nil {
				t.Fatal(err)
			}
			err = call(w)
			if err == nil || errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
			if again := w.Publish(context.Background(), Meta{}); again == nil {
				t.Error("published after an error")
			}
			w.Discard()
			if got := names(t, path); len(got) != 0 {
				t.Errorf("left behind: %v", got)
			}
		})
	}
}

// P-28: only build files go, and only the lock's holder sweeps.
func TestSweep(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(1, 3, 10))
	for _, name := range []string{"build-0123456789abcdef.bolt", "build-.bolt", "build-0123456789ABCDEF.bolt", "other"} {
		if err := os.WriteFile(filepath.Join(path, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(path, "build-fedcba9876543210.bolt"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(FileName, filepath.Join(path, "build-00000000000000aa.bolt")); err != nil {
		t.Fatal(err)
	}
	if err := d.Sweep(); err != nil {
		t.Fatal(err)
	}
	want := []string{"build-.bolt", "build-0123456789ABCDEF.bolt", "build-fedcba9876543210.bolt", "index.bolt", "other"}
	if got := names(t, path); len(got) != len(want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

// A snapshot keeps its generation under a newer one, and knows that it is no longer current (P-96).
func TestReplaced(t *testing.T) {
	d, path := testDir(t)
	first, second := newSample(1, 30, 100), newSample(2, 40, 100)
	mustPublish(t, d, first)
	snap := mustOpen(t, d)
	if ok, err := snap.Current(); !ok || err != nil {
		t.Errorf("a fresh snapshot: current %v %v", ok, err)
	}
	mustPublish(t, d, second)
	if ok, err := snap.Current(); ok || err != nil {
		t.Errorf("a replaced snapshot: current %v %v", ok, err)
	}
	if diff, err := first.compare(snap); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if diff, err := second.compare(mustOpen(t, d)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if err := os.Remove(filepath.Join(path, FileName)); err != nil {
		t.Fatal(err)
	}
	if ok, err := snap.Current(); ok || err != nil {
		t.Errorf("a removed index: current %v %v", ok, err)
	}
}

// Close waits for nobody: a View under way keeps the map, a later one fails.
func TestCloseUnderView(t *testing.T) {
	d, _ := testDir(t)
	mustPublish(t, d, newSample(1, 30, 100))
	snap := mustOpen(t, d)
	err := snap.View(func(r *Reader) error {
		if err := snap.Close(); err != nil {
			t.Error(err)
		}
		for i := range r.Sources() {
			r.Source(i)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := snap.View(func(*Reader) error { return nil }); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("view after close: %v", err)
	}
	if err := snap.Close(); err != nil {
		t.Error(err)
	}
}

// P-97: holders take turns, and waiting ends with the context.
func TestLock(t *testing.T) {
	d, path := testDir(t)
	other, err := OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	unlock, err := d.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := other.Lock(ctx); !errors.Is(err, ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a held lock: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		release, err := other.Lock(context.Background())
		if err == nil {
			release()
		}
		got <- err
	}()
	unlock()
	if err := <-got; err != nil {
		t.Errorf("waiting: %v", err)
	}
	if list := names(t, path); len(list) != 1 || list[0] != LockName {
		t.Errorf("lock file: %v", list)
	}
}

// P-26: what is no regular file is not used as a lock.
func TestForeignLock(t *testing.T) {
	for name, make := range map[string]func(name string) error{
		"directory": func(name string) error { return os.Mkdir(name, 0o700) },
		"symlink":   func(name string) error { return os.Symlink("elsewhere", name) },
	} {
		d, path := testDir(t)
		if err := make(filepath.Join(path, LockName)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		if _, err := d.Lock(ctx); err == nil || errors.Is(err, ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		if _, err := os.Lstat(filepath.Join(path, "elsewhere")); err == nil {
			t.Errorf("%s: followed", name)
		}
	}
}
