package plugin

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestLineReader(t *testing.T) {
	full := strings.Repeat("x", maxLine)
	for _, test := range []struct {
		name, input string
		want        []string // "!" stands for an oversized line
	}{
		{"nothing", "", nil},
		{"one line", "a\n", []string{"a"}},
		{"carriage return before LF", "a\r\nb\n", []string{"a", "b"}},
		{"only one carriage return goes", "a\r\r\n", []string{"a\r"}},
		{"blank lines", "\n \t\n\n", []string{"", " \t", ""}},
		{"no final LF", "a\nb", []string{"a", "b"}},
		{"exactly the limit", full + "\n" + "b\n", []string{full, "b"}},
		{"exactly the limit, CRLF", full + "\r\nb\n", []string{full, "b"}},
		{"exactly the limit, no LF", full, []string{full}},
		{"one over", full + "x\nb\n", []string{"!", "b"}},
		{"one over, CRLF", full + "x\r\nb\n", []string{"!", "b"}},
		{"two over", full + "xx\nb\n", []string{"!", "b"}},
		{"far over", full + full + full + "\nb\n" + full + "x\n", []string{"!", "b", "!"}},
		{"over at the end", full + full, []string{"!"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			reader := newLineReader(strings.NewReader(test.input))
			for i, want := range test.want {
				line, err := reader.next()
				if want == "!" {
					if !errors.Is(err, errLineTooLong) {
						t.Fatalf("line %d: %v, want errLineTooLong", i, err)
					}
				} else if err != nil || string(line) != want {
					t.Fatalf("line %d: %d bytes, %v; want %d bytes", i, len(line), err, len(want))
				}
			}
			if _, err := reader.next(); !errors.Is(err, io.EOF) {
				t.Fatalf("at the end: %v", err)
			}
		})
	}
}

func TestLineReaderReportsStreamErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, before := range []string{"", "half a li", strings.Repeat("x", 2*maxLine)} {
		reader := newLineReader(io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken)))
		if _, err := reader.next(); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", len(before), err)
		}
	}
}

// However the stream is cut into reads, the lines are those of the text.
func TestLineReaderIgnoresReadBorders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z ]{0,300}`), 0, 20).Draw(t, "lines")
		input := strings.Join(append(lines, ""), "\n")
		reader := newLineReader(iotest.OneByteReader(strings.NewReader(input)))
		for i, want := range lines {
			if line, err := reader.next(); err != nil || string(line) != want {
				t.Fatalf("line %d: %q, %v; want %q", i, line, err, want)
			}
		}
		if _, err := reader.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: %v", err)
		}
	})
}
