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

// A RootGuard judges directories that are to be roots (M-30). It knows the forbidden directories as they are written and
// in canonical form, both as they were when it was made. Immutable, safe for concurrent use.
type RootGuard struct {
	exactly map[string]bool
	trees   []string
	homes   []string
	own     []string // the server's own directories
}

// NewRootGuard looks at the places and the directories of the system.
func NewRootGuard(places Places) *RootGuard {
	g := &RootGuard{exactly: make(map[string]bool)}
	for _, root := range forbiddenRoots {
		g.exactly[root], g.exactly[Canonical(root)] = true, true
	}
	for _, tree := range forbiddenTrees {
		g.trees = append(g.trees, tree, Canonical(tree))
	}
	if places.Home != "" {
		g.homes = append(g.homes, filepath.Clean(places.Home), Canonical(places.Home))
	}
	for _, place := range [...]string{places.Config, places.Staging, places.Cache} {
		if place != "" {
			g.own = append(g.own, filepath.Clean(place), Canonical(place))
		}
	}
	return g
}

// CheckRoot judges a directory that is to become a root and gives its canonical path (M-30).
// Errors, whose messages are for the local command line: root_invalid when it is not an absolute path of an existing
// directory, root_forbidden when it is one that is never served.
func CheckRoot(path string, places Places) (string, error) {
	guard := NewRootGuard(places)
	if err := guard.CheckText(path); err != nil {
		return "", err
	}
	canonical, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", Errorf(RootInvalid, "The root must be an existing directory.").Because(err)
	}
	if !Available(canonical) {
		return "", Errorf(RootInvalid, "The root must be a directory that the server can open.")
	}
	if err := guard.CheckText(canonical); err != nil {
		return "", err
	}
	return canonical, nil
}

// CheckText judges a root's path alone, whether it exists or not. Errors: root_invalid, root_forbidden.
func (g *RootGuard) CheckText(path string) error {
	if !filepath.IsAbs(path) {
		return Errorf(RootInvalid, "The root must be an absolute path.")
	}
	if len(path) > MaxPathBytes || !validText(path) {
		return Errorf(RootInvalid, "The root's path must be UTF-8 without backslashes and control characters, and at most %d bytes long.", MaxPathBytes)
	}
	path = filepath.Clean(path)
	if g.exactly[path] {
		return Errorf(RootForbidden, "A system directory cannot be a root; choose a directory below it.")
	}
	for _, tree := range g.trees {
		if Contains(tree, path) {
			return Errorf(RootForbidden, "Nothing of a system directory such as %s can be a root.", tree)
		}
	}
	if deniedPath(path[1:]) {
		return Errorf(RootForbidden, "A component of the root has a name that is never served.")
	}
	for _, home := range g.homes {
		if Contains(path, home) {
			return Errorf(RootForbidden, "The home directory and what contains it cannot be a root; choose a directory inside.")
		}
	}
	for _, place := range g.own {
		if Contains(path, place) || Contains(place, path) {
			return Errorf(RootForbidden, "The root must not contain, equal or lie inside the server's own directories.")
		}
	}
	return nil
}

// Contains reports whether a clean absolute path is dir or lies below it, component by component.
func Contains(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// Canonical gives a path without links, as far as it exists.
func Canonical(path string) string {
	path = filepath.Clean(path)
	if canonical, err := filepath.EvalSymlinks(path); err == nil {
		return canonical
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(Canonical(up), filepath.Base(path))
	}
	return path
}
