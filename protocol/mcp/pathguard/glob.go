package pathguard

import "strings"

// A glob is a compiled wildcard pattern. Matching takes at most the product of both lengths and no memory.
type glob struct {
	never  bool // malformed: fits nothing, as with Git
	tokens []token
}

type tokenKind uint8

const (
	literal     tokenKind = iota // this byte
	anyByte                      // "?": any byte but a slash
	byteSet                      // "[…]": a byte of the set, never a slash
	star                         // "*": any bytes but slashes
	directories                  // "**/": nothing, or anything up to and with a slash
	anything                     // "**" at a boundary: any bytes
)

type token struct {
	kind tokenKind
	byte byte
	set  *[4]uint64
}

// compileGlob reads a pattern.
func compileGlob(pattern string) glob {
	c := globCompiler{rest: pattern}
	for c.rest != "" && !c.bad {
		c.next()
	}
	return glob{never: c.bad, tokens: c.tokens}
}

type globCompiler struct {
	rest   string
	tokens []token
	bad    bool
	inside bool // something other than a slash stands before rest
}

func (c *globCompiler) next() {
	switch c.rest[0] {
	case '*':
		c.stars()
		return
	case '?':
		c.emit(token{kind: anyByte}, 1)
	case '[':
		c.set()
	case '\\':
		if c.rest = c.rest[1:]; c.rest == "" {
			c.bad = true
			return
		}
		fallthrough
	default:
		first := c.rest[0]
		c.emit(token{kind: literal, byte: first}, 1)
		c.inside = first != '/'
		return
	}
	c.inside = true
}

func (c *globCompiler) emit(t token, length int) {
	c.tokens = append(c.tokens, t)
	c.rest = c.rest[length:]
}

// stars reads a run of stars. Two or more that fill a whole component cross slashes.
func (c *globCompiler) stars() {
	run := len(c.rest) - len(strings.TrimLeft(c.rest, "*"))
	after := c.rest[run:]
	switch {
	case run == 1 || c.inside:
		c.emit(token{kind: star}, run)
	case strings.HasPrefix(after, "/"):
		c.emit(token{kind: directories}, run+1)
		return
	case after == "" || strings.HasPrefix(after, `\/`):
		c.emit(token{kind: anything}, run)
	default:
		c.emit(token{kind: star}, run)
	}
	c.inside = true
}
