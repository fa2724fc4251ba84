package registry

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Strict YAML: one document out of plain mappings and scalars. Aliases are refused and never followed, so that a small
// file cannot stand for a large one.

// wrong makes the problem of a node.
func wrong(at *yaml.Node, kind Kind, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Line: at.Line, Reason: fmt.Sprintf(format, args...)}
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): `) })

// countedFromZero are the beginnings of the messages whose line the YAML package counts from 0, and leaves out when it is 0.
var countedFromZero = []string{
	"did not find expected <", "did not find expected node content", "did not find expected '-' indicator",
	"did not find expected key", "did not find expected ','", "found undefined tag handle", "found duplicate %", "found incompatible YAML",
}

// parseProblem makes the problem of text that is no YAML.
func parseProblem(err error) *Problem {
	reason, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if found := yamlLine().FindStringSubmatch(reason); found != nil {
		line, _ = strconv.Atoi(found[1])
		reason = strings.TrimPrefix(reason, found[0])
	}
	if slices.ContainsFunc(countedFromZero, func(start string) bool { return strings.HasPrefix(reason, start) }) {
		line++
	}
	return &Problem{Kind: ParseError, Line: line, Reason: "it is not valid YAML: " + reason}
}

// parseDocument reads the single document of a file and gives its top node.
func parseDocument(text []byte) (*yaml.Node, *Problem) {
	if len(text) > maxFileBytes {
		return nil, &Problem{Kind: SchemaError, Reason: fmt.Sprintf("the file is larger than %d bytes", maxFileBytes)}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Problem{Kind: SchemaError, Line: 1, Reason: "the file is empty"}
		}
		return nil, parseProblem(err)
	}
	if len(document.Content) != 1 {
		return nil, &Problem{Kind: SchemaError, Line: 1, Reason: "the file is empty"}
	}
	if problem := checkNode(document.Content[0], 0); problem != nil {
		return nil, problem
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return document.Content[0], nil
	case err != nil:
		return nil, parseProblem(err)
	}
	return nil, wrong(&second, SchemaError, "there is more than one document")
}

// maxDepth is how deep the nodes of a registry lie: the file, its records, one record, a field.
const maxDepth = 3

// checkNode refuses what is not plain, in the whole tree.
func checkNode(node *yaml.Node, depth int) *Problem {
	switch {
	case node.Kind == yaml.AliasNode:
		return wrong(node, SchemaError, "aliases are not allowed")
	case node.Anchor != "":
		return wrong(node, SchemaError, "anchors are not allowed")
	case node.Style&yaml.TaggedStyle != 0:
		return wrong(node, SchemaError, "tags are not allowed")
	case depth > maxDepth:
		return wrong(node, SchemaError, "it is nested too deep")
	}
	for _, child := range node.Content {
		if problem := checkNode(child, depth+1); problem != nil {
			return problem
		}
	}
	return nil
}

// A field is one entry of a mapping.
type field struct {
	key   string
	at    *yaml.Node // the key
	value *yaml.Node
}

// fields gives the entries of a mapping and refuses duplicate keys and keys that are no scalars. what names the mapping.
func fields(node *yaml.Node, what string) ([]field, *Problem) {
	if node.Kind != yaml.MappingNode {
		return nil, wrong(node, SchemaError, "%s must be a mapping", what)
	}
	list := make([]field, 0, len(node.Content)/2)
	seen := make(map[string]bool, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, wrong(key, SchemaError, "a key of %s is not a plain word", what)
		}
		if seen[key.Value] {
			return nil, wrong(key, SchemaError, "the key %s is there twice", quoted(key.Value))
		}
		seen[key.Value] = true
		list = append(list, field{key: key.Value, at: key, value: value})
	}
	return list, nil
}

// quoted shows a word of the file, cut where it is long.
func quoted(word string) string {
	const longest = 80
	if len(word) > longest {
		word = word[:longest] + "…"
	}
	return strconv.Quote(word)
}

// The types of fields. want is the tag that YAML gives a scalar of that type.

func text(f field, into *string) *Problem {
	if f.value.Kind != yaml.ScalarNode || f.value.ShortTag() != "!!str" {
		return wrong(f.value, SchemaError, "%s must be text; put it in quotes", f.key)
	}
	*into = f.value.Value
	return nil
}

func truth(f field, into *bool) *Problem {
	if f.value.Kind != yaml.ScalarNode || f.value.ShortTag() != "!!bool" {
		return wrong(f.value, SchemaError, "%s must be true or false", f.key)
	}
	*into = strings.EqualFold(f.value.Value, "true")
	return nil
}
