package pathguard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The names of M-38, folded. They cannot be lifted by any rule.
var (
	deniedNames    = [...]string{".env", "id_rsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc", ".aws", ".ssh", ".gnupg"}
	deniedPrefixes = [...]string{".env.", "credentials", "secrets", "token", "auth"}
	deniedSuffixes = [...]string{".pem", ".key", ".p12", ".pfx", ".kdbx"}
)

const (
	deniedAccountPrefix = "service-account" // together with deniedAccountSuffix
	deniedAccountSuffix = ".json"
)

// DeniedName reports whether a name is refused wherever it stands in a path (M-38). It ignores case and the ways in which
// Unicode can write the same letter. It allocates nothing for ASCII.
func DeniedName(component string) bool {
	var memory [256]byte
	folded, ascii := lowerASCII(memory[:0], component)
	if !ascii {
		return denied(foldName(component))
	}
	return denied(string(folded))
}

func denied(name string) bool {
	for _, whole := range deniedNames {
		if name == whole {
			return true
		}
	}
	for _, prefix := range deniedPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range deniedSuffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return strings.HasPrefix(name, deniedAccountPrefix) && strings.HasSuffix(name, deniedAccountSuffix)
}

// deniedPath reports whether a path in normal form has a denied component.
func deniedPath(path string) bool {
	for component := range strings.SplitSeq(path, "/") {
		if DeniedName(component) {
			return true
		}
	}
	return false
}

func lowerASCII(dst []byte, s string) ([]byte, bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return dst, false
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst, true
}

// foldName gives the form in which names are compared: NFKC, without characters that are not shown, case folded. A
// filesystem that compares names without case also passes over such characters, so that a name with one may open the same file.
func foldName(name string) string {
	name = strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return norm.NFKC.String(cases.Fold().String(name))
}

// ignorable reports whether a character is one that Unicode lets a comparison pass over (Default_Ignorable_Code_Point).
func ignorable(r rune) bool {
	if r < 0xad {
		return false
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Cf, r)
}
