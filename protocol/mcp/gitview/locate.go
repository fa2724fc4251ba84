package gitview

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"projectknowledge/protocol/mcp/pathguard"
)

const (
	maxPointerBytes    = 4096 + 64 // of a .git file or a commondir file
	maxAlternatesBytes = 64 << 10
	maxAlternates      = 64
)

// A place is where a repository is: its work tree and its Git directory.
type place struct{ root, gitDirectory string }

// unavailable is git_unavailable with what is wrong; cause may name paths of the machine and is kept from the caller.
func unavailable(why string, cause error) error {
	return pathguard.Errorf(pathguard.GitUnavailable, "Git cannot be used in this project: %s.", why).Because(cause)
}

// locate finds the Git directory of a work tree's top and proves that Git would read nothing outside the root by it
// (M-60). It does what Git does to find a repository, because Git is then told where it is and asks no more questions.
func (g *Git) locate(root string) (place, error) {
	gitDirectory, err := pointedTo(root)
	if err != nil {
		return place{}, err
	}
	common, err := commonDirectory(gitDirectory)
	if err != nil {
		return place{}, err
	}
	for _, dir := range []string{root, gitDirectory, common} {
		if err := owned(dir); err != nil {
			return place{}, err
		}
	}
	if !g.linked {
		inside := confinement{root: root}
		if err := inside.repository(gitDirectory, common); err != nil {
			return place{}, err
		}
	}
	return place{root: root, gitDirectory: gitDirectory}, nil
}

// pointedTo gives the Git directory that the .git of a work tree is or names.
func pointedTo(root string) (string, error) {
	name := filepath.Join(root, ".git")
	facts, err := os.Stat(name)
	if err != nil {
		return "", unavailable("its root is not the top of a work tree", err)
	}
	if facts.IsDir() {
		return resolved(name)
	}
	if err := owned(name); err != nil {
		return "", err
	}
	text, err := readSmall(name, maxPointerBytes)
	if err != nil {
		return "", unavailable("its .git cannot be read", err)
	}
	target, ok := strings.CutPrefix(text, "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" || strings.ContainsAny(target, "\x00\n") {
		return "", unavailable("its .git names no repository", nil)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(root, target)
	}
	return resolved(target)
}

// commonDirectory gives the directory that a linked work tree shares with the others: where objects and configuration are.
func commonDirectory(gitDirectory string) (string, error) {
	text, err := readSmall(filepath.Join(gitDirectory, "commondir"), maxPointerBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return gitDirectory, nil
	}
	target := strings.TrimRight(text, "\r\n")
	if err != nil || target == "" || strings.ContainsRune(target, 0) {
		return "", unavailable("its Git directory is damaged", err)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(gitDirectory, target)
	}
	return resolved(target)
}

func resolved(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", unavailable("its Git directory is missing", err)
	}
	return real, nil
}

// owned refuses what belongs to another user, as Git itself does: whoever owns a repository says what Git does in it.
func owned(path string) error {
	facts, err := os.Lstat(path)
	if err != nil {
		return unavailable("its Git directory is missing", err)
	}
	if !ownedByUs(facts) {
		return unavailable("it belongs to another user than the server's", nil)
	}
	return nil
}

// A confinement checks that the files of a repository are below the root.
type confinement struct {
	root  string
	depth int // of alternates
}

// repository checks the parts of a repository that lead to content: each may be a link, and objects may be borrowed.
func (c *confinement) repository(gitDirectory, common string) error {
	for _, dir := range []string{gitDirectory, common} {
		if !c.holds(dir) {
			return unavailable("its Git directory is outside the root", nil)
		}
	}
	for _, dir := range []string{gitDirectory, common, filepath.Join(common, "info")} {
		if err := c.entries(dir); err != nil {
			return err
		}
	}
	return c.objects(filepath.Join(common, "objects"))
}

// objects checks an object store: its directories, its packs, and those that it borrows from.
func (c *confinement) objects(store string) error {
	if c.depth++; c.depth > maxAlternates {
		return unavailable("it borrows objects from too many places", nil)
	}
	real, err := filepath.EvalSymlinks(store)
	if c.depth > 1 && errors.Is(err, fs.ErrNotExist) {
		return nil // Git passes over a place that is not there
	}
	if err != nil || !c.holds(real) {
		return unavailable("its objects are outside the root", err)
	}
	for _, dir := range []string{store, filepath.Join(store, "pack"), filepath.Join(store, "info")} {
		if err := c.entries(dir); err != nil {
			return err
		}
	}
	text, err := readSmall(filepath.Join(store, "info", "alternates"), maxAlternatesBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("its list of borrowed objects cannot be read", err)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '"' {
			return unavailable("its list of borrowed objects cannot be read", nil)
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(store, line)
		}
		if err := c.objects(line); err != nil {
			return err
		}
	}
	return nil
}

// entries checks the links among the entries of a directory; a directory that does not exist has none.
func (c *confinement) entries(dir string) error {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("its Git directory cannot be read", err)
	}
	for _, entry := range found {
		if entry.Type()&fs.ModeSymlink == 0 {
			continue
		}
		real, err := filepath.EvalSymlinks(filepath.Join(dir, entry.Name()))
		if err == nil && !c.holds(real) {
			return unavailable("a part of its Git directory is outside the root", nil)
		}
	}
	return nil
}

// holds reports whether a path without links is the root or below it.
func (c *confinement) holds(path string) bool {
	return path == c.root || strings.HasPrefix(path, strings.TrimSuffix(c.root, string(filepath.Separator))+string(filepath.Separator))
}

// readSmall reads a regular file of at most limit bytes without waiting for anything.
func readSmall(name string, limit int64) (string, error) {
	file, err := openNow(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	if facts, err := file.Stat(); err != nil || !facts.Mode().IsRegular() {
		return "", errors.Join(errors.New("not a regular file"), err)
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = errors.New("too large")
	}
	return string(text), err
}
