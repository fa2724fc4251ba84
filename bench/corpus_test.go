package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// TestMixedIsTheSameEverywhere holds that the generated corpus never changes
// unnoticed: figures of different machines would not compare.
func TestMixedIsTheSameEverywhere(t *testing.T) {
	c, err := Mixed()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	for _, path := range c.paths {
		text, err := c.Read(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		digest.Write([]byte(path))
		digest.Write(text)
	}
	const want = "ef632447891f58fb41341b2e38ca4f99658ffb0d721b731f4d5f9561df5238db"
	if got := hex.EncodeToString(digest.Sum(nil)); got != want {
		t.Errorf("digest %s of %d documents, %d bytes, want %s", got, len(c.paths), c.Bytes, want)
	}
}

// TestChange holds that every change gives bytes that were not there before.
func TestChange(t *testing.T) {
	c, err := Mixed()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 3 {
		text, err := c.Read(context.Background(), c.changed, nil)
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(text)] {
			t.Fatal("the same bytes again")
		}
		seen[string(text)] = true
		c.Change()
	}
}
