package registry

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A reserved is a root that no other may touch (M-23).
type reserved struct {
	grant bool
	id    string
	path  string // canonical
}

func (r reserved) String() string {
	if r.grant {
		return fmt.Sprintf("grant %s", r.id)
	}
	return fmt.Sprintf("project %s", r.id)
}

// A clash is two reserved roots of which one contains the other.
type clash struct{ a, b reserved }

// clashes gives the overlaps among the records that reserve at a moment; at least one of them for every root that
// overlaps with any. Time: n log n.
func clashes(projects []Project, grants []Grant, now time.Time, canonical func(root string) string) []clash {
	roots := make([]reserved, 0, len(projects)+len(grants))
	for _, p := range projects {
		roots = append(roots, reserved{id: p.ID, path: canonical(p.Root)})
	}
	for _, g := range grants {
		if g.reserves(now) {
			roots = append(roots, reserved{grant: true, id: g.ID, path: canonical(g.Root)})
		}
	}
	slices.SortStableFunc(roots, func(a, b reserved) int { return compareByComponent(a.path, b.path) })
	var found []clash
	var above []reserved // every root that contains the present one, outermost first
	for _, root := range roots {
		for len(above) > 0 && !pathguard.Contains(above[len(above)-1].path, root.path) {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			found = append(found, clash{a: above[len(above)-1], b: root})
		}
		above = append(above, root)
	}
	return found
}

// compareByComponent sorts a directory directly before everything below it: a slash weighs less than any other byte.
func compareByComponent(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		switch {
		case x == y:
		case x == '/':
			return -1
		case y == '/':
			return 1
		default:
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// canonical gives a root without links, as it was when its file was read.
func (r *Registry) canonical(root string) string {
	for _, roots := range [...]rootReader{r.projects.roots, r.grants.roots} {
		if known, ok := roots.canonical[root]; ok {
			return known
		}
	}
	return pathguard.Canonical(root)
}

// clashProblem tells of a clash from the side of its first root.
func (r *Registry) clashProblem(c clash) *Problem {
	file, line := r.projects.path, r.projects.roots.lines[c.a.id]
	if c.a.grant {
		file, line = r.grants.path, r.grants.roots.lines[c.a.id]
	}
	return &Problem{
		Kind: Overlap, File: file, Line: line,
		Reason: fmt.Sprintf("the root of %s overlaps that of %s", c.a, c.b),
	}
}
