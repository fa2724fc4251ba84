package source

import "strings"

// repositoryConfig is what the configuration of a repository says about its form. Only files of a simple shape are
// understood, one thing a line; at anything else Git is asked.
type repositoryConfig struct {
	version        string
	bare           bool
	elsewhere      bool // the working tree is named by the configuration
	worktreeConfig bool
	otherRefs      bool // references are not, or may not be, kept in files
	unknown        bool // an extension that not every Git knows
	objectFormat   string
}

// read takes in one file and reports whether all of it was understood. What a later file says counts.
func (c *repositoryConfig) read(content string) bool {
	section := ""
	for line := range strings.SplitSeq(content, "\n") {
		line = strings.Trim(line, " \t\r")
		switch {
		case strings.HasSuffix(line, "\\"):
			return false // goes on in the next line
		case line == "", line[0] == '#', line[0] == ';':
		case line[0] == '[':
			inner, closed := strings.CutSuffix(line[1:], "]")
			if !closed || !plainHeader(inner) {
				return false
			}
			section = strings.ToLower(inner)
		default:
			if !c.setting(section, line) {
				return false
			}
		}
	}
	return true
}

// plainHeader reports whether what stands between the brackets is a name, or a name and a quoted one.
func plainHeader(inner string) bool {
	name, quoted, two := strings.Cut(inner, " ")
	for i := range len(name) {
		if c := name[i]; !isAlphanumeric(c) && c != '-' && c != '.' {
			return false
		}
	}
	if !two {
		return name != ""
	}
	return len(quoted) >= 2 && quoted[0] == '"' && strings.IndexAny(quoted[1:], "\"\\") == len(quoted)-2
}

// setting takes in one line of a section that matters.
func (c *repositoryConfig) setting(section, line string) bool {
	if section != "core" && section != "extensions" {
		return true
	}
	key, value, assigned := strings.Cut(line, "=")
	key, value = strings.ToLower(strings.Trim(key, " \t")), strings.Trim(value, " \t")
	if strings.ContainsAny(value, "\"\\#;") {
		return section == "core" && key != "bare" && key != "worktree" && key != "repositoryformatversion"
	}
	if !assigned {
		value = "true"
	}
	if section == "core" {
		c.core(key, value)
	} else {
		c.extension(key, value)
	}
	return true
}

func (c *repositoryConfig) core(key, value string) {
	switch key {
	case "repositoryformatversion":
		c.version = value
	case "bare":
		c.bare = !isFalse(value)
	case "worktree":
		c.elsewhere = true
	}
}

func (c *repositoryConfig) extension(key, value string) {
	switch key {
	case "noop", "preciousobjects", "partialclone":
	case "worktreeconfig":
		c.worktreeConfig = !isFalse(value)
	case "objectformat":
		c.objectFormat = value
	case "refstorage":
		c.otherRefs = value != "files"
		c.unknown = true
	default:
		c.unknown = true
	}
}

// isFalse reports whether Git takes a value for false.
func isFalse(value string) bool {
	switch strings.ToLower(value) {
	case "false", "no", "off", "0", "":
		return true
	}
	return false
}

// ordinary reports whether the working tree is the directory that holds .git, for every Git.
func (c *repositoryConfig) ordinary() bool {
	if c.bare || c.elsewhere || c.unknown {
		return false
	}
	return c.version == "1" || (c.version == "0" || c.version == "") && c.objectFormat == ""
}

// objects gives the hash function of the object names.
func (c *repositoryConfig) objects() (objectFormat, bool) {
	switch c.objectFormat {
	case "", "sha1":
		return sha1Format, true
	case "sha256":
		return sha256Format, true
	}
	return 0, false
}
