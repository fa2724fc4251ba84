package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	around := func(text []byte) []byte { return text[max(0, min(at-80, len(text))):min(at+80, len(text))] }
	t.Fatalf("%s, line %d:\n got …%s…\nwant …%s…\nRun with -update when the change is meant.", name, bytes.Count(got[:at], []byte("\n"))+1, around(got), around(want))
}

// What a client is told about the tools, word for word (M-7, M-40, M-46).
func TestToolsGolden(t *testing.T) {
	limits := DefaultLimits()
	var definitions []*sdk.Tool
	for _, tool := range catalogue(&limits) {
		definitions = append(definitions, tool.definition())
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(definitions); err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.json", out.Bytes())
}

// The nineteen tools with their hints (M-46 to M-61).
func TestCatalogue(t *testing.T) {
	limits := DefaultLimits()
	once := []string{"create_file", "begin_document"}
	again := []string{"write_chunk", "finish_document", "index"}
	all := catalogue(&limits)
	if len(all) != 19 {
		t.Errorf("%d tools", len(all))
	}
	for _, tool := range all {
		d := tool.definition()
		writes := slices.Contains(once, tool.name) || slices.Contains(again, tool.name)
		a := d.Annotations
		if a.ReadOnlyHint == writes || *a.DestructiveHint || *a.OpenWorldHint || a.IdempotentHint == slices.Contains(once, tool.name) {
			t.Errorf("%s: %+v", tool.name, a)
		}
		if d.Title == "" || d.Description == "" {
			t.Errorf("%s has no title or description", tool.name)
		}
		checkInputSchema(t, &tool)
	}
}

// checkInputSchema holds an input schema to M-40: closed, and every property described, bounded, with its default.
func checkInputSchema(t *testing.T, tool *tool) {
	t.Helper()
	var schema struct {
		Type       string
		Properties map[string]struct {
			Type, Description, Pattern string
			Enum                       []string
			Minimum, Maximum           *int
			MinLength, MaxLength       *int
			MinItems, MaxItems         *int
			Default                    any
		}
		Required   []string
		Additional *bool `json:"additionalProperties"`
	}
	if err := json.Unmarshal(inputSchema(tool.parameters), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Type != "object" || schema.Additional == nil || *schema.Additional || len(schema.Properties) != len(tool.parameters) {
		t.Errorf("%s: %+v", tool.name, schema)
	}
	for _, p := range tool.parameters {
		s := schema.Properties[p.name]
		bounded := s.Enum != nil || p.kind == boolean || s.Minimum != nil && s.Maximum != nil || s.MinLength != nil && s.MaxLength != nil || s.MinItems != nil && s.MaxItems != nil
		if s.Description == "" || !bounded || p.required != slices.Contains(schema.Required, p.name) {
			t.Errorf("%s %s: %+v", tool.name, p.name, s)
		}
		if (s.Default != nil) != (p.fallback != nil) || p.required && s.Default != nil {
			t.Errorf("%s %s: default %v", tool.name, p.name, s.Default)
		}
	}
}

// The descriptions of the writing tools name the limits in force, in bytes (M-53).
func TestDescriptionsNameLimits(t *testing.T) {
	limits := DefaultLimits()
	limits.Documents.WriteBytes, limits.Documents.ChunkBytes, limits.Documents.DocumentBytes, limits.Documents.Chunks = 4001, 4002, 4003, 4004
	want := map[string][]string{"create_file": {"4001"}, "begin_document": {"4003", "4004"}, "write_chunk": {"4002"}}
	for _, tool := range catalogue(&limits) {
		for _, number := range want[tool.name] {
			if !strings.Contains(tool.description, number) {
				t.Errorf("%s does not name %s", tool.name, number)
			}
		}
	}
}

// accepts reports whether a value fits a schema, as far as output schemas go.
func accepts(schema map[string]any, value any) string {
	types, _ := schema["type"].([]any)
	if one, ok := schema["type"].(string); ok {
		types = []any{one}
	}
	if !slices.ContainsFunc(types, func(name any) bool { return isType(name.(string), value) }) {
		return "type"
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if why := accepts(schema["items"].(map[string]any), item); why != "" {
				return "item: " + why
			}
		}
	case map[string]any:
		return acceptsObject(schema, v)
	}
	return ""
}

func acceptsObject(schema map[string]any, value map[string]any) string {
	properties, _ := schema["properties"].(map[string]any)
	for name, member := range value {
		of, known := properties[name].(map[string]any)
		if !known {
			of, known = schema["additionalProperties"].(map[string]any)
		}
		if !known {
			if properties == nil {
				continue
			}
			return "unknown " + name
		}
		if why := accepts(of, member); why != "" {
			return name + ": " + why
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, there := value[name.(string)]; !there {
			return "missing " + name.(string)
		}
	}
	either, _ := schema["anyOf"].([]any)
	if either != nil && !slices.ContainsFunc(either, func(s any) bool {
		return acceptsObject(map[string]any{"required": s.(map[string]any)["required"]}, value) == ""
	}) {
		return "neither a result nor an error"
	}
	return ""
}

func isType(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	case []any:
		return name == "array"
	}
	return name == "object"
}
