package index

import "bytes"

// bound finds names that get a value: at column 0, as a constant, as a member
// of a group or enumeration.
func (s *statement) bound(shape lineShape, emit func([]byte)) bool {
	if !s.identifier(s.start) {
		return false
	}
	end := s.word(s.start)
	name := s.line[s.start:end]
	if _, known := s.g.lookup(name); known {
		return false
	}
	next := s.space(end)
	ok := false
	switch shape {
	case shapeGlobal:
		ok = s.indent == 0 && s.assigns(next)
	case shapeConstant:
		ok = isUpper(name[0]) && (s.indent == 0 || !hasLower(name)) && s.assigns(next)
	case shapeMember:
		ok = s.indent == 1 && s.line[0] == '\t' && isUpper(name[0]) && s.groupMember(next)
	case shapeEnumerator:
		ok = s.indent > 0 && isUpper(name[0]) && s.enumerator(name, next)
	case shapeArrow:
		ok = s.arrow(next)
	}
	if !ok {
		return false
	}
	if name[0] == '$' && len(name) > 1 {
		name = name[1:]
	}
	emit(name)
	return true
}

// assigns reports whether "=", ":=", "?=", "+=", "::=" or a type with "=" behind stands at
// from.
func (s *statement) assigns(from int) bool {
	i := from
	for i < len(s.line) && i < from+2 && (s.line[i] == ':' || s.line[i] == '?' || s.line[i] == '+') {
		i++
	}
	if s.at(i, '=') {
		return !s.at(i+1, '=') && !s.at(i+1, '~')
	}
	return i == from+1 && s.line[from] == ':' && bytes.Contains(s.line[i:], []byte(" = "))
}

// groupMember reports whether a value or the body of a type follows the name
// of a member of a Go group: "= value", "Type = value", "struct {".
func (s *statement) groupMember(from int) bool {
	if s.at(from, '=') {
		return !s.at(from+1, '=')
	}
	if s.starts(from, "struct {") || s.starts(from, "interface {") || s.starts(from, "struct{") || s.starts(from, "interface{") {
		return lastByte(s.line) == '{'
	}
	start, end := s.path(from)
	next := s.space(end)
	return start < end && next > end && s.at(next, '=') && !s.at(next+1, '=')
}

// enumerator reports whether what follows the name is that of a member of an
// enumeration: a comma that ends the line, or a value and such a comma.
func (s *statement) enumerator(name []byte, from int) bool {
	switch {
	case s.at(from, '='):
		return !s.at(from+1, '=') && !s.at(from+1, '>') && lastByte(s.line) == ','
	case s.at(from, ',') && !s.g.hasShape(shapeKeyed): // JavaScript's imports look so
		rest := s.space(from + 1)
		return rest >= len(s.line) || s.line[rest] == '\r' || s.starts(rest, "//") || s.starts(rest, "/*")
	case s.at(from, '('):
		return !s.g.untyped && !hasLower(name) && len(name) > 1 && lastByte(s.line) == ','
	}
	return false
}

// object finds Nim's types: "Name* = object".
func (s *statement) object(emit func([]byte)) bool {
	end := s.word(s.start)
	next := end
	if s.at(next, '*') {
		next++
	}
	next = s.space(next)
	if !s.identifier(s.start) || !s.at(next, '=') {
		return false
	}
	value := s.space(next + 1)
	for _, word := range [...]string{"object", "ref object", "enum", "distinct", "tuple", "concept"} {
		if s.starts(value, word) {
			emit(s.line[s.start:end])
			return true
		}
	}
	return false
}

// arrow finds R's assignments: any at column 0, indented only of functions.
func (s *statement) arrow(from int) bool {
	value := 0
	switch {
	case s.starts(from, "<<-"):
		value = s.space(from + 3)
	case s.starts(from, "<-"):
		value = s.space(from + 2)
	case s.at(from, '=') && !s.at(from+1, '='):
		value = s.space(from + 1)
	default:
		return false
	}
	return s.indent == 0 || s.starts(value, "function(") || s.starts(value, "function (")
}

// signature finds "name :: type" and "a, b :: type".
func (s *statement) signature(emit func([]byte)) bool {
	from := s.start
	if s.at(from, '{') || s.at(from, ',') { // fields of a record
		from = s.space(from + 1)
	}
	first := from
	for s.identifier(from) && !isUpper(s.line[from]) {
		next := s.space(s.word(from))
		if s.starts(next, "::") && !s.starts(next, ":::") {
			return s.nameList(first, emit)
		}
		if !s.at(next, ',') {
			return false
		}
		from = s.space(next + 1)
	}
	return false
}

// clause finds definitions that are "name(arguments)" at column 0: Erlang's
// functions, and Julia's when "=" follows.
func (s *statement) clause(shape lineShape, emit func([]byte)) bool {
	if s.indent > 0 || !s.identifier(s.start) {
		return false
	}
	start, end := s.path(s.start)
	if start == end || !s.at(end, '(') {
		return false
	}
	if shape == shapeEquation {
		after := s.brackets(end, '(', ')')
		if after == 0 {
			return false
		}
		next := s.space(after)
		if !s.at(next, '=') || s.at(next+1, '=') {
			return false
		}
	} else if isUpper(s.line[start]) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// list finds the definitions of Lisp's family: the word behind "(def…".
func (s *statement) list(emit func([]byte)) bool {
	if !s.at(s.start, '(') {
		return false
	}
	from := s.start + 1
	_, end := s.path(from)
	head := s.line[from:end]
	form, known := s.g.lookup(head)
	if known && form == formControl || !known && !hasPrefix(head, "def") && !hasPrefix(head, "cl-def") {
		return false
	}
	next := s.space(end)
	if next == end {
		return false
	}
	// Clojure's metadata, quotes, and the list of "(define (name args)".
	for next < len(s.line) {
		switch c := s.line[next]; {
		case c == '^' && s.at(next+1, '{'):
			if next = s.brackets(next+1, '{', '}'); next == 0 {
				return false
			}
			next = s.space(next)
			continue
		case c == '^':
			next++
			for next < len(s.line) && s.line[next] != ' ' {
				next++
			}
			next = s.space(next)
			continue
		case c == '(', c == '\'', c == ':' && !s.g.name[':']:
			next++
			continue
		}
		break
	}
	end = s.word(next)
	if end == next {
		return false
	}
	emit(s.line[next:end])
	return true
}

// commonTable finds the common table expressions of SQL: "with name as (" and
// ", name as (".
func (s *statement) commonTable(emit func([]byte)) bool {
	from := s.start
	if s.at(from, ',') {
		from = s.space(from + 1)
	} else if end := s.word(from); equalFold(s.line[from:end], "with") {
		from = s.space(end)
		if end = s.word(from); equalFold(s.line[from:end], "recursive") {
			from = s.space(end)
		}
	}
	end := s.word(from)
	next := s.space(end)
	stop := s.word(next)
	if end == from || next == end || !equalFold(s.line[next:stop], "as") || !s.at(s.space(stop), '(') {
		return false
	}
	emit(s.line[from:end])
	return true
}
