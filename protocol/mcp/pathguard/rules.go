package pathguard

import "strings"

// Rules is a compiled list of ignore patterns (M-39). Immutable and safe for concurrent use; the zero value ignores nothing.
//
// Most patterns of real lists are a plain name or "*.extension". They stand in tables, so that a name costs two look-ups
// however long the list is; only what needs more is tried one by one. Numbers of patterns are their places in the list.
type Rules struct {
	patterns   []pattern
	names      map[string][]int // plain names, each with its patterns in descending order
	extensions map[string][]int // ".extension" of "*.extension", the same
	others     []int            // descending
}

// index fills the tables.
func (r *Rules) index() {
	r.names, r.extensions = make(map[string][]int), make(map[string][]int)
	for i := len(r.patterns) - 1; i >= 0; i-- {
		p := &r.patterns[i]
		name, plain := p.glob.plainFrom(0)
		extension, dotted := p.glob.extension()
		switch {
		case p.glob.never:
		case !p.whole && plain:
			r.names[name] = append(r.names[name], i)
		case !p.whole && dotted:
			r.extensions[extension] = append(r.extensions[extension], i)
		default:
			r.others = append(r.others, i)
		}
	}
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
	name := base(path)
	last := r.lastOf(r.names[name], dir)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		last = max(last, r.lastOf(r.extensions[name[dot:]], dir))
	}
	for _, i := range r.others {
		if i < last {
			break
		}
		if p := &r.patterns[i]; p.matches(path, dir) {
			last = i
			break
		}
	}
	return last >= 0 && !r.patterns[last].lifts
}

// lastOf gives the last of some fitting patterns that holds for such an entry, -1 when none does.
func (r *Rules) lastOf(fitting []int, dir bool) int {
	for _, i := range fitting {
		if dir || !r.patterns[i].directory {
			return i
		}
	}
	return -1
}

// plainFrom gives the text that the tokens from one on stand for, when they have no wildcard.
func (g *glob) plainFrom(first int) (string, bool) {
	text := make([]byte, 0, len(g.tokens))
	for _, t := range g.tokens[first:] {
		if t.kind != literal {
			return "", false
		}
		text = append(text, t.byte)
	}
	return string(text), true
}

// extension gives ".x" when the glob is "*.x" and x has neither a wildcard nor a dot.
func (g *glob) extension() (string, bool) {
	if len(g.tokens) < 2 || g.tokens[0].kind != star {
		return "", false
	}
	text, plain := g.plainFrom(1)
	return text, plain && strings.LastIndexByte(text, '.') == 0
}
