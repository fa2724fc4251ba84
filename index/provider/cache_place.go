package provider

import (
	"crypto/sha256"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// cacheName is the directory that holds the caches of all roots (P-21).
const cacheName = "webcodex-project-knowledge"

// cacheNames gives the path of the cache directory of a root, component by component from the filesystem root (P-21,
// P-22). Its last component is the hash of the root's path with the suffix. It looks at nothing on disk.
func cacheNames(root, suffix string) ([]string, error) {
	base, err := cacheBase()
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(root))
	var names []string
	for name := range strings.SplitSeq(base, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			// What .. means depends on links: a path that needs it cannot be followed component by component.
			return nil, newError(CacheUnsafe, "The cache path contains a parent component.", nil)
		}
		names = append(names, name)
	}
	return append(names, cacheName, hexHash(hash)+suffix), nil
}

// CacheDirectory gives the directory that holds the caches of all roots (P-21), whether it exists or not. Nothing that is
// served may contain it or lie in it (M-30).
func CacheDirectory() (string, error) {
	base, err := cacheBase()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, cacheName), nil
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
