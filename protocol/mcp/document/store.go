package document

import (
	"errors"
	"sync"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// Limits are the limits of M-63 that concern documents.
type Limits struct {
	WriteBytes    int64         // content of create_file
	ChunkBytes    int64         // content of one chunk
	DocumentBytes int64         // all chunks of a document
	Chunks        int           // number of chunks of a document
	Uploads       int           // unfinished documents
	TTL           time.Duration // of an unfinished document, from its beginning
}

// DefaultLimits gives the defaults of M-63.
func DefaultLimits() Limits {
	return Limits{WriteBytes: 2 << 20, ChunkBytes: 64 << 10, DocumentBytes: 20 << 20, Chunks: 1024, Uploads: 16, TTL: time.Hour}
}

const (
	// rememberedUploads is how many receipts of finished documents are kept for a repeated finish (M-56), and how many
	// expired uploads are still told apart from unknown ones (M-57).
	rememberedUploads = 1024
	// sweepEvery is how often expired uploads are removed without any call (M-57).
	sweepEvery = 30 * time.Second
)

// A Place is a project as the registry has it now.
type Place struct {
	Root           string // canonical
	WriteDirectory string // "" = documents cannot be created
	Rules          *pathguard.Rules
}

// Options make a Store.
type Options struct {
	Directory string // of all processes' staging directories (M-57); made 0700 when missing
	Limits    Limits
	// Resolve asks the registry as it is at that moment, and gives its error for a project that is gone or disabled. It
	// is asked at the beginning of every call, and again before a document gets its name (M-52).
	Resolve func(projectID string) (Place, error)
	Now     func() time.Time // nil = the clock
}

// A Store holds the unfinished documents of this process. Safe for concurrent use.
type Store struct {
	limits  Limits
	resolve func(string) (Place, error)
	now     func() time.Time
	staging *staging

	mu       sync.Mutex // never held while the disk is waited for
	uploads  map[string]*upload
	finished memory[finished]
	expired  memory[string] // the project of an expired upload

	done    chan struct{}
	sweeper sync.WaitGroup
}

// errClosed: the store was closed while a call was running.
var errClosed = errors.New("the store is closed")

// Open makes the staging directory of this process, removes those of dead ones, and starts the sweep.
func Open(options Options) (*Store, error) {
	area, err := openStaging(options.Directory)
	if err != nil {
		return nil, err
	}
	s := &Store{
		limits: options.Limits, resolve: options.Resolve, now: options.Now, staging: area,
		uploads: make(map[string]*upload), done: make(chan struct{}),
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.sweeper.Go(s.sweepNowAndThen)
	return s, nil
}

// Close ends the sweep and removes the staging directory. Unfinished documents are lost; calls that are still running fail.
func (s *Store) Close() error {
	s.mu.Lock()
	closed := s.uploads == nil
	s.uploads = nil
	s.mu.Unlock()
	if closed {
		return nil
	}
	close(s.done)
	s.sweeper.Wait()
	return s.staging.close()
}

func (s *Store) sweepNowAndThen() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.Sweep()
		case <-s.done:
			return
		}
	}
}

// Sweep removes expired uploads. Every upload call does it; health should (M-57).
func (s *Store) Sweep() {
	now := s.now()
	var gone []*upload
	s.mu.Lock()
	for id, u := range s.uploads {
		if now.Before(u.expires) || !u.busy.TryLock() { // one that is being worked on goes at the next sweep
			continue
		}
		delete(s.uploads, id)
		s.expired.put(id, u.project)
		gone = append(gone, u)
	}
	s.finished.dropIf(func(f finished) bool { return !now.Before(f.expires) })
	s.mu.Unlock()
	for _, u := range gone {
		u.gone = true
		s.staging.removeUpload(u.id)
		u.busy.Unlock()
	}
}

// Active gives the number of unfinished documents.
func (s *Store) Active() int {
	s.Sweep()
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.uploads)
}

// A memory keeps the last so many values by their upload's ID. The zero value is empty and ready.
type memory[V any] struct {
	values map[string]V
	order  []string // IDs, oldest first; may name some that were dropped
}

func (m *memory[V]) put(id string, value V) {
	if m.values == nil {
		m.values = make(map[string]V)
	}
	m.values[id] = value
	m.order = append(m.order, id)
	for len(m.order) > rememberedUploads {
		delete(m.values, m.order[0])
		m.order = m.order[1:]
	}
}

func (m *memory[V]) get(id string) (V, bool) {
	value, ok := m.values[id]
	return value, ok
}

func (m *memory[V]) dropIf(old func(V) bool) {
	for id, value := range m.values {
		if old(value) {
			delete(m.values, id)
		}
	}
}
