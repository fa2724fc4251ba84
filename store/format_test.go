package store

import (
	"bytes"
	"testing"
)

// The examples in the specification are what the code writes.
func TestFormatExamples(t *testing.T) {
	list, err := appendPostings(nil, []Posting{{5, 1, 0}, {6, 4, 0}, {300, 7, 2}})
	if want := []byte{0x14, 0x02, 0x01, 0x97, 0x09, 0x0f, 0x00}; err != nil || !bytes.Equal(list, want) {
		t.Errorf("posting list %x, want %x, %v", list, want, err)
	}
	block := appendTermValue(nil, &runTerm{chunks: 1}, 1)
	block = appendShared(block, []byte("chunk"), []byte("chunks"))
	block = appendTermValue(block, &runTerm{chunks: 2}, 3)
	block = appendShared(block, []byte("chunks"), []byte("cursor"))
	block = appendTermValue(block, &runTerm{sources: 1, pathListLen: 1}, 1)
	want := []byte("\x02\x01\x50s\x04\x03\x14ursor\x01\x01\x01")
	if !bytes.Equal(block, want) {
		t.Errorf("block %x, want %x", block, want)
	}
}
