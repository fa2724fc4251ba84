package pathguard

import "strings"

// A pattern is one line of an ignore file, in the syntax and with the meaning of Git's: bytes, not characters.
type pattern struct {
	lifts     bool // "!": what fits is not ignored after all
	directory bool // "/" at the end: fits directories only
	whole     bool // has a slash: is held against the whole path, else against the last name
	glob      glob
}

// parsePattern reads one line without its line end; false when the line has no pattern.
func parsePattern(line string) (pattern, bool) {
	if strings.HasPrefix(line, "#") {
		return pattern{}, false
	}
	line = trimSpaces(line)
	if line == "" {
		return pattern{}, false
	}
	var p pattern
	if line[0] == '!' {
		p.lifts, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.directory, line = true, line[:len(line)-1]
	}
	p.whole = strings.IndexByte(line, '/') >= 0
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return pattern{}, false
	}
	p.glob = compileGlob(line)
	return p, true
}

// trimSpaces drops spaces from the end that are not behind a backslash.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i >= len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

func (p *pattern) matches(path string, dir bool) bool {
	if p.directory && !dir {
		return false
	}
	if !p.whole {
		path = base(path)
	}
	return p.glob.match(path)
}
