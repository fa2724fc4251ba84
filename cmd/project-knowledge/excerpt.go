package main

import (
	"fmt"
	"strings"
)

// printExcerpt writes lines with their numbers, and on a terminal with the words that h looks for in colour; h may be nil.
func (c *console) printExcerpt(text string, startLine int, h *highlighter) {
	lines := strings.Split(text, "\n")
	width := len(fmt.Sprint(startLine + len(lines) - 1))
	for i, line := range lines {
		number := c.paint(styleNumber, fmt.Sprintf("%*d", width, startLine+i))
		fmt.Fprintf(c.out, "%s  %s\n", number, c.highlight(line, h))
	}
}

func (c *console) highlight(line string, h *highlighter) string {
	if h == nil || !c.color {
		return plainText(line)
	}
	var out strings.Builder
	at := 0
	for _, s := range h.spans([]byte(line)) {
		out.WriteString(plainText(line[at:s.from]))
		out.WriteString(c.paint(styleMatch, plainText(line[s.from:s.to])))
		at = s.to
	}
	out.WriteString(plainText(line[at:]))
	return out.String()
}
