package gitview

import (
	"os"
	"strconv"
	"strings"

	"projectknowledge/protocol/mcp/pathguard"
)

// A setting is a configuration value that outweighs the repository's.
type setting struct{ name, value string }

// guarded are the settings of M-59 that are the same for every repository, and two more: lists of patterns, which a
// repository may keep anywhere.
var guarded = []setting{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", os.DevNull},
	{"core.untrackedCache", "false"},
	{"core.attributesFile", os.DevNull},
	{"core.pager", "cat"},
	{"diff.autoRefreshIndex", "false"}, // else git diff rewrites the index
	{"diff.external", ""},
	{"core.sshCommand", "false"},
	{"protocol.allow", "never"},
	{"log.showSignature", "false"},
	{"core.excludesFile", os.DevNull}, // else the answer shows what a file outside the root holds
	{"diff.orderFile", os.DevNull},    // so does this, and whether there is one
}

// environment makes the whole environment of a Git child from nothing (M-59).
func (c *command) environment() []string {
	variables := []string{
		"PATH=" + c.git.search,
		"HOME=" + c.git.home,
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_PROTOCOL_FROM_USER=0",
		"GIT_ALLOW_PROTOCOL=",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_DIR=" + c.place.gitDirectory,
		"GIT_WORK_TREE=" + c.place.root,
	}
	count := 0
	for _, list := range [][]setting{guarded, c.drivers} {
		for _, s := range list {
			n := strconv.Itoa(count)
			variables = append(variables, "GIT_CONFIG_KEY_"+n+"="+s.name, "GIT_CONFIG_VALUE_"+n+"="+s.value)
			count++
		}
	}
	return append(variables, "GIT_CONFIG_COUNT="+strconv.Itoa(count))
}

// driverSettings reads a listing of the names of all settings, each ended by NUL, and gives the settings that switch off
// every filter and diff driver among them: those run programs of the repository's choice on the content of its files.
// The name of a driver may hold any characters, dots and equals signs included.
func driverSettings(names []byte) ([]setting, error) {
	var settings []setting
	seen, length := make(map[string]bool), 0
	for name := range strings.SplitSeq(string(names), "\x00") {
		first, last := strings.IndexByte(name, '.'), strings.LastIndexByte(name, '.')
		if first < 0 || first == last {
			continue
		}
		section, driver, key := name[:first], name[:last], name[last+1:]
		if seen[driver] || section != "filter" && (section != "diff" || key != "textconv" && key != "command") {
			continue
		}
		seen[driver] = true
		if length += len(driver); len(seen) > maxDrivers || length > maxDriverBytes {
			return nil, pathguard.Errorf(pathguard.GitUnavailable, "The repository configures too many filters and diff drivers.")
		}
		if section == "filter" {
			settings = append(settings, setting{driver + ".clean", ""}, setting{driver + ".smudge", ""},
				setting{driver + ".process", ""}, setting{driver + ".required", "false"})
		} else {
			settings = append(settings, setting{driver + ".textconv", ""}, setting{driver + ".command", ""})
		}
	}
	return settings, nil
}
