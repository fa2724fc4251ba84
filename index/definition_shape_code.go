package index

import "bytes"

// functionShape finds "type name(…)" and, outside of functions, "type name ="
// in languages whose definitions begin with a type.
func (s *statement) functionShape(emit func([]byte)) bool {
	if s.indent > 0 && !s.g.members {
		return false
	}
	stop := s.typeEnd()
	if stop == len(s.line) {
		return false
	}
	start, end := s.wordBefore(stop)
	if start == end || start < s.start || isDigit(s.line[start]) || s.line[start] == '@' {
		return false
	}
	if _, known := s.g.lookup(s.line[start:end]); known {
		return false
	}
	if s.line[stop] == '(' {
		if !s.definesFunction(start, end, stop) {
			return false
		}
	} else if !s.definesVariable(start, stop) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// typeEnd gives the first byte that can be no part of a type or name: the
// parenthesis of a function or the end of a variable's name. The end of the
// line says that there is neither.
func (s *statement) typeEnd() int {
	depth := 0
	for i := s.start; i < len(s.line); i++ {
		c := s.line[i]
		switch {
		case s.g.name[c], c == ' ', c == '\t', c == '*', c == '&', c == '.', c == '?', c == '~', c == ':':
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == ',' && depth > 0:
		case c == '[' && s.at(s.space(i+1), ']') && s.identifier(s.space(s.space(i+1)+1)):
			i = s.space(i + 1)
		case c == '(', c == '=' && !s.starts(i, "=="), c == ';', c == '[', c == '{':
			return i
		default:
			return len(s.line)
		}
	}
	return len(s.line)
}

// typed reports whether a type stands between the modifiers and the name.
func (s *statement) typed(name int) bool {
	const mostWords = 6 // more are prose
	before := bytes.TrimRight(s.line[s.start:name], " \t*&")
	return len(before) > 0 && before[len(before)-1] != '.' && before[len(before)-1] != ':' &&
		s.start+len(before) < name && bytes.Count(before, []byte{' '}) < mostWords
}

// definesVariable reports whether the name in front of stop is one of a
// variable or property that gets its place here, outside of functions.
func (s *statement) definesVariable(name, stop int) bool {
	if !s.typed(name) {
		return false
	}
	head := s.line[s.indent:]
	if s.indent > 0 && (!s.mods || hasPrefix(head, "const ") || hasPrefix(head, "final ")) {
		return false
	}
	if s.line[stop] == '{' && s.line[stop-1] != ' ' {
		return false
	}
	if s.line[stop] == ';' {
		start, end := s.wordBefore(name)
		form, _ := s.g.lookup(s.line[start:end])
		return form != formBody && !hasPrefix(head, "extern ")
	}
	return true
}

// definesFunction tells a definition from a call by what stands before the
// name and at the end of the line.
func (s *statement) definesFunction(start, end, open int) bool {
	if start > s.start && s.line[start-1] == '~' {
		start--
	}
	for start >= s.start+2 && s.line[start-1] == ':' && s.line[start-2] == ':' {
		owned, _ := s.wordBefore(start - 2)
		if owned >= start-2 || owned < s.start {
			return false
		}
		start = owned
	}
	last := lastByte(s.line[open:])
	if last == ';' && !s.g.declares {
		// One line of a body may follow: int size() { return n; }
		if bytes.IndexByte(s.line[open:], '{') < 0 {
			return false
		}
	}
	if s.typed(start) {
		// A sentence with something in parentheses (as here) has a blank
		// before them, and goes on.
		return (s.indent == 0 || isLetter(last)) && end == open || bytes.IndexByte([]byte("{}(),;>"), last) >= 0
	}
	if start != s.start {
		return false
	}
	if s.mods {
		return last != ';'
	}
	// Without a type: an old style function, a constructor at column 0. A
	// macro call looks the same and is written in capitals.
	if s.indent > 0 || !s.g.untyped || last == ';' || !hasLower(s.line[start:end]) {
		return false
	}
	after := s.brackets(open, '(', ')')
	return after == 0 || !s.identifier(s.space(after))
}

func hasLower(b []byte) bool {
	for _, c := range b {
		if isLower(c) || c >= 0x80 {
			return true
		}
	}
	return false
}

// keyed finds the methods and function values of JavaScript's kind.
func (s *statement) keyed(emit func([]byte)) bool {
	from := s.start
	if s.at(from, '#') || s.at(from, '*') {
		from = s.space(from + 1)
	}
	start, end := s.path(from)
	if start == end || isDigit(s.line[start]) {
		return false
	}
	if form, _ := s.g.lookup(s.line[start:end]); form == formControl {
		return false
	}
	if s.at(end, '(') || s.at(end, '<') {
		if start != from || !s.method(end) {
			return false
		}
	} else if value := s.valueAfter(end); value == 0 || !s.functionValue(value) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// method reports whether the argument list at from is followed by a body, or
// by a type as in a declaration.
func (s *statement) method(from int) bool {
	if s.at(from, '<') {
		if from = s.brackets(from, '<', '>'); from == 0 || !s.at(from, '(') {
			return false
		}
	}
	after := s.brackets(from, '(', ')')
	if after == 0 {
		return false
	}
	next := s.space(after)
	return s.at(next, '{') || s.at(next, ':') && (lastByte(s.line) == '{' || lastByte(s.line) == ';')
}

// valueAfter gives the place of the value behind "=" or ":" after a name; 0
// when there is neither. A type may stand between name and "=".
func (s *statement) valueAfter(end int) int {
	next := s.space(end)
	if next == len(s.line) {
		return 0
	}
	switch c := s.line[next]; {
	case c == '=' && !s.at(next+1, '=') && !s.at(next+1, '>'):
		return s.space(next + 1)
	case c == ':' && !s.at(next+1, ':'):
		if i := bytes.Index(s.line[next:], []byte(" = ")); i >= 0 {
			return s.space(next + i + len(" = "))
		}
		return s.space(next + 1)
	}
	return 0
}

// functionValue reports whether a function, class or other type stands at
// from.
func (s *statement) functionValue(from int) bool {
	for _, word := range [...]string{"function", "async", "class", "struct", "enum", "union"} {
		if s.starts(from, word) && !s.identifier(from+len(word)) {
			return true
		}
	}
	arrow := bytes.Index(s.line[from:], []byte("=>"))
	if arrow < 0 {
		return false
	}
	if s.at(from, '(') || s.at(from, '<') {
		return true
	}
	return s.identifier(from) && s.space(s.word(from)) == from+arrow
}
