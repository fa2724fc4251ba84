package mcp

import (
	"encoding/json"
	"strconv"

	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/pathguard"
)

// kind is the type of an argument, spelled as in a schema.
type kind string

const (
	text    kind = "string"
	integer kind = "integer"
	boolean kind = "boolean"
	names   kind = "array" // of strings
)

// parameter is one argument of a tool: what its schema says and what the check of a call enforces.
type parameter struct {
	name, description string
	kind              kind
	required          bool
	scoping           bool // whether it was given is judged with the call's scope, which has codes of its own (M-27)
	enum              []string
	pattern           string // a regular expression for the schema; form is its check
	form              func(string) bool
	least, most       int // of an integer, of a string's characters, of a list's items; most 0 = none
	fallback          any // the default; nil = none
	// judged says that the room that takes a string refuses one out of bounds, with a code of its own.
	judged bool
	// broken is the code for a string that is no Unicode text; "" = invalid_arguments.
	broken pathguard.Code
}

// within gives the parameter with a range and its default.
func (p parameter) within(r files.Range) parameter {
	p.least, p.most, p.fallback = r.Min, r.Max, r.Default
	return p
}

// inputSchema gives the JSON Schema of a tool's arguments, in the order of the table (M-40).
func inputSchema(parameters []parameter) json.RawMessage {
	out := []byte(`{"type":"object","properties":{`)
	var required []string
	for i, p := range parameters {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendJSON(out, p.name), ':')
		out = p.appendSchema(out)
		if p.required {
			required = append(required, p.name)
		}
	}
	out = append(out, '}')
	if required != nil {
		out = appendJSON(append(out, `,"required":`...), required)
	}
	return append(out, `,"additionalProperties":false}`...)
}

func (p *parameter) appendSchema(out []byte) []byte {
	out = appendJSON(append(out, `{"type":`...), p.kind)
	out = appendJSON(append(out, `,"description":`...), p.description)
	bound := func(keyword string, n int) {
		out = append(appendJSON(append(out, ','), keyword), ':')
		out = strconv.AppendInt(out, int64(n), 10)
	}
	switch p.kind {
	case integer:
		bound("minimum", p.least)
		bound("maximum", p.most)
	case text:
		if p.enum != nil {
			out = appendJSON(append(out, `,"enum":`...), p.enum)
			break
		}
		bound("minLength", p.least)
		bound("maxLength", p.most)
		if p.pattern != "" {
			out = appendJSON(append(out, `,"pattern":`...), p.pattern)
		}
	case names:
		out = append(out, `,"items":{"type":"string","minLength":1,"maxLength":`...)
		out = append(strconv.AppendInt(out, maxNameChars, 10), '}')
		bound("minItems", p.least)
		bound("maxItems", p.most)
	}
	if p.fallback != nil {
		out = appendJSON(append(out, `,"default":`...), p.fallback)
	}
	return append(out, '}')
}

// maxNameChars bounds one name of a list.
const maxNameChars = 64

// appendJSON appends a value that always encodes.
func appendJSON(out []byte, v any) []byte {
	encoded, err := encode(v)
	if err != nil {
		panic(err) // strings, numbers and lists of them
	}
	return append(out, encoded...)
}
