package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
)

// Source is one indexed source.
type Source struct {
	Path          string
	Hash          [32]byte // SHA-256 of the complete bytes
	Size          int64    // bytes
	Lines         uint32   // lines of the whole file
	Omitted       uint32   // lines left out of indexing (P-41)
	Base          uint64   // first row id, never given twice (P-52); a source without chunks takes one, too
	First, Chunks uint32   // its chunks are First … First+Chunks-1
	Flags         uint32   // of the index; not interpreted here
}

// Chunk is a run of neighbouring lines of one source.
type Chunk struct {
	Source uint32
	Line   uint32 // first line, one-based
	Lines  uint16 // at least 1
	Terms  uint16 // occurrences of terms in its text
}

// Writer writes one build file and publishes it. The order of calls is: AddSource for every source in path
// order, AddChunk for every chunk in order, AddTerms in term order, Publish. Whatever it is given is
// written in segments, each in a transaction of its own, so that memory does not grow with the index. After
// the first error every call returns it. A Writer belongs to one goroutine at a time.
type Writer struct {
	dir    *Dir
	name   string   // of the build file, "" when it is gone
	file   *os.File // the build file, beside bbolt's own handle
	db     *bbolt.DB
	format int
	err    error

	sources, paths segmentBuffer
	chunks         segmentBuffer
	dict           dictionaryWriter

	counts     tables
	lastPath   string
	chunkRange uint64 // chunks that the sources claim
	chunkTexts uint64 // sum of Chunk.Terms
	nextBase   uint64
	owner      ownerCheck
}

// ownerCheck follows the chunks through the ranges that their sources claimed.
type ownerCheck struct {
	end   []uint64 // of each source: one above its last chunk
	lines []uint32 // of each source
	at    int      // source of the chunk at hand
	line  uint64   // last line of the chunk before it, 0 at the start of a source
}

// segmentBuffer collects the segment of a section that is being filled.
type segmentBuffer struct {
	section string
	ordinal uint32
	data    []byte
}

// Create begins a build file with a random name. The caller holds the lock.
func (d *Dir) Create() (*Writer, error) {
	name, err := d.sys.buildName()
	if err != nil {
		return nil, fmt.Errorf("create a build file: %w", err)
	}
	f, err := d.sys.create(d.root, name)
	if err != nil {
		return nil, fmt.Errorf("create a build file: %w", err)
	}
	w := &Writer{
		dir: d, name: name, file: f, format: Format,
		sources: segmentBuffer{section: sectionSources},
		paths:   segmentBuffer{section: sectionPaths},
		chunks:  segmentBuffer{section: sectionChunks},
	}
	w.dict.init(w)
	if w.db, err = openBuild(d.root, name, f); err != nil {
		w.Discard()
		return nil, fmt.Errorf("create a build file: %w", err)
	}
	return w, nil
}

// openBuild opens the new file as a bbolt file that leaves syncing to Publish. bbolt gets a handle of its
// own, because it closes it before the trailer is written.
func openBuild(root *os.Root, name string, f *os.File) (*bbolt.DB, error) {
	own, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return bbolt.Open(name, 0o600, &bbolt.Options{
		PageSize:        pageSize,
		InitialMmapSize: buildMap,
		Timeout:         openTimeout,
		NoSync:          true,
		NoGrowSync:      true,
		NoStatistics:    true,
		OpenFile: func(name string, _ int, _ os.FileMode) (*os.File, error) {
			second, info, err := openRegular(root, name, os.O_RDWR)
			if err == nil && !os.SameFile(own, info) {
				second.Close()
				err = errNotRegular
			}
			return second, err
		},
	})
}

// fail keeps the first error.
func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.err
}

// AddSource appends a source. Paths ascend by bytes; the chunk ranges follow each other without gap.
func (w *Writer) AddSource(s Source) error {
	if w.err != nil {
		return w.err
	}
	switch {
	case w.counts.Chunks > 0 || w.dict.started():
		return w.fail(errors.New("store: AddSource after AddChunk or AddTerms"))
	case s.Path == "" || len(s.Path) > MaxPath || s.Path <= w.lastPath:
		return w.fail(fmt.Errorf("store: source path %.80q is empty, too long or out of order", s.Path))
	case s.Size < 0 || s.Omitted > s.Lines || s.Base > maxBase:
		return w.fail(fmt.Errorf("store: source %.80q with impossible counts", s.Path))
	case uint64(s.First) != w.chunkRange && s.Chunks > 0:
		return w.fail(fmt.Errorf("store: the chunks of source %.80q do not follow those before it", s.Path))
	case w.counts.Sources == maxTable || w.chunkRange+uint64(s.Chunks) > maxTable:
		return w.fail(errors.New("store: too many sources or chunks"))
	}
	if s.Chunks == 0 {
		s.First = uint32(w.chunkRange)
	}
	w.lastPath = s.Path
	w.chunkRange += uint64(s.Chunks)
	w.nextBase = max(w.nextBase, s.Base+max(1, uint64(s.Chunks)))
	w.counts.Sources++
	w.counts.Bytes += s.Size
	w.owner.add(&s)

	w.paths.data = append(w.paths.data, s.Path...)
	w.sources.data = appendSource(w.sources.data, &s, uint32(len(w.paths.data)))
	if len(w.sources.data) == sourcesPerSegment*sourceRecord {
		return w.flushSources()
	}
	return nil
}

// appendSource appends the record of a source whose path ends at pathEnd in its path segment.
func appendSource(b []byte, s *Source, pathEnd uint32) []byte {
	le := binary.LittleEndian
	b = append(b, s.Hash[:]...)
	b = le.AppendUint64(b, uint64(s.Size))
	b = le.AppendUint64(b, s.Base)
	for _, v := range [...]uint32{s.First, s.Chunks, s.Lines, s.Omitted, s.Flags, pathEnd} {
		b = le.AppendUint32(b, v)
	}
	return b
}

func (w *Writer) flushSources() error {
	if err := w.flush(&w.sources); err != nil {
		return err
	}
	return w.flush(&w.paths)
}

// flushTables writes the last segments of the tables, which go before the dictionary.
func (w *Writer) flushTables() error {
	if err := w.flushSources(); err != nil {
		return err
	}
	return w.flush(&w.chunks)
}

// AddChunk appends a chunk to the range of the source that it names.
func (w *Writer) AddChunk(c Chunk) error {
	if w.err != nil {
		return w.err
	}
	if w.dict.started() {
		return w.fail(errors.New("store: AddChunk after AddTerms"))
	}
	if why := w.owner.admit(w.counts.Chunks, c); why != "" {
		return w.fail(fmt.Errorf("store: chunk %d of source %d %s", w.counts.Chunks, c.Source, why))
	}
	w.counts.Chunks++
	w.chunkTexts += uint64(c.Terms)
	w.chunks.data = appendChunk(w.chunks.data, c)
	if len(w.chunks.data) == chunksPerSegment*chunkRecord {
		return w.flush(&w.chunks)
	}
	return nil
}

func appendChunk(b []byte, c Chunk) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, c.Source)
	b = le.AppendUint32(b, c.Line)
	b = le.AppendUint16(b, c.Lines)
	return le.AppendUint16(b, c.Terms)
}

// add enters the next source.
func (o *ownerCheck) add(s *Source) {
	o.end = append(o.end, uint64(s.First)+uint64(s.Chunks))
	o.lines = append(o.lines, s.Lines)
}

// admit tells what is wrong with chunk number i, or "". Chunks come in order, each once.
func (o *ownerCheck) admit(i uint32, c Chunk) string {
	for o.at < len(o.end) && uint64(i) >= o.end[o.at] {
		o.at++
		o.line = 0
	}
	last := uint64(c.Line) + uint64(c.Lines) - 1
	switch {
	case o.at == len(o.end) || c.Source != uint32(o.at):
		return "is outside the range of its source"
	case c.Line == 0 || c.Lines == 0 || last > uint64(o.lines[o.at]):
		return "names lines that the source does not have"
	case uint64(c.Line) <= o.line:
		return "overlaps the chunk before it"
	}
	o.line = last
	return ""
}

// flush writes what a buffer holds as the section's next segment.
func (w *Writer) flush(b *segmentBuffer) error {
	if len(b.data) == 0 {
		return nil
	}
	if err := w.put(segmentName(b.section, b.ordinal), segmentKey, b.data); err != nil {
		return err
	}
	b.ordinal++
	b.data = b.data[:0]
	return nil
}

// segmentName gives the bucket of a segment.
func segmentName(section string, ordinal uint32) string {
	return fmt.Sprintf("%s.%08x", section, ordinal)
}

// put writes one value in a bucket of its own and in a transaction of its own. A bucket with one key has its
// leaf page to itself, so no later transaction rewrites it, and with one bucket a transaction the order of
// pages does not depend on map iteration inside bbolt.
func (w *Writer) put(bucket, key string, value []byte) error {
	if w.err != nil {
		return w.err
	}
	err := building(func() error {
		return w.db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(bucket))
			if err != nil {
				return err
			}
			return b.Put([]byte(key), value)
		})
	})
	if errors.Is(err, errForeign) {
		w.db = nil // bbolt may still hold its locks: it is given up, not closed
	}
	if err != nil {
		return w.fail(fmt.Errorf("write the build file: %w", err))
	}
	return nil
}

// errForeign is a build file that somebody cut or overwrote while it was written.
var errForeign = errors.New("the build file was changed from outside")

// building runs a step of bbolt on the build file, so that a change of it from outside gives errForeign and no
// fault or panic of the process.
func building(step func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errForeign, p)
		}
	}()
	if err = guard(nil, step); errors.Is(err, ErrDamaged) {
		return errForeign
	}
	return err
}
