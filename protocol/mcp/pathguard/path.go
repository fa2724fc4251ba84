package pathguard

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a path (M-32) and of the forms in which it may be hidden (M-33).
const (
	MaxPathBytes      = 4096
	MaxComponentBytes = 255
	maxDecodings      = 3
)

// A Use says what a path is for, and with it which forms it may have.
type Use int

const (
	ForFile      Use = iota // a file that is read: "", "." and a final slash are refused
	ForDirectory            // a directory that is listed: "", "." and a final slash are fine (M-32)
	ForEither               // a file or a directory, in the forms of a directory
	ForWrite                // a new document: no percent escape (M-33) and no hidden name (M-52)
)

// ValidatePath checks the text of a path and gives its normal form: relative, slashes, no "." component, "." for the root
// itself (M-32). Every percent-decoded form of it is checked as well (M-33) and every name against the hard deny (M-38).
// The disk is not touched. Errors: invalid_path, path_denied, and not_a_file for a path that can only be a directory's.
func ValidatePath(p string, use Use) (string, error) {
	forms, count := decodings(p)
	for _, form := range forms[:count] {
		if !validForm(form) {
			return "", Fault(InvalidPath)
		}
	}
	if use == ForWrite && count > 1 {
		return "", Errorf(InvalidPath, "The path of a new document must not contain percent escapes.")
	}
	for _, form := range forms[:count] {
		if deniedPath(form) {
			return "", Fault(PathDenied)
		}
	}
	clean := cleanPath(p)
	switch use {
	case ForFile, ForWrite:
		if clean == "." || strings.HasSuffix(p, "/") {
			return "", Fault(NotAFile)
		}
	}
	if use == ForWrite && hiddenPath(clean) {
		return "", Errorf(PathDenied, "Names that begin with a dot cannot be created.")
	}
	return clean, nil
}

func cleanPath(p string) string { return path.Clean(p) }

// decodings gives the path and what it becomes when it is percent-decoded again and again, as far as M-33 wants it.
func decodings(p string) (forms [1 + maxDecodings]string, count int) {
	forms[0], count = p, 1
	for count < len(forms) {
		decoded, changed := decodePercent(forms[count-1])
		if !changed {
			break
		}
		forms[count] = decoded
		count++
	}
	return forms, count
}

// decodePercent replaces every valid escape by its byte; a percent sign without two hexadecimal digits stays.
func decodePercent(p string) (string, bool) {
	if strings.IndexByte(p, '%') < 0 {
		return p, false
	}
	decoded, changed := make([]byte, 0, len(p)), false
	for i := 0; i < len(p); i++ {
		if p[i] == '%' && i+2 < len(p) && hexadecimal(p[i+1]) && hexadecimal(p[i+2]) {
			decoded = append(decoded, digit(p[i+1])<<4|digit(p[i+2]))
			i += 2
			changed = true
			continue
		}
		decoded = append(decoded, p[i])
	}
	return string(decoded), changed
}

func hexadecimal(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func digit(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// validForm applies M-32 to one form of a path.
func validForm(p string) bool {
	if len(p) > MaxPathBytes || !validText(p) {
		return false
	}
	for strings.HasPrefix(p, "./") {
		p = p[2:]
		if strings.HasPrefix(p, "/") { // ".//x" is the relative path x and nothing else
			p = strings.TrimLeft(p, "/")
		}
	}
	if p != "" && (p[0] == '/' || p[0] == '~' || driveLetter(p)) {
		return false
	}
	for component := range strings.SplitSeq(p, "/") {
		if component == ".." || len(component) > MaxComponentBytes {
			return false
		}
	}
	return true
}

// validName reports whether a name met on the disk can be asked for as the last component of a path.
func validName(name string) bool {
	return name != "" && name != "." && name != ".." && validText(name)
}

func driveLetter(p string) bool {
	return len(p) >= 2 && p[1] == ':' && 'a' <= p[0]|0x20 && p[0]|0x20 <= 'z'
}

// validText reports whether s is UTF-8 without backslashes, control characters and bidirectional controls.
func validText(s string) bool {
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == 0x7f || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii {
		return true
	}
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return false
		}
	}
	return true
}

// hiddenPath reports whether a path in normal form has a component that begins with a dot.
func hiddenPath(clean string) bool {
	return strings.HasPrefix(clean, ".") || strings.Contains(clean, "/.")
}

// join puts a name behind a directory in normal form.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// parent gives the directory of a path in normal form, "." for a name at the top.
func parent(clean string) string {
	if slash := strings.LastIndexByte(clean, '/'); slash >= 0 {
		return clean[:slash]
	}
	return "."
}

// base gives the last component.
func base(clean string) string { return clean[strings.LastIndexByte(clean, '/')+1:] }
