package source

import (
	"bytes"
	"errors"
	"strconv"
)

// An entry is one record of Git's index.
type entry struct {
	mode  uint32
	stage uint8
	path  string
}

// Kinds of entries by the mode that Git's index gives them.
const (
	modeRegular    = 0o100644
	modeExecutable = 0o100755
	modeSymlink    = 0o120000
	modeSubmodule  = 0o160000
	modeDirectory  = 0o040000
)

// kind says why an entry is no source whatever its path; "" for a file.
func (e entry) kind() Reason {
	switch {
	case e.stage != 0:
		return Conflicted
	case e.mode == modeSymlink:
		return Symlink
	case e.mode == modeSubmodule:
		return Submodule
	case e.mode == modeRegular || e.mode == modeExecutable:
		return ""
	}
	return UnsupportedFormat
}

// errListing is a listing that Git does not print.
var errListing = errors.New("git printed a listing of the index that cannot be understood")

// parseListing reads the output of git ls-files --stage -z: "<mode> <object> <stage>TAB<path>NUL" for each entry, in the
// order of the index. Anything else is errListing.
func parseListing(output []byte, each func(entry)) error {
	var last entry
	for first := true; len(output) > 0; first = false {
		end := bytes.IndexByte(output, 0)
		if end < 0 {
			return errListing
		}
		next, ok := parseRecord(output[:end])
		if !ok || !first && !last.before(next) {
			return errListing
		}
		each(next)
		last, output = next, output[end+1:]
	}
	return nil
}

// before reports whether e stands before other in an index: by path, then by stage.
func (e entry) before(other entry) bool {
	return e.path < other.path || e.path == other.path && e.stage < other.stage
}

func parseRecord(record []byte) (entry, bool) {
	head, path, found := bytes.Cut(record, []byte{'\t'})
	if !found || len(path) == 0 {
		return entry{}, false
	}
	mode, head, found := bytes.Cut(head, []byte{' '})
	if !found || len(mode) != 6 {
		return entry{}, false
	}
	bits, err := strconv.ParseUint(string(mode), 8, 32)
	if err != nil {
		return entry{}, false
	}
	object, stage, found := bytes.Cut(head, []byte{' '})
	if !found || !isObjectName(object) || len(stage) != 1 || stage[0] < '0' || stage[0] > '3' {
		return entry{}, false
	}
	return entry{mode: uint32(bits), stage: stage[0] - '0', path: string(path)}, true
}

// Lengths of object names in hexadecimal digits.
const (
	sha1Digits   = 40
	sha256Digits = 64
)

// isObjectName reports whether s is a whole object name in lower-case hexadecimal digits.
func isObjectName[text string | []byte](s text) bool {
	if len(s) != sha1Digits && len(s) != sha256Digits {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
