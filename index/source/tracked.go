package source

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"unsafe"
)

// tracked is what an index holds, with the bytes that it was made of. It is never changed.
type tracked struct {
	paths    []string
	excluded map[Reason]int

	gitDir string
	format objectFormat
	files  []keptFile // none when the answer cannot be reused
}

// A keptFile is a file of Git's index as it was read.
type keptFile struct {
	path    string
	content string
	missing bool
}

// track reads the index of Git, or asks Git where that cannot be done plainly.
func (r *Root) track(ctx context.Context, where *layout) (*tracked, error) {
	if where.format != 0 {
		if index, ok := keepFile(where.root, where.gitDir+"/index"); ok {
			seen, err := readTracked(index, where, r.git.MaxOutput)
			if err == nil {
				return seen, nil
			}
			if errors.Is(err, errOutput) {
				return nil, fail(GitOutputTooLarge, err)
			}
		}
	}
	return r.askTracked(ctx, where)
}

// readTracked makes out what a plain index holds.
func readTracked(index keptFile, where *layout, limit int64) (*tracked, error) {
	const shortest = 64 // bytes of an entry, so that a lying header cannot cost more memory than the file
	seen := newCollector(len(index.content) / shortest)
	if !index.missing { // without an index nothing is tracked
		if err := parseIndex(index.content, where.format, limit, seen.add); err != nil {
			return nil, err
		}
	}
	return seen.tracked(where, []keptFile{index}), nil
}

// askTracked asks Git what is tracked. The answer may be reused if the files of the index are the same before and after.
func (r *Root) askTracked(ctx context.Context, where *layout) (*tracked, error) {
	files := where.indexFiles()
	listing, err := r.run(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	collected := newCollector(0)
	if err := parseListing(listing, collected.add); err != nil {
		return nil, fail(GitFailed, err)
	}
	seen := collected.tracked(where, files)
	if !seen.current(where) {
		seen.files = nil
	}
	return seen, nil
}

func (c *collector) tracked(where *layout, files []keptFile) *tracked {
	return &tracked{paths: c.paths, excluded: c.excluded, gitDir: where.gitDir, format: where.format, files: files}
}

// current reports whether the files that the answer came from still have the same bytes.
func (t *tracked) current(where *layout) bool {
	if len(t.files) == 0 || t.format == 0 || t.format != where.format || t.gitDir != where.gitDir {
		return false
	}
	for i := range t.files {
		if !t.files[i].same(where.root) {
			return false
		}
	}
	return true
}

// indexFiles keeps every file that Git reads for the index of the working tree; nil when that cannot be said.
func (l *layout) indexFiles() []keptFile {
	if l.format == 0 {
		return nil
	}
	index, ok := keepFile(l.root, l.gitDir+"/index")
	if !ok {
		return nil
	}
	files := []keptFile{index}
	for _, name := range sharedIndexes(index.content, l.format) {
		shared, ok := keepFile(l.root, l.gitDir+"/"+name)
		switch {
		case !ok:
			return nil
		case !shared.missing:
			files = append(files, shared)
		}
	}
	return files
}

// sharedIndexes gives the names of the files with the other half of a split index: whatever looks like the extension
// that names one.
func sharedIndexes(content string, format objectFormat) (names []string) {
	const signature = "link"
	for from := 0; ; {
		at := strings.Index(content[from:], signature)
		if at < 0 {
			return names
		}
		from += at + len(signature)
		if name := from + 4; name+int(format) <= len(content) { // behind the size
			names = append(names, "sharedindex."+hex.EncodeToString([]byte(content[name:name+int(format)])))
		}
	}
}

// keepFile reads a whole file of the index. ok is false when it is odd or over maxIndexBytes.
func keepFile(root int, path string) (keptFile, bool) {
	content, state := readGitFile(root, path, maxIndexBytes, true)
	if state == gitFileOdd {
		return keptFile{}, false
	}
	// The bytes have no other owner and never change, so that they need not be copied to become a string.
	kept := unsafe.String(unsafe.SliceData(content), len(content))
	return keptFile{path: path, content: kept, missing: state == gitFileMissing}, true
}

// blocks hands out the memory through which a file is compared, small enough to stay close to the processor.
var blocks = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// same compares the file with what was kept, without keeping it a second time.
func (f *keptFile) same(root int) bool {
	fd, stat, state := openPlainGitFile(root, f.path, true)
	if state != gitFileRead {
		return state == gitFileMissing && f.missing
	}
	defer closeDescriptor(fd)
	if f.missing || stat.Size != int64(len(f.content)) {
		return false
	}
	block := blocks.Get().(*[64 << 10]byte)
	defer blocks.Put(block)
	for rest := f.content; ; {
		n, err := readDescriptor(fd, block[:])
		if err != nil || n > len(rest) || string(block[:n]) != rest[:n] {
			return false
		}
		if n == 0 {
			return rest == ""
		}
		rest = rest[n:]
	}
}
