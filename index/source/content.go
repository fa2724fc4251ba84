package source

import (
	"bytes"
	"unicode/utf8"
)

// RulesVersion changes with any rule of P-31 to P-37, so that a judgement kept from an earlier version is not trusted.
const RulesVersion = 1

// Admit judges the bytes of a source (P-36, P-37): a *Refusal with Binary for a NUL byte or invalid UTF-8 anywhere, with
// SensitiveContent when a pattern of P-37 matches, else nil. path tells the format.
func Admit(path string, text []byte) error {
	if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return &Refusal{Reason: Binary}
	}
	if rule := findSecret(path, text); rule != "" {
		return &Refusal{Reason: SensitiveContent, Rule: rule}
	}
	return nil
}
