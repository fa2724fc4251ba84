package index

import "bytes"

// receiver emits a Go function or method: the name behind the receiver.
func (s *statement) receiver(from int, emit func([]byte)) bool {
	if s.indent > 0 {
		return true
	}
	if s.at(from, '(') {
		after := s.brackets(from, '(', ')')
		if after == 0 {
			return true
		}
		from = s.space(after)
	}
	if s.identifier(from) {
		emit(s.line[from:s.word(from)])
	}
	return true
}

// impl emits the type of a Rust impl block: what stands behind "for", or else
// the first name.
func (s *statement) impl(from int, emit func([]byte)) bool {
	if s.at(from, '<') {
		after := s.brackets(from, '<', '>')
		if after == 0 {
			return true
		}
		from = s.space(after)
	}
	if i := bytes.Index(s.line[from:], []byte(" for ")); i >= 0 {
		from = s.space(from + i + len(" for "))
	}
	return s.simpleName(from, emit)
}

// body emits the name of an aggregate whose body or bases follow. A C struct
// that is only named, as the result of a function, is left to the shapes.
func (s *statement) body(from int, emit func([]byte)) bool {
	start, end := s.path(from)
	// An export macro or attribute may stand before the name.
	if next := s.space(end); next > end && s.identifier(next) && !s.starts(next, "final") {
		if after := s.word(next); s.opensBody(s.space(after)) {
			start, end = next, after
		}
	}
	if start == end || !s.opensBody(s.space(end)) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// opensBody reports whether at from the head of an aggregate ends.
func (s *statement) opensBody(from int) bool {
	if from == len(s.line) {
		return true
	}
	c := s.line[from]
	return c == '{' || c == ':' && !s.starts(from, "::") || c == '\r' || c == '<' || s.starts(from, "final") ||
		s.starts(from, "//") || s.starts(from, "/*")
}

// typedef emits the new name of a C typedef that ends on its line.
func (s *statement) typedef(from int, emit func([]byte)) bool {
	line := s.line[from:]
	end := bytes.LastIndexByte(line, ';')
	if end < 0 {
		return s.typedefHead(from, emit)
	}
	if shut := bytes.IndexByte(line[:end], '['); shut > 0 {
		end = shut
	}
	if open := bytes.IndexByte(line[:end], '('); open > 0 {
		end = open
		// A pointer to a function has its name in parentheses.
		if shut := bytes.IndexByte(line[open:], ')'); shut > 0 && s.at(s.space(from+open+shut+1), '(') {
			end = open + shut
		}
	}
	start, stop := s.wordBefore(from + end)
	if start < stop {
		emit(s.line[start:stop])
	}
	return true
}

// typedefHead emits the tag of "typedef struct tag {".
func (s *statement) typedefHead(from int, emit func([]byte)) bool {
	end := s.word(from)
	if form, _ := s.g.lookup(s.line[from:end]); form == formBody {
		s.body(s.space(end), emit)
	}
	return true
}

// wordBefore gives the name that ends at end, blanks left out.
func (s *statement) wordBefore(end int) (start, stop int) {
	for end > 0 && (s.line[end-1] == ' ' || s.line[end-1] == '\t') {
		end--
	}
	start = end
	for start > 0 && s.g.name[s.line[start-1]] {
		start--
	}
	return start, end
}

// lastWord emits the last name of the line.
func (s *statement) lastWord(from int, emit func([]byte)) bool {
	end := len(s.line)
	if i := bytes.IndexByte(s.line[from:], '='); i >= 0 {
		end = from + i
	}
	for end > from && !s.g.name[s.line[end-1]] {
		end--
	}
	if start, end := s.wordBefore(end); start >= from && start < end {
		emit(s.line[start:end])
	}
	return true
}

// created emits the name of an SQL object: behind "if not exists" and
// "concurrently", the last component of what may be quoted.
func (s *statement) created(from int, emit func([]byte)) bool {
	for _, word := range [...]string{"concurrently", "if", "not", "exists"} {
		end := s.word(from)
		if end-from == len(word) && equalFold(s.line[from:end], word) {
			from = s.space(end)
		}
	}
	start, end := 0, 0
	for from < len(s.line) {
		next := from
		switch c := s.line[from]; c {
		case '"', '`', '[':
			shut := c
			if c == '[' {
				shut = ']'
			}
			i := bytes.IndexByte(s.line[from+1:], shut)
			if i < 0 {
				return true
			}
			start, end = from+1, from+1+i
			next = end + 1
		default:
			start, end = from, s.word(from)
			next = end
		}
		if !s.at(next, '.') {
			break
		}
		from = next + 1
	}
	if start < end && !equalFold(s.line[start:end], "on") && !equalFold(s.line[start:end], "as") {
		emit(s.line[start:end])
	}
	return true
}

// stage emits the word behind the AS of an image.
func (s *statement) stage(from int, emit func([]byte)) bool {
	for from < len(s.line) {
		end := from
		for end < len(s.line) && s.line[end] != ' ' && s.line[end] != '\t' {
			end++
		}
		next := s.space(end)
		if equalFold(s.line[from:end], "as") && next < len(s.line) {
			if stop := s.word(next); stop > next {
				emit(s.line[next:stop])
			}
			return true
		}
		from = next
	}
	return true
}

// equalFold reports whether b is the lower-case ASCII word in any case.
func equalFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if lower(c) != word[i] {
			return false
		}
	}
	return true
}
