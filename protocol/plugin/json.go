package plugin

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// wellFormed reports whether line is one JSON text in valid UTF-8 nested at most maxDepth deep.
func wellFormed(line []byte) bool {
	return utf8.Valid(line) && !tooDeep(line) && json.Valid(line)
}

// tooDeep reports whether brackets outside strings ever nest deeper than maxDepth. It is meant for any bytes:
// on text that is not JSON the answer is of no importance.
func tooDeep(line []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// object gives the members of a JSON object, the last of equal keys, with their values as written;
// ok is false when raw is another kind of value. raw is well-formed JSON or empty.
func object(raw json.RawMessage) (members map[string]json.RawMessage, ok bool) {
	if !startsWith(raw, '{') {
		return nil, false
	}
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, false
	}
	return members, true
}

// text gives the value of a JSON string; ok is false for another kind of value and for a string that is not Unicode
// text because an escape in it names half a surrogate pair: decoding it would silently make another string of it.
func text(raw json.RawMessage) (value string, ok bool) {
	if !startsWith(raw, '"') || loneSurrogate(raw) {
		return "", false
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", false
	}
	return value, true
}

// integral reports whether raw is a JSON number without fraction or exponent.
func integral(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') && !bytes.ContainsAny(raw, ".eE")
}

func startsWith(raw json.RawMessage, c byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == c
}

// loneSurrogate reports whether a well-formed JSON string holds a \u escape of a surrogate without its other half.
func loneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		unit := escapedUnit(raw[i:])
		if !utf16.IsSurrogate(unit) {
			i++ // the escaped character may itself be a backslash
			continue
		}
		const escape = len(`\u0000`)
		if utf16.DecodeRune(unit, escapedUnit(raw[i+escape:])) == utf8.RuneError {
			return true
		}
		i += 2*escape - 1
	}
	return false
}

// escapedUnit gives the UTF-16 unit of the \u escape that raw begins with, or -1.
func escapedUnit(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	var unit rune
	for _, c := range raw[2:6] {
		digit := hexDigit(c)
		if digit < 0 {
			return -1
		}
		unit = unit<<4 | digit
	}
	return unit
}

func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}
