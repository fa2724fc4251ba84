package source

import (
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"strings"
)

// Git's index, read in process, so that a call need not start Git to know what is tracked. The format: a header of 12
// bytes (signature, version 2 to 4, number of entries), the entries in the order of their paths, extensions with a
// signature and a size each, and a checksum over all of it. Everything that is not plain (an index split in two, one
// with whole directories as entries, an extension that must be understood, a wrong checksum) is errOddIndex: then Git is
// asked, and says what it thinks of it.

// errOddIndex means that only Git can tell what an index holds.
var errOddIndex = errors.New("the index of Git is not one of the plain forms")

const (
	// maxIndexBytes is the largest index that is kept and compared; Git is asked about a larger one.
	maxIndexBytes = 64 << 20

	indexHeader    = 12
	indexSignature = "DIRC"
	extensionHead  = 8

	modeOffset      = 24 // in an entry, behind the times, device and inode
	statBytes       = 40 // in an entry, before the object name
	lengthMask      = 0x0fff
	stageShift      = 12
	stageMask       = 3
	extendedFlag    = 0x4000
	knownExtensions = 0x6000 // skip-worktree and intent-to-add; both are tracked (P-30)
)

// An objectFormat is the hash function of a repository; its value is the length of an object name in bytes.
type objectFormat int

const (
	sha1Format   objectFormat = sha1.Size
	sha256Format objectFormat = sha256.Size
)

// digits is the length of an object name in hexadecimal digits.
func (f objectFormat) digits() int { return 2 * int(f) }

// indexReader walks through the entries of an index. What it gives are parts of content, but for version 4.
type indexReader struct {
	content string // without the checksum
	format  objectFormat
	version uint32
	left    uint32 // entries still to come
	at      int
	name    []byte // version 4: the path of the last entry
}

// openIndex reads the header, and the checksum unless Git left it out.
func openIndex(content string, format objectFormat) (*indexReader, error) {
	end := len(content) - int(format)
	if end < indexHeader || content[:4] != indexSignature || !soundIndex(content, end, format) {
		return nil, errOddIndex
	}
	reader := &indexReader{content: content[:end], format: format, version: number32(content[4:]), left: number32(content[8:]), at: indexHeader}
	if reader.version < 2 || reader.version > 4 || int64(reader.left)*reader.leastEntry() > int64(end) {
		return nil, errOddIndex
	}
	return reader, nil
}

// soundIndex compares the checksum at the end; all zero means that Git was told to spare it.
func soundIndex(content string, end int, format objectFormat) bool {
	stored := content[end:]
	if strings.Trim(stored, "\x00") == "" {
		return true
	}
	digest := sha1.New()
	if format == sha256Format {
		digest = sha256.New()
	}
	var block [8 << 10]byte
	for rest := content[:end]; len(rest) > 0; {
		n := copy(block[:], rest)
		digest.Write(block[:n])
		rest = rest[n:]
	}
	return string(digest.Sum(nil)) == stored
}

// leastEntry is the size of the shortest entry, so that a header cannot promise more entries than there is room for.
func (x *indexReader) leastEntry() int64 { return int64(statBytes+int(x.format)) + 2 + 1 }

// next gives the next entry; more is false behind the last one, when the extensions have been looked at.
func (x *indexReader) next() (e entry, more bool, err error) {
	if x.left == 0 {
		return entry{}, false, x.extensions()
	}
	x.left--
	start := x.at
	body := start + statBytes + int(x.format)
	if body+2 > len(x.content) {
		return entry{}, false, errOddIndex
	}
	e.mode = number32(x.content[start+modeOffset:])
	flags := number16(x.content[body:])
	e.stage = uint8(flags >> stageShift & stageMask)
	x.at = body + 2
	if flags&extendedFlag != 0 && !x.extendedFlags() {
		return entry{}, false, errOddIndex
	}
	if x.version == 4 {
		e.path, err = x.compressedName()
	} else {
		e.path, err = x.paddedName(start, int(flags&lengthMask))
	}
	if e.mode == modeDirectory || e.path == "" {
		err = errOddIndex
	}
	return e, true, err
}

// extendedFlags passes over the second half of the flags, which only versions above 2 have.
func (x *indexReader) extendedFlags() bool {
	if x.version < 3 || x.at+2 > len(x.content) {
		return false
	}
	flags := number16(x.content[x.at:])
	x.at += 2
	return flags&^knownExtensions == 0
}

// paddedName reads a path that is closed by a NUL and filled up with more, so that the entry is a multiple of 8 bytes.
func (x *indexReader) paddedName(start, length int) (string, error) {
	rest := x.content[x.at:]
	if length == lengthMask {
		length = strings.IndexByte(rest, 0)
	}
	end := (x.at-start+length)/8*8 + 8 + start
	if length < 0 || end > len(x.content) {
		return "", errOddIndex
	}
	name := rest[:length]
	if strings.IndexByte(name, 0) >= 0 || strings.Trim(x.content[x.at+length:end], "\x00") != "" {
		return "", errOddIndex
	}
	x.at = end
	return name, nil
}

// compressedName reads a path of version 4: how many bytes of the last path fall away, and what follows instead, closed by a NUL.
func (x *indexReader) compressedName() (string, error) {
	away, used := variableNumber(x.content[x.at:])
	if used == 0 || away > uint64(len(x.name)) {
		return "", errOddIndex
	}
	rest := x.content[x.at+used:]
	length := strings.IndexByte(rest, 0)
	if length < 0 {
		return "", errOddIndex
	}
	x.at += used + length + 1
	x.name = append(x.name[:len(x.name)-int(away)], rest[:length]...)
	return string(x.name), nil
}

// extensions looks at what stands behind the entries: an extension whose name begins in lower case changes the meaning of the index.
func (x *indexReader) extensions() error {
	rest := x.content[x.at:]
	for len(rest) > 0 {
		if len(rest) < extensionHead || rest[0] < 'A' || rest[0] > 'Z' {
			return errOddIndex
		}
		size := int64(number32(rest[4:])) + extensionHead
		if size > int64(len(rest)) {
			return errOddIndex
		}
		rest = rest[size:]
	}
	return nil
}

// parseIndex gives all entries of a plain index in their order, which must be that of their paths and stages. A listing
// by Git of more than limit bytes is errOutput, as it would be if Git had printed it. Beyond content it needs no more
// memory than the listing.
func parseIndex(content string, format objectFormat, limit int64, each func(entry)) error {
	reader, err := openIndex(content, format)
	if err != nil {
		return err
	}
	var last entry
	var listing int64
	for first := true; ; first = false {
		e, more, err := reader.next()
		if err != nil || !more {
			return err
		}
		if !first && (!last.before(e) || last.stage == 0 && last.path == e.path) {
			return errOddIndex // Git refuses such an index
		}
		if listing += int64(listingBytes + format.digits() + len(e.path)); listing > limit {
			return errOutput
		}
		each(e)
		last = e
	}
}

// listingBytes is what a line of a listing has beside the object name and the path: mode, stage and separators.
const listingBytes = len("100644 ") + len(" 0\t") + len("\x00")

func number32(s string) uint32 {
	return uint32(s[0])<<24 | uint32(s[1])<<16 | uint32(s[2])<<8 | uint32(s[3])
}

func number16(s string) uint16 { return uint16(s[0])<<8 | uint16(s[1]) }

// variableNumber reads a number of seven bits a byte, the highest first, where each further byte adds one to what stands
// before it. used is 0 when there is no such number or it is too large for a path.
func variableNumber(s string) (value uint64, used int) {
	for i := 0; i < len(s) && i < 5; i++ {
		value = value<<7 | uint64(s[i]&0x7f)
		if s[i]&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
