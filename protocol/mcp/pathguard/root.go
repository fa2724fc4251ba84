package pathguard

import (
	"path/filepath"
	"strings"
)

// Places are the directories of this installation that no root may touch (M-30); an empty one is left out.
type Places struct{ Home, Config, Staging, Cache string }

// The directories of M-30.
var (
	forbiddenRoots = [...]string{
		"/", "/home", "/root", "/usr", "/var", "/opt", "/srv", "/boot", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/media", "/mnt", "/tmp",
	}
	forbiddenTrees = [...]string{"/etc", "/proc", "/sys", "/dev", "/run"}
)

// CheckRoot judges a directory that is to become a root and gives its canonical path (M-30).
// Errors, whose messages are for the local command line: root_invalid when it is not an absolute path of an existing
// directory, root_forbidden when it is one that is never served.
func CheckRoot(path string, places Places) (string, error) {
	if err := CheckRootText(path, places); err != nil {
		return "", err
	}
	canonical, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", Errorf(RootInvalid, "The root must be an existing directory.").Because(err)
	}
	if !Available(canonical) {
		return "", Errorf(RootInvalid, "The root must be a directory that the server can open.")
	}
	if err := CheckRootText(canonical, places); err != nil {
		return "", err
	}
	return canonical, nil
}

// CheckRootText judges a root's path alone, whether it exists or not.
func CheckRootText(path string, places Places) error {
	if !filepath.IsAbs(path) {
		return Errorf(RootInvalid, "The root must be an absolute path.")
	}
	if len(path) > MaxPathBytes || !validText(path) {
		return Errorf(RootInvalid, "The root's path must be UTF-8 without backslashes and control characters, and at most %d bytes long.", MaxPathBytes)
	}
	path = filepath.Clean(path)
	for _, forbidden := range forbiddenRoots {
		if path == forbidden || path == canonicalOf(forbidden) {
			return Errorf(RootForbidden, "A system directory cannot be a root; choose a directory below it.")
		}
	}
	for _, forbidden := range forbiddenTrees {
		if Contains(forbidden, path) || Contains(canonicalOf(forbidden), path) {
			return Errorf(RootForbidden, "Nothing of a system directory such as %s can be a root.", forbidden)
		}
	}
	for component := range strings.SplitSeq(path[1:], "/") {
		if DeniedName(component) {
			return Errorf(RootForbidden, "A component of the root has a name that is never served.")
		}
	}
	return places.check(path)
}

func (p Places) check(path string) error {
	if p.Home != "" && (Contains(path, filepath.Clean(p.Home)) || Contains(path, canonicalOf(p.Home))) {
		return Errorf(RootForbidden, "The home directory and what contains it cannot be a root; choose a directory inside.")
	}
	for _, place := range [...]string{p.Config, p.Staging, p.Cache} {
		if place != "" && (overlaps(path, filepath.Clean(place)) || overlaps(path, canonicalOf(place))) {
			return Errorf(RootForbidden, "The root must not contain, equal or lie inside the server's own directories.")
		}
	}
	return nil
}

// Contains reports whether a clean absolute path is dir or lies below it, component by component.
func Contains(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func overlaps(a, b string) bool { return Contains(a, b) || Contains(b, a) }

// canonicalOf gives the path without links as far as it exists.
func canonicalOf(path string) string {
	path = filepath.Clean(path)
	if canonical, err := filepath.EvalSymlinks(path); err == nil {
		return canonical
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(canonicalOf(up), filepath.Base(path))
	}
	return path
}
