package plugin

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLineTooLong reports a line over maxLine. The line is consumed; the next call goes on behind it.
var errLineTooLong = errors.New("line over the limit")

// lineReader cuts a stream into lines at LF. It keeps at most maxLine bytes of a line and the small buffer beneath.
type lineReader struct {
	r *bufio.Reader
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// next gives the next line without its LF and without one CR before it, in memory of its own.
// It returns errLineTooLong for a longer line, io.EOF at the end, or the error of the stream.
// Bytes at the end of the stream without a final LF count as a line.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > maxLine+len("\r\n") {
			return nil, l.skip(err)
		}
		line = append(line, part...)
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return trimLine(line)
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// skip reads on to the end of an oversized line; err is the outcome of the read that passed the limit.
func (l *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.r.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return errLineTooLong
}

func trimLine(line []byte) ([]byte, error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > maxLine {
		return nil, errLineTooLong
	}
	return line, nil
}

// blank reports whether a line holds nothing, or only spaces and tabs.
func blank(line []byte) bool {
	return len(bytes.Trim(line, " \t")) == 0
}
