package plugin

import (
	"bytes"
	"encoding/json"
)

// schema is a node of the Runner's schema profile (webcodex-plugin-v1, section 7), as far as the catalogue uses it.
type schema struct {
	Type                 string      `json:"type"`
	Description          string      `json:"description,omitempty"`
	Enum                 []string    `json:"enum,omitempty"`
	MinLength            int         `json:"minLength,omitempty"`
	MaxLength            int         `json:"maxLength,omitempty"`
	Properties           *properties `json:"properties,omitempty"`
	Required             []string    `json:"required,omitempty"`
	AdditionalProperties *bool       `json:"additionalProperties,omitempty"`
}

// properties are the members of an object schema in the order of the table that they come from.
type properties []property

type property struct {
	name string
	node schema
}

// MarshalJSON writes the properties as one object in their order.
func (p properties) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i, member := range p {
		if i > 0 {
			buf.WriteByte(',')
		}
		name, err := json.Marshal(member.name)
		if err != nil {
			return nil, err
		}
		node, err := encode(member.node)
		if err != nil {
			return nil, err
		}
		buf.Write(name)
		buf.WriteByte(':')
		buf.Write(node)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// inputSchema is the schema of a tool's arguments. It names no range of a number: the profile has no keyword for it.
func inputSchema(parameters []parameter) schema {
	members := properties{}
	var required []string
	for _, p := range parameters {
		members = append(members, property{p.name, schema{
			Type: p.kind, Description: p.description, Enum: p.enum, MinLength: p.minLength, MaxLength: p.maxLength,
		}})
		if p.required {
			required = append(required, p.name)
		}
	}
	closed := false
	return schema{Type: "object", Properties: &members, Required: required, AdditionalProperties: &closed}
}
