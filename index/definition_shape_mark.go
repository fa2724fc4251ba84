package index

import "bytes"

// preprocessor finds "#define NAME".
func (s *statement) preprocessor(emit func([]byte)) bool {
	if !s.at(s.start, '#') {
		return false
	}
	from := s.space(s.start + 1)
	if !s.starts(from, "define") {
		return true
	}
	next := s.space(from + len("define"))
	if next > from+len("define") && s.identifier(next) {
		emit(s.line[next:s.word(next)])
	}
	return true
}

// closing finds the name behind the body of a C typedef: "} name;".
func (s *statement) closing(emit func([]byte)) bool {
	if s.indent > 0 || !s.at(s.start, '}') {
		return false
	}
	from := s.space(s.start + 1)
	end := s.word(from)
	if s.identifier(from) && s.at(s.space(end), ';') {
		if _, known := s.g.lookup(s.line[from:end]); !known {
			emit(s.line[from:end])
		}
	}
	return true
}

// selectors finds Objective-C's methods: the first part of the selector.
func (s *statement) selectors(emit func([]byte)) bool {
	if s.indent > 0 || !s.at(s.start, '-') && !s.at(s.start, '+') {
		return false
	}
	from := s.space(s.start + 1)
	if !s.at(from, '(') {
		return true
	}
	after := s.brackets(from, '(', ')')
	if after == 0 {
		return true
	}
	if from = s.space(after); s.identifier(from) {
		emit(s.line[from:s.word(from)])
	}
	return true
}

// shell finds "name() {".
func (s *statement) shell(emit func([]byte)) bool {
	end := s.word(s.start)
	if end == s.start {
		return false
	}
	open := s.space(end)
	if !s.at(open, '(') {
		return false
	}
	shut := s.space(open + 1)
	if !s.at(shut, ')') {
		return false
	}
	rest := s.space(shut + 1)
	if rest < len(s.line) && s.line[rest] != '{' && s.line[rest] != '(' && s.line[rest] != '#' && s.line[rest] != '\r' {
		return false
	}
	emit(s.line[s.start:end])
	return true
}

// targets finds the targets of a makefile rule.
func (s *statement) targets(emit func([]byte)) bool {
	if s.indent > 0 || s.at(s.start, '.') {
		return false
	}
	colon := bytes.IndexByte(s.line, ':')
	if colon < 0 || s.at(colon+1, '=') || s.starts(colon, "::=") || bytes.IndexByte(s.line[:colon], '=') >= 0 {
		return false
	}
	for at := 0; at < colon; {
		end := at
		for end < colon && s.line[end] != ' ' && s.line[end] != '\t' {
			end++
		}
		if !bytes.ContainsAny(s.line[at:end], "$%()") {
			emit(s.line[at:end])
		}
		at = s.space(end)
	}
	return true
}

// recipe finds the recipes of a justfile: "name arguments: dependencies".
func (s *statement) recipe(emit func([]byte)) bool {
	if s.indent > 0 {
		return false
	}
	from := s.start
	if s.at(from, '@') {
		from++
	}
	end := s.word(from)
	colon := bytes.IndexByte(s.line, ':')
	if end == from || colon < 0 || s.at(colon+1, '=') {
		return false
	}
	emit(s.line[from:end])
	return true
}

// label finds ":name" of a batch file.
func (s *statement) label(emit func([]byte)) bool {
	if !s.at(s.start, ':') {
		return false
	}
	if end := s.word(s.start + 1); end > s.start+1 {
		emit(s.line[s.start+1 : end])
	}
	return true
}

// style finds what a style sheet defines: the classes and ids of selectors
// before a block, custom properties and variables.
func (s *statement) style(emit func([]byte)) bool {
	from := s.start
	switch {
	case s.starts(from, "--"), s.at(from, '$'), s.at(from, '@'):
		for s.at(from, '-') && from < s.start+2 || s.at(from, '$') || s.at(from, '@') {
			from++
		}
		end := s.word(from)
		if end > from && s.at(s.space(end), ':') {
			emit(s.line[from:end])
		}
		return true
	case s.at(from, '='), s.at(from, '%'): // Sass: a mixin, a placeholder
		if end := s.word(from + 1); end > from+1 {
			emit(s.line[from+1 : end])
		}
		return true
	}
	if bytes.Contains(s.line[from:], []byte(": ")) {
		return false // a property whose value goes on
	}
	if last := lastByte(s.line); last != '{' && last != ',' && last != '}' && !s.g.members {
		return false
	}
	for i := from; i < len(s.line); i++ {
		switch s.line[i] {
		case '{', '(', ';', '"', '\'':
			return true
		case '.', '#':
			if end := s.word(i + 1); s.identifier(i + 1) {
				emit(s.line[i+1 : end])
				i = end - 1
			}
		}
	}
	return true
}
