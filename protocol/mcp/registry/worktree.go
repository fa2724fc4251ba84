package registry

import (
	"os"
	"path/filepath"
	"strings"

	"projectknowledge/protocol/mcp/pathguard"
)

// maxGitFile bounds the .git file of a linked work tree; a real one is a single path.
const maxGitFile = 8 << 10

// WorkTreeTop reports whether a directory looks like the top of a Git work tree: it has a .git directory with what Git
// itself demands of one, or a .git file that points to one. Git is not started; whether Git can be used safely there is
// decided at each call.
func WorkTreeTop(root string) bool {
	git := filepath.Join(root, ".git")
	info, err := os.Lstat(git)
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		text, _, err := pathguard.ReadConfig(git, maxGitFile)
		target, found := strings.CutPrefix(string(text), "gitdir: ")
		if err != nil || !found {
			return false
		}
		if git = strings.TrimRight(target, "\r\n"); !filepath.IsAbs(git) {
			git = filepath.Join(root, git)
		}
	}
	return gitDirectory(git)
}

func gitDirectory(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true // of a linked work tree: objects and references are elsewhere
	}
	for _, needed := range [...]string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, needed)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
