package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The two keyword rules, by hand. Between the keyword and the value stands nothing but an assignment, so a keyword has
// at most one value, and each is judged by itself.

// maxPrefix is how many characters of a name may stand before its keyword.
const maxPrefix = 40

// minValue is how many characters make a value.
const minValue = 8

// keywordEnding judges the keywords that begin with a literal: each of the endings completes one, after an underscore too
// when literal and ending are words of their own.
func keywordEnding(literal string, endings ...string) func(*secretScan, int) int {
	return func(s *secretScan, start int) int {
		for _, ending := range endings {
			end := start + len(literal)
			if (ending == "key" || ending == "token") && end < len(s.text) && s.text[end] == '_' {
				end++
			}
			if !foldedPrefix(s.text[end:], ending) {
				continue
			}
			if found := s.keyword(start, end+len(ending)); found != noRule {
				return found
			}
		}
		return noRule
	}
}

// keyword judges the keyword text[start:end] by both rules. client_secret is secret with more room before it.
func (s *secretScan) keyword(start, end int) int {
	quoted := s.quotedValue(end)
	plain := s.plain && s.plainValue(end)
	if !quoted && !plain {
		return noRule
	}
	starts := [...]int{start, s.before(start, "client"), s.before(start, "client_")}
	for _, start := range starts {
		switch {
		case start < 0:
		case quoted && s.beginsName(start):
			return keywordQuoted
		case plain && s.beginsLine(start):
			return keywordPlain
		}
	}
	return noRule
}

// before gives where word begins when it stands right before start, else -1.
func (s *secretScan) before(start int, word string) int {
	from := start - len(word)
	if from < 0 || !foldedPrefix(s.text[from:start], word) {
		return -1
	}
	return from
}

// beginsName is \b[\w.-]{0,40} up to start.
func (s *secretScan) beginsName(start int) bool {
	if s.lenient {
		return true
	}
	for from := start; from >= 0 && from >= start-maxPrefix; from-- {
		if from < start && !isNameByte(s.text[from]) {
			return false
		}
		if wordBefore := from > 0 && isWord(s.text[from-1]); wordBefore != isWord(s.text[from]) {
			return true
		}
	}
	return false
}

// beginsLine is (?m)^[ \t]*[\w.-]{0,40} up to start.
func (s *secretScan) beginsLine(start int) bool {
	from := start
	for from > 0 && isNameByte(s.text[from-1]) {
		if from--; start-from > maxPrefix {
			return false
		}
	}
	for from > 0 && isBlank(s.text[from-1]) {
		from--
	}
	return from == 0 || s.text[from-1] == '\n'
}

// quotedValue reports whether an assignment of a quoted value follows the keyword that ends at end, and the value is no placeholder.
func (s *secretScan) quotedValue(end int) bool {
	rest := s.text[end:]
	rest = skipOne(rest, quote)
	if len(rest) > 0 && rest[0] == ']' {
		rest = rest[1:]
	}
	rest = skipSpace(rest)
	switch {
	case bytes.HasPrefix(rest, []byte(":=")), bytes.HasPrefix(rest, []byte("=>")):
		rest = rest[2:]
	case len(rest) > 0 && (rest[0] == ':' || rest[0] == '='):
		rest = rest[1:]
	default:
		return false
	}
	rest = skipSpace(rest)
	if len(rest) == 0 || !isQuote(rest[0]) {
		return false
	}
	rest = rest[1:]
	length := 0
	for length < len(rest) && !isSpace(rest[length]) && !isQuote(rest[length]) {
		length++
	}
	closed := length < len(rest) && isQuote(rest[length])
	return closed && s.isSecretValue(rest[:length])
}

// plainValue reports whether an assignment of a value that fills the rest of the line follows the keyword that ends at
// end, and the value is no placeholder.
func (s *secretScan) plainValue(end int) bool {
	rest := skipBlanks(s.text[end:])
	if len(rest) == 0 || rest[0] != ':' && rest[0] != '=' {
		return false
	}
	rest = skipBlanks(rest[1:])
	length := 0
	for length < len(rest) && byteKinds[rest[length]]&(space|quote) == 0 && rest[length] != '#' {
		length++
	}
	after := length
	for after < len(rest) && (isBlank(rest[after]) || rest[after] == '\r') {
		after++
	}
	return (after == len(rest) || rest[after] == '\n') && s.isSecretValue(rest[:length])
}

func (s *secretScan) isSecretValue(value []byte) bool {
	return len(value) >= minValue && utf8.RuneCount(value) >= minValue && (s.lenient || !placeholder(value))
}

func isNameByte(c byte) bool { return byteKinds[c]&(alphanumeric|underscore|hyphen|dot) != 0 }
func isBlank(c byte) bool    { return c == ' ' || c == '\t' }
func isQuote(c byte) bool    { return byteKinds[c]&quote != 0 || c == '`' }

// skipOne leaves out one byte of a kind, if text begins with it.
func skipOne(text []byte, kind uint8) []byte {
	if len(text) > 0 && byteKinds[text[0]]&kind != 0 {
		return text[1:]
	}
	return text
}

func skipSpace(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	return text
}

func skipBlanks(text []byte) []byte {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	return text
}

// placeholderParts mark a value that stands for a secret without being one (P-37), in lower case.
var placeholderParts = strings.Fields("example changeme placeholder your_ your- xxxx **** < ${ {{ %(")

// placeholder reports whether the value of a keyword match is a placeholder.
func placeholder(value []byte) bool {
	folded := bytes.ToLower(value)
	for _, part := range placeholderParts {
		if bytes.Contains(folded, []byte(part)) {
			return true
		}
	}
	_, first := utf8.DecodeRune(folded)
	for rest := folded[first:]; len(rest) > 0; rest = rest[first:] {
		if !bytes.HasPrefix(rest, folded[:first]) {
			return false
		}
	}
	return true
}
