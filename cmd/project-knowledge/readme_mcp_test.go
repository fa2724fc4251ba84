package main

import (
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestReadmeTellsEveryServerCode holds that each code of the MCP server has a row that says what to do, and each of the
// admin command line its words (M-45).
func TestReadmeTellsEveryServerCode(t *testing.T) {
	for name, text := range readmes(t) {
		for _, code := range pathguard.Codes() {
			if !strings.Contains(text, "`"+string(code)+"`") {
				t.Errorf("%s does not tell %s", name, code)
			}
		}
	}
}
