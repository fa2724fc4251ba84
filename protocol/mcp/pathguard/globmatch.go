package pathguard

import "strings"

// match holds the glob against a text. A star is tried short first and lengthened when what follows does not fit. Only the
// last star of a component, and the last crossing before it, need ever be lengthened: whatever an earlier one could gain,
// the later one can gain as well.
func (g *glob) match(text string) bool {
	if g.never {
		return false
	}
	var inner, outer retry
	at, pos := 0, 0
	for {
		if at == len(g.tokens) && pos == len(text) {
			return true
		}
		if at < len(g.tokens) {
			switch t := g.tokens[at]; t.kind {
			case star:
				inner = retry{token: at + 1, text: pos, kind: star, set: true}
				at++
				continue
			case anything, directories:
				inner, outer = retry{}, retry{token: at + 1, text: pos, kind: t.kind, set: true}
				at++
				continue
			default:
				if pos < len(text) && t.fits(text[pos]) {
					at, pos = at+1, pos+1
					continue
				}
			}
		}
		if !inner.extend(text) {
			inner = retry{}
			if !outer.extend(text) {
				return false
			}
			at, pos = outer.token, outer.text
			continue
		}
		at, pos = inner.token, inner.text
	}
}

// A retry is where matching goes on when a star is lengthened.
type retry struct {
	token, text int
	kind        tokenKind
	set         bool
}

// extend gives the star one more byte, or one more directory; false when it can take none.
func (r *retry) extend(text string) bool {
	if !r.set || r.text >= len(text) {
		return false
	}
	switch r.kind {
	case star:
		if text[r.text] == '/' {
			return false
		}
	case directories:
		slash := strings.IndexByte(text[r.text:], '/')
		if slash < 0 {
			return false
		}
		r.text += slash
	}
	r.text++
	return true
}

func (t token) fits(b byte) bool {
	switch t.kind {
	case literal:
		return t.byte == b
	case anyByte:
		return b != '/'
	}
	return t.set[b/64]&(1<<(b%64)) != 0
}
