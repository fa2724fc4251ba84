package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tableRows gives the rows of the tables of a README by what their first cell names.
func tableRows(t *testing.T, name string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 4 || cells[0] != "" {
			continue
		}
		key := strings.Trim(cells[1], " `")
		if _, before := found[key]; before {
			continue // a later table of another kind
		}
		for _, cell := range cells[2 : len(cells)-1] {
			found[key] = append(found[key], strings.TrimSpace(cell))
		}
	}
	return found
}

var readmes = []string{"README.md", "README.zh-CN.md"}

// Each README has every tool with exactly the arguments of the catalogue; "scope" stands for the two IDs.
func TestReadmeTools(t *testing.T) {
	quoted := regexp.MustCompile("`([a-z_]+)`")
	limits := DefaultLimits()
	for _, readme := range readmes {
		rows := tableRows(t, readme)
		for _, tool := range catalogue(&limits) {
			var want, got []string
			for _, p := range tool.parameters {
				if tool.scope != anyScope || p.name != projectID.name && p.name != grantID.name {
					want = append(want, p.name)
				}
			}
			row := rows[tool.name]
			if len(row) < 2 {
				t.Errorf("%s has no row for %s", readme, tool.name)
				continue
			}
			for _, match := range quoted.FindAllStringSubmatch(row[0], -1) {
				got = append(got, match[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s takes %q, not %q", readme, tool.name, want, got)
			}
		}
	}
}

// Each README has every variable with its default and its range.
func TestReadmeVariables(t *testing.T) {
	for _, readme := range readmes {
		rows := tableRows(t, readme)
		for _, name := range []string{hostVariable, originsVariable, auditVariable} {
			if rows[name] == nil {
				t.Errorf("%s has no row for %s", readme, name)
			}
		}
		for _, v := range variables {
			row := rows[v.name]
			digits := regexp.MustCompile(`\d+`).FindAllString(strings.Join(row, " "), 3)
			if want := []string{fmt.Sprint(v.fallback), fmt.Sprint(v.least), fmt.Sprint(v.most)}; !slices.Equal(digits, want) {
				t.Errorf("%s: %s has %q, want %q", readme, v.name, digits, want)
			}
		}
	}
}
