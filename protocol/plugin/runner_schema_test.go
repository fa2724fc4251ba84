package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var runnerToolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// admitCatalogue holds the result of tools/list to sections 4 and 7 and gives the tools by name in their order.
func admitCatalogue(raw json.RawMessage) ([]string, map[string]map[string]any, error) {
	value, err := decode(raw)
	if err != nil {
		return nil, nil, err
	}
	result, ok := value.(map[string]any)
	list, isList := result["tools"].([]any)
	if !ok || len(result) != 1 || !isList || len(raw) > runnerCatalogue || len(list) > runnerEntries {
		return nil, nil, errors.New("the result is not exactly a bounded list of tools")
	}
	var names []string
	byName := map[string]map[string]any{}
	for _, entry := range list {
		tool, ok := entry.(map[string]any)
		if !ok {
			return nil, nil, errors.New("a definition is not an object")
		}
		name, _ := tool["name"].(string)
		if !runnerToolName.MatchString(name) || byName[name] != nil {
			return nil, nil, fmt.Errorf("name %q", name)
		}
		if err := admitDefinition(tool); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		names, byName[name] = append(names, name), tool
	}
	return names, byName, nil
}

func admitDefinition(tool map[string]any) error {
	for key, value := range tool {
		var err error
		switch key {
		case "name":
		case "title":
			err = admitProse(value, 1, 128)
		case "description":
			err = admitProse(value, 0, 4096)
		case "inputSchema", "outputSchema":
			err = admitSchema(value)
		case "annotations":
			err = admitValue(value, runnerSchema)
		case "projectBound":
			if _, ok := value.(bool); !ok {
				err = errors.New("not a boolean")
			}
		default:
			err = errors.New("unknown key")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if tool["inputSchema"] == nil {
		return errors.New("no inputSchema")
	}
	return nil
}

func admitProse(value any, least, most int) error {
	prose, ok := value.(string)
	if !ok || len(prose) < least || len(prose) > most || badControl(prose) {
		return fmt.Errorf("bad text %q", value)
	}
	return nil
}

func badControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
}

func admitSchema(value any) error {
	if err := admitValue(value, runnerSchema); err != nil {
		return err
	}
	root, ok := value.(map[string]any)
	if !ok || root["type"] != "object" {
		return errors.New("the root is not of type object")
	}
	return admitSchemaNode(root, 0)
}

// keywordType tells which type a keyword belongs to; the empty one stands for all.
var keywordType = map[string]string{
	"type": "", "title": "", "description": "", "enum": "", "const": "",
	"properties": "object", "required": "object", "additionalProperties": "object",
	"minLength": "string", "maxLength": "string",
	"minItems": "array", "maxItems": "array", "items": "array",
}

func admitSchemaNode(node map[string]any, depth int) error {
	kind, _ := node["type"].(string)
	if depth > runnerDepth || !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, kind) {
		return fmt.Errorf("type %v at depth %d", node["type"], depth)
	}
	for keyword, value := range node {
		owner, known := keywordType[keyword]
		if !known || owner != "" && owner != kind {
			return fmt.Errorf("keyword %s on %s", keyword, kind)
		}
		if err := admitKeyword(node, keyword, value, depth); err != nil {
			return fmt.Errorf("%s: %w", keyword, err)
		}
	}
	return nil
}

func admitKeyword(node map[string]any, keyword string, value any, depth int) error {
	switch keyword {
	case "title", "description":
		return admitProse(value, 0, runnerString)
	case "enum":
		if list, ok := value.([]any); !ok || len(list) < 1 || len(list) > runnerEntries {
			return errors.New("bad list")
		}
	case "properties":
		return admitProperties(value, depth)
	case "required":
		return admitRequired(node, value)
	case "additionalProperties":
		if _, ok := value.(bool); !ok {
			return errors.New("not a boolean")
		}
	case "items":
		child, ok := value.(map[string]any)
		if !ok {
			return errors.New("not a schema")
		}
		return admitSchemaNode(child, depth+1)
	case "minLength", "maxLength":
		return admitBounds(node, "minLength", "maxLength", runnerString)
	case "minItems", "maxItems":
		return admitBounds(node, "minItems", "maxItems", runnerValues)
	}
	return nil
}

func admitProperties(value any, depth int) error {
	properties, ok := value.(map[string]any)
	if !ok || len(properties) > runnerEntries {
		return errors.New("not a bounded object")
	}
	for name, child := range properties {
		node, ok := child.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is not a schema", name)
		}
		if err := admitSchemaNode(node, depth+1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func admitRequired(node map[string]any, value any) error {
	list, ok := value.([]any)
	if !ok || len(list) > runnerEntries {
		return errors.New("not a bounded list")
	}
	properties, _ := node["properties"].(map[string]any)
	seen := map[string]bool{}
	for _, entry := range list {
		name, ok := entry.(string)
		if !ok || seen[name] || node["additionalProperties"] == false && properties[name] == nil {
			return fmt.Errorf("entry %v", entry)
		}
		seen[name] = true
	}
	return nil
}

func admitBounds(node map[string]any, low, high string, top int64) error {
	least, most := int64(0), top
	for key, bound := range map[string]*int64{low: &least, high: &most} {
		if value, ok := node[key]; ok {
			number, _ := value.(json.Number)
			parsed, err := number.Int64()
			if err != nil || parsed < 0 || parsed > top {
				return fmt.Errorf("%s %v", key, value)
			}
			*bound = parsed
		}
	}
	if least > most {
		return fmt.Errorf("%s above %s", low, high)
	}
	return nil
}

// schemaMatches reports whether the Runner would send arguments under a schema. It knows the keywords of the catalogue.
func schemaMatches(node map[string]any, value any) bool {
	if enum, ok := node["enum"].([]any); ok && !slices.Contains(enum, value) {
		return false
	}
	switch node["type"] {
	case "string":
		s, ok := value.(string)
		return ok && withinLength(node, utf8.RuneCountInString(s))
	case "integer":
		n, ok := value.(json.Number)
		return ok && fitsInteger(n)
	case "object":
		return objectMatches(node, value)
	}
	return false
}

func withinLength(node map[string]any, length int) bool {
	least, most := int64(0), int64(runnerString)
	if n, ok := node["minLength"].(json.Number); ok {
		least, _ = n.Int64()
	}
	if n, ok := node["maxLength"].(json.Number); ok {
		most, _ = n.Int64()
	}
	return least <= int64(length) && int64(length) <= most
}

func objectMatches(node map[string]any, value any) bool {
	members, ok := value.(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	if !ok {
		return false
	}
	required, _ := node["required"].([]any)
	for _, name := range required {
		if _, ok := members[name.(string)]; !ok {
			return false
		}
	}
	for name, child := range members {
		schema, known := properties[name].(map[string]any)
		if !known && node["additionalProperties"] == false || known && !schemaMatches(schema, child) {
			return false
		}
	}
	return true
}
