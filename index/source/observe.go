package source

import (
	"context"
	"slices"
	"strings"
)

// An Observation is what Git tracked at one moment. It is shared between calls: do not change it.
type Observation struct {
	Paths    []string       // eligible paths (P-30), ascending bytewise
	Excluded map[Reason]int // entries that are no sources, by reason (P-62b)
	Revision string         // the commit of HEAD in hexadecimal digits; "" before the first commit
}

// Eligible reports whether a path is one of Paths. Time: logarithmic.
func (o *Observation) Eligible(path string) bool {
	_, found := slices.BinarySearch(o.Paths, path)
	return found
}

// collector sorts entries, given in the order of the index, into eligible paths and reasons.
type collector struct {
	paths    []string
	excluded map[Reason]int

	conflict  string // the conflicted path counted last
	conflicts bool

	directory     string // the directory judged last
	directoryRank rank
}

func newCollector(entries int) *collector {
	return &collector{paths: make([]string, 0, entries), excluded: map[Reason]int{}, directoryRank: rankDirectory("")}
}

func (c *collector) add(e entry) {
	reason := e.kind()
	if reason == Conflicted {
		if c.conflicts && c.conflict == e.path {
			return // one conflicted path counts once, however many stages it has
		}
		c.conflict, c.conflicts = e.path, true
	}
	if reason == "" || reason == UnsupportedFormat {
		if byPath := c.classify(e.path); byPath != "" || reason == "" {
			reason = byPath
		}
	}
	if reason == "" {
		c.paths = append(c.paths, e.path)
	} else {
		c.excluded[reason]++
	}
}

// classify is ClassifyPath for paths in order: what was found out about a directory is kept for the next path.
func (c *collector) classify(path string) Reason {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return ClassifyPath(path)
	}
	if directory := path[:slash]; directory != c.directory {
		c.directory, c.directoryRank = directory, rankDirectory(directory)
	}
	return rankReasons[min(c.directoryRank, rankName(path[slash+1:]), rankLength(path))]
}

// Observe tells what Git tracks now (P-30) and where HEAD is. The tracked entries are read from Git's index where it is
// plain, or asked of Git; an earlier answer is reused while the bytes it came from are the same. Call Check before it.
// Errors: a *Failure of Git, root_changed, or that of ctx. Time: linear in the index; unchanged, one comparison of its bytes.
func (r *Root) Observe(ctx context.Context) (*Observation, error) {
	layout := r.layout.Load()
	seen := r.tracked.Load()
	if seen == nil || !seen.current(layout) {
		var err error
		if seen, err = r.track(ctx, layout); err != nil {
			return nil, err
		}
		r.tracked.Store(seen)
	}
	revision, err := r.Revision(ctx)
	if err != nil {
		return nil, err
	}
	return &Observation{Paths: seen.paths, Excluded: seen.excluded, Revision: revision}, nil
}
