package index

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func chunksOf(text string) (spans []span, omitted int) {
	var c chunker
	c.reset([]byte(text))
	for {
		s, ok := c.next()
		if !ok {
			return spans, c.omitted
		}
		spans = append(spans, s)
	}
}

func TestChunkBounds(t *testing.T) {
	long := strings.Repeat("x", MaxLineBytes+1)
	tests := []struct {
		name    string
		text    string
		want    [][2]int // first line and number of lines
		omitted int
	}{
		{"empty", "", nil, 0},
		{"one line", "a\n", [][2]int{{1, 1}}, 0},
		{"P-42: 32 lines", strings.Repeat("a\n", 33), [][2]int{{1, 32}, {33, 1}}, 0},
		{"P-42: 2,048 bytes with their LFs", strings.Repeat(strings.Repeat("a", 1023)+"\n", 3), [][2]int{{1, 2}, {3, 1}}, 0},
		{"P-42: 2,049 bytes do not fit", strings.Repeat("a", 1024) + "\n" + strings.Repeat("a", 1024) + "\n", [][2]int{{1, 1}, {2, 1}}, 0},
		{"P-42: a longer line stands alone", "a\n" + strings.Repeat("b", 4096) + "\nc\n", [][2]int{{1, 1}, {2, 1}, {3, 1}}, 0},
		{"P-41: an omitted line parts chunks", "a\n" + long + "\nb\n", [][2]int{{1, 1}, {3, 1}}, 1},
		{"P-41: omitted at both ends", long + "\nb\n" + long, [][2]int{{2, 1}}, 2},
		{"P-41: nothing but omitted lines", long + "\n" + long + "\n", nil, 2},
		{"P-41: the CR is no part of the 4,096", strings.Repeat("x", MaxLineBytes) + "\r\n", [][2]int{{1, 1}}, 0},
	}
	for _, tt := range tests {
		spans, omitted := chunksOf(tt.text)
		var got [][2]int
		for _, s := range spans {
			got = append(got, [2]int{s.first, s.lines})
		}
		if len(got) != len(tt.want) || omitted != tt.omitted {
			t.Errorf("%s: chunks %v, omitted %d; want %v, %d", tt.name, got, omitted, tt.want, tt.omitted)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: chunks %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

// Chunks cover every line that is not omitted, once, in order, and their text
// is that of their lines.
func TestChunksCoverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a\n", "\n", "bb\r\n", strings.Repeat("c", 300) + "\n", strings.Repeat("d", 2048) + "\n",
			strings.Repeat("e", 4096) + "\r\n", strings.Repeat("f", 4097) + "\n", "last", "\r",
		}), 0, 80).Draw(t, "parts")
		text := strings.Join(parts, "")
		lines := splitLines(text)
		next, skipped := 1, 0
		spans, omitted := chunksOf(text)
		for _, s := range spans {
			for next < s.first {
				if len(lines[next-1]) <= MaxLineBytes {
					t.Fatalf("line %d is in no chunk", next)
				}
				next++
				skipped++
			}
			if s.first != next || s.lines < 1 || s.lines > MaxChunkLines {
				t.Fatalf("chunk at %d with %d lines, expected to begin at %d", s.first, s.lines, next)
			}
			want := strings.Join(lines[s.first-1:s.first-1+s.lines], "\n")
			if got := strings.ReplaceAll(string(s.text), "\r\n", "\n"); got != want {
				t.Fatalf("text of the chunk at %d: %q, want %q", s.first, got, want)
			}
			if len(want) > MaxChunkBytes && s.lines > 1 {
				t.Fatalf("chunk of %d bytes", len(want))
			}
			next += s.lines
		}
		for ; next <= len(lines); next++ {
			if len(lines[next-1]) <= MaxLineBytes {
				t.Fatalf("line %d is in no chunk", next)
			}
			skipped++
		}
		if skipped != omitted {
			t.Fatalf("omitted %d lines, counted %d", skipped, omitted)
		}
	})
}
