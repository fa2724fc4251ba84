package pathguard

import "strings"

// Rules is a compiled list of ignore patterns (M-39). Immutable and safe for concurrent use; the zero value ignores nothing.
type Rules struct {
	patterns []pattern
	names    map[string]int // whole names without wildcards -> 1 + the last pattern that has it; -1 never
	suffixes map[string]int // ".ext" of "*.ext" -> the same
	others   []int          // patterns in neither table, ascending
}

// Ignored reports whether a path in normal form is ignored, by itself or because a directory above it is. dir tells
// whether the path itself is a directory's.
func (r *Rules) Ignored(path string, dir bool) bool {
	if path == "." {
		return false
	}
	for at := 0; ; {
		slash := strings.IndexByte(path[at:], '/')
		if slash < 0 {
			return r.ignoredLeaf(path, dir)
		}
		at += slash
		if r.ignoredLeaf(path[:at], true) {
			return true
		}
		at++
	}
}

// ignoredLeaf judges a path none of whose directories is ignored: the last pattern that fits decides.
func (r *Rules) ignoredLeaf(path string, dir bool) bool {
	for i := len(r.patterns) - 1; i >= 0; i-- {
		if p := &r.patterns[i]; p.matches(path, dir) {
			return !p.lifts
		}
	}
	return false
}

// index puts the patterns that need no wildcard matching into tables.
func (r *Rules) index() {}
