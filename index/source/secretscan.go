package source

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// Looking for 25 expressions one after the other takes 25 passes at some 10 to 50 MB/s. What is done instead: every match
// holds one of a few short literals (secretanchor.go), and each literal holds two rare pairs of neighbouring bytes at
// successive offsets, one of which begins at an even position of the text. So it is enough to look at every other
// position, take the two bytes there as a number, and ask a table whether such a pair belongs to a literal: eight bytes
// of text in one step. Where a literal really stands, the rule is judged there, on a stretch of text that is bounded
// (secrettoken.go) or by hand (secretkeyword.go, secretheader.go).
//
// Under (?i) RE2 also takes the long s for s and the Kelvin sign for k. A text with one of them is looked through once
// more with both replaced, more leniently; the expressions themselves are asked only if that finds something.

// byteOrderMark is left out of a text before it is judged.
var byteOrderMark = []byte("\ufeff")

// findSecret gives the name of a rule of P-37 that matches a text, or "". The text is valid UTF-8. It stops at the first
// match it finds, which need not be of the first rule that matches. Time: linear in the text.
func findSecret(path string, text []byte) string {
	text = bytes.TrimPrefix(text, byteOrderMark)
	scan := secretScan{text: text, plain: takesPlainValues(path)}
	found := scan.run(pairTable())
	if found == noRule {
		found = scan.foldedLetters()
	}
	if found == noRule {
		return ""
	}
	return secretRules[found].name
}

// takesPlainValues reports whether the rule keyword-plain concerns the path.
func takesPlainValues(path string) bool {
	var memory [256]byte
	return formatOf[string(extensionOf(lower(memory[:0], path)))]&plainValues != 0
}

// noRule is the answer of a judgement that found nothing.
const noRule = -1

// secretScan is one pass over a text.
type secretScan struct {
	text  []byte
	plain bool // the rule keyword-plain applies

	// lenient takes a name for one that begins anywhere and a placeholder for a value: what it finds is a suspicion.
	lenient bool
}

// pairs tells for every pair of bytes, the first one in the low half, which literals may stand there.
type pairs struct {
	class      [1 << 16]uint8 // 0: none, else an index into candidates
	candidates [][]candidate
}

// A candidate is a literal whose pair at the given offset was met.
type candidate struct {
	*anchor
	offset int
}

var pairTable = sync.OnceValue(func() *pairs { return newPairs(anchors) })

// run looks at the pair at every even position.
func (s *secretScan) run(table *pairs) int {
	text := s.text
	i := 0
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		first, second := table.class[uint16(word)], table.class[uint16(word>>16)]
		third, fourth := table.class[uint16(word>>32)], table.class[uint16(word>>48)]
		if first|second|third|fourth == 0 {
			continue
		}
		for k, class := range [...]uint8{first, second, third, fourth} {
			if class != 0 {
				if found := s.judge(table.candidates[class], i+2*k); found != noRule {
					return found
				}
			}
		}
	}
	for ; i+2 <= len(text); i += 2 {
		if class := table.class[binary.LittleEndian.Uint16(text[i:])]; class != 0 {
			if found := s.judge(table.candidates[class], i); found != noRule {
				return found
			}
		}
	}
	return noRule
}

// judge takes up the literals that may stand around the pair at position i.
func (s *secretScan) judge(candidates []candidate, i int) int {
	for k := range candidates {
		c := &candidates[k]
		start := i - c.offset
		if start < 0 || start+len(c.literal) > len(s.text) || !c.standsIn(s.text[start:]) {
			continue
		}
		if found := c.judge(s, start); found != noRule {
			return found
		}
	}
	return noRule
}

// Letters outside ASCII that (?i) takes for one inside, and that one.
var (
	longS, plainS  = []byte("\u017f"), []byte("s")
	kelvin, plainK = []byte("\u212a"), []byte("k")
)

// foldedLetters judges the rules that ignore case in a text with letters outside ASCII that fold to s or k.
func (s *secretScan) foldedLetters() int {
	if !bytes.Contains(s.text, longS) && !bytes.Contains(s.text, kelvin) {
		return noRule
	}
	replaced := bytes.ReplaceAll(bytes.ReplaceAll(s.text, longS, plainS), kelvin, plainK)
	suspicion := secretScan{text: replaced, plain: s.plain, lenient: true}
	if suspicion.run(pairTable()) == noRule {
		return noRule
	}
	return s.byExpression()
}

// byExpression judges the rules that fold letters by their expressions, over the whole text.
func (s *secretScan) byExpression() int {
	if secretRules[authHeader].compiled().Match(s.text) {
		return authHeader
	}
	if matchKeyword(keywordQuoted, s.text) {
		return keywordQuoted
	}
	if s.plain && matchKeyword(keywordPlain, s.text) {
		return keywordPlain
	}
	return noRule
}

// matchKeyword reports whether the expression of a keyword rule has a match in text whose value is no placeholder.
// Matches may overlap: what follows a placeholder is looked at again from where no other match can have begun before.
func matchKeyword(rule int, text []byte) bool {
	expression := secretRules[rule].compiled()
	group := 2 * expression.SubexpIndex("value")
	for {
		at := expression.FindSubmatchIndex(text)
		if at == nil {
			return false
		}
		if !placeholder(text[at[group]:at[group+1]]) {
			return true
		}
		if rule == keywordQuoted {
			text = text[at[group]:] // begins behind a quote, like the text itself no place inside a word
		} else {
			text = text[at[1]:] // begins with the end of the line
		}
	}
}
