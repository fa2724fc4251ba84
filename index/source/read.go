package source

import (
	"io/fs"
	"slices"
)

// MaxFileBytes is the size of the largest source (P-36).
const MaxFileBytes = 256 << 10

// Read gives the current bytes of a file below the root, in buf's memory when they fit. It takes any valid path, tracked
// or not. A *Refusal means that the file is skipped: unreadable, not regular, hard-linked or oversized (P-36). Any other
// error is a want of this process (no descriptors, no memory) and says nothing about the file.
//
// The path is opened without following a link in any component and without waiting for anything; what was opened is
// judged, never what a name stands for at another moment.
func (r *Root) Read(path string, buf []byte) ([]byte, error) {
	return r.ReadUpTo(path, buf, MaxFileBytes)
}

// ReadUpTo is Read with another bound than that of P-36; a file of exactly limit bytes is still read.
func (r *Root) ReadUpTo(path string, buf []byte, limit int64) ([]byte, error) {
	if ValidPath(path) == InvalidPath {
		return nil, &Refusal{Reason: Unreadable}
	}
	for range attempts {
		text, replaced, err := r.readOnce(path, buf, limit)
		if !replaced {
			return text, err
		}
		buf = text
	}
	return nil, &Refusal{Reason: Unreadable}
}

// attempts bounds how often something is done anew because a file was renamed or replaced under it.
const attempts = 8

// readOnce opens and reads path. replaced means that the file lost its last name before it was looked at, so that the
// name may stand for another one by now.
func (r *Root) readOnce(path string, buf []byte, limit int64) (text []byte, replaced bool, err error) {
	fd, err := r.opener.open(r.fd, path)
	if err != nil {
		return nil, false, openRefusal(err)
	}
	defer closeDescriptor(fd)
	stat, err := statDescriptor(fd)
	switch {
	case err != nil:
		return nil, false, openRefusal(err)
	case stat.Mode&fs.ModeType != 0:
		return nil, false, &Refusal{Reason: NotRegular}
	case stat.Links == 0:
		return buf, true, nil
	case stat.Links > 1:
		return nil, false, &Refusal{Reason: Hardlinked}
	case stat.Size > limit:
		return nil, false, &Refusal{Reason: Oversized}
	}
	text, err = readAll(fd, buf[:0], stat.Size, limit)
	return text, false, err
}

// openRefusal turns an error of opening into the refusal that it means, or passes on one that is the process's own.
func openRefusal(err error) error {
	switch {
	case exhausted(err):
		return err
	case refusedKind(err):
		return &Refusal{Reason: NotRegular}
	default:
		return &Refusal{Reason: Unreadable}
	}
}

// readAll appends what is left of an open file to buf. It asks for one byte more than the expected size: a file that does
// not grow meanwhile ends with the first read that falls short, one that grows is read on, up to the limit.
func readAll(fd int, buf []byte, size, limit int64) ([]byte, error) {
	buf = slices.Grow(buf, int(size)+1)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, min(len(buf), int(limit)+1-len(buf)))
		}
		room := buf[len(buf):min(cap(buf), int(limit)+1)]
		n, err := readDescriptor(fd, room)
		buf = buf[:len(buf)+n]
		switch {
		case err != nil && exhausted(err):
			return nil, err
		case err != nil:
			return nil, &Refusal{Reason: Unreadable}
		case int64(len(buf)) > limit:
			return nil, &Refusal{Reason: Oversized}
		case n == 0 || n < len(room) && int64(len(buf)) >= size:
			return buf, nil
		}
	}
}
