package index

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P-40: LF alone ends a line; one CR before it is no text of the line.
func TestExcerpt(t *testing.T) {
	tests := []struct {
		name, text  string
		first, last int
		want        string
		ok          bool
	}{
		{"one line without LF", "alpha", 1, 1, "alpha", true},
		{"final LF starts no line", "alpha\n", 1, 2, "", false},
		{"several", "a\nb\nc\n", 2, 3, "b\nc", true},
		{"CRLF", "a\r\nb\r\n", 1, 2, "a\nb", true},
		{"only one CR goes", "a\r\r\nb", 1, 1, "a\r", true},
		{"CR at the very end", "a\nb\r", 2, 2, "b", true},
		{"lone CR stays", "a\rb\n", 1, 1, "a\rb", true},
		{"FF, VT, NEL, U+2028 end nothing", "a\f\v\u0085\u2028b\nc", 1, 1, "a\f\v\u0085\u2028b", true},
		{"blank lines", "\n\nx\n", 1, 3, "\n\nx", true},
		{"empty text", "", 1, 1, "", false},
		{"start below one", "a\n", 0, 1, "", false},
		{"end before start", "a\nb\n", 2, 1, "", false},
		{"start beyond", "a\n", 2, 2, "", false},
	}
	for _, tt := range tests {
		got, ok := Excerpt([]byte(tt.text), tt.first, tt.last)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: Excerpt(%q, %d, %d) = %q, %v; want %q, %v", tt.name, tt.text, tt.first, tt.last, got, ok, tt.want, tt.ok)
		}
	}
}

func TestExcerptAgainstSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\r\n\n项\f")), 0, 60, -1).Draw(t, "text")
		lines := splitLines(text)
		if n := LineCount([]byte(text)); n != len(lines) {
			t.Fatalf("LineCount = %d, want %d", n, len(lines))
		}
		first := rapid.IntRange(-1, 12).Draw(t, "first")
		last := rapid.IntRange(-1, 12).Draw(t, "last")
		got, ok := Excerpt([]byte(text), first, last)
		if want := first >= 1 && last >= first && last <= len(lines); ok != want {
			t.Fatalf("ok = %v, want %v", ok, want)
		}
		if ok && got != strings.Join(lines[first-1:last], "\n") {
			t.Fatalf("got %q", got)
		}
	})
}

// splitLines is the plain reading of P-40.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
