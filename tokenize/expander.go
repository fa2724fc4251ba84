package tokenize

import "unicode/utf8"

// Expander turns a word of a Scanner into its terms. The zero value is ready. It is reused from word to word and is
// not safe for concurrent use.
type Expander struct {
	word   identifier
	terms  termSet
	folder folder
	query  bool // collect also the forms that only a query asks for

	room []byte // for a form that is being made
}

// Expand calls emit for the terms of word, each distinct one once, in order. A term is valid only inside emit,
// which may not write to it. Bytes that no Scanner would give are survived: what is neither letter nor digit parts
// the word. Nothing is allocated once the longest word has been met.
func (e *Expander) Expand(word []byte, emit func(term []byte)) {
	if plainPair(word) {
		emit(word)
		return
	}
	if term := e.onePart(word); term != nil {
		emit(term)
		return
	}
	e.collect(word)
	for i := range e.terms.spans {
		emit(e.terms.term(i))
	}
}

// plainPair reports whether word is one or two characters of plainHan, which are their own term.
func plainPair(word []byte) bool {
	return plainHan(word) && (len(word) == hanLen || len(word) == 2*hanLen && plainHan(word[hanLen:]))
}

// onePart returns the term of a word that has only one: ASCII letters without a camelCase border, or digits. It
// returns nil for other words. It is the short way for most words of a text and agrees with collect.
func (e *Expander) onePart(word []byte) []byte {
	if len(word) == 0 || len(word) > MaxTermRunes {
		return nil
	}
	if cap(e.room) < MaxTermRunes {
		e.room = make([]byte, 0, MaxTermRunes)
	}
	folded := e.room[:len(word)]
	first, rest := asciiBits[word[0]], uint8(0)
	folded[0] = word[0] | first&bitUpper<<4
	for i := 1; i < len(word); i++ {
		bits := asciiBits[word[i]]
		rest |= bits
		folded[i] = word[i] | bits&bitUpper<<4
	}
	switch {
	case first == bitDigit && rest&^bitDigit == 0:
		return folded
	case first&bitsLetter != 0 && rest&^bitLower == 0, first == bitUpper && rest == bitUpper:
		return Stem(folded)
	}
	return nil
}

// collect puts the terms of word into e.terms.
func (e *Expander) collect(word []byte) {
	e.terms.reset()
	if len(word) == 0 {
		return
	}
	if _, c, _ := decode(word); c.cut() {
		e.room, _ = e.folder.appendCluster(e.room[:0], word)
		e.terms.add(firstRunes(e.room), 0)
		return
	}
	w := &e.word
	e.folder.identifier(w, word)
	first, ok := w.first()
	if !ok {
		return
	}
	whole := piece{to: len(w.kinds), part: true}
	if first == whole {
		e.addForms(w.folded, true, formWhole)
		return
	}
	// A whole that begins with more '_' than a term can hold has no letter left to be found by.
	if len(firstRunes(w.folded)) > int(w.offsets[first.from]) {
		e.addForms(w.folded, false, formWhole)
	}
	w.split(func(p piece) { e.addForms(w.bytes(p), p.part, 0) })
}

// addForms adds the forms of a folded word or piece: as it is or, when it is English, its stem; without its accents.
func (e *Expander) addForms(folded []byte, english bool, form termForm) {
	term := firstRunes(folded)
	switch letters, ascii := asciiLetters(term); {
	case letters && len(term) == len(folded):
		e.addEnglish(term, english, form)
		return
	case ascii:
		e.terms.add(term, form)
		return
	}
	e.terms.add(term, form)
	if !e.word.accents {
		return
	}
	e.room = e.folder.appendBare(e.room[:0], folded)
	bare := e.room
	term = firstRunes(bare)
	if letters, _ := asciiLetters(term); letters && len(term) == len(bare) {
		e.addEnglish(term, english, form)
		return
	}
	e.terms.add(term, form)
}

// addEnglish adds a folded word or piece of ASCII letters, or its stem when it is taken for English. A query asks
// for a whole word in both ways: written with capitals inside, as getName, it has parts and keeps its form in the
// index, written getname it has none and is stemmed.
func (e *Expander) addEnglish(term []byte, english bool, form termForm) {
	if e.query && StopWord(term) {
		form |= formStop
	}
	var room [MaxTermRunes]byte
	stem := Stem(append(room[:0], term...))
	one, other := term, stem
	if english {
		one, other = stem, term
	}
	e.terms.add(one, form)
	if e.query && form&formWhole != 0 {
		e.terms.add(other, form|formVariant)
	}
}

// asciiLetters reports whether text is made of small ASCII letters, and whether it is ASCII at all.
func asciiLetters(text []byte) (letters, ascii bool) {
	var found uint8
	for _, b := range text {
		bits := asciiBits[b]
		if bits == 0 {
			bits = bitUnderscore
		}
		found |= bits
	}
	return found == bitLower, found&bitWide == 0
}

// firstRunes returns the first MaxTermRunes characters of text.
func firstRunes(text []byte) []byte {
	if len(text) <= MaxTermRunes {
		return text
	}
	end := 0
	for n := 0; n < MaxTermRunes && end < len(text); n++ {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return text[:end]
}
