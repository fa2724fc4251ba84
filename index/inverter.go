package index

import (
	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// An inverter turns documents into forward lists: for each chunk its distinct
// terms with their counts, as numbers of the inverter's own term table. Each
// worker owns one; what several of them hold is joined by merge.
//
// A forward list takes four bytes a posting and is written front to back,
// which is cheaper than growing one posting list a term: the lists come from
// one counting sort at the end (posting_run.go).
type inverter struct {
	words *wordTable
	terms *termTable

	scanner  tokenize.Scanner
	expander tokenize.Expander
	names    Definitions

	cells   []uint32 // per term: occurrences in the open chunk, text low, names high
	touched []uint32 // terms whose cell is not zero
	length  int      // term occurrences in the text of the open chunk

	definition []byte // memory of definition terms

	slab []uint32 // forward lists are cut from the end of the current slab
	docs []*invertedDoc

	takeTerm func(term []byte) // adds a term of the word being expanded to words.terms
	takeName func(name []byte) // counts the terms of a defined name
}

// invertedDoc is a document in forward form.
type invertedDoc struct {
	source store.Source // Base, First and Chunks are given later
	chunks []invertedChunk
}

// invertedChunk is one chunk with its forward list.
type invertedChunk struct {
	line    uint32
	lines   uint16
	terms   uint16
	forward []uint32
}

// A forward entry holds a term number in its low bits and a code above it:
// codes below forwardEscape are occurrences in the text less one, without any
// in names; the escape says that the next word holds both counts as in cells.
const (
	forwardTermBits = 26
	forwardTermMask = 1<<forwardTermBits - 1
	forwardEscape   = 1<<(32-forwardTermBits) - 1
	maxForwardTerms = 1 << forwardTermBits

	slabWords = 1 << 16

	cellNames = 1 << 16
	cellMask  = cellNames - 1
)

// wordsPerDocument is about how many words a document brings that the others
// did not have, as source trees go. It sizes tables and decides nothing.
const wordsPerDocument = 40

// newInverter gives an empty inverter with room for about so many documents.
func newInverter(documents int) *inverter {
	words := min(documents*wordsPerDocument, maxWordsKept/4)
	inv := &inverter{words: newWordTable(words), terms: newTermTable(words)}
	inv.cells = make([]uint32, 0, words)
	inv.takeTerm = func(term []byte) {
		inv.words.terms = append(inv.words.terms, inv.terms.number(term))
	}
	inv.takeName = inv.addName
	return inv
}

// add inverts one document.
func (inv *inverter) add(text []byte, source store.Source) *invertedDoc {
	if inv.words.full() {
		inv.words.clear(0)
	}
	doc := &invertedDoc{source: source}
	inv.names = DefinitionsFor(source.Path)
	var c chunker
	c.reset(text)
	for {
		s, ok := c.next()
		if !ok {
			break
		}
		inv.addText(s.text)
		if len(inv.touched) == 0 {
			continue // P-42: a chunk without any term is not stored
		}
		inv.addNames(s.text)
		doc.chunks = append(doc.chunks, invertedChunk{
			line: uint32(s.first), lines: uint16(s.lines), terms: uint16(min(inv.length, 1<<16-1)), forward: inv.take(),
		})
	}
	doc.source.Omitted = uint32(c.omitted)
	doc.source.Lines = uint32(c.line - 1)
	inv.docs = append(inv.docs, doc)
	return doc
}

// termsOf finds the terms of a word, expanding it when it is new.
func (inv *inverter) termsOf(word []byte) termsRef {
	if len(word) > maxWordBytes {
		word = word[:maxWordBytes]
	}
	ref, at := inv.words.find(word)
	if ref.size != 0 {
		return ref
	}
	first := len(inv.words.terms)
	inv.expander.Expand(word, inv.takeTerm)
	if len(inv.words.terms)-first > maxTermsPerWord {
		inv.words.terms = inv.words.terms[:first+maxTermsPerWord]
	}
	inv.grow()
	return inv.words.add(at, word, first)
}

func (inv *inverter) addText(text []byte) {
	inv.scanner.Reset(text)
	for word := inv.scanner.Next(); word != nil; word = inv.scanner.Next() {
		ref := inv.termsOf(word)
		inv.length += int(ref.count)
		inv.count(ref, 1)
	}
}

// addNames counts the terms of the names that the lines of a chunk define.
func (inv *inverter) addNames(text []byte) {
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		inv.names.Line(line, inv.takeName)
	}
}

// addName counts the words of a defined name and, when it is one word, notes
// its definition.
func (inv *inverter) addName(name []byte) {
	inv.scanner.Reset(name)
	words, size := 0, 0
	for word := inv.scanner.Next(); word != nil; word = inv.scanner.Next() {
		words, size = words+1, len(word)
		inv.count(inv.termsOf(word), cellNames)
	}
	if words == 1 && size == len(name) {
		inv.define(name)
	}
}

// define notes that the open chunk defines a name. When it does so in several
// spellings, the first counts.
func (inv *inverter) define(name []byte) {
	term, spelling := definitionTerm(&inv.definition, name)
	if term == nil {
		return
	}
	id := inv.terms.number(term)
	inv.grow()
	if inv.cells[id] == 0 {
		inv.touched = append(inv.touched, id)
		inv.cells[id] = uint32(spelling) * cellNames
	}
}

// grow gives every term a cell.
func (inv *inverter) grow() {
	for len(inv.cells) < inv.terms.len() {
		inv.cells = append(inv.cells, 0)
	}
}

func (inv *inverter) count(ref termsRef, step uint32) {
	if ref.count == 1 {
		inv.countOne(ref.first, step)
		return
	}
	for _, id := range inv.words.terms[ref.first : ref.first+uint32(ref.count)] {
		inv.countOne(id, step)
	}
}

func (inv *inverter) countOne(id, step uint32) {
	c := inv.cells[id]
	if c == 0 {
		inv.touched = append(inv.touched, id)
	}
	inv.cells[id] = c + step
}

// take writes the forward list of the open chunk and closes the chunk.
func (inv *inverter) take() []uint32 {
	if cap(inv.slab)-len(inv.slab) < 2*len(inv.touched) {
		inv.slab = make([]uint32, 0, max(slabWords, 2*len(inv.touched)))
	}
	start := len(inv.slab)
	out := inv.slab
	for _, id := range inv.touched {
		c := inv.cells[id]
		inv.cells[id] = 0
		if c <= forwardEscape {
			out = append(out, (c-1)<<forwardTermBits|id)
		} else {
			out = append(out, forwardEscape<<forwardTermBits|id, c)
		}
	}
	inv.slab = out
	inv.touched = inv.touched[:0]
	inv.length = 0
	return out[start:len(out):len(out)]
}

// full tells that the inverter can take no further document.
func (inv *inverter) full() bool { return inv.terms.len() > maxForwardTerms-1<<20 }
