package provider

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// compactSize is the size that the bounds of P-75 and P-80 are defined on.
func compactSize(t interface{ Fatal(...any) }, v any) int {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return out.Len() - 1 // without the LF of the encoder
}

// anyText draws text with every kind of character that JSON writes in its own way.
func anyText() *rapid.Generator[string] {
	alphabet := []rune("ab\"\\/<>&\t\r\b\f\x00\x01\x1f\x7f\u0085\u2028\u2029é中😀\ufffd\ufeff")
	return rapid.StringOf(rapid.SampledFrom(alphabet))
}

func TestJSONSizeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(anyText(), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		if got, want := jsonSize(s)+len(`""`), compactSize(t, s); got != want {
			t.Fatalf("jsonSize(%q) gives %d, the encoder %d", s, got, want)
		}
	})
}

// P-75, P-80: the frames and the sizes of the strings add up to the size of the whole.
func TestFramesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		revision := rapid.SampledFrom([]*string{nil, ptr(strings.Repeat("a", 40)), ptr(strings.Repeat("b", 64))})
		line := rapid.IntRange(1, 200000)
		hash := strings.Repeat("0", HashDigits)
		hit := Hit{
			Path: anyText().Draw(t, "path"), StartLine: line.Draw(t, "start"), EndLine: line.Draw(t, "end"), Text: anyText().Draw(t, "text"),
			SourceHash: hash, IndexRevision: revision.Draw(t, "index"), ObservedRevision: revision.Draw(t, "seen"),
		}
		if got, want := hit.frameSize()+jsonSize(hit.Text), compactSize(t, hit); got != want {
			t.Fatalf("hit: %d, encoder %d", got, want)
		}
		result := SearchResult{Hits: []Hit{}, Stale: MaxCandidates, IndexRevision: hit.IndexRevision, ObservedRevision: hit.ObservedRevision}
		if got, want := result.frameSize(), compactSize(t, result); got != want {
			t.Fatalf("search: %d, encoder %d", got, want)
		}
		read := ReadResult{
			Path: hit.Path, StartLine: hit.StartLine, EndLine: hit.EndLine, Text: hit.Text, SourceHash: hash,
			ObservedRevision: hit.ObservedRevision, TotalLines: line.Draw(t, "total"), Truncated: rapid.Bool().Draw(t, "cut"),
		}
		if got, want := read.frameSize()+jsonSize(read.Text), compactSize(t, read); got != want {
			t.Fatalf("read: %d, encoder %d", got, want)
		}
	})
}

// P-80: a cut read is within its bound, consists of complete first lines, and one line more would not have fitted.
func TestReadIsCutAtTheLastLineThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(anyText(), 1, 40).Draw(t, "lines")
		start := rapid.IntRange(1, 1000).Draw(t, "start")
		bound := rapid.IntRange(150, 1000).Draw(t, "bound")
		beyond := rapid.IntRange(0, 1).Draw(t, "lines asked for beyond the window")
		whole := ReadResult{
			Path: "a.md", StartLine: start, EndLine: start + len(lines) - 1, Text: strings.Join(lines, "\n"), SourceHash: strings.Repeat("0", 64), TotalLines: 5000,
		}
		asked := whole.EndLine + beyond
		whole.Truncated = beyond > 0
		cut := whole
		ok := cut.fit(asked, bound)
		kept := 0
		if ok {
			kept = cut.EndLine - start + 1
			if size := compactSize(t, cut); size > bound {
				t.Fatalf("%d bytes over the bound of %d", size, bound)
			}
			if cut.Text != strings.Join(lines[:kept], "\n") || cut.Truncated != (cut.EndLine < asked) {
				t.Fatalf("cut to %d lines: %+v", kept, cut)
			}
		}
		if kept < len(lines) {
			longer := whole
			longer.EndLine, longer.Text = start+kept, strings.Join(lines[:kept+1], "\n")
			longer.Truncated = longer.EndLine < asked
			if size := compactSize(t, longer); size <= bound {
				t.Fatalf("%d lines were kept, one more takes %d of %d bytes", kept, size, bound)
			}
		}
	})
}

// P-75: the kept lines are neighbours, contain the best line that fits, and cannot be extended on either side.
func TestFitAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(anyText(), 1, 32).Draw(t, "lines")
		scores := rapid.SliceOfN(rapid.IntRange(0, 3), len(lines), len(lines)).Draw(t, "scores")
		room := rapid.IntRange(0, 200).Draw(t, "room")
		next := 0
		window, ok := fitAround(strings.Join(lines, "\n"), func(string) int { next++; return scores[next-1] }, room)
		best := -1
		for i, line := range lines {
			if jsonSize(line) <= room && (best < 0 || scores[i] > scores[best]) {
				best = i
			}
		}
		if ok != (best >= 0) {
			t.Fatalf("fits: %v, best line %d", ok, best)
		}
		if !ok {
			return
		}
		kept := strings.Join(lines[window.first:window.first+window.count], "\n")
		if got := strings.Join(lines, "\n")[window.from:window.to]; got != kept {
			t.Fatalf("window %+v holds %q, want %q", window, got, kept)
		}
		if best < window.first || best >= window.first+window.count {
			t.Fatalf("window %+v misses line %d", window, best)
		}
		if jsonSize(kept) > room {
			t.Fatalf("%d bytes in a room of %d", jsonSize(kept), room)
		}
		left := room - jsonSize(kept) - newlineSize
		if low := window.first; low > 0 && jsonSize(lines[low-1]) <= left {
			t.Fatalf("line %d would have fitted", low-1)
		}
		if high := window.first + window.count; high < len(lines) && jsonSize(lines[high]) <= left {
			t.Fatalf("line %d would have fitted", high)
		}
	})
}

func ptr[T any](v T) *T { return &v }
