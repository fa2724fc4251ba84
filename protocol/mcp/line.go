package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLineTooLong reports a line over the limit. The line is consumed; the next call goes on behind it.
var errLineTooLong = errors.New("line over the limit")

// lineReader cuts a stream into lines at LF. It keeps at most limit bytes of a line and the small buffer beneath.
type lineReader struct {
	buffered *bufio.Reader
	limit    int64
}

func newLineReader(in io.Reader, limit int64) *lineReader {
	return &lineReader{buffered: bufio.NewReaderSize(in, 64*kib), limit: limit}
}

// next gives the next line that is not blank, without its end, in memory of its own. It returns errLineTooLong for a
// longer line, io.EOF at the end, or the error of the stream. Bytes at the end without a final LF are a line.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

func (r *lineReader) line() ([]byte, error) {
	var line []byte
	for {
		part, err := r.buffered.ReadSlice('\n')
		if int64(len(line)+len(part)) > r.limit+int64(len("\r\n")) {
			return nil, r.skip(err)
		}
		line = append(line, part...)
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// skip reads on to the end of an oversized line; err is the outcome of the read that passed the limit.
func (r *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.buffered.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return errLineTooLong
}
