package index

import (
	"strings"
	"sync"
)

// grammar tells how definitions look in one language. The upper fields are
// the table of the language; the lower ones are made from it at first use.
type grammar struct {
	// comments are the marks that make the whole line a comment.
	comments []string
	// modifiers are words that may stand before a keyword or a shape.
	modifiers string
	// controls are words that begin a statement which defines nothing, and
	// that are never the name in a shape.
	controls string
	// keywords are the words after which a name comes, by form.
	keywords []keywords
	// shapes are tried in turn where no keyword decided.
	shapes []lineShape
	// attributes are the bytes that begin an annotation before a definition:
	// @ for @name(…), [ for [name(…)], # for #[name(…)].
	attributes string
	// letters are the bytes beside letters, digits and _ that names may hold.
	letters string
	// openers are bytes beside those of names that a shape may begin with.
	openers string
	// anyCase: keywords are compared without regard to case.
	anyCase bool
	// column0: only a line without indentation defines something.
	column0 bool
	// capitals: an indented line defines something only when it begins with a
	// capital letter.
	capitals bool
	// tags are words that directives and elements are compared with; no line
	// begins with one.
	tags string
	// colons: a single colon parts the components of a name.
	colons bool
	// untyped: a function at column 0 may lack its type (C).
	untyped bool
	// declares: in the function shape a line that ends with a semicolon is a
	// declaration of the name, not a call (Java, C#, Dart).
	declares bool
	// members: the function and variable shapes are looked for in indented
	// lines, too.
	members bool

	prepare sync.Once
	words   map[string]nameForm
	name    [256]bool   // bytes of a name
	first   [256]bool   // bytes with which a line of interest begins, after its indentation
	inside  [256]bool   // those of first that also count behind an indentation
	lengths [256]uint32 // by first byte: bit n for a word of n bytes in words
}

// keywords are words, parted by blanks, that share a form.
type keywords struct {
	form  nameForm
	words string
}

// maxWord bounds the words of a grammar, so that their lengths fit a bit set.
const maxWord = 31

func (g *grammar) compile() {
	g.words = make(map[string]nameForm)
	g.learn(formControl, g.controls)
	g.learn(formModifier, g.modifiers)
	for _, k := range g.keywords {
		g.learn(k.form, k.words)
	}
	for c := range g.name {
		b := byte(c)
		g.name[c] = b == '_' || b >= 0x80 || isDigit(b) || isLetter(b)
	}
	for i := range len(g.letters) {
		g.name[g.letters[i]] = true
	}
	for word := range strings.FieldsSeq(g.tags) {
		g.words[word] = formTag
		g.lengths[word[0]] |= 1 << len(word)
	}
	for _, starts := range [...]string{g.openers, g.attributes} {
		for i := range len(starts) {
			g.first[starts[i]] = true
		}
	}
	if len(g.shapes) > 0 {
		for c, named := range g.name {
			g.first[c] = g.first[c] || named
		}
	}
	for c, first := range g.first {
		g.inside[c] = first && !g.column0 && (!g.capitals || isUpper(byte(c)))
	}
}

// learn enters words with their form and makes their first bytes known.
func (g *grammar) learn(form nameForm, words string) {
	for word := range strings.FieldsSeq(words) {
		g.words[word] = form
		g.mark(word[0], len(word))
		if g.anyCase {
			g.mark(upper(word[0]), len(word))
		}
	}
}

func (g *grammar) mark(first byte, length int) {
	g.first[first] = true
	g.lengths[first] |= 1 << min(length, maxWord)
}

// lookup gives the form of a word. The set of lengths answers for nearly
// every word that is none of the language's own.
func (g *grammar) lookup(word []byte) (nameForm, bool) {
	if len(word) == 0 || len(word) > maxWord || g.lengths[word[0]]>>len(word)&1 == 0 {
		return 0, false
	}
	if g.anyCase {
		var folded [maxWord]byte
		for i, c := range word {
			folded[i] = lower(c)
		}
		form, ok := g.words[string(folded[:len(word)])]
		return form, ok
	}
	form, ok := g.words[string(word)]
	return form, ok
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func upper(c byte) byte {
	if isLower(c) {
		return c - 0x20
	}
	return c
}

func lower(c byte) byte {
	if isUpper(c) {
		return c + 0x20
	}
	return c
}
