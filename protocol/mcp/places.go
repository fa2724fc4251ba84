package mcp

import (
	"errors"
	"os/user"
	"path/filepath"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/pathguard"
)

// Names below the base directories of the user (M-2, M-57).
const (
	configVariable = "RESEARCH_FILES_CONFIG_DIR"
	productName    = "project-knowledge"
	uploadsName    = "uploads"
)

// ErrNoHome: neither the environment nor the account names a directory to keep anything in.
var ErrNoHome = errors.New("there is no home directory; name a configuration directory and set HOME")

// Locate finds the directories of this installation out of an environment: the configuration (M-2; configDir is the one
// of the command line, or ""), the staging directory of uploads (M-57) and the caches. It looks at nothing on disk.
func Locate(configDir string, getenv func(string) string) (pathguard.Places, error) {
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		if account, err := user.Current(); err == nil {
			home = account.HomeDir
		}
	}
	base := func(variable, below string) string {
		if dir := getenv(variable); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, below)
	}
	cache, err := provider.CacheDirectory()
	if err != nil || !filepath.IsAbs(home) {
		return pathguard.Places{}, ErrNoHome
	}
	if configDir == "" {
		configDir = getenv(configVariable)
	}
	if configDir == "" {
		configDir = filepath.Join(base("XDG_CONFIG_HOME", ".config"), productName)
	}
	if configDir, err = filepath.Abs(configDir); err != nil {
		return pathguard.Places{}, ErrNoHome
	}
	return pathguard.Places{
		Home:    home,
		Config:  configDir,
		Staging: filepath.Join(base("XDG_STATE_HOME", filepath.Join(".local", "state")), productName, uploadsName),
		Cache:   cache,
	}, nil
}
