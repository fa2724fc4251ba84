package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// ReadArgs are the arguments of read_file (M-50).
type ReadArgs struct {
	Path       string
	OffsetLine int // lines to skip
	LimitLines int
}

// ReadResult is the result of read_file. SizeBytes and SHA256 are the file's, a byte order mark included; Content is not.
type ReadResult struct {
	Path      string  `json:"path"`
	Content   string  `json:"content"`
	LineCount int     `json:"line_count"`
	SizeBytes int64   `json:"size_bytes"`
	SHA256    *string `json:"sha256"` // nil when the time was over before the whole file was read
	page.LinePage
}

var readFixed = page.BoundOnce(ReadResult{LineCount: 1 << 40, SizeBytes: 1 << 60, SHA256: new(string), LinePage: longestCut.LinePage(1 << 40)}, 2*sha256.Size)

// longestCut makes the fields of a page as long as they become.
var longestCut = page.Cut{Offset: 1 << 40, Shown: 1 << 40, Total: 1 << 50, More: true, Reason: page.EntryLimit}

const (
	pieceBytes = 256 << 10
	// changeAttempts is how often a file is read anew that changes while it is read.
	changeAttempts = 4
	// settled is how old the last change of a file must be for its time stamps to prove that it did not change meanwhile:
	// they tick coarsely, and a write stamps the file before its bytes arrive.
	settled = 2 * time.Second
)

// usualLine is the length of a line for which a page's memory is taken beforehand.
const usualLine = 64

var pieces = sync.Pool{New: func() any { return new([pieceBytes]byte) }}

// ReadFile gives a page of the lines of a text file (M-50). The whole file is read for its digest, its number of lines and the
// proof that it is text, in pieces; memory is that of the page. What is given out is the content of one moment:
// source_changed when the file does not hold still.
func ReadFile(ctx context.Context, scope Scope, args ReadArgs, limits Limits) (*ReadResult, error) {
	if err := LinesRange.Check("limit_lines", args.LimitLines); err != nil {
		return nil, err
	}
	if err := OffsetRange.Check("offset_line", args.OffsetLine); err != nil {
		return nil, err
	}
	for range changeAttempts {
		result, consistent, err := readOnce(ctx, scope, args, limits)
		if err != nil {
			return nil, ended(ctx, err)
		}
		if consistent {
			return result, nil
		}
	}
	return nil, pathguard.Errorf(pathguard.SourceChanged, "The file changes while it is read; try again.")
}

func readOnce(ctx context.Context, scope Scope, args ReadArgs, limits Limits) (result *ReadResult, consistent bool, err error) {
	file, entry, err := scope.Tree.OpenFile(args.Path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = file.Close() }()
	if bound := limits.readable(scope, entry); entry.Size > bound {
		return nil, false, pathguard.Fault(pathguard.FileTooLarge).With("max_bytes", bound).With("size_bytes", entry.Size)
	}
	before, err := stampOf(file)
	if err != nil {
		return nil, false, unreadable(err)
	}
	reader := fileReader{file: file, size: before.size, digest: sha256.New(), cutter: lineCutter{
		offset: args.OffsetLine, limit: args.LimitLines, maxBytes: int(limits.ReadBytes),
		content: make([]byte, 0, min(before.size, limits.ReadBytes, int64(args.LimitLines)*usualLine)),
		meter:   page.NewMeter(limits.ResultBytes, readFixed()+page.StringSize(entry.Path)),
	}}
	whole, err := reader.read(ctx)
	if err == errShort {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	result = reader.result(entry.Path, args.LimitLines, whole)
	if !whole {
		return result, true, nil
	}
	consistent, err = reader.heldStill(ctx, before)
	return result, consistent, err
}

// readable gives the largest size that may be read: documents in the write directory may be larger than other files (M-50).
func (l Limits) readable(scope Scope, entry pathguard.Entry) int64 {
	if scope.WriteDirectory != "" && strings.HasPrefix(entry.Path, scope.WriteDirectory+"/") && strings.HasSuffix(entry.Path, ".md") {
		return max(l.ReadBytes, l.DocumentBytes)
	}
	return l.ReadBytes
}

// A fileReader reads the first size bytes of an open file: a file that grows meanwhile is read as it was.
type fileReader struct {
	file   *os.File
	size   int64
	digest hash.Hash
	cutter lineCutter
}

// errShort: the file ended before its size, so it was cut meanwhile.
var errShort = io.ErrUnexpectedEOF

// read takes the file in. whole is false when the time was over behind the page.
func (r *fileReader) read(ctx context.Context) (whole bool, err error) {
	err = r.each(ctx, func(piece []byte) error {
		r.digest.Write(piece)
		return r.cutter.write(piece)
	})
	if timedOut(err) && r.cutter.closed() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, r.cutter.finish()
}

// each calls take for every piece of the file.
func (r *fileReader) each(ctx context.Context, take func(piece []byte) error) error {
	memory := pieces.Get().(*[pieceBytes]byte)
	defer pieces.Put(memory)
	for at := int64(0); at < r.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.file.ReadAt(memory[:min(pieceBytes, r.size-at)], at)
		if n > 0 {
			at += int64(n)
			if err := take(memory[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF && at < r.size {
			return errShort
		}
		if err != nil && err != io.EOF {
			return unreadable(err)
		}
	}
	return nil
}

// heldStill reports whether what was read is what the file held at one moment: its stamps say so, or, where they cannot, a
// second reading finds the same bytes.
func (r *fileReader) heldStill(ctx context.Context, before stamp) (bool, error) {
	after, err := stampOf(r.file)
	if err != nil {
		return false, unreadable(err)
	}
	if after == before && time.Since(after.latest()) > settled {
		return true, nil
	}
	again := sha256.New()
	err = r.each(ctx, func(piece []byte) error { again.Write(piece); return nil })
	if err == errShort {
		return false, nil
	}
	return err == nil && string(again.Sum(nil)) == string(r.digest.Sum(nil)), err
}

func (r *fileReader) result(path string, limit int, whole bool) *ReadResult {
	result := &ReadResult{
		Path: path, Content: string(r.cutter.content[:r.cutter.open]), LineCount: r.cutter.shown, SizeBytes: r.size,
		LinePage: r.cutter.pageEnd(whole).LinePage(limit),
	}
	if whole {
		sum := hex.EncodeToString(r.digest.Sum(nil))
		result.SHA256 = &sum
	}
	return result
}

// unreadable is an error of the disk below an open file.
func unreadable(err error) error { return pathguard.Fault(pathguard.SourceUnavailable).Because(err) }
