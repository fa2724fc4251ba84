package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

const (
	// aheadFiles is how many files may be searched ahead of the one that is taken up next.
	aheadFiles = 64
	// keptBytes bounds the text of the matches that are kept of one file ahead of time.
	keptBytes = 64 << 10
	// probeBytes is how much of a file is read to see whether it is binary before the rest is.
	probeBytes = 64 << 10
)

// keptMatches is how many matches of a file are kept for a page of the given size: one more tells that there are more.
func keptMatches(limit int) int { return limit + 1 }

// A matchedLine is a line that matches, as it is shown.
type matchedLine struct {
	number int // from 1
	text   string
	cut    bool
}

// A searchedFile is what came out of one file.
type searchedFile struct {
	entry   pathguard.Entry
	path    string
	skipped bool // no text, too large or unreadable
	size    int64
	matched int           // lines that match
	first   int           // number of the match that kept begins with, from 0
	kept    []matchedLine // some of the matches in a row
	err     error         // the search was stopped in this file, or the process is out of something
	done    chan struct{}
}

// A grepSearch reads and searches files.
type grepSearch struct {
	tree       *pathguard.Tree
	expression *expression
	limit      int64       // bytes of the largest file
	kept       int         // matches kept of a file
	countOnly  atomic.Bool // nothing is kept any more: the page is full
	progress   Progress
}

// run searches the target, calling take for every file in order until take wants no more. The error is that of the
// context when it ended before the last file was searched: take then had the files before that.
func (g *grepSearch) run(ctx context.Context, target pathguard.Entry, take func(context.Context, *searchedFile) (bool, error)) error {
	if target.Type == pathguard.File {
		file := newSearchedFile(target)
		g.search(ctx, file, new([]byte), 0)
		if file.err != nil {
			return file.err
		}
		_, err := take(ctx, file)
		return err
	}
	inner, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	work := make(chan *searchedFile, aheadFiles)
	ordered := make(chan *searchedFile, aheadFiles)
	var walkErr error
	running.Go(func() {
		defer close(ordered)
		defer close(work)
		walkErr = g.walk(inner, target.Path, work, ordered)
	})
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			var memory []byte
			for file := range work {
				g.search(inner, file, &memory, 0)
				close(file.done)
			}
		})
	}
	taken := 0
	for file := range ordered {
		<-file.done
		if file.err != nil {
			return outer(ctx, file.err)
		}
		more, err := take(ctx, file)
		if err != nil || !more {
			return err
		}
		taken++
		g.progress.at(taken)
	}
	return outer(ctx, walkErr)
}

// outer prefers the end of the call's own context to the error that it caused inside.
func outer(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func newSearchedFile(entry pathguard.Entry) *searchedFile {
	return &searchedFile{entry: entry, path: entry.Path, done: make(chan struct{})}
}

// walk hands out the regular files below a directory in order.
func (g *grepSearch) walk(ctx context.Context, dir string, work, ordered chan<- *searchedFile) error {
	_, err := g.tree.Walk(ctx, dir, pathguard.Walk{Order: pathguard.PathOrder, NamesOnly: true}, func(entry pathguard.Entry, _ int) error {
		if entry.Symlink || entry.Type != pathguard.File {
			return nil
		}
		file := newSearchedFile(entry)
		// A file that is waited for must be worked on for sure: it is queued for work first.
		for _, queue := range []chan<- *searchedFile{work, ordered} {
			select {
			case queue <- file:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return err
}

// rescan searches a file again and keeps its matches from the given one on.
func (g *grepSearch) rescan(ctx context.Context, file *searchedFile, from int) error {
	again := newSearchedFile(file.entry)
	g.search(ctx, again, new([]byte), from)
	file.first, file.kept = from, again.kept
	return again.err
}

// search reads one file into memory that is used again and searches it, keeping matches from number from on.
func (g *grepSearch) search(ctx context.Context, file *searchedFile, memory *[]byte, from int) {
	if file.err = ctx.Err(); file.err != nil {
		return
	}
	text, err := g.read(file.entry, memory)
	if err != nil {
		file.skipped = true
		if pathguard.CodeOf(err) == pathguard.InternalError {
			file.err = err
		}
		return
	}
	file.size = int64(len(text))
	file.first = from
	file.err = g.collect(ctx, file, bytes.TrimPrefix(text, byteOrderMark))
}

// collect counts the matches of a text and keeps some.
func (g *grepSearch) collect(ctx context.Context, file *searchedFile, text []byte) error {
	lines := newLineSearch(g.expression, text, func() bool { return ctx.Err() != nil })
	number, counted, bytesKept := 1, 0, 0
	for {
		start, end, ok := lines.line()
		if !ok {
			break
		}
		if file.matched >= file.first && len(file.kept) < g.kept && bytesKept < keptBytes && !g.countOnly.Load() {
			number += bytes.Count(text[counted:start], newline)
			counted = start
			one := matchedLine{number: number}
			one.text, one.cut = shown(text[start:end])
			file.kept = append(file.kept, one)
			bytesKept += len(one.text)
		}
		file.matched++
	}
	if lines.stopped {
		return ctx.Err()
	}
	return nil
}

var newline = []byte{'\n'}

// errNotSearched: the file is binary or larger than the limit.
var errNotSearched = errors.New("not searched")

// read gives the text of a file; errors other than internal_error mean that it is skipped.
func (g *grepSearch) read(entry pathguard.Entry, memory *[]byte) ([]byte, error) {
	file, entry, err := g.tree.OpenEntry(entry)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if entry.Size > g.limit {
		return nil, pathguard.Fault(pathguard.FileTooLarge)
	}
	// One byte more than the size shows with the same reading that the file has ended.
	if need := int(entry.Size) + 1; cap(*memory) < need {
		*memory = make([]byte, max(need, min(2*cap(*memory), int(g.limit)+1), probeBytes))
	}
	text, err := readText(file, (*memory)[:cap(*memory)], int(entry.Size))
	if err != nil {
		return nil, pathguard.Fault(pathguard.NotText).Because(err)
	}
	return text, nil
}

// readText reads a file of about size bytes into memory of more, and judges it as early as its beginning allows.
func readText(file *os.File, memory []byte, size int) ([]byte, error) {
	have, judged := 0, 0
	for {
		want := len(memory)
		if have == 0 && size > probeBytes {
			want = probeBytes
		}
		if have == len(memory) {
			return nil, errNotSearched // it has grown: not the file that was met
		}
		asked := want - have
		n, err := file.Read(memory[have:want])
		have += n
		if bytes.IndexByte(memory[judged:have], 0) >= 0 {
			return nil, errNotSearched
		}
		judged = have
		ended := errors.Is(err, io.EOF) || err == nil && n < asked && have >= size
		switch {
		case ended:
			if !utf8.Valid(memory[:have]) {
				return nil, errNotSearched
			}
			return memory[:have], nil
		case err != nil:
			return nil, err
		}
	}
}
