package tokenize

import (
	"encoding/binary"
	"math/bits"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// wordBytes returns, in the high bit of each byte, whether that byte of eight is an ASCII letter, a digit or '_'.
// Eight at a time, the end of a word costs no mispredicted branch.
func wordBytes(eight uint64) uint64 {
	low := eight &^ highBits
	small := low | 0x20*everyByte
	letters := (small + (0x80-'a')*everyByte) &^ (small + (0x80-'z'-1)*everyByte)
	digits := (low + (0x80-'0')*everyByte) &^ (low + (0x80-'9'-1)*everyByte)
	notUnderscore := (low ^ '_'*everyByte) + 0x7F*everyByte
	return (letters | digits | ^notUnderscore) & highBits &^ eight
}

// asciiWordEnd returns the end of the ASCII letters, digits and '_' that begin at text[i].
func asciiWordEnd(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if others := ^wordBytes(binary.LittleEndian.Uint64(text[i:])) & highBits; others != 0 {
			return i + bits.TrailingZeros64(others)/8
		}
	}
	for i < len(text) && asciiBits[text[i]]&bitsWord != 0 {
		i++
	}
	return i
}

// underscoresOnly reports whether word is made of '_' alone.
func underscoresOnly(word []byte) bool {
	for _, b := range word {
		if b != '_' {
			return false
		}
	}
	return true
}
