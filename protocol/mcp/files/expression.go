package files

import (
	"errors"
	"io"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

// Bounds of a grep pattern (M-51).
const (
	MinExpressionChars = 1
	MaxExpressionChars = 1000

	// maxProgram bounds the instructions of a compiled pattern: matching takes at most so many steps per character.
	maxProgram = 4096
	// maxAtOnce bounds the steps of one match that cannot be interrupted; larger ones look at the call's end in between.
	maxAtOnce = 4 << 20
	// checkRunes is after how many characters an interruptible match looks whether it should stop.
	checkRunes = 1 << 12
)

// An expression is a compiled grep pattern. It is matched against single lines, without their ends, so that ^ and $ mean
// those of the line and no match spans two. Needles are texts of which every matching line contains at least one; they
// find the lines that are worth a match. Safe for concurrent use.
type expression struct {
	regexp  *regexp.Regexp
	size    int      // instructions of the program
	needles []needle // none: every line has to be matched
	plain   bool     // a line matches exactly when it contains a needle: the regexp is not asked
}

// parseExpression compiles a pattern in RE2 syntax. Errors: invalid_pattern, and invalid_arguments when it is too long.
func parseExpression(pattern string, caseSensitive bool) (*expression, error) {
	if n := utf8.RuneCountInString(pattern); n < MinExpressionChars || n > MaxExpressionChars {
		return nil, pathguard.Errorf(pathguard.InvalidArguments, "A grep pattern has %d to %d characters.", MinExpressionChars, MaxExpressionChars)
	}
	flags := syntax.Perl
	text := pattern
	if !caseSensitive {
		flags |= syntax.FoldCase
		text = "(?i)" + pattern
	}
	parsed, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, invalidExpression(err)
	}
	parsed = parsed.Simplify()
	program, err := syntax.Compile(parsed)
	if err != nil {
		return nil, invalidExpression(err)
	}
	if len(program.Inst) > maxProgram {
		return nil, pathguard.Errorf(pathguard.InvalidPattern, "The pattern is too complex; use fewer or smaller repetitions.")
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, invalidExpression(err)
	}
	e := &expression{regexp: compiled, size: len(program.Inst)}
	e.needles, e.plain = needlesOf(parsed)
	return e, nil
}

func invalidExpression(err error) error {
	var parse *syntax.Error
	if errors.As(err, &parse) {
		return pathguard.Errorf(pathguard.InvalidPattern, "The pattern is no valid RE2 expression: %s.", parse.Code)
	}
	return pathguard.Fault(pathguard.InvalidPattern).Because(err)
}

// match reports whether a line without its end matches. stop is asked now and then during a long match; once it says
// true the answer means nothing.
func (e *expression) match(line []byte, stop func() bool) bool {
	if len(line)*e.size <= maxAtOnce {
		return e.regexp.Match(line)
	}
	return e.regexp.MatchReader(&interruptible{rest: line, stop: stop})
}

// interruptible gives the characters of a line until stop says that nobody waits for them any more.
type interruptible struct {
	rest []byte
	read int
	stop func() bool
}

func (r *interruptible) ReadRune() (rune, int, error) {
	if r.read++; len(r.rest) == 0 || r.read%checkRunes == 0 && r.stop() {
		return 0, 0, io.EOF
	}
	char, width := utf8.DecodeRune(r.rest)
	r.rest = r.rest[width:]
	return char, width, nil
}
