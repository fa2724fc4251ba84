package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// findSecret gives the name of the first rule of P-37 that matches a text, or "".
func findSecret(path string, text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for i := range secretRules {
		rule := &secretRules[i]
		expression := rule.compiled()
		value := expression.SubexpIndex("value")
		if i == keywordPlain && formatOf[string(extensionOf(lower(nil, path)))]&plainValues == 0 {
			continue
		}
		if value < 0 {
			if expression.Match(text) {
				return rule.name
			}
			continue
		}
		for _, at := range expression.FindAllSubmatchIndex(text, -1) {
			if !placeholder(text[at[2*value]:at[2*value+1]]) {
				return rule.name
			}
		}
	}
	return ""
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
	return len(bytes.ReplaceAll(folded, folded[:first], nil)) == 0
}
