package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"projectknowledge/index/source"
)

// cacheName is the directory that holds the caches of all roots (P-21).
const cacheName = "webcodex-project-knowledge"

// privateDepth is how many directories at the end of the path belong to this product alone: cacheName and the one below.
const privateDepth = 2

// The permissions of what this product creates there (P-23, P-26).
const (
	groupAndOthers = 0o077
	othersWrite    = 0o022
	privateFile    = fs.FileMode(0o600)
)

// cachePlace is the path of a cache directory, component by component from the filesystem root. It is a name only:
// every call looks at what is there.
type cachePlace struct {
	names []string
	err   error // why there is no such path
}

// placeCache computes where the cache of a root lies (P-21, P-22). The name of the directory is the hash of the root's
// path with the suffix.
func placeCache(root, suffix string) cachePlace {
	base, err := cacheBase()
	if err != nil {
		return cachePlace{err: err}
	}
	hash := sha256.Sum256([]byte(root))
	path := strings.Join([]string{base, cacheName, hex.EncodeToString(hash[:]) + suffix}, "/")
	var place cachePlace
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			// What .. means depends on links: a path that needs it cannot be followed component by component.
			return cachePlace{err: newError(CacheUnsafe, "The cache path contains a parent component.", nil)}
		}
		place.names = append(place.names, name)
	}
	return place
}

// cacheBase gives the directory of the user's caches. An empty or relative XDG_CACHE_HOME counts as absent.
func cacheBase() (string, error) {
	if base := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(base) {
		return base, nil
	}
	home := os.Getenv("HOME")
	if !filepath.IsAbs(home) {
		account, err := user.LookupId(strconv.Itoa(os.Geteuid()))
		if err != nil || !filepath.IsAbs(account.HomeDir) {
			return "", newError(CacheUnsafe, "There is neither an XDG_CACHE_HOME nor a home directory for the cache.", err)
		}
		home = account.HomeDir
	}
	return home + "/.cache", nil
}

// enter walks to the cache directory, from the filesystem root on, and judges each directory on the way: what was judged
// is what is entered, whatever happens to the names meanwhile. With create it makes what is missing; otherwise a missing
// directory satisfies fs.ErrNotExist. The territory of the repository, its root and Git directories, may not be on the
// way (P-25). Nothing is made below a directory that breaks a rule.
func (c *cachePlace) enter(territory []source.Identity, create bool) (*source.Dir, error) {
	if c.err != nil {
		return nil, c.err
	}
	at, err := source.FilesystemRoot()
	if err != nil {
		return nil, err
	}
	step := (*source.Dir).Open
	if create {
		step = (*source.Dir).Mkdir
	}
	for i, name := range c.names {
		if err = judge(at, territory, len(c.names)-i); err != nil {
			break
		}
		var next *source.Dir
		if next, err = step(at, name); err != nil {
			err = unsafePath(err)
			break
		}
		_ = at.Close()
		at = next
	}
	if err == nil {
		err = judge(at, territory, 0)
	}
	if err != nil {
		_ = at.Close()
		return nil, err
	}
	return at, nil
}

// judge applies the rules of P-23 to P-25 to a directory with so many components still to go.
func judge(at *source.Dir, territory []source.Identity, left int) error {
	stat, err := at.Stat()
	if err != nil {
		return err
	}
	if slices.Contains(territory, stat.Identity) {
		return newError(CacheUnsafe, "The cache directory must lie outside the project and its Git directory.", nil)
	}
	if left < privateDepth {
		if !own(stat) || stat.Mode.Perm()&groupAndOthers != 0 {
			return newError(CacheUnsafe, "The cache directory must belong to this user alone, with mode 0700.", nil)
		}
		return nil
	}
	if stat.Mode.Perm()&othersWrite != 0 && stat.Mode&fs.ModeSticky == 0 {
		return newError(CacheUnsafe, "A directory above the cache is writable by others and not sticky.", nil)
	}
	return nil
}

// own reports whether the effective user is the owner.
func own(stat source.Stat) bool { return int(stat.Owner) == os.Geteuid() }

// unsafePath gives what a walk may meet instead of a real directory its code (P-24).
func unsafePath(err error) error {
	if errors.Is(err, source.ErrLink) || errors.Is(err, source.ErrNotDirectory) || errors.Is(err, source.ErrMoved) {
		return newError(CacheUnsafe, "A component of the cache path is a symbolic link or not a directory.", err)
	}
	return err
}
