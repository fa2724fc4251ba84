package main

import (
	"fmt"
	"strings"
	"unicode"
)

// plainText gives source text as a terminal may show it: control characters, which could move the cursor or change the
// screen, and characters that turn the direction of writing stand as visible escapes; TAB and LF stay.
func plainText(s string) string {
	if !strings.ContainsFunc(s, hostile) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if hostile(r) {
			fmt.Fprintf(&out, "<%U>", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// plainLine is plainText in one line.
func plainLine(s string) string {
	return plainText(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' }), " "))
}

func hostile(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' || unicode.Is(unicode.Bidi_Control, r)
}
