package gitview

import (
	"bytes"
	"errors"
	"strings"
)

var errPatch = errors.New("not what git diff prints")

// A filePatch is the part of a diff that is about one file.
type filePatch struct {
	path       string
	text       []byte // with its header
	insertions int
	deletions  int
	binary     bool
	bare       bool // nothing but its first line: only the time stamps of the file have changed
}

// The first lines of a part. A line of content begins with a space, plus, minus or backslash, or is empty, so that none
// can be taken for one of these.
var (
	partStart     = []byte("diff --git ")
	combinedStart = []byte("diff --cc ")
	unmergedStart = []byte("* Unmerged path ")
)

// parsePatch cuts the output of git diff into the parts about single files, in its order. The prefixes of paths must be
// a/ and b/, and renames must be off: both names of a part are then the same.
func parsePatch(output []byte) ([]filePatch, error) {
	var parts []filePatch
	for len(output) > 0 {
		length := partLength(output)
		one, err := parsePart(output[:length])
		if err != nil {
			return nil, err
		}
		parts = append(parts, one)
		output = output[length:]
	}
	return parts, nil
}

// partLength gives the length of the part that output begins with.
func partLength(output []byte) int {
	for at := lineLength(output); at < len(output); at += lineLength(output[at:]) {
		if startsPart(output[at:]) {
			return at
		}
	}
	return len(output)
}

func startsPart(line []byte) bool {
	return bytes.HasPrefix(line, partStart) || bytes.HasPrefix(line, combinedStart) || bytes.HasPrefix(line, unmergedStart)
}

func lineLength(text []byte) int {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

func parsePart(text []byte) (filePatch, error) {
	first := lineLength(text)
	header := string(bytes.TrimSuffix(text[:first], []byte("\n")))
	part := filePatch{text: text, bare: first == len(text)}
	ok := false
	switch {
	case strings.HasPrefix(header, string(unmergedStart)):
		part.path, ok = header[len(unmergedStart):], true
		part.bare = false
	case strings.HasPrefix(header, string(combinedStart)):
		part.path, ok = wholeName(header[len(combinedStart):])
	case strings.HasPrefix(header, string(partStart)):
		part.path, ok = samePath(header[len(partStart):])
	}
	if !ok || part.path == "" {
		return part, errPatch
	}
	part.count(text[first:])
	return part, nil
}

// count adds up the lines that are added and removed, which begin behind the first hunk's header. A combined diff has a
// column for each parent: a line counts as added or removed when any column says so.
func (p *filePatch) count(text []byte) {
	columns := 0 // none before the first hunk
	for len(text) > 0 {
		length := lineLength(text)
		line := text[:length]
		text = text[length:]
		switch {
		case line[0] == '@':
			columns = max(1, leading(line, '@')-1)
		case columns == 0:
			p.binary = p.binary || bytes.HasPrefix(line, []byte("Binary files ")) || bytes.HasPrefix(line, []byte("GIT binary patch"))
		case line[0] != '\\':
			marks := line[:min(columns, len(line))]
			if bytes.IndexByte(marks, '-') >= 0 {
				p.deletions++
			} else if bytes.IndexByte(marks, '+') >= 0 {
				p.insertions++
			}
		}
	}
}

func leading(line []byte, c byte) int {
	n := 0
	for n < len(line) && line[n] == c {
		n++
	}
	return n
}

// samePath takes `a/PATH b/PATH`, each quoted when it has to be, and gives the path if both are the same.
func samePath(names string) (string, bool) {
	var old, now string
	ok := true
	if strings.HasPrefix(names, `"`) {
		var rest string
		if old, rest, ok = unquote(names); !ok || !strings.HasPrefix(rest, " ") {
			return "", false
		}
		now, ok = wholeName(rest[1:])
	} else if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' {
		old, now = names[:half], names[half+1:]
	}
	old, isOld := strings.CutPrefix(old, "a/")
	now, isNow := strings.CutPrefix(now, "b/")
	return now, ok && isOld && isNow && old == now
}

// wholeName takes a name, quoted when it has to be, with nothing behind it.
func wholeName(text string) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		return text, true
	}
	name, rest, ok := unquote(text)
	return name, ok && rest == ""
}

// escapes are the letters that stand for control characters in a quoted name.
var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, '"': '"', '\\': '\\'}

// unquote takes the quoted name that text begins with, in the way of a C string with octal escapes, and gives what follows.
func unquote(text string) (name, rest string, ok bool) {
	var out []byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return string(out), text[i+1:], true
		case '\\':
			if i++; i >= len(text) {
				return "", "", false
			}
			if plain, known := escapes[text[i]]; known {
				out = append(out, plain)
				continue
			}
			value, digits := octal(text[i:])
			if !digits {
				return "", "", false
			}
			out = append(out, value)
			i += 2
		default:
			out = append(out, c)
		}
	}
	return "", "", false
}

// octal reads three octal digits.
func octal(text string) (byte, bool) {
	if len(text) < 3 || text[0] > '3' {
		return 0, false
	}
	value := 0
	for i := range 3 {
		if text[i] < '0' || text[i] > '7' {
			return 0, false
		}
		value = value<<3 | int(text[i]-'0')
	}
	return byte(value), true
}
