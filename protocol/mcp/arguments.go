package mcp

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

// arguments are the checked values of a call by parameter, with the defaults of those that it leaves out.
type arguments struct {
	strings  map[string]string
	integers map[string]int
	booleans map[string]bool
	lists    map[string][]string
}

func (a *arguments) text(name string) string    { return a.strings[name] }
func (a *arguments) integer(name string) int    { return a.integers[name] }
func (a *arguments) boolean(name string) bool   { return a.booleans[name] }
func (a *arguments) names(name string) []string { return a.lists[name] }

func (a *arguments) set(name string, value any) {
	switch v := value.(type) {
	case string:
		a.strings[name] = v
	case int:
		a.integers[name] = v
	case bool:
		a.booleans[name] = v
	case []string:
		a.lists[name] = v
	}
}

// decodeArguments checks the arguments of a call against the tool's parameters (M-27, M-44). raw is JSON, or empty for a
// call without arguments. Whatever is refused is invalid_arguments with a sentence that names the parameter, a path or
// content that is no text apart.
func decodeArguments(parameters []parameter, raw json.RawMessage) (arguments, error) {
	args := arguments{map[string]string{}, map[string]int{}, map[string]bool{}, map[string][]string{}}
	var members map[string]json.RawMessage
	if raw = bytes.TrimSpace(raw); len(raw) > 0 {
		if err := json.Unmarshal(raw, &members); err != nil || members == nil {
			return args, pathguard.Errorf(pathguard.InvalidArguments, "The arguments must be a JSON object.")
		}
	}
	if err := checkNames(parameters, members); err != nil {
		return args, err
	}
	for i := range parameters {
		p := &parameters[i]
		given, present := members[p.name]
		if !present {
			if p.required && !p.scoping {
				return args, p.wrong("is required")
			}
			args.set(p.name, p.fallback)
			continue
		}
		value, err := p.decode(given)
		if err != nil {
			return args, err
		}
		args.set(p.name, value)
	}
	return args, nil
}

// checkNames refuses an argument that the tool does not have. The caller's words are not repeated to it.
func checkNames(parameters []parameter, members map[string]json.RawMessage) error {
	for name := range members {
		if !slices.ContainsFunc(parameters, func(p parameter) bool { return p.name == name }) {
			return pathguard.Errorf(pathguard.InvalidArguments, "The call has an argument that this tool does not take; it takes %s.", known(parameters))
		}
	}
	return nil
}

// known lists the names of parameters for a sentence.
func known(parameters []parameter) string {
	if len(parameters) == 0 {
		return "none"
	}
	list := make([]string, len(parameters))
	for i, p := range parameters {
		list[i] = p.name
	}
	return strings.Join(list, ", ")
}

func (p *parameter) wrong(rule string) error {
	return pathguard.Errorf(pathguard.InvalidArguments, "%s %s.", p.name, rule)
}

func (p *parameter) decode(raw json.RawMessage) (any, error) {
	switch p.kind {
	case integer:
		return p.decodeInteger(raw)
	case boolean:
		var value bool
		if !bytes.Equal(raw, []byte("true")) && !bytes.Equal(raw, []byte("false")) {
			return nil, p.wrong("must be true or false")
		}
		value = raw[0] == 't'
		return value, nil
	case names:
		return p.decodeNames(raw)
	}
	return p.decodeText(raw)
}

func (p *parameter) decodeInteger(raw json.RawMessage) (any, error) {
	value, ok := wholeNumber(string(raw))
	if !ok || value < p.least || value > p.most {
		return nil, p.wrong("must be a whole number from " + strconv.Itoa(p.least) + " to " + strconv.Itoa(p.most))
	}
	return value, nil
}

// wholeNumber reads a JSON number without a fractional part; 2.0 and 2e1 are whole numbers to a schema, too.
func wholeNumber(raw string) (int, bool) {
	if value, err := strconv.Atoi(raw); err == nil {
		return value, raw[0] != '+'
	}
	if raw == "" || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	value, err := strconv.ParseFloat(raw, 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
		return 0, false
	}
	return int(value), true
}

func (p *parameter) decodeText(raw json.RawMessage) (any, error) {
	if len(raw) == 0 || raw[0] != '"' {
		return nil, p.wrong("must be a string")
	}
	value, ok := unicodeText(raw)
	if !ok && p.broken != "" {
		return nil, pathguard.Fault(p.broken)
	}
	if !ok {
		return nil, p.wrong("must be Unicode text")
	}
	if p.enum != nil {
		if !slices.Contains(p.enum, value) {
			return nil, p.wrong("must be " + strings.Join(p.enum, " or "))
		}
		return value, nil
	}
	if !p.judged && !p.fits(utf8.RuneCountInString(value)) {
		return nil, p.wrong("must have " + strconv.Itoa(p.least) + " to " + strconv.Itoa(p.most) + " characters")
	}
	if p.form != nil && !p.form(value) {
		return nil, p.wrong("must match " + p.pattern)
	}
	return value, nil
}

func (p *parameter) fits(n int) bool { return n >= p.least && n <= p.most }

func (p *parameter) decodeNames(raw json.RawMessage) (any, error) {
	var items []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &items) != nil || !p.fits(len(items)) {
		return nil, p.wrong("must be a list of " + strconv.Itoa(p.least) + " to " + strconv.Itoa(p.most) + " strings")
	}
	list := make([]string, len(items))
	for i, item := range items {
		value, ok := unicodeText(bytes.TrimSpace(item))
		if n := utf8.RuneCountInString(value); !ok || n < 1 || n > maxNameChars {
			return nil, p.wrong("must hold strings of 1 to " + strconv.Itoa(maxNameChars) + " characters")
		}
		list[i] = value
	}
	return list, nil
}

// unicodeText gives the value of a JSON string. ok is false for another kind of value and for one that a decoder would
// have to change: bytes that are not UTF-8, or an escape of half a surrogate pair.
func unicodeText(raw json.RawMessage) (value string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || !utf8.Valid(raw) || loneSurrogate(raw) {
		return "", false
	}
	return value, json.Unmarshal(raw, &value) == nil
}

// loneSurrogate reports whether a JSON string has a \u escape of a surrogate without its other half.
func loneSurrogate(raw []byte) bool {
	for {
		at := bytes.IndexByte(raw, '\\')
		if at < 0 || at+1 >= len(raw) {
			return false
		}
		raw = raw[at:]
		first := escapedUnit(raw)
		switch {
		case first < 0:
			raw = raw[2:] // the escaped character may itself be a backslash
		case !utf16.IsSurrogate(first):
			raw = raw[escapeLength:]
		case utf16.DecodeRune(first, escapedUnit(raw[escapeLength:])) == utf8.RuneError:
			return true
		default:
			raw = raw[2*escapeLength:]
		}
	}
}

const escapeLength = len(`\u0000`)

// escapedUnit gives the UTF-16 unit of the \u escape at the beginning of raw, or -1.
func escapedUnit(raw []byte) rune {
	if len(raw) < escapeLength || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(raw[2:escapeLength]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
