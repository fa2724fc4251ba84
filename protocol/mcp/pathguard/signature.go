package pathguard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// A Signature tells one state of a file from another without reading it (M-21). The zero value stands for no file.
type Signature struct {
	Device, Inode     uint64
	Size              int64
	Modified, Changed int64 // nanoseconds since 1970
}

// settling is how coarse the clock of a filesystem may be: a file that was changed less than this ago might be changed
// again without a new signature, and is read again although its signature is known.
const settling = 100 * time.Millisecond

// Settled reports whether a later change of the file would surely show in its signature.
func (s Signature) Settled() bool {
	age := time.Now().UnixNano() - max(s.Modified, s.Changed)
	return age > int64(settling) || age < -int64(time.Minute)
}

// ErrTooLarge: a configuration file is over its limit. ErrNotRegular: it is a pipe, a directory or the like.
var (
	ErrTooLarge   = errors.New("the file is too large")
	ErrNotRegular = errors.New("it is not a regular file")
)

// SignatureOf looks at a configuration file, through a link if it is one.
func SignatureOf(path string) (Signature, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Signature{}, err
	}
	return SignatureFor(info), nil
}

// ReadWatched reads a configuration file whole and gives the signature of what was read. It never blocks.
// Errors: ErrTooLarge over limit bytes, ErrNotRegular, and the system's own.
func ReadWatched(path string, limit int64) ([]byte, Signature, error) {
	text, info, err := ReadConfig(path, limit)
	if err != nil {
		return nil, Signature{}, err
	}
	return text, SignatureFor(info), nil
}

// ReadConfig is ReadWatched for callers that want all facts of the file that was read.
func ReadConfig(path string, limit int64) ([]byte, fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openWithoutBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, info, ErrNotRegular
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, info, fmt.Errorf("read a configuration file: %w", err)
	}
	if int64(len(text)) > limit {
		return nil, info, ErrTooLarge
	}
	return text, info, nil
}
