package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(p []byte) uint32 { return crc32.Checksum(p, castagnoli) }

// trailer is what follows bbolt's pages: one CRC32C for each block of them, and the footer.
type trailer struct {
	body   int64 // bytes of bbolt's pages, a multiple of pageSize
	blocks []uint32
}

// blockCount gives the number of blocks in body bytes.
func blockCount(body int64) int64 { return (body + blockSize - 1) / blockSize }

// size gives the length of the whole file.
func (t *trailer) size() int64 { return t.body + 4*int64(len(t.blocks)) + footerSize }

// encode gives the bytes that follow the body.
func (t *trailer) encode() []byte {
	b := make([]byte, 0, 4*len(t.blocks)+footerSize)
	for _, sum := range t.blocks {
		b = binary.LittleEndian.AppendUint32(b, sum)
	}
	tableSum := checksum(b)
	foot := len(b)
	b = append(b, footerMagic...)
	b = binary.LittleEndian.AppendUint32(b, container)
	b = binary.LittleEndian.AppendUint32(b, blockSize)
	b = binary.LittleEndian.AppendUint64(b, uint64(t.body))
	b = binary.LittleEndian.AppendUint64(b, uint64(t.size()))
	b = binary.LittleEndian.AppendUint32(b, pageSize)
	b = binary.LittleEndian.AppendUint32(b, tableSum)
	b = binary.LittleEndian.AppendUint32(b, 0)
	return binary.LittleEndian.AppendUint32(b, checksum(b[foot:]))
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
	case le.Uint32(foot[12:]) != blockSize, le.Uint32(foot[32:]) != pageSize, le.Uint32(foot[40:]) != 0:
		return nil, fmt.Errorf("a footer with foreign sizes")
	case le.Uint64(foot[24:]) != uint64(size):
		return nil, fmt.Errorf("%d bytes instead of %d", size, le.Uint64(foot[24:]))
	}
	t := &trailer{body: int64(min(le.Uint64(foot[16:]), maxBuild))}
	count := blockCount(t.body)
	if t.body < 4*pageSize || t.body%pageSize != 0 || t.body+4*count+footerSize != size {
		return nil, fmt.Errorf("a footer whose sizes contradict each other")
	}
	table := make([]byte, 4*count)
	if _, err := f.ReadAt(table, t.body); err != nil {
		return nil, fmt.Errorf("read the checksums: %w", err)
	}
	if checksum(table) != le.Uint32(foot[36:]) {
		return nil, fmt.Errorf("the checksum table is damaged")
	}
	t.blocks = make([]uint32, count)
	for i := range t.blocks {
		t.blocks[i] = le.Uint32(table[4*i:])
	}
	return t, nil
}
