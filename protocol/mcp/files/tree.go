package files

import (
	"context"
	"io/fs"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// TreeArgs are the arguments of tree (M-48).
type TreeArgs struct {
	Path       string
	MaxDepth   int // the children of Path have depth 1
	MaxEntries int
}

// TreeResult is the result of tree.
type TreeResult struct {
	Path             string       `json:"path"`
	Entries          []TreeEntry  `json:"entries"`
	EntryCount       int          `json:"entry_count"`
	MaxDepth         int          `json:"max_depth"`
	Complete         bool         `json:"complete"`
	Truncated        bool         `json:"truncated"`
	Coverage         Coverage     `json:"coverage"`
	TruncationReason *page.Reason `json:"truncation_reason"`
}

// TreeEntry is one entry of a tree.
type TreeEntry struct {
	Path  string         `json:"path"`
	Name  string         `json:"name"`
	Type  pathguard.Type `json:"type"`
	Depth int            `json:"depth"`
	Size  *int64         `json:"size"` // of a file
}

// A Coverage says how much of the subtree a tree shows (M-48).
type Coverage string

// The coverages of M-48.
const (
	FullSubtree    Coverage = "full_subtree"
	RequestedDepth Coverage = "requested_depth" // there is more below the depth that was asked for
	Partial        Coverage = "partial"
)

var (
	treeFixed      = page.BoundOnce(TreeResult{EntryCount: 1 << 20, MaxDepth: 99, Coverage: RequestedDepth, TruncationReason: new(page.EntryLimit)}, 0)
	treeEntryFixed = page.BoundOnce(TreeEntry{Type: pathguard.Directory, Depth: 99, Size: new(int64(1 << 60))}, 0)
)

// Tree lists a subtree, depth first, siblings bytewise by name, down to a depth and up to a number of entries (M-48).
func Tree(ctx context.Context, scope Scope, args TreeArgs, limits Limits, progress Progress) (*TreeResult, error) {
	if err := DepthRange.Check("max_depth", args.MaxDepth); err != nil {
		return nil, err
	}
	if err := EntriesRange.Check("max_entries", args.MaxEntries); err != nil {
		return nil, err
	}
	dir, err := scope.Tree.Resolve(args.Path, pathguard.ForDirectory)
	if err != nil {
		return nil, err
	}
	grower := treeGrower{
		result:   TreeResult{Path: dir.Path, Entries: []TreeEntry{}, MaxDepth: args.MaxDepth},
		most:     args.MaxEntries,
		meter:    page.NewMeter(limits.ResultBytes, treeFixed()+page.StringSize(dir.Path)),
		progress: progress,
	}
	// One level more than asked for is walked, to know whether there is any.
	how := pathguard.Walk{Order: pathguard.TreeOrder, MaxDepth: args.MaxDepth + 1}
	_, err = scope.Tree.Walk(ctx, dir.Path, how, grower.take)
	if timedOut(err) {
		grower.stop, err = page.Timeout, nil
	}
	if err != nil {
		return nil, ended(ctx, err)
	}
	return grower.finish(), nil
}

// A treeGrower collects the entries of a tree.
type treeGrower struct {
	result   TreeResult
	most     int
	met      int
	meter    page.Meter
	deeper   bool
	stop     page.Reason
	progress Progress
}

func (g *treeGrower) take(entry pathguard.Entry, depth int) error {
	g.met++
	g.progress.at(g.met)
	if depth > g.result.MaxDepth {
		g.deeper = true
		return nil
	}
	if len(g.result.Entries) == g.most {
		g.stop = page.EntryLimit
		return fs.SkipAll
	}
	name := entry.Name()
	if !g.meter.Take(treeEntryFixed() + page.StringSize(entry.Path) + page.StringSize(name)) {
		g.stop = page.ByteLimit
		return fs.SkipAll
	}
	g.result.Entries = append(g.result.Entries, TreeEntry{
		Path: entry.Path, Name: name, Type: entry.Type, Depth: depth, Size: fileSize(entry),
	})
	if entry.Type == pathguard.Directory && depth == g.result.MaxDepth && g.deeper {
		return fs.SkipDir
	}
	return nil
}

// finish applies M-48: a tree cut at the depth that was asked for is complete.
func (g *treeGrower) finish() *TreeResult {
	r := &g.result
	r.EntryCount = len(r.Entries)
	reason := g.stop
	switch {
	case g.stop != "":
		r.Coverage, r.Truncated = Partial, true
	case g.deeper:
		r.Coverage, reason = RequestedDepth, page.DepthLimit
	default:
		r.Coverage = FullSubtree
	}
	r.Complete = !r.Truncated
	if reason != "" {
		r.TruncationReason = &reason
	}
	return r
}

// fileSize is the size that an entry shows: a directory has none.
func fileSize(entry pathguard.Entry) *int64 {
	if entry.Type != pathguard.File {
		return nil
	}
	return new(entry.Size)
}
