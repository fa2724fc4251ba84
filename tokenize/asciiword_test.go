package tokenize

import (
	"testing"

	"pgregory.net/rapid"
)

// The end of a word found eight bytes at a time is the one found byte by byte, whatever stands beside each byte.
func TestASCIIWordEnd(t *testing.T) {
	for b := range 256 {
		for lane := range 8 {
			text := []byte("aZ09_zA5")
			text[lane] = byte(b)
			want := 8
			if asciiBits[b]&bitsWord == 0 {
				want = lane
			}
			if got := asciiWordEnd(text, 0); got != want {
				t.Errorf("byte %#x at %d: end %d, want %d", b, lane, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringMatching(`[a-zA-Z0-9_]{0,20}[ -\x7fé]?[a-z]{0,9}`).Draw(t, "text"))
		want := 0
		for want < len(text) && asciiBits[text[want]]&bitsWord != 0 {
			want++
		}
		if got := asciiWordEnd(text, 0); got != want {
			t.Fatalf("end %d, want %d", got, want)
		}
	})
}
