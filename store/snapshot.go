package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Snapshot is one published generation of an index, open for reading. It never changes; a newer index that
// is renamed onto the name does not touch it. It is safe for concurrent use.
type Snapshot struct {
	dir   *Dir
	db    *bbolt.DB
	stamp stamp
	meta  Meta
	count tables

	body     []byte   // bbolt's pages, in the map
	sums     []uint32 // CRC32C of each block of body
	verified []atomic.Uint32
	values   []value // the directory

	sources, paths, chunks, terms, lists, pending, skipped []segment

	reader Reader
	refs   atomic.Int32 // 1 for the owner, 1 for each View
	closed sync.Once
}

// segment is one value of the file: its bytes in the map, not yet verified.
type segment struct {
	data []byte
	off  uint64 // of data in the body
}

// Open opens the published index for reading. Without an index the error satisfies fs.ErrNotExist; what is
// not a sound index is ErrDamaged. It verifies every byte (P-86): one that is damaged anywhere is told at once
// and not when a query happens to touch the place. The cost is that of reading the file at memory speed.
//
// A block is proved once in a snapshot's life; Current tells whether the file changed since. A run that writes
// a new index from an old one opens the old one afresh and does not take a snapshot that has served for a while.
func (d *Dir) Open() (*Snapshot, error) {
	f, info, err := openRegular(d.root, FileName, os.O_RDONLY)
	if errors.Is(err, errNotRegular) {
		return nil, &damagedError{"the index is " + err.Error()}
	}
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	s := &Snapshot{dir: d, stamp: stampOf(info)}
	s.reader.s = s
	s.refs.Store(1)
	if err := s.open(f, info.Size()); err != nil {
		if s.db != nil {
			s.db.Close()
		}
		f.Close()
		return nil, err
	}
	return s, nil
}

// open takes f over as soon as bbolt has it.
func (s *Snapshot) open(f *os.File, size int64) error {
	t, err := readTrailer(f, size)
	if err != nil {
		return damageOrIO(err)
	}
	var head [2 * pageSize]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return damageOrIO(err)
	}
	if _, err := readMeta(head[:], t.body); err != nil {
		return damageOrIO(err)
	}
	s.sums, s.values = t.blocks, t.values
	text, err := readMetadata(f, t)
	if err != nil {
		return damageOrIO(err)
	}
	m, err := decodeMetadata(text)
	if err != nil {
		return &damagedError{err.Error()}
	}
	s.verified = make([]atomic.Uint32, (len(t.blocks)+31)/32)
	// Inside bbolt's own opening a fault can only be one of its map.
	if err := guard(nil, func() error { return s.mapFile(f, size, t.body) }); err != nil {
		return err
	}
	if err := guard(s.body, func() error { return s.load(m) }); err != nil {
		return err
	}
	return s.verifyAll()
}

// stripeBlocks is how many blocks are worth a goroutine: 32 MiB.
const stripeBlocks = 2048

// verifyAll proves every block, a long file in stripes side by side.
func (s *Snapshot) verifyAll() error {
	n := uint64(len(s.sums))
	stripes := min(max(n/stripeBlocks, 1), uint64(runtime.GOMAXPROCS(0)))
	errs := make([]error, stripes)
	var wg sync.WaitGroup
	for i := range stripes {
		wg.Go(func() {
			errs[i] = guard(s.body, func() error {
				for b := n * i / stripes; b < n*(i+1)/stripes; b++ {
					if !s.proved(b) {
						s.verifyBlock(b)
					}
				}
				return nil
			})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// damageOrIO tells a sound system's refusal to read from a file that is not as it should be.
func damageOrIO(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("read the index: %w", err)
	}
	return &damagedError{err.Error()}
}

// mapFile lets bbolt open and map the file, whose size was just seen. It reads nothing but the meta pages,
// which are known to be sound. The map is asked for in that size, so that a file cut meanwhile leaves a map
// that faults and not one that ends before the body does.
func (s *Snapshot) mapFile(f *os.File, size, body int64) error {
	db, err := bbolt.Open(f.Name(), 0, &bbolt.Options{
		ReadOnly:        true,
		Timeout:         openTimeout,
		NoStatistics:    true,
		PageSize:        pageSize,
		InitialMmapSize: int(size),
		OpenFile:        func(string, int, os.FileMode) (*os.File, error) { return f, nil },
	})
	if err != nil {
		var refused syscall.Errno
		if errors.As(err, &refused) || errors.Is(err, bolterrors.ErrTimeout) {
			return fmt.Errorf("open the index: %w", err)
		}
		return &damagedError{"the index changed while it was opened"}
	}
	s.db = db
	// The address is not of the Go heap, so keeping it as a number for a moment is sound.
	base := db.Info().Data
	s.body = unsafe.Slice(*(**byte)(unsafe.Pointer(&base)), body)
	return nil
}

// readMetadata reads the metadata's bytes with the blocks around them, verified. It reads instead of mapping:
// the first touch of a mapped page costs more than the rest of an opening.
func readMetadata(f *os.File, t *trailer) ([]byte, error) {
	for _, v := range t.values {
		if v.bucket != metaBucket {
			continue
		}
		if v.at.size > maxMetadata {
			return nil, fmt.Errorf("metadata of %d bytes", v.at.size)
		}
		start := v.at.off / blockSize * blockSize
		end := min((v.at.off+v.at.size+blockSize-1)/blockSize*blockSize, uint64(t.body))
		b := make([]byte, end-start)
		if _, err := f.ReadAt(b, int64(start)); err != nil {
			return nil, err
		}
		for at := uint64(0); at < uint64(len(b)); at += blockSize {
			if checksum(b[at:min(at+blockSize, uint64(len(b)))]) != t.blocks[(start+at)/blockSize] {
				return nil, fmt.Errorf("the checksum of block %d is wrong", (start+at)/blockSize)
			}
		}
		return b[v.at.off-start:][:v.at.size], nil
	}
	return nil, errors.New("no metadata")
}

// load finds the segments and checks that they and the metadata belong together.
func (s *Snapshot) load(m *metadata) error {
	for _, v := range s.values {
		if v.bucket == metaBucket {
			continue
		}
		if err := s.addSegment(v); err != nil {
			return &damagedError{err.Error()}
		}
	}
	s.count = m.Tables
	s.meta = Meta{Format: m.Format, Tokenizer: m.Tokenizer, Rules: m.Rules, Coverage: m.Coverage, NextBase: m.NextBase}
	s.checkTables()
	if m.Format == Format {
		s.meta.Cycle = Cycle{Cursor: *m.Cursor, Pending: s.readPending(*m.Pending), Skipped: s.readSkipped(m.Tables.Skipped)}
		if err := s.meta.Cycle.disjoint(); err != nil {
			return &damagedError{err.Error()}
		}
	} else if len(s.pending)+len(s.skipped) > 0 {
		damaged("a format 1 index with lists of format 2")
	}
	return nil
}

// addSegment enters a value under its section. The directory is in bucket order, hence each section's
// segments come in order, and lists before the terms that lead to them.
func (s *Snapshot) addSegment(v value) error {
	section, digits, _ := strings.Cut(v.bucket, ".")
	ordinal, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v.bucket != segmentName(section, uint32(ordinal)) {
		return fmt.Errorf("a foreign bucket %q", v.bucket)
	}
	var list *[]segment
	switch section {
	case sectionSources:
		list = &s.sources
	case sectionPaths:
		list = &s.paths
	case sectionChunks:
		list = &s.chunks
	case sectionPending:
		list = &s.pending
	case sectionSkipped:
		list = &s.skipped
	case sectionPostings:
		list = &s.lists
	case sectionTerms:
		list = &s.terms
	default:
		return fmt.Errorf("an unknown section %q", section)
	}
	if ordinal != uint64(len(*list)) {
		return fmt.Errorf("segment %q has no neighbour", v.bucket)
	}
	*list = append(*list, segment{data: s.body[v.at.off : v.at.off+v.at.size : v.at.off+v.at.size], off: v.at.off})
	return nil
}

// bytes gives the verified bytes of a stretch of the body.
func (s *Snapshot) bytes(at extent) []byte {
	if at.off > uint64(len(s.body)) || at.size > uint64(len(s.body))-at.off {
		damaged("a page lies outside the file")
	}
	s.verify(at.off, at.size)
	return s.body[at.off : at.off+at.size]
}

// whole gives all bytes of a segment, verified.
func (s *Snapshot) whole(g *segment) []byte {
	s.verify(g.off, uint64(len(g.data)))
	return g.data
}

// verify proves the blocks that hold n bytes at off, those that were not proved before.
func (s *Snapshot) verify(off, n uint64) {
	if n == 0 {
		return
	}
	first, last := off/blockSize, (off+n-1)/blockSize
	if first == last && s.proved(first) {
		return
	}
	s.verifyBlocks(first, last)
}

// proved reports whether block b was found right before.
func (s *Snapshot) proved(b uint64) bool { return s.verified[b/32].Load()&(1<<(b%32)) != 0 }

func (s *Snapshot) verifyBlocks(first, last uint64) {
	for b := first; b <= last; b++ {
		if !s.proved(b) {
			s.verifyBlock(b)
		}
	}
}

func (s *Snapshot) verifyBlock(b uint64) {
	start := b * blockSize
	if checksum(s.body[start:min(start+blockSize, uint64(len(s.body)))]) != s.sums[b] {
		damaged(fmt.Sprintf("the checksum of block %d is wrong", b))
	}
	s.verified[b/32].Or(1 << (b % 32))
}

// Meta gives the metadata. The lists in it are shared: do not change them.
func (s *Snapshot) Meta() Meta { return s.meta }

// Current reports whether the file at the name is still the one that this snapshot reads, unchanged. It is
// false after a newer index was published, after the name was removed, and after a change in place.
func (s *Snapshot) Current() (bool, error) {
	info, err := s.dir.root.Lstat(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the index: %w", err)
	}
	return s.stamp.matches(info), nil
}

// Close releases the owner's hold. The map goes when the last View has ended; a View begun later fails with
// fs.ErrClosed.
func (s *Snapshot) Close() error {
	var err error
	s.closed.Do(func() { err = s.release() })
	return err
}

func (s *Snapshot) release() error {
	if s.refs.Add(-1) > 0 {
		return nil
	}
	return s.db.Close()
}

// hold adds a View to the holders unless the map is gone.
func (s *Snapshot) hold() bool {
	for n := s.refs.Load(); n > 0; n = s.refs.Load() {
		if s.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// View runs fn with a Reader. Damage met inside (a wrong checksum, a coordinate out of range, a fault of the
// map because the file was cut) unwinds fn and comes back as ErrDamaged. Neither the Reader nor bytes that it
// gave may be used after fn or in another goroutine.
func (s *Snapshot) View(fn func(r *Reader) error) error {
	if !s.hold() {
		return fmt.Errorf("view the index: %w", fs.ErrClosed)
	}
	defer s.release()
	return guard(s.body, func() error { return fn(&s.reader) })
}

// guard runs fn with faults of memory as panics and turns this room's damage, and faults whose address lies
// in body, into ErrDamaged; a nil body stands for any address. Every other panic goes on.
func guard(body []byte, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		switch p := p.(type) {
		case nil:
		case damage:
			err = &damagedError{p.why}
		case interface{ Addr() uintptr }:
			if !within(body, p.Addr()) {
				panic(p)
			}
			err = &damagedError{"the file was cut while it was open"}
		default:
			panic(p)
		}
	}()
	return fn()
}

// within reports whether addr lies in body's memory.
func within(body []byte, addr uintptr) bool {
	if body == nil {
		return true
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(body)))
	return addr >= start && addr-start < uintptr(len(body))
}
