package pathguard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
)

// An Order is how Walk sorts.
type Order int

const (
	PathOrder Order = iota // bytewise by whole path: a, a.txt, a/b (M-42)
	TreeOrder              // depth first, siblings bytewise by name: a, a/b, a.txt (M-48)
)

// A Walk says how a directory is walked.
type Walk struct {
	Order    Order
	MaxDepth int // the children of the directory have depth 1; 0 = no limit
	Workers  int // directories read at once; 0 = as many as Go uses processors

	// NamesOnly leaves Size and Modified of the entries zero, which saves a look at each; Stat gets them for those that matter.
	NamesOnly bool
}

// A WalkReport tells how much was read and what could not be.
type WalkReport struct {
	Directories int // read
	Unreadable  int // not permitted to be read
}

// Walk calls each for every visible entry below a directory, in the order asked for and from the calling goroutine, while
// other goroutines read directories ahead. Linked directories are entries and are not descended into (M-35). each ends the
// walk with fs.SkipAll or an error of its own, and leaves a directory out by answering its entry with fs.SkipDir. It may
// keep the entries. Errors: those of Resolve, of the context and of each.
//
// Memory: the directories on the way to the present entry, one for every worker, and maxAhead entries. A cancelled walk
// ends as soon as every worker has judged its next few hundred names.
func (t *Tree) Walk(ctx context.Context, path string, how Walk, each func(entry Entry, depth int) error) (WalkReport, error) {
	dir, err := t.Resolve(path, ForDirectory)
	if err != nil {
		return WalkReport{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &walker{tree: t, ctx: ctx, how: how, each: each, queue: newWalkQueue(how.Order)}
	top := newWalkNode(dir, 1)
	var workers sync.WaitGroup
	for range how.workers() {
		workers.Go(w.readAhead)
	}
	defer func() { // also when each panics: nothing may go on reading a tree that its owner closes
		cancel()
		w.queue.close()
		workers.Wait()
	}()
	err = w.show(top)
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return w.report, err
}

func (how Walk) workers() int {
	if how.Workers > 0 {
		return how.Workers
	}
	return runtime.GOMAXPROCS(0)
}

type walker struct {
	tree   *Tree
	ctx    context.Context
	how    Walk
	each   func(Entry, int) error
	queue  *walkQueue
	report WalkReport // written by the goroutine of show alone
}

// readAhead reads directories that will be shown later, those first that are shown first.
func (w *walker) readAhead() {
	for node := w.queue.take(); node != nil; node = w.queue.take() {
		w.read(node)
	}
}

// read lists a claimed directory and offers the directories in it. A panic ends this walk and nothing else (M-16).
func (w *walker) read(node *walkNode) {
	defer w.queue.finished(node)
	defer func() {
		if cause := recover(); cause != nil {
			node.err = Fault(InternalError).Because(fmt.Errorf("panic while reading a directory: %v", cause))
		}
	}()
	list, err := w.tree.openListing(w.ctx, node.path, node.resolved)
	if err == nil {
		node.entries, err = list.page(w.ctx, 0, All, w.how.NamesOnly)
		list.close()
	}
	node.err = err
	if w.how.MaxDepth == 0 || node.depth < w.how.MaxDepth {
		for _, entry := range node.entries {
			if entry.Type == Directory && !entry.Symlink {
				node.children = append(node.children, newWalkNode(entry, node.depth+1))
			}
		}
	}
}

// show gives the entries below a directory to each, in order.
func (w *walker) show(node *walkNode) error {
	if w.queue.claim(node) {
		w.read(node)
	} else {
		<-node.done
	}
	entries, children := w.queue.consume(node)
	if err := w.account(node.err); err != nil {
		return err
	}
	return w.showEntries(node.depth, entries, children)
}

// showEntries gives the entries of one directory to each, and the content of its directories where the order wants it.
func (w *walker) showEntries(depth int, entries []Entry, children []*walkNode) error {
	var pending []*walkNode // directories whose content is still to be shown; the last one comes first
	showLast := func() error {
		last := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		return w.show(last)
	}
	for _, entry := range entries {
		for len(pending) > 0 && w.how.Order.contentBefore(pending[len(pending)-1].path, entry.Path) {
			if err := showLast(); err != nil {
				return err
			}
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		err := w.each(entry, depth)
		if err != nil && !errors.Is(err, fs.SkipDir) {
			return err
		}
		if len(children) == 0 || children[0].path != entry.Path {
			continue
		}
		if err == nil {
			pending = append(pending, children[0])
		} else {
			w.queue.drop(children[0])
		}
		children = children[1:]
	}
	for len(pending) > 0 {
		if err := showLast(); err != nil {
			return err
		}
	}
	return nil
}

// account counts a directory that was to be read. One that has vanished or was replaced since is as good as empty.
func (w *walker) account(err error) error {
	if ended := w.ctx.Err(); ended != nil {
		return ended
	}
	switch CodeOf(err) {
	case "":
		w.report.Directories++
		return nil
	case PermissionDenied:
		w.report.Unreadable++
		return nil
	case InternalError:
		return err
	}
	return nil
}

// contentBefore reports whether the content of a directory comes before an entry that stands behind the directory's own.
func (o Order) contentBefore(dir, path string) bool {
	return o == TreeOrder || o.compare(dir, path) < 0
}

// compare orders two directories, or a directory and a path of which it is no part, by where their content is shown.
func (o Order) compare(a, b string) int {
	for i := 0; i < len(a) || i < len(b); i++ {
		if x, y := o.rank(a, i), o.rank(b, i); x != y {
			return x - y
		}
	}
	return 0
}

// rank gives the weight of a byte of a path, and of its end. By whole path the content of a directory begins with its
// name and a slash; depth first it comes before everything else.
func (o Order) rank(path string, i int) int {
	switch {
	case i == len(path) && o == PathOrder:
		return '/'
	case i >= len(path):
		return -2
	case path[i] == '/' && o == TreeOrder:
		return -1
	}
	return int(path[i])
}
