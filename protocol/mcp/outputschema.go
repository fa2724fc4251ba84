package mcp

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// outputSchema gives the schema of a tool's structured content out of the Go type of its result: an object that has
// either the members of the result or the member error. A client that validates also refused calls accepts both (M-40).
func outputSchema(result any, without []string) json.RawMessage {
	o := object{without: without}
	o.add(reflect.TypeOf(result))
	properties := append(o.properties, property{"error", json.RawMessage(errorSchema)})
	out := appendProperties([]byte(`{"type":"object",`), properties)
	out = append(out, `,"anyOf":[{"required":`...)
	out = appendJSON(out, o.required)
	return append(out, `},{"required":["error"]}]}`...)
}

const errorSchema = `{"type":"object","properties":{"code":{"type":"string","description":"Name of the error; never changes."},` +
	`"message":{"type":"string","description":"What happened and what to do."},"details":{"type":"object"}},"required":["code","message"]}`

type property struct {
	name   string
	schema json.RawMessage
}

// object collects the members of a struct as encoding/json would write them.
type object struct {
	properties []property
	required   []string
	without    []string // members that this server never gives
}

func (o *object) add(t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		if field.Anonymous && tag == "" {
			o.add(field.Type)
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "-" || slices.Contains(o.without, name) {
			continue
		}
		o.properties = append(o.properties, property{name, schemaOf(field.Type, o.without)})
		if !strings.Contains(options, "omitempty") {
			o.required = append(o.required, name)
		}
	}
}

// marshaler is a type that leaves members out by a rule of its own.
var marshaler = reflect.TypeFor[json.Marshaler]()

// schemaOf gives the schema of one value.
func schemaOf(t reflect.Type, without []string) json.RawMessage {
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(schemaOf(t.Elem(), without))
	case reflect.Slice:
		return slices.Concat(json.RawMessage(`{"type":"array","items":`), schemaOf(t.Elem(), without), json.RawMessage(`}`))
	case reflect.Map:
		return slices.Concat(json.RawMessage(`{"type":"object","additionalProperties":`), schemaOf(t.Elem(), without), json.RawMessage(`}`))
	case reflect.Struct:
		o := object{without: without}
		o.add(t)
		out := appendProperties([]byte(`{"type":"object",`), o.properties)
		if o.required != nil && !t.Implements(marshaler) {
			out = appendJSON(append(out, `,"required":`...), o.required)
		}
		return append(out, '}')
	}
	return json.RawMessage(`{"type":"` + scalarType(t.Kind()) + `"}`)
}

func scalarType(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	}
	return "integer"
}

// nullable lets a schema, which begins with its one type, accept null.
func nullable(schema json.RawMessage) json.RawMessage {
	const head = `{"type":`
	rest := schema[len(head):]
	end := len(`"`) + strings.IndexByte(string(rest[1:]), '"') + len(`"`)
	return slices.Concat(json.RawMessage(head+"["), rest[:end], json.RawMessage(`,"null"]`), rest[end:])
}

func appendProperties(out []byte, properties []property) []byte {
	out = append(out, `"properties":{`...)
	for i, p := range properties {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(appendJSON(out, p.name), ':'), p.schema...)
	}
	return append(out, '}')
}
