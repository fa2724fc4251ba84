package index

import (
	"slices"
	"strings"
)

// statement is one line under the matcher. It is passed by value: nothing of
// it outlives the call of Definitions.Line.
type statement struct {
	g      *grammar
	line   []byte
	start  int  // first byte after indentation and modifiers
	indent int  // bytes of indentation
	mods   bool // a modifier stood before start
}

// maxModifiers bounds the words that may stand before a name.
const maxModifiers = 8

// keyword walks over modifiers to a keyword and emits the names that follow
// it. It reports whether the line is decided: a keyword gave a name, or a word
// says that the line defines nothing. Otherwise start is moved behind the
// modifiers, for the shapes.
func (s *statement) keyword(emit func([]byte)) bool {
	waiting := formNone // a keyword that stood as a modifier, as in "let rec name"
	for range maxModifiers {
		end := s.word(s.start)
		form, known := s.g.lookup(s.line[s.start:end])
		if !known {
			return waiting != formNone && s.named(waiting, s.start, emit)
		}
		next := s.space(end)
		switch {
		case form == formControl:
			return true
		case form == formModifier:
			after := s.scope(next)
			if after == 0 {
				return false // a member that is called like a modifier
			}
			next = after
		case form != formEquals && s.introduces(next):
			// "enum class Name": the keyword stands as a modifier.
			waiting = form
		case next == end && !s.adjoins(form, next):
			return false
		default:
			return s.named(form, next, emit)
		}
		if next == end || next == len(s.line) {
			return false
		}
		s.mods = true
		s.start = s.space(s.literal(next))
	}
	return false
}

// adjoins reports whether what stands at from may follow a keyword without a
// blank between.
func (s *statement) adjoins(form nameForm, from int) bool {
	switch form {
	case formCall, formReceiver, formSymbols:
		return s.at(from, '(')
	case formImpl:
		return s.at(from, '<')
	}
	return s.at(from, '*') && form == formName
}

// skipAttributes moves start behind the annotations that stand before a
// definition on its line. A keyword may begin like one: Java's @interface.
func (s *statement) skipAttributes() {
	for range maxModifiers {
		end := s.start
		switch {
		case s.at(end, '@') && strings.IndexByte(s.g.attributes, '@') >= 0:
			if _, known := s.g.lookup(s.line[s.start:s.word(s.start)]); known {
				return
			}
			_, end = s.path(s.start + 1)
			if s.at(end, '(') {
				end = s.brackets(end, '(', ')')
			}
		case s.at(end, '[') && strings.IndexByte(s.g.attributes, '[') >= 0:
			end = s.brackets(end, '[', ']')
		case s.starts(end, "#[") && strings.IndexByte(s.g.attributes, '#') >= 0:
			end = s.brackets(end+1, '[', ']')
		default:
			return
		}
		if end <= s.start {
			return
		}
		if s.start = s.space(end); s.start == len(s.line) {
			return
		}
	}
}

// scope gives the place behind what narrows a modifier: from itself when there
// is nothing of the kind, 0 when the parenthesis at from belongs to a call.
// "pub(crate) fn" has a name behind the parenthesis, "private[this] def" a
// bracket.
func (s *statement) scope(from int) int {
	if s.at(from, '[') {
		return s.space(max(from, s.brackets(from, '[', ']')))
	}
	if !s.at(from, '(') {
		return from
	}
	const longest = 64
	for i := from + 1; i < len(s.line) && i < from+longest; i++ {
		if s.line[i] == '(' {
			return 0
		}
		if s.line[i] == ')' {
			next := s.space(i + 1)
			if next > i+1 && next < len(s.line) && s.g.name[s.line[next]] {
				return next
			}
			return 0
		}
	}
	return 0
}

// literal skips a string that belongs to a modifier, as in extern "C".
func (s *statement) literal(from int) int {
	if !s.at(from, '"') {
		return from
	}
	for i := from + 1; i < len(s.line); i++ {
		if s.line[i] == '"' {
			return i + 1
		}
	}
	return from
}

// introduces reports whether another keyword or modifier with a name behind
// it stands at from.
func (s *statement) introduces(from int) bool {
	end := s.word(from)
	if form, known := s.g.lookup(s.line[from:end]); !known || form == formControl {
		return false
	}
	next := s.space(end)
	if next == end || next == len(s.line) {
		return false
	}
	c := s.line[next]
	return s.g.name[c] || c == '"' || c == '`'
}

// word gives the end of the name bytes that begin at from.
func (s *statement) word(from int) int {
	for from < len(s.line) && s.g.name[s.line[from]] {
		from++
	}
	return from
}

// space gives the first byte from from on that is no blank.
func (s *statement) space(from int) int {
	for from < len(s.line) && (s.line[from] == ' ' || s.line[from] == '\t') {
		from++
	}
	return from
}

// at reports whether byte c stands at i.
func (s *statement) at(i int, c byte) bool {
	return i < len(s.line) && s.line[i] == c
}

// starts reports whether text stands at i.
func (s *statement) starts(i int, text string) bool {
	return i <= len(s.line) && hasPrefix(s.line[i:], text)
}

// path gives the last component of the name at from, with components parted
// by ".", "::" or ":" with a name behind, and the place behind it. An empty
// component is no name: start equals end.
func (s *statement) path(from int) (start, end int) {
	start, end = from, s.word(from)
	for end > start {
		next := end
		switch {
		case s.starts(end, "::"):
			next = end + 2
		case s.at(end, '.'), s.g.colons && s.at(end, ':'):
			next = end + 1
		}
		after := s.word(next)
		if next == end || after == next {
			break
		}
		start, end = next, after
	}
	return start, end
}

// brackets gives the place behind the bracket that closes the one at from; 0
// when the line ends before.
func (s *statement) brackets(from int, open, shut byte) int {
	depth := 0
	for i := from; i < len(s.line); i++ {
		switch s.line[i] {
		case open:
			depth++
		case shut:
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// hasShape reports whether shape is one of the language's.
func (g *grammar) hasShape(shape lineShape) bool {
	return slices.Contains(g.shapes, shape)
}

// identifier reports whether a name of at least one byte stands at from and
// does not begin with a digit.
func (s *statement) identifier(from int) bool {
	return from < len(s.line) && s.g.name[s.line[from]] && !isDigit(s.line[from]) && s.line[from] != '-'
}
