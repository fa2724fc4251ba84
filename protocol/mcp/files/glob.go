package files

import (
	"context"
	"io/fs"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

// GlobArgs are the arguments of glob (M-51).
type GlobArgs struct {
	Pattern    string
	Offset     int
	MaxResults int
}

// GlobResult is the result of glob.
type GlobResult struct {
	Pattern string      `json:"pattern"`
	Matches []GlobMatch `json:"matches"`
	page.ResultPage
}

// GlobMatch is a regular file whose path matches.
type GlobMatch struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// countedEntries is how many entries a glob looks at for the total alone, once its page is full: a small tree is always
// counted, a large one answers soon.
const countedEntries = 1 << 16

var (
	globFixed      = page.BoundOnce(GlobResult{ResultPage: longestCut.ResultPage(1 << 40)}, 0)
	globMatchFixed = page.BoundOnce(GlobMatch{Size: 1 << 60}, 0)
)

// Glob finds the regular files whose paths match a pattern, bytewise by whole path (M-51). Links are not followed, as in
// Grep. Directories that the pattern cannot reach into are not read.
func Glob(ctx context.Context, scope Scope, args GlobArgs, limits Limits, progress Progress) (*GlobResult, error) {
	if err := OffsetRange.Check("offset", args.Offset); err != nil {
		return nil, err
	}
	if err := GlobRange.Check("max_results", args.MaxResults); err != nil {
		return nil, err
	}
	pattern, err := ParsePathPattern(args.Pattern)
	if err != nil {
		return nil, err
	}
	finder := globFinder{
		tree:     scope.Tree,
		follower: newFollower(pattern),
		result:   GlobResult{Pattern: args.Pattern, Matches: []GlobMatch{}},
		cut:      page.Cut{Offset: args.Offset, Reason: page.PageLimit},
		limit:    args.MaxResults,
		meter:    page.NewMeter(limits.ResultBytes, globFixed()+page.StringSize(args.Pattern)),
		progress: progress,
	}
	_, err = scope.Tree.Walk(ctx, ".", pathguard.Walk{Order: pathguard.PathOrder, NamesOnly: true}, finder.take)
	if timedOut(err) {
		finder.timeOut()
		err = nil
	}
	if err != nil {
		return nil, ended(ctx, err)
	}
	return finder.finish(), nil
}

// A globFinder collects a page of matches and counts the others.
type globFinder struct {
	tree      *pathguard.Tree
	follower  *follower
	result    GlobResult
	cut       page.Cut
	limit     int
	meter     page.Meter
	met       int // entries looked at
	matched   int
	full      bool // the page takes no more
	uncounted bool // the walk was stopped
	progress  Progress
}

func (f *globFinder) take(entry pathguard.Entry, _ int) error {
	f.met++
	f.progress.at(f.met)
	if f.full && f.met > countedEntries && f.matched > f.cut.Offset+len(f.result.Matches) {
		f.uncounted = true
		return fs.SkipAll
	}
	if entry.Symlink {
		return nil
	}
	if entry.Type == pathguard.Directory {
		if !f.follower.enter(entry.Path) {
			return fs.SkipDir
		}
		return nil
	}
	dir, name := splitPath(entry.Path)
	if entry.Type == pathguard.File && f.follower.enter(dir) && f.follower.match(name) {
		f.add(entry)
	}
	return nil
}

// add counts a match and puts it on the page when it belongs there. Only then is the file looked at; one that is gone by
// now, or is a regular file no more, is none.
func (f *globFinder) add(entry pathguard.Entry) {
	if f.full || f.matched < f.cut.Offset {
		f.matched++
		return
	}
	if len(f.result.Matches) == f.limit {
		f.full = true
		f.matched++
		return
	}
	entry, err := f.tree.Stat(entry)
	if err != nil || entry.Type != pathguard.File {
		return
	}
	f.matched++
	if !f.meter.Take(globMatchFixed() + page.StringSize(entry.Path)) {
		f.full, f.cut.Reason = true, page.ByteLimit
		return
	}
	f.result.Matches = append(f.result.Matches, GlobMatch{Path: entry.Path, Size: entry.Size})
}

// timeOut ends the walk where it is: what was found is whole up to there.
func (f *globFinder) timeOut() {
	f.uncounted = true
	if !f.full {
		f.cut.Reason = page.Timeout
	}
}

func (f *globFinder) finish() *GlobResult {
	f.cut.Shown, f.cut.Total = len(f.result.Matches), f.matched
	f.cut.More = f.cut.Offset+f.cut.Shown < f.matched
	if f.uncounted {
		f.cut.Total, f.cut.More = page.UncountedTotal, true
	}
	f.result.ResultPage = f.cut.ResultPage(f.limit)
	return &f.result
}
