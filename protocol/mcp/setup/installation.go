package setup

import (
	"path/filepath"
	"strconv"
)

// An Installation is where this program and its directories are. Paths are absolute.
type Installation struct {
	Program    string // this binary
	Home       string
	ConfigHome string   // where programs keep their configuration, such as XDG_CONFIG_HOME
	Config     string   // of the registries
	State      string   // what the server writes of its own: unfinished uploads
	Cache      string   // of the indexes
	Port       int      // the server listens on
	Writable   []string // the registered projects' write directories
}

// DefaultPort is the one that a server takes when nobody says otherwise (M-11).
const DefaultPort = 8765

// URL is the address of the server's MCP endpoint.
func (i *Installation) URL() string { return "http://127.0.0.1:" + strconv.Itoa(i.Port) + "/mcp" }

// environment gives what the service has to be told because a user manager does not read the shell's profile: only what
// differs from the defaults.
func (i *Installation) environment() []string {
	var set []string
	add := func(name, value, usual string) {
		if value != usual {
			set = append(set, name+"="+value)
		}
	}
	add("RESEARCH_FILES_CONFIG_DIR", i.Config, below(i.Home, ".config/project-knowledge"))
	add("XDG_STATE_HOME", filepath.Dir(i.State), below(i.Home, ".local/state"))
	add("XDG_CACHE_HOME", filepath.Dir(i.Cache), below(i.Home, ".cache"))
	add("PROJECT_MCP_PORT", strconv.Itoa(i.Port), strconv.Itoa(DefaultPort))
	return set
}

// usualConfig reports whether the registries are where every process looks for them without being told.
func (i *Installation) usualConfig() bool {
	return i.Config == below(i.Home, ".config/project-knowledge")
}

// below gives the path of something in a directory, with slashes.
func below(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
