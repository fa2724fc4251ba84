package index

import "bytes"

// nameForm tells where the name stands after a keyword.
type nameForm uint8

const (
	formNone     nameForm = iota
	formControl           // the word begins a statement that defines nothing
	formModifier          // the word may stand before a keyword
	formName              // class a.b.Name, def (a.b.Name): the last component
	formNames             // var a, b: each
	formText              // a name, or what stands between quotes or after a colon
	formCall              // word(name, word("name"
	formSymbols           // attr_reader :a, :b
	formLabels            // resource "type" "name" {
	formVariable          // var name = …, outside functions as far as a line tells
	formLexical           // const name = …, indented only for functions and classes
	formAssigned          // export -x NAME=
	formSet               // set -g name value
	formReceiver          // func (r *T) Name(
	formImpl              // impl<T> Trait for Name
	formBody              // struct Name {, as opposed to struct Name f(
	formTypedef           // typedef … Name;
	formLast              // typedef binary Name: the last word
	formCases             // case a, b(Int): but no label of a switch
	formCreate            // create … table if not exists a."Name"
	formAlias             // from image AS name
	formBinding           // let name, at column 0
	formEquals            // using Name = …: no definition without the sign
	formContext           // class (Eq a) => Name a
	formTag               // a directive or element, never at the start of a line
)

// named emits what a keyword defines whose name begins at next. It reports
// whether the keyword decided the line; a word that is only called like a
// keyword leaves it to the shapes.
func (s *statement) named(form nameForm, next int, emit func([]byte)) bool {
	switch form {
	case formCall:
		return s.callName(next, emit)
	case formName:
		return s.simpleName(next, emit)
	case formNames:
		return s.nameList(next, emit)
	case formText:
		return s.text(next, emit) > 0
	case formSymbols:
		if s.at(next, '(') {
			next++
		}
		return s.symbols(next, emit)
	case formLabels:
		return s.labels(next, emit)
	case formVariable:
		return s.variable(next, emit)
	case formLexical:
		return s.lexical(next, emit)
	case formAssigned, formSet:
		return s.assigned(form, next, emit)
	case formReceiver:
		return s.receiver(next, emit)
	case formImpl:
		return s.impl(next, emit)
	case formBody:
		return s.body(next, emit)
	case formTypedef:
		return s.typedef(next, emit)
	case formLast:
		return s.lastWord(next, emit)
	case formCases:
		return lastByte(s.line) == ':' || s.nameList(next, emit)
	case formCreate:
		return !s.mods || s.created(next, emit)
	case formAlias:
		return s.stage(next, emit)
	case formBinding:
		return s.indent > 0 || s.simpleName(next, emit)
	case formEquals:
		return s.alias(next, emit)
	case formContext:
		if i := bytes.Index(s.line[next:], []byte("=> ")); i >= 0 {
			next = s.space(next + i + len("=> "))
		}
		return s.simpleName(next, emit)
	}
	return false
}

// simpleName emits the name at from, behind type parameters and sigils.
func (s *statement) simpleName(from int, emit func([]byte)) bool {
	switch {
	case s.at(from, '<'):
		after := s.brackets(from, '<', '>')
		if after == 0 {
			return false
		}
		from = s.space(after)
	case s.starts(from, "('"): // OCaml: type ('a, 'b) name
		after := s.brackets(from, '(', ')')
		from = s.space(max(from, after))
	case s.at(from, '\''): // OCaml: type 'a name
		from = s.space(s.word(from + 1))
	}
	for from < len(s.line) && (s.line[from] == '*' || s.line[from] == '&' || s.line[from] == '$' || s.line[from] == '@') {
		from = s.space(from + 1)
	}
	start, end := s.path(from)
	if s.at(end, '<') { // Kotlin: fun List<T>.name
		if after := s.brackets(end, '<', '>'); s.at(after, '.') && s.identifier(after+1) {
			start, end = s.path(after + 1)
		}
	}
	if start == end || isDigit(s.line[start]) {
		return false
	}
	emit(s.line[start:end])
	return true
}

// alias emits the name at from when it gets a value.
func (s *statement) alias(from int, emit func([]byte)) bool {
	end := s.word(from)
	if !s.identifier(from) {
		return false
	}
	if next := s.space(end); s.at(next, '=') || s.at(next, '<') {
		emit(s.line[from:end])
	}
	return true
}

// nameList emits the names at from that commas part. Type parameters,
// arguments and values end the list.
func (s *statement) nameList(from int, emit func([]byte)) bool {
	found := false
	for s.identifier(from) {
		end := s.word(from)
		if end-from > 1 || s.line[from] != '_' {
			emit(s.line[from:end])
		}
		found = true
		if s.at(end, '(') {
			if end = s.brackets(end, '(', ')'); end == 0 {
				break
			}
		}
		next := s.space(end)
		if !s.at(next, ',') {
			break
		}
		from = s.space(next + 1)
	}
	return found
}

// text emits what stands at from between quotes, after a colon, or as a plain
// name, and gives the place behind it; 0 when nothing of the kind is there.
func (s *statement) text(from int, emit func([]byte)) int {
	if from >= len(s.line) {
		return 0
	}
	shut := s.line[from]
	switch shut {
	case '"', '\'', '`':
	case '[':
		shut = ']'
	case ':':
		shut = 0
		from++
	default:
		start, end := s.path(from)
		if start == end {
			return 0
		}
		emit(s.line[start:end])
		return end
	}
	if shut == 0 {
		end := s.word(from)
		if end == from {
			return 0
		}
		emit(s.line[from:end])
		return end
	}
	for i := from + 1; i < len(s.line); i++ {
		if s.line[i] == shut {
			if i > from+1 {
				emit(s.line[from+1 : i])
			}
			return i + 1
		}
	}
	return 0
}

// labels emits the strings and names from from on that blanks part.
func (s *statement) labels(from int, emit func([]byte)) bool {
	found := false
	for {
		end := s.text(from, emit)
		if end == 0 {
			return found
		}
		found = true
		from = s.space(end)
	}
}

// symbols emits the symbols and strings from from on that commas part.
func (s *statement) symbols(from int, emit func([]byte)) bool {
	for s.at(from, ':') || s.at(from, '"') || s.at(from, '\'') {
		end := s.text(from, emit)
		if end == 0 {
			break
		}
		from = s.space(end)
		if !s.at(from, ',') {
			break
		}
		from = s.space(from + 1)
	}
	return true
}

// callName emits the first argument of a call: a name or a string.
func (s *statement) callName(from int, emit func([]byte)) bool {
	if !s.at(from, '(') {
		return false
	}
	return s.text(s.space(from+1), emit) > 0
}

// variable emits a variable or constant that stands outside of functions, as
// far as a line can tell: without indentation, or behind a modifier.
func (s *statement) variable(from int, emit func([]byte)) bool {
	if s.indent > 0 && !s.mods {
		return true
	}
	end := s.word(from)
	if !s.identifier(from) {
		return false
	}
	switch next := s.space(end); {
	case next == len(s.line), s.line[next] == '=', s.line[next] == ':', s.line[next] == ';',
		s.line[next] == '{', s.line[next] == '*', s.starts(next, "by "), s.starts(next, "<-"):
		emit(s.line[from:end])
		return true
	case s.line[next] == ',':
		return s.nameList(from, emit)
	}
	// Kotlin's extension properties, "val String.name".
	start, end := s.path(from)
	if start > from {
		emit(s.line[start:end])
	}
	return true
}

// lexical emits the name of a JavaScript declaration. Inside functions only
// functions and classes have names that people look for.
func (s *statement) lexical(from int, emit func([]byte)) bool {
	if !s.identifier(from) {
		return true
	}
	end := s.word(from)
	if s.indent > 0 && !s.mods {
		value := s.valueAfter(end)
		if value == 0 || !s.functionValue(value) {
			return true
		}
	}
	emit(s.line[from:end])
	return true
}

// assigned emits the name that a shell word sets, behind its flags.
func (s *statement) assigned(form nameForm, from int, emit func([]byte)) bool {
	for s.at(from, '-') {
		for from < len(s.line) && s.line[from] != ' ' && s.line[from] != '\t' {
			from++
		}
		from = s.space(from)
	}
	end := s.word(from)
	if !s.identifier(from) || form == formAssigned && !s.at(end, '=') {
		return true
	}
	emit(s.line[from:end])
	return true
}
