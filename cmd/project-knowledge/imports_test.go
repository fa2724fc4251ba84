package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// module is the path that the packages of this module begin with.
const module = "projectknowledge/"

// allowed is the order of the rooms: what a package may import of this module.
// Imports run downwards only; a package that is not listed here may not exist.
var allowed = map[string][]string{
	"cmd/project-knowledge": {"protocol/plugin", "protocol/mcp", "protocol/mcp/registry", "protocol/mcp/pathguard", "protocol/mcp/setup", "protocol/mcp/smoke",
		"index/provider", "index", "store", "tokenize"},
	"protocol/plugin": {"index/provider", "index", "store"},
	"protocol/mcp": {"protocol/mcp/registry", "protocol/mcp/files", "protocol/mcp/files/page", "protocol/mcp/document",
		"protocol/mcp/gitview", "protocol/mcp/pathguard", "index/provider", "index", "index/source"},
	"protocol/mcp/setup":      {"protocol/mcp/pathguard"},
	"protocol/mcp/smoke":      {},
	"protocol/mcp/registry":   {"protocol/mcp/pathguard", "index/source"},
	"protocol/mcp/files":      {"protocol/mcp/files/page", "protocol/mcp/pathguard", "index/source"},
	"protocol/mcp/document":   {"protocol/mcp/files", "protocol/mcp/files/page", "protocol/mcp/pathguard", "index/source"},
	"protocol/mcp/gitview":    {"protocol/mcp/files", "protocol/mcp/files/page", "protocol/mcp/pathguard", "index/source"},
	"protocol/mcp/files/page": {},
	"protocol/mcp/pathguard":  {"index/source"},
	"index/provider":          {"index", "index/source", "store", "store/fts5", "tokenize"},
	"index":                   {"store", "tokenize"},
	"index/source":            {},
	"store/fts5":              {"store"},
	"store":                   {},
	"tokenize":                {},
	"bench":                   {"index", "index/provider", "index/source", "store", "tokenize"},
}

// sparing lists the rooms that stand on the standard library and the modules
// named, nothing else.
var sparing = map[string][]string{
	"index/source": {"golang.org/x/sys/"},
}

// testOnly are modules that no package imports outside of its tests.
var testOnly = []string{"pgregory.net/rapid", "github.com/google/go-cmp/", "github.com/rogpeppe/go-internal/"}

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

// packages lists every package of the module for the host of the test. What is
// wrong with a package in other ways is for the compiler to say.
func packages(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", module+"...")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// TestImportsRunDownwards holds the order of the rooms.
func TestImportsRunDownwards(t *testing.T) {
	for _, p := range packages(t) {
		room := strings.TrimPrefix(p.ImportPath, module)
		below, known := allowed[room]
		if !known {
			t.Errorf("package %s is in no room of the table", room)
			continue
		}
		for _, path := range p.Imports {
			if inner, ours := strings.CutPrefix(path, module); ours && !slices.Contains(below, inner) {
				t.Errorf("%s may not import %s", room, inner)
			}
			if !importable(room, path) {
				t.Errorf("%s may not import %s", room, path)
			}
		}
	}
}

// importable judges an import from outside of the module.
func importable(room, path string) bool {
	if strings.HasPrefix(path, module) || !strings.Contains(path, ".") {
		return path != "C" // no cgo: one static binary
	}
	if slices.ContainsFunc(testOnly, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
		return false
	}
	only, spare := sparing[room]
	return !spare || slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}
