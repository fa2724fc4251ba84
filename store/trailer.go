package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }

// extent is a stretch of the body.
type extent struct{ off, size uint64 }

// value is one value of the file: the bucket that it lies in and where its bytes are.
type value struct {
	bucket string
	at     extent
}

// trailer is what follows bbolt's pages: one CRC32C for each block of them, the directory of the values in
// bucket order, and the footer.
type trailer struct {
	body   int64 // bytes of bbolt's pages, a multiple of pageSize
	blocks []uint32
	values []value
}

// blockCount gives the number of blocks in body bytes.
func blockCount(body int64) int64 { return (body + blockSize - 1) / blockSize }

// encode gives the bytes that follow the body.
func (t *trailer) encode() []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, 4*len(t.blocks)+40*len(t.values)+footerSize)
	for _, sum := range t.blocks {
		b = le.AppendUint32(b, sum)
	}
	directory := len(b)
	for _, v := range t.values {
		b = le.AppendUint64(b, v.at.off)
		b = le.AppendUint64(b, v.at.size)
		b = append(b, byte(len(v.bucket)))
		b = append(b, v.bucket...)
	}
	foot := len(b)
	sum := checksum(b)
	b = append(b, footerMagic...)
	b = le.AppendUint32(b, container)
	b = le.AppendUint32(b, pageSize)
	b = le.AppendUint32(b, blockSize)
	b = le.AppendUint32(b, uint32(foot-directory))
	b = le.AppendUint64(b, uint64(t.body))
	b = le.AppendUint64(b, uint64(t.body)+uint64(foot)+footerSize)
	b = le.AppendUint32(b, sum)
	return le.AppendUint32(b, checksum(b[foot:]))
}

// readTrailer reads and checks the trailer of a file of size bytes. Its memory is bounded by size.
func readTrailer(f io.ReaderAt, size int64) (*trailer, error) {
	if size < 4*pageSize+footerSize || size > maxBuild {
		return nil, fmt.Errorf("a file of %d bytes", size)
	}
	var foot [footerSize]byte
	if _, err := f.ReadAt(foot[:], size-footerSize); err != nil {
		return nil, fmt.Errorf("read the footer: %w", err)
	}
	le := binary.LittleEndian
	switch {
	case string(foot[:8]) != footerMagic:
		return nil, fmt.Errorf("no footer at the end")
	case le.Uint32(foot[44:]) != checksum(foot[:44]):
		return nil, fmt.Errorf("the footer's checksum is wrong")
	case le.Uint32(foot[8:]) != container:
		return nil, fmt.Errorf("a container of unknown version %d", le.Uint32(foot[8:]))
	case le.Uint32(foot[12:]) != pageSize, le.Uint32(foot[16:]) != blockSize:
		return nil, fmt.Errorf("a footer with foreign sizes")
	case le.Uint64(foot[32:]) != uint64(size):
		return nil, fmt.Errorf("%d bytes instead of %d", size, le.Uint64(foot[32:]))
	}
	t := &trailer{body: int64(min(le.Uint64(foot[24:]), maxBuild))}
	sums, directory := 4*blockCount(t.body), int64(le.Uint32(foot[20:]))
	if t.body < 4*pageSize || t.body%pageSize != 0 || t.body+sums+directory+footerSize != size {
		return nil, fmt.Errorf("a footer whose sizes contradict each other")
	}
	b := make([]byte, sums+directory)
	if _, err := f.ReadAt(b, t.body); err != nil {
		return nil, fmt.Errorf("read the trailer: %w", err)
	}
	if checksum(b) != le.Uint32(foot[40:]) {
		return nil, fmt.Errorf("the trailer is damaged")
	}
	t.blocks = make([]uint32, sums/4)
	for i := range t.blocks {
		t.blocks[i] = le.Uint32(b[4*i:])
	}
	return t, t.readDirectory(b[sums:])
}

// readDirectory decodes the directory; every value must lie inside the body.
func (t *trailer) readDirectory(b []byte) error {
	const fixed = 17
	for len(b) > 0 {
		if len(b) < fixed || len(b)-fixed < int(b[16]) {
			return fmt.Errorf("the directory is cut")
		}
		at := extent{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
		if at.size == 0 || at.off > uint64(t.body) || at.size > uint64(t.body)-at.off {
			return fmt.Errorf("a value lies outside the file")
		}
		end := fixed + int(b[16])
		t.values = append(t.values, value{string(b[fixed:end]), at})
		b = b[end:]
	}
	return nil
}
