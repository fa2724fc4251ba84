package files

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

// Bounds of a glob pattern (M-51).
const (
	MinGlobChars = 1
	MaxGlobChars = 512

	maxAlternatives = 256 // plain patterns that the braces of one pattern may stand for
	maxComponents   = MaxGlobChars/2 + 1
)

// A PathPattern is a compiled path pattern (M-51). It matches a whole path: `*` any characters but the slash, `?` one of them,
// `[..]` one out of a class, `{a,b}` either text, and `**` as a whole component any number of components, none included.
// A name that begins with a dot is matched only where the pattern has that dot.
//
// Braces are expanded before anything else, to a bounded number of plain patterns. Each of these is a list of components,
// and a path is matched by following, component by component, which positions of that list are reachable; no pattern makes
// that take more than the product of both lengths. A PathPattern is safe for concurrent use.
type PathPattern struct {
	alternatives []plainGlob
}

// A plainGlob is a pattern without braces.
type plainGlob []component

// A component is one part of a plain pattern between slashes.
type component struct {
	anyDepth bool    // `**`: any number of components
	exact    string  // the only name that it matches, when tokens is empty
	tokens   []token // otherwise
}

type tokenKind uint8

const (
	oneRune   tokenKind = iota // exactly the rune
	anyRune                    // `?`
	anyText                    // `*`
	classRune                  // `[..]`
)

type token struct {
	kind    tokenKind
	char    rune
	ranges  []runeRange
	negated bool
}

type runeRange struct{ low, high rune }

// ParsePathPattern compiles a pattern. Errors: invalid_pattern, and invalid_arguments when it is too long.
func ParsePathPattern(pattern string) (*PathPattern, error) {
	if pattern == "" || utf8.RuneCountInString(pattern) > MaxGlobChars {
		return nil, pathguard.Errorf(pathguard.InvalidArguments, "A glob pattern has %d to %d characters.", MinGlobChars, MaxGlobChars)
	}
	if err := validGlob(pattern); err != nil {
		return nil, err
	}
	texts, err := expandBraces(pattern)
	if err != nil {
		return nil, err
	}
	g := &PathPattern{alternatives: make([]plainGlob, 0, len(texts))}
	for _, text := range texts {
		plain, err := parsePlain(text)
		if err != nil {
			return nil, err
		}
		g.alternatives = append(g.alternatives, plain)
	}
	return g, nil
}

func invalidGlob(why string) error {
	return pathguard.Errorf(pathguard.InvalidPattern, "The pattern is not valid: %s", why)
}

func validGlob(pattern string) error {
	if !utf8.ValidString(pattern) || strings.ContainsFunc(pattern, unicode.IsControl) {
		return invalidGlob("it has control characters or is not UTF-8.")
	}
	if strings.ContainsRune(pattern, '\\') {
		return invalidGlob("separate names with '/', and write [*] for a character that is special otherwise.")
	}
	return nil
}

// parsePlain compiles a pattern without braces.
func parsePlain(text string) (plainGlob, error) {
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") {
		return nil, invalidGlob("it must be relative to the root.")
	}
	if strings.HasSuffix(text, "/") {
		return nil, invalidGlob("it must end in a file name; write ** for everything below a directory.")
	}
	plain := make(plainGlob, 0, strings.Count(text, "/")+1)
	for part := range strings.SplitSeq(text, "/") {
		switch part {
		case "", ".":
		case "..":
			return nil, invalidGlob("'..' is not allowed.")
		case "**":
			if len(plain) == 0 || !plain[len(plain)-1].anyDepth {
				plain = append(plain, component{anyDepth: true})
			}
		default:
			c, err := parseComponent(part)
			if err != nil {
				return nil, err
			}
			plain = append(plain, c)
		}
	}
	if len(plain) > 0 && plain[len(plain)-1].anyDepth {
		plain = append(plain, component{tokens: []token{{kind: anyText}}})
	}
	return plain, nil
}

func parseComponent(part string) (component, error) {
	if !strings.ContainsAny(part, "*?[") {
		return component{exact: part}, nil
	}
	var tokens []token
	for i := 0; i < len(part); {
		r, width := utf8.DecodeRuneInString(part[i:])
		switch r {
		case '*':
			if len(tokens) == 0 || tokens[len(tokens)-1].kind != anyText {
				tokens = append(tokens, token{kind: anyText})
			}
		case '?':
			tokens = append(tokens, token{kind: anyRune})
		case '[':
			class, after, err := parseClass(part[i:])
			if err != nil {
				return component{}, err
			}
			tokens = append(tokens, class)
			width = after
		default:
			tokens = append(tokens, token{kind: oneRune, char: r})
		}
		i += width
	}
	return component{tokens: tokens}, nil
}

// parseClass reads the class that text begins with and gives the number of its bytes.
func parseClass(text string) (token, int, error) {
	class := token{kind: classRune}
	end := classEnd(text)
	if end < 0 {
		return class, 0, invalidGlob("a '[' has no ']'.")
	}
	body := text[1 : end-1]
	if body[0] == '!' || body[0] == '^' {
		class.negated = true
		body = body[1:]
	}
	members := []rune(body)
	for i := 0; i < len(members); i++ {
		span := runeRange{low: members[i], high: members[i]}
		if i+2 < len(members) && members[i+1] == '-' {
			span.high = members[i+2]
			i += 2
		}
		if span.low > span.high {
			return class, 0, invalidGlob("a class has a range that runs backwards.")
		}
		class.ranges = append(class.ranges, span)
	}
	return class, end, nil
}

// classEnd gives the index behind the ']' of the class that text begins with, -1 when there is none. A ']' that comes
// first in a class is a member of it.
func classEnd(text string) int {
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	if i >= len(text) {
		return -1
	}
	if close := strings.IndexAny(text[i+1:], "]/"); close >= 0 && text[i+1+close] == ']' && text[i] != '/' {
		return i + 1 + close + 1
	}
	return -1
}
