package setup

import (
	"fmt"
	"strings"
)

// The ways in which a path stands in a unit file. systemd reads % as a specifier, \ and quotes as quoting, and $ as a
// variable in command lines.

// homed writes a path below the home directory with %h, so that the unit tells nothing of the account's name.
func homed(home, path string) string {
	if rest, inside := strings.CutPrefix(path, home+"/"); inside && home != "/" {
		return "%h/" + percent(rest)
	}
	return percent(path)
}

func percent(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// unitProgram gives the path of a program, the first word of a command line. No variable is read there, and systemd
// refuses some characters whatever stands around them.
func unitProgram(home, path string) (string, error) {
	if strings.ContainsAny(path, `"'\`) {
		return "", fmt.Errorf("systemd starts no program whose path has quotes or backslashes: %s", path)
	}
	return quoted(homed(home, path)), nil
}

// unitWord gives a path as a later word of a command line.
func unitWord(home, path string) string {
	return quoted(strings.ReplaceAll(homed(home, path), "$", "$$"))
}

// unitPath gives a path as one word of a list of paths. The dash lets the service start when the path is not there.
func unitPath(home, path string) string {
	return quoted("-" + homed(home, path))
}

// unitValue gives an assignment for Environment=.
func unitValue(home, assignment string) string {
	name, value, _ := strings.Cut(assignment, "=")
	return quoted(name + "=" + homed(home, value))
}

// quoted puts a word into quotes where it needs them.
func quoted(word string) string {
	if !strings.ContainsAny(word, " \t\"'\\;") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

// plainPath refuses what no unit file can hold: a line break would begin another setting.
func plainPath(path string) error {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("the path %q has control characters; use another directory", path)
	}
	return nil
}
