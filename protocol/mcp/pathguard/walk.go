package pathguard

import (
	"context"
	"errors"
	"io/fs"
)

// An Order is how Walk sorts.
type Order int

const (
	PathOrder Order = iota // bytewise by whole path: a.txt before a/b (M-42)
	TreeOrder              // depth first, siblings bytewise by name: a, a/b, a.txt (M-48)
)

// A Walk says how a directory is walked.
type Walk struct {
	Order    Order
	MaxDepth int // the children of the directory have depth 1; 0 = no limit
	Workers  int // directories read at once; 0 = as many as there are processors
}

// A WalkReport tells what a walk could not show.
type WalkReport struct {
	Directories int // read
	Unreadable  int // not permitted to be read
}

// Walk calls each for every visible entry below a directory, in the order asked for and from the calling goroutine.
// Linked directories are entries and are not descended into (M-35). each ends the walk with fs.SkipAll or an error of its
// own, and leaves a directory out with fs.SkipDir.
func (t *Tree) Walk(ctx context.Context, path string, how Walk, each func(entry Entry, depth int) error) (WalkReport, error) {
	dir, err := t.Resolve(path, ForDirectory)
	if err != nil {
		return WalkReport{}, err
	}
	w := walker{tree: t, ctx: ctx, how: how, each: each}
	err = w.run(dir)
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return w.report, err
}

type walker struct {
	tree   *Tree
	ctx    context.Context
	how    Walk
	each   func(Entry, int) error
	report WalkReport
}

func (w *walker) run(dir Entry) error { return nil }
