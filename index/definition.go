package index

import (
	"bytes"
	"strings"
)

// Definitions finds the names that a line of one language defines: functions,
// types, constants, headings, keys. The zero value finds none.
//
// A line is judged alone. Knowing more (that a line stands in a comment of
// several lines, or in a string) would make the names of a chunk depend on
// lines of other chunks, so that an edit at the top of a file could change the
// postings at its end. The price is a wrong name now and then.
//
// A language is a table (see grammar): words that may come first, keywords
// with the form in which the name follows, and shapes for definitions without
// a keyword. The matcher walks a line once from its left and gives up at the
// first byte that no entry of the table begins with, which is what most lines
// cost. It allocates nothing and its cost is linear in the line.
type Definitions struct {
	grammar *grammar
}

// DefinitionsFor gives the definitions of the language of path, chosen by the
// last component as the format list does (P-33): its whole name, or what
// follows its last dot, in any case. Formats without definitions, such as
// plain text, give the zero value.
func DefinitionsFor(path string) Definitions {
	name := path[strings.LastIndexByte(path, '/')+1:]
	g := lookupFormat(formatNames, name)
	if dot := strings.LastIndexByte(name, '.'); g == nil && dot >= 0 {
		g = lookupFormat(formatExtensions, name[dot+1:])
	}
	if g == nil {
		return Definitions{}
	}
	g.prepare.Do(g.compile)
	return Definitions{grammar: g}
}

// lookupFormat finds a name in any case; the formats are all ASCII.
func lookupFormat(formats map[string]*grammar, name string) *grammar {
	const longest = len("cmakelists.txt")
	if len(name) > longest {
		return nil
	}
	if g, ok := formats[name]; ok {
		return g
	}
	return formats[strings.ToLower(name)]
}

// Line gives every name that line defines to emit, from left to right. A name
// is a subslice of line as it stands there: one identifier, or for headings
// and quoted keys the words between the marks. line has no line end.
func (d Definitions) Line(line []byte, emit func(name []byte)) {
	g := d.grammar
	if g == nil {
		return
	}
	at := 0
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if at == len(line) || !g.first[line[at]] || at > 0 && !g.inside[line[at]] {
		return
	}
	for _, mark := range g.comments {
		if line[at] == mark[0] && hasPrefix(line[at:], mark) {
			return
		}
	}
	s := statement{g: g, line: line, start: at, indent: at}
	if g.attributes != "" {
		s.skipAttributes()
	}
	if !s.keyword(emit) {
		s.shape(emit)
	}
}

// hasPrefix is bytes.HasPrefix for a string.
func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// lastByte is the last byte of b that is no blank and no carriage return; 0
// for a blank b.
func lastByte(b []byte) byte {
	b = bytes.TrimRight(b, " \t\r")
	if len(b) == 0 {
		return 0
	}
	return b[len(b)-1]
}
