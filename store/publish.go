package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// openTimeout bounds the wait for a lock that a foreign program holds on a bbolt file.
const openTimeout = 100 * time.Millisecond

// Publish writes what is buffered, the metadata and the checksums, syncs the file, renames it onto the
// index and syncs the directory. On any error the build file is removed and the old index is untouched;
// only a failure of the last step, the sync of the directory, leaves the new index in place, and a power
// cut may then bring the old one back. ctx is looked at before each step up to the rename.
func (w *Writer) Publish(ctx context.Context, m Meta) error {
	err := w.publish(ctx, m)
	if err != nil {
		w.fail(err)
	} else {
		w.fail(errors.New("store: the writer has published"))
	}
	w.Discard()
	return err
}

func (w *Writer) publish(ctx context.Context, m Meta) error {
	if w.err != nil {
		return w.err
	}
	if err := w.finish(ctx, m); err != nil {
		return err
	}
	if err := w.seal(ctx); err != nil {
		return fmt.Errorf("seal the build file: %w", err)
	}
	if err := w.dir.sys.sync(w.file); err != nil {
		return fmt.Errorf("sync the build file: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.owns(w.name); err != nil {
		return fmt.Errorf("publish the build file: %w", err)
	}
	if err := w.dir.sys.rename(w.dir.root, w.name, FileName); err != nil {
		return fmt.Errorf("publish the build file: %w", err)
	}
	w.name = ""
	if err := w.owns(FileName); err != nil {
		return fmt.Errorf("publish the build file: %w", err)
	}
	if err := w.dir.sys.syncDir(w.dir.root); err != nil {
		return fmt.Errorf("sync the index directory: %w", err)
	}
	return nil
}

// owns reports as an error that a name in the directory is not the file that this Writer has written.
func (w *Writer) owns(name string) error {
	own, err := w.file.Stat()
	if err != nil {
		return err
	}
	info, err := w.dir.root.Lstat(name)
	if err != nil {
		return err
	}
	if !os.SameFile(own, info) {
		return fmt.Errorf("%s was replaced from outside", name)
	}
	return nil
}

// finish writes the last segments and the metadata and closes bbolt.
func (w *Writer) finish(ctx context.Context, m Meta) error {
	if w.counts.Chunks != uint32(w.chunkRange) {
		return fmt.Errorf("store: %d chunks instead of the %d that the sources claim", w.counts.Chunks, w.chunkRange)
	}
	if w.chunkTexts != w.dict.texts {
		return fmt.Errorf("store: the chunks count %d terms, the postings %d", w.chunkTexts, w.dict.texts)
	}
	if m.NextBase < w.nextBase {
		return fmt.Errorf("store: next base %d below %d", m.NextBase, w.nextBase)
	}
	for _, step := range []func() error{
		w.flushTables,
		w.dict.flush,
		func() error { return w.writeMeta(m) },
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	db := w.db
	w.db = nil
	if err := building(db.Close); err != nil {
		return fmt.Errorf("close the build file: %w", err)
	}
	return nil
}

// writeMeta writes the cycle's lists and the metadata object.
func (w *Writer) writeMeta(m Meta) error {
	w.counts.TextTerms = w.chunkTexts
	o := metadata{
		Format: w.format, Tokenizer: m.Tokenizer, Rules: m.Rules, NextBase: m.NextBase, Coverage: m.Coverage,
	}
	if w.format == Format {
		if err := w.writeCycle(&m.Cycle); err != nil {
			return err
		}
		pending := len(m.Cycle.Pending)
		o.Pending, o.Cursor = &pending, &m.Cycle.Cursor
		w.counts.Skipped = len(m.Cycle.Skipped)
	}
	o.Tables = w.counts
	if err := o.validate(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	text, err := o.encode()
	if err != nil {
		return err
	}
	if _, err := decodeMetadata(text); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if len(text) > maxMetadata {
		return fmt.Errorf("store: metadata of %d bytes", len(text))
	}
	return w.put(metaBucket, metaKey, text)
}

// seal reads the pages back from the system's cache and appends the trailer.
func (w *Writer) seal(ctx context.Context) error {
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	t := trailer{body: info.Size()}
	if t.body%pageSize != 0 || t.body > maxBuild {
		return fmt.Errorf("a build file of %d bytes", t.body)
	}
	buf := make([]byte, 16*blockSize)
	for off := int64(0); off < t.body; off += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := buf[:min(int64(len(buf)), t.body-off)]
		if _, err := io.ReadFull(io.NewSectionReader(w.file, off, int64(len(piece))), piece); err != nil {
			return err
		}
		for len(piece) > 0 {
			n := min(blockSize, len(piece))
			t.blocks = append(t.blocks, checksum(piece[:n]))
			piece = piece[n:]
		}
	}
	if t.values, err = w.directory(t.body); err != nil {
		return err
	}
	_, err = w.dir.sys.write(w.file, t.encode(), t.body)
	return err
}

// directory walks the finished pages as a reader would, to learn where bbolt put each value.
func (w *Writer) directory(body int64) ([]value, error) {
	read := func(at extent) ([]byte, error) {
		b := make([]byte, at.size)
		_, err := w.file.ReadAt(b, int64(at.off))
		return b, err
	}
	head, err := read(extent{0, 2 * pageSize})
	if err != nil {
		return nil, err
	}
	root, err := readMeta(head, body)
	if err != nil {
		return nil, err
	}
	walk, err := walkPages(root, read)
	return walk.values, err
}

// Discard removes the build file unless it was published. It may be called at any time and repeatedly.
func (w *Writer) Discard() {
	if w.db != nil {
		_ = building(w.db.Close) // what cannot be closed now is closed with the process
		w.db = nil
	}
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
	if w.name != "" {
		// A build file that cannot be removed now is swept by the next holder of the lock.
		if err := w.dir.sys.remove(w.dir.root, w.name); err == nil || errors.Is(err, fs.ErrNotExist) {
			w.name = ""
		}
	}
	if w.err == nil {
		w.err = errors.New("store: the writer was discarded")
	}
}
