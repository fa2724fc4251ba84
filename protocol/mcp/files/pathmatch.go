package files

import (
	"strings"
	"unicode/utf8"
)

// positions is a set of positions in a plain pattern: how many of its components may be behind us.
type positions [(maxComponents + 64) / 64]uint64

func (p *positions) add(i int)      { p[i/64] |= 1 << (i % 64) }
func (p *positions) remove(i int)   { p[i/64] &^= 1 << (i % 64) }
func (p *positions) has(i int) bool { return p[i/64]&(1<<(i%64)) != 0 }

func (p *positions) empty() bool {
	for _, word := range p {
		if word != 0 {
			return false
		}
	}
	return true
}

// start gives where matching begins: in front of the first component, and behind it where it can stand for nothing.
func (g plainGlob) start() positions {
	var at positions
	g.enter(&at, 0)
	return at
}

func (g plainGlob) enter(at *positions, i int) {
	at.add(i)
	if i < len(g) && g[i].anyDepth {
		at.add(i + 1) // no two in a row: parsePlain joins them
	}
}

// step gives the positions that are reached from at with one more component of a path.
func (g plainGlob) step(at *positions, name string) positions {
	var next positions
	for i := range g {
		if !at.has(i) {
			continue
		}
		switch c := &g[i]; {
		case c.anyDepth:
			if name[0] != '.' {
				g.enter(&next, i)
			}
		case c.match(name):
			g.enter(&next, i+1)
		}
	}
	return next
}

// match reports whether the component matches a name. A star is tried as short as possible and lengthened one character
// at a time; only the last star needs that, so that the time is at most the product of both lengths.
func (c *component) match(name string) bool {
	if len(c.tokens) == 0 {
		return name == c.exact
	}
	if name[0] == '.' && !c.explicitDot() {
		return false
	}
	token, at := 0, 0
	star, retry := -1, 0
	for at < len(name) {
		r, width := utf8.DecodeRuneInString(name[at:])
		switch {
		case token < len(c.tokens) && c.tokens[token].kind == anyText:
			star, retry = token, at
			token++
		case token < len(c.tokens) && c.tokens[token].matches(r):
			token++
			at += width
		case star >= 0:
			_, skipped := utf8.DecodeRuneInString(name[retry:])
			retry += skipped
			token, at = star+1, retry
		default:
			return false
		}
	}
	for token < len(c.tokens) && c.tokens[token].kind == anyText {
		token++
	}
	return token == len(c.tokens)
}

func (c *component) explicitDot() bool { return c.tokens[0].kind == oneRune && c.tokens[0].char == '.' }

func (t *token) matches(r rune) bool {
	switch t.kind {
	case oneRune:
		return r == t.char
	case anyRune:
		return true
	case classRune:
		for _, span := range t.ranges {
			if span.low <= r && r <= span.high {
				return !t.negated
			}
		}
		return t.negated
	}
	return false
}

// Match reports whether the glob matches a path in normal form.
func (g *PathPattern) Match(path string) bool {
	f := newFollower(g)
	dir, name := splitPath(path)
	return f.enter(dir) && f.match(name)
}

// A follower matches many paths against one glob and remembers how far the directory of the last one led. It is not safe
// for concurrent use.
type follower struct {
	glob *PathPattern
	dir  string // "." for the root
	at   []positions
	held []positions // memory of the next at
}

func newFollower(g *PathPattern) *follower {
	f := &follower{glob: g, at: make([]positions, len(g.alternatives)), held: make([]positions, len(g.alternatives))}
	f.restart()
	return f
}

func (f *follower) restart() {
	f.dir = "."
	for i, plain := range f.glob.alternatives {
		f.at[i] = plain.start()
	}
}

// enter follows the path of a directory in normal form and reports whether anything below it can match. A directory below
// the last one costs only its own components.
func (f *follower) enter(dir string) bool {
	if dir == f.dir {
		return f.alive()
	}
	rest, below := strings.CutPrefix(dir, f.dir+"/")
	if !below {
		f.restart()
		if rest = dir; dir == "." {
			rest = ""
		}
	}
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		for i, plain := range f.glob.alternatives {
			f.held[i] = plain.step(&f.at[i], name)
			f.held[i].remove(len(plain)) // the directory itself is no file
		}
		f.at, f.held = f.held, f.at
	}
	f.dir = dir
	return f.alive()
}

func (f *follower) alive() bool {
	for i := range f.at {
		if !f.at[i].empty() {
			return true
		}
	}
	return false
}

// match reports whether the glob matches the file of that name in the directory that was entered last.
func (f *follower) match(name string) bool {
	for i, plain := range f.glob.alternatives {
		if next := plain.step(&f.at[i], name); next.has(len(plain)) {
			return true
		}
	}
	return false
}

// splitPath cuts a path in normal form into its directory and its name.
func splitPath(path string) (dir, name string) {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash], path[slash+1:]
	}
	return ".", path
}
