package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"projectknowledge/index"
	"projectknowledge/index/provider"
	"projectknowledge/tokenize"
)

// readmes gives the text of the README in each language.
func readmes(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"README.md", "README.zh-CN.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// rows gives the table rows of a text.
func rows(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			found = append(found, line)
		}
	}
	return found
}

// TestReadmeTellsEveryCode holds that each code has a row that says what to do.
func TestReadmeTellsEveryCode(t *testing.T) {
	for name, text := range readmes(t) {
		table := strings.Join(rows(text), "")
		for code := range advice {
			if !strings.Contains(table, "`"+string(code)+"`") {
				t.Errorf("%s has no row for %s", name, code)
			}
		}
	}
}

// TestReadmeTellsEveryLimit holds that the table of limits has the values of
// the code.
func TestReadmeTellsEveryLimit(t *testing.T) {
	limits := []string{
		grouped(provider.MaxFiles), fmt.Sprintf("%d MiB", provider.MaxBytes>>20), grouped(index.MaxLineBytes),
		grouped(index.MaxChunkBytes), strconv.Itoa(index.MaxChunkLines), grouped(provider.MaxArgument),
		strconv.Itoa(index.MaxQueryTerms), strconv.Itoa(tokenize.MaxTermRunes), strconv.Itoa(provider.MaxLimit),
		strconv.Itoa(provider.DefaultLimit), strconv.Itoa(provider.MaxLimitCLI), grouped(provider.MaxCandidates),
		strconv.Itoa(int(provider.SearchBudget.Seconds())), strconv.Itoa(provider.MaxReadLines),
		strconv.Itoa(provider.DefaultReadLines), grouped(provider.MaxResultBytes), strconv.Itoa(int(provider.WorkBudget.Seconds())),
	}
	for name, text := range readmes(t) {
		numbers := map[string]bool{}
		for _, row := range rows(text) {
			for _, word := range strings.FieldsFunc(row, func(r rune) bool { return (r < '0' || r > '9') && r != ',' }) {
				numbers[strings.Trim(word, ",")] = true
			}
		}
		for _, limit := range limits {
			if number, _, _ := strings.Cut(limit, " "); !numbers[number] {
				t.Errorf("%s has no row with the limit %s", name, limit)
			}
		}
	}
}

// grouped writes a number with a comma between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// TestReadmesAgree holds that both languages show the same commands, blocks
// and codes in the same order, apart from comments and words to search for.
func TestReadmesAgree(t *testing.T) {
	texts := readmes(t)
	english, chinese := headings(texts["README.md"]), headings(texts["README.zh-CN.md"])
	if english != chinese {
		t.Errorf("the English README has the headings %s, the Chinese one %s", english, chinese)
	}
	a, b := strings.Count(texts["README.md"], "```"), strings.Count(texts["README.zh-CN.md"], "```")
	if a != b {
		t.Errorf("the English README has %d fences, the Chinese one %d", a, b)
	}
}

// headings gives the levels of the headings in their order.
func headings(text string) string {
	var levels strings.Builder
	for line := range strings.Lines(text) {
		if marks, _, found := strings.Cut(line, " "); found && strings.Trim(marks, "#") == "" && marks != "" {
			levels.WriteString(strconv.Itoa(len(marks)))
		}
	}
	return levels.String()
}
