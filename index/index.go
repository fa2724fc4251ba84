package index

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"projectknowledge/store"
)

// Coverage describes one indexing run; see store.Coverage.
type Coverage = store.Coverage

// An Index is the index of one corpus, kept in one directory. Its methods may
// be called from several goroutines and from several processes at once:
// updates take turns, and nothing else waits for them.
type Index struct {
	dir *store.Dir
	opt Options
	now func() time.Time

	mu     sync.Mutex
	open   *sharedSnapshot // the generation last seen, nil when none
	closed bool
	pool   sync.Pool // *accumulator
}

// sharedSnapshot is an open generation with the calls that use it.
type sharedSnapshot struct {
	*store.Snapshot
	users   int
	retired bool
}

// New gives the index kept in dir. Nothing is opened until it is needed.
// Close does not close dir.
func New(dir *store.Dir, opt Options) *Index {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	return &Index{dir: dir, opt: opt, now: time.Now}
}

// Close releases the open generation once the calls that use it have ended.
// Later calls return ErrClosed.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.closed = true
	return ix.retire()
}

// retire drops the open generation; the caller holds mu.
func (ix *Index) retire() error {
	s := ix.open
	ix.open = nil
	if s == nil {
		return nil
	}
	s.retired = true
	if s.users > 0 {
		return nil
	}
	return s.Close()
}

// acquire gives the published generation of this moment. It stays usable until
// release, whatever is published meanwhile.
func (ix *Index) acquire() (*sharedSnapshot, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil, ErrClosed
	}
	if ix.open != nil {
		current, err := ix.open.Current()
		if err == nil && current {
			ix.open.users++
			return ix.open, nil
		}
		ix.retire()
	}
	snap, err := ix.dir.Open()
	if err != nil {
		return nil, err
	}
	ix.open = &sharedSnapshot{Snapshot: snap, users: 1}
	return ix.open, nil
}

func (ix *Index) release(s *sharedSnapshot) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	s.users--
	if s.retired && s.users == 0 {
		s.Close()
	}
}

// view runs fn over the published generation.
func (ix *Index) view(fn func(s *sharedSnapshot, r *store.Reader) error) error {
	s, err := ix.acquire()
	if err != nil {
		return err
	}
	defer ix.release(s)
	err = s.View(func(r *store.Reader) error { return fn(s, r) })
	if errors.Is(err, store.ErrDamaged) {
		ix.forget(s)
	}
	return err
}

// forget makes the next call open the file anew, so that an index that was
// mended is seen.
func (ix *Index) forget(s *sharedSnapshot) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.open == s {
		ix.retire()
	}
}

// Status is what an index says about itself.
type Status struct {
	Format   int // version of the file format
	Coverage Coverage
}

// Status reads the metadata of the published index. It returns fs.ErrNotExist
// when there is none and store.ErrDamaged when it cannot be trusted.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	if err := ctx.Err(); err != nil {
		return Status{}, err
	}
	s, err := ix.acquire()
	if err != nil {
		return Status{}, err
	}
	defer ix.release(s)
	m := s.Meta()
	return Status{Format: m.Format, Coverage: m.Coverage}, nil
}
