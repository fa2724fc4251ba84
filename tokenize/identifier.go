package tokenize

// letterKind is what the split of a word into parts looks at, one for each character of the folded word.
type letterKind uint8

const (
	kindBorder letterKind = iota // '_' and other signs inside a word, which no part holds
	kindSmall                    // a letter that is no capital
	kindCapital
	kindDigit
)

// identifier is a word in folded form with what is needed to split it (P-44).
type identifier struct {
	folded  []byte
	kinds   []letterKind
	offsets []int32 // of each character in folded, and the length of folded at the end
	accents bool    // some character may have an accent
}

// piece is a stretch of an identifier, counted in characters. A part lies between two borders, other pieces are
// joined over borders.
type piece struct {
	from, to int
	part     bool
}

func (w *identifier) bytes(p piece) []byte { return w.folded[w.offsets[p.from]:w.offsets[p.to]] }

func (w *identifier) at(i int) letterKind {
	if i < len(w.kinds) {
		return w.kinds[i]
	}
	return kindBorder
}

func (w *identifier) isLetter(i int) bool { return w.at(i) == kindSmall || w.at(i) == kindCapital }

// runEnd returns the end of the run of letters, or of digits, that begins at i.
func (w *identifier) runEnd(i int) int {
	if w.at(i) == kindDigit {
		for w.at(i) == kindDigit {
			i++
		}
		return i
	}
	for w.isLetter(i) {
		i++
	}
	return i
}

// camelEnd returns the end of the camelCase part that begins at i, a letter: before a capital behind a small
// letter, and before the last capital of a run of capitals that a small letter follows.
func (w *identifier) camelEnd(i int) int {
	for i++; w.isLetter(i); i++ {
		if w.at(i) == kindCapital && (w.at(i-1) == kindSmall || w.at(i+1) == kindSmall) {
			break
		}
	}
	return i
}

// first returns the first part, and false when w has no letter or digit.
func (w *identifier) first() (piece, bool) {
	for i, kind := range w.kinds {
		switch kind {
		case kindDigit:
			return piece{from: i, to: w.runEnd(i), part: true}, true
		case kindSmall, kindCapital:
			return piece{from: i, to: w.camelEnd(i), part: true}, true
		}
	}
	return piece{}, false
}

// split calls emit for the parts of w in order, each followed by the pieces that it forms with its neighbours: a
// part at a border of letters and digits joined with the part across the border, and the whole run of letters before
// digits joined with them. A run of capitals with one small letter, IPv or URLs, is read in a second way as well: IP
// and v, URL and s. A piece may come more than once. Cost: linear in the word.
func (w *identifier) split(emit func(piece)) {
	var before piece // the part that ends where a run begins, or empty
	for i := 0; i < len(w.kinds); {
		if w.at(i) == kindBorder {
			before = piece{}
			i++
			continue
		}
		run := piece{from: i, to: w.runEnd(i), part: true}
		if w.at(i) == kindDigit {
			w.splitDigits(run, before, emit)
			before = run
		} else {
			before = w.splitLetters(run, before, emit)
		}
		i = run.to
	}
}

// splitDigits gives a run of digits, and it with the letters before it.
func (w *identifier) splitDigits(run, before piece, emit func(piece)) {
	emit(run)
	if before.to == 0 {
		return
	}
	emit(piece{from: before.from, to: run.to})
	if capitals, ok := w.initialism(run.from - 1); ok {
		emit(piece{from: run.from - 1, to: run.to})
		emit(piece{from: capitals, to: run.to})
	}
	letters := run.from
	for letters > 0 && w.isLetter(letters-1) {
		letters--
	}
	emit(piece{from: letters, to: run.to})
}

// splitLetters gives the camelCase parts of a run of letters, the first one also with the digits before it, and
// returns the last part.
func (w *identifier) splitLetters(run, before piece, emit func(piece)) (last piece) {
	for i := run.from; i < run.to; i = last.to {
		last = piece{from: i, to: w.camelEnd(i), part: true}
		emit(last)
		if i == run.from && before.to != 0 {
			emit(piece{from: before.from, to: last.to})
		}
		if capitals, ok := w.initialism(last.to - 1); ok {
			emit(piece{from: capitals, to: last.to - 1, part: true})
			emit(piece{from: last.to - 1, to: last.to, part: true})
		}
	}
	return last
}

// initialism reports whether the small letter at i ends a run of at least two capitals and no small letter follows
// it, and where the capitals begin.
func (w *identifier) initialism(i int) (capitals int, ok bool) {
	if w.at(i) != kindSmall || w.at(i+1) == kindSmall {
		return 0, false
	}
	capitals = i
	for capitals > 0 && w.at(capitals-1) == kindCapital {
		capitals--
	}
	return capitals, i-capitals >= 2
}
