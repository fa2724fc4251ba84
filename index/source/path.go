package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// MaxPathBytes is the length of the longest path that is still valid (P-31).
const MaxPathBytes = 1024

// A rank orders the reasons that a path alone can give: the smaller one wins (P-62b). The rank of a path is the
// smallest of the ranks of its components, so that a directory need be judged only once for all its files.
type rank uint8

const (
	rankInvalid rank = iota
	rankHidden
	rankSensitive
	rankUnsupported
	rankEligible
)

var rankReasons = [...]Reason{
	rankInvalid:     InvalidPath,
	rankHidden:      Hidden,
	rankSensitive:   SensitivePath,
	rankUnsupported: UnsupportedFormat,
	rankEligible:    "",
}

// ClassifyPath says why the path of a regular tracked file is no source (P-31 to P-35); "" when it is one by its name.
// The path is relative to the root, with slashes. It allocates nothing for a path in ASCII.
func ClassifyPath(path string) Reason {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return rankReasons[min(rankName(path), rankLength(path))]
	}
	return rankReasons[min(rankDirectory(path[:slash]), rankName(path[slash+1:]), rankLength(path))]
}

// ValidPath says whether a path has the form of a source's path (P-31, P-32, P-77): "" when it has, else InvalidPath or Hidden.
func ValidPath(path string) Reason {
	if worst := min(rankForm(path), rankLength(path)); worst <= rankHidden {
		return rankReasons[worst]
	}
	return ""
}

func rankLength(path string) rank {
	if len(path) > MaxPathBytes {
		return rankInvalid
	}
	return rankEligible
}

// rankForm judges every component by form alone.
func rankForm(path string) rank {
	worst := rankEligible
	for rest, more := path, true; more; {
		var component string
		component, rest, more = strings.Cut(rest, "/")
		worst = min(worst, rankComponent(component))
	}
	return worst
}

// rankDirectory judges the directories of a path, given without the final slash.
func rankDirectory(path string) rank {
	worst := rankEligible
	for rest, more := path, true; more; {
		var component string
		component, rest, more = strings.Cut(rest, "/")
		if worst = min(worst, rankComponent(component)); worst > rankSensitive && sensitiveComponent(component) {
			worst = rankSensitive
		}
	}
	return worst
}

// rankComponent judges the form of one component: valid and not hidden gives rankEligible.
func rankComponent(component string) rank {
	if component == "" || component == "." || component == ".." || !printable(component) {
		return rankInvalid
	}
	if component[0] == '.' {
		return rankHidden
	}
	return rankEligible
}

// printable reports whether s is UTF-8 without a control character and without a backslash.
func printable(s string) bool {
	ascii := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == 0x7f || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || printableUnicode(s)
}

func printableUnicode(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r >= 0x80 && r <= 0x9f {
			return false
		}
	}
	return true
}

// Most names are none of the sensitive ones by their first and last byte alone.
var (
	componentFirst = edges(sensitiveComponents, 0)
	nameFirst      = edges(sensitiveNames+" "+sensitivePrefixes, 0)
	nameLast       = edges(sensitiveSuffixes, 1)
)

// edges marks the bytes that stand first (0) or last (1) in words, in both cases.
func edges(words string, which int) (marked [256]bool) {
	for _, word := range strings.Fields(words) {
		edge := word[which*(len(word)-1)]
		marked[edge] = true
		if 'a' <= edge && edge <= 'z' {
			marked[edge-'a'+'A'] = true
		}
	}
	return marked
}

// sensitiveComponent looks a valid component up in the first list of P-34.
func sensitiveComponent(component string) bool {
	var memory [64]byte // no entry is as long, not even when every letter of it were written with three bytes
	if first := component[0]; len(component) > len(memory) || first < utf8.RuneSelf && !componentFirst[first] {
		return false
	}
	_, found := componentSet[string(lower(memory[:0], component))]
	return found
}

// rankName judges the last component of a path.
func rankName(name string) rank {
	if form := rankComponent(name); form != rankEligible {
		return form
	}
	var memory [256]byte
	folded := lower(memory[:0], name)
	extension := extensionOf(folded)
	kind := formatOf[string(extension)]
	if sensitiveName(folded, kind, len(extension)) {
		return rankSensitive
	}
	if kind != 0 {
		return rankEligible
	}
	if _, whole := allowedNames[string(folded)]; whole {
		return rankEligible
	}
	return rankUnsupported
}

// sensitiveName applies P-34 to a last component in lower case, whose extension has the given format and length.
func sensitiveName(name []byte, kind format, extension int) bool {
	if componentFirst[name[0]] {
		if _, found := componentSet[string(name)]; found {
			return true
		}
	}
	if nameFirst[name[0]] && sensitiveBeginning(name) {
		return true
	}
	if nameLast[name[len(name)-1]] && sensitiveEnding(name) {
		return true
	}
	return kind&(prose|configuration) != 0 && sensitiveStem(name[:len(name)-extension-1])
}

// sensitiveBeginning applies the lists of names and of beginnings.
func sensitiveBeginning(name []byte) bool {
	if _, found := nameSet[string(name)]; found {
		return true
	}
	for _, prefix := range prefixList {
		if len(name) >= len(prefix) && string(name[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

// sensitiveEnding applies the list of endings.
func sensitiveEnding(name []byte) bool {
	for _, suffix := range suffixList {
		if len(name) >= len(suffix) && string(name[len(name)-len(suffix):]) == suffix {
			return true
		}
	}
	return false
}

// sensitiveStem reports whether a stem, cut at dots, underscores, hyphens and blanks, has a word of the last list of
// P-34. The list of separators there can be read with or without the blank; with it, "team passwords.txt" stays out.
func sensitiveStem(stem []byte) bool {
	for len(stem) > 0 {
		word, rest := stem, []byte(nil)
		if cut := bytes.IndexAny(stem, "._- "); cut >= 0 {
			word, rest = stem[:cut], stem[cut+1:]
		}
		if _, found := wordSet[string(word)]; found {
			return true
		}
		stem = rest
	}
	return false
}

// extensionOf gives what follows the last dot of a name; nothing when there is no dot.
func extensionOf(name []byte) []byte {
	if dot := bytes.LastIndexByte(name, '.'); dot >= 0 {
		return name[dot+1:]
	}
	return nil
}

// lower appends s in lower case. ASCII needs no allocation as long as it fits dst.
func lower(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(dst[:0], strings.ToLower(s)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
