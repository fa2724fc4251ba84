package registry

import (
	"errors"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/pathguard"
)

func validID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func checkID(id string) error {
	if !validID(id) {
		return pathguard.Fault(pathguard.IDInvalid)
	}
	return nil
}

func validRecordName(name string) bool {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return false
	}
	runes := utf8.RuneCountInString(name)
	return 1 <= runes && runes <= maxNameRunes
}

const maxWriteComponents = 10

// CheckWriteDirectory checks a write directory and gives it without slashes at its end (M-24). Error: write_directory_invalid.
func CheckWriteDirectory(dir string) (string, error) {
	clean := strings.TrimRight(dir, "/")
	components := strings.Split(clean, "/")
	if clean == "" || len(components) > maxWriteComponents {
		return "", pathguard.Fault(pathguard.WriteDirectoryInvalid)
	}
	for _, component := range components {
		if component == "" || component[0] == '.' {
			return "", pathguard.Fault(pathguard.WriteDirectoryInvalid)
		}
	}
	if normal, err := pathguard.ValidatePath(clean, pathguard.ForWrite); err != nil || normal != clean {
		return "", pathguard.Fault(pathguard.WriteDirectoryInvalid)
	}
	return clean, nil
}

// A rootReader judges the roots of one file and keeps what it learned of them.
type rootReader struct {
	guard     *pathguard.RootGuard
	lines     map[string]int    // of the root, by ID
	canonical map[string]string // by root
}

func (r *Registry) newRootReader() rootReader {
	return rootReader{guard: pathguard.NewRootGuard(r.places), lines: make(map[string]int), canonical: make(map[string]string)}
}

// check judges a root that stands in a registry, both as it is written and in its canonical form, and gives it cleaned.
// A root that does not exist is fine: its scope is unavailable (M-20).
func (r rootReader) check(root string) (string, error) {
	if err := r.guard.CheckText(root); err != nil {
		return "", err
	}
	root = filepath.Clean(root)
	canonical := pathguard.Canonical(root)
	r.canonical[root] = canonical
	if canonical == root {
		return root, nil
	}
	return root, r.guard.CheckText(canonical)
}

// sentence gives the text of an error without its code.
func sentence(err error) string {
	var known *pathguard.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}
