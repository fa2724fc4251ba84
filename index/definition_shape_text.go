package index

import "bytes"

// maxKey bounds a configuration key and the words that may stand before its
// mark; text of prose with a colon or an equals sign far inside has no key.
const maxKey = 128

// key finds the key of a configuration line.
func (s *statement) key(shape lineShape, emit func([]byte)) bool {
	from := s.start
	if shape == shapeColonKey {
		for s.starts(from, "- ") {
			from = s.space(from + 2)
		}
	}
	if from == len(s.line) {
		return false
	}
	quote := s.line[from]
	quoted := quote == '"' || quote == '\''
	if shape == shapeQuotedKey && !quoted && !s.identifier(from) {
		return false
	}
	start, end, next := from, 0, 0
	if quoted {
		i := bytes.IndexByte(s.line[from+1:], quote)
		if i <= 0 {
			return false
		}
		start, end = from+1, from+1+i
		next = s.space(end + 1)
	} else {
		end = s.keyEnd(from, shape)
		next = s.space(end)
	}
	if end-start > maxKey || start == end || !s.keyMark(shape, next) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// keyEnd gives the end of a key without quotes.
func (s *statement) keyEnd(from int, shape lineShape) int {
	end := from
	for end < len(s.line) && end-from <= maxKey {
		c := s.line[end]
		if c == '=' && shape != shapeColonKey || c == ' ' || c == '\t' || c == '{' || c == '}' || c == ',' || c == '"' {
			break
		}
		if c == ':' && (end+1 == len(s.line) || shape != shapeColonKey || s.line[end+1] == ' ' || s.line[end+1] == '\r') {
			break
		}
		end++
	}
	return end
}

// keyMark reports whether at stands what parts a key from its value.
func (s *statement) keyMark(shape lineShape, at int) bool {
	if at == len(s.line) {
		return false
	}
	switch s.line[at] {
	case ':':
		if shape == shapeEqualsKey {
			return lastByte(s.line) != ':'
		}
		return shape != shapeColonKey || at+1 == len(s.line) || s.line[at+1] == ' ' || s.line[at+1] == '\t' || s.line[at+1] == '\r'
	case '=':
		return shape == shapeEqualsKey && !s.at(at+1, '=')
	case '+', '?':
		return shape == shapeEqualsKey && s.at(at+1, '=')
	}
	return false
}

// section finds "[name]" and "[[name]]".
func (s *statement) section(emit func([]byte)) bool {
	if !s.at(s.start, '[') {
		return false
	}
	from := s.start + 1
	if s.at(from, '[') {
		from++
	}
	i := bytes.IndexByte(s.line[from:], ']')
	if i < 0 {
		return true
	}
	if name := bytes.Trim(s.line[from:from+i], " \t"); len(name) > 0 {
		emit(name)
	}
	return true
}

// heading finds a title behind a run of marks and a blank.
func (s *statement) heading(mark byte, emit func([]byte)) bool {
	const deepest = 6
	from := s.start
	for from < len(s.line) && s.line[from] == mark {
		from++
	}
	if from == s.start || from > s.start+deepest || !s.at(from, ' ') && !s.at(from, '\t') {
		return false
	}
	title := bytes.Trim(s.line[from:], " \t\r")
	end := len(title)
	for end > 0 && title[end-1] == mark {
		end--
	}
	// Marks at the end close the heading when a blank parts them from it.
	if end > 0 && (title[end-1] == ' ' || title[end-1] == '\t') {
		title = bytes.TrimRight(title[:end], " \t")
	}
	if len(title) > 0 {
		emit(title)
	}
	return true
}

// directive finds what a reStructuredText directive or target names.
func (s *statement) directive(emit func([]byte)) bool {
	if !s.starts(s.start, ".. ") {
		return false
	}
	from := s.space(s.start + 3)
	if s.at(from, '_') {
		if i := bytes.IndexByte(s.line[from:], ':'); i > 1 {
			emit(s.line[from+1 : from+i])
		}
		return true
	}
	i := bytes.Index(s.line[from:], []byte("::"))
	if i <= 0 {
		return true
	}
	directive := s.line[from : from+i]
	if colon := bytes.LastIndexByte(directive, ':'); colon >= 0 {
		directive = directive[colon+1:]
	}
	if form, _ := s.g.lookup(directive); form == formTag {
		if start, end := s.path(s.space(from + i + 2)); start < end {
			emit(s.line[start:end])
		}
	}
	return true
}

// element finds the headings of a page, and the names and ids of elements.
func (s *statement) element(emit func([]byte)) bool {
	if !s.at(s.start, '<') {
		return false
	}
	from := s.start + 1
	end := s.word(from)
	if end == from {
		return true
	}
	shut := bytes.IndexByte(s.line[end:], '>')
	tag := s.line[end:]
	if shut >= 0 {
		tag = s.line[end : end+shut]
	}
	for _, attribute := range [...]string{` name="`, ` id="`, ` x:Key="`} {
		i := bytes.Index(tag, []byte(attribute))
		if i < 0 {
			continue
		}
		value := tag[i+len(attribute):]
		if stop := bytes.IndexByte(value, '"'); stop > 0 {
			emit(value[:stop])
		}
	}
	if form, _ := s.g.lookup(s.line[from:end]); form == formTag && shut >= 0 {
		title := s.line[end+shut+1:]
		if stop := bytes.IndexByte(title, '<'); stop >= 0 {
			title = title[:stop]
		}
		if title = bytes.Trim(title, " \t\r"); len(title) > 0 {
			emit(title)
		}
	}
	return true
}

// nameArgument finds the target that a build rule names: name = "target".
func (s *statement) nameArgument(emit func([]byte)) bool {
	end := s.word(s.start)
	if string(s.line[s.start:end]) != "name" {
		return false
	}
	next := s.space(end)
	if s.at(next, '=') {
		if next = s.space(next + 1); s.at(next, '"') {
			s.text(next, emit)
		}
	}
	return true
}
