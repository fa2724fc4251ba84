package gitview

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// maxChanges bounds the entries of a status; output of 64 MiB could hold many times more.
const maxChanges = 1 << 20

var (
	errPorcelain = errors.New("not what git status --porcelain=v2 -z prints")
	errChanges   = errors.New("too many changed files")
)

// A head is what a status says about the branch.
type head struct {
	commit   string // "" before the first commit
	branch   string // "" when detached
	detached bool
	tracked  bool // ahead and behind are known
	ahead    int
	behind   int
}

// A change is one entry of a status. The letters are Git's; '.' stands for unchanged.
type change struct {
	path              string // an untracked repository ends with a slash
	index, worktree   byte
	conflicted, added bool // added: untracked
}

// parseStatus reads the output of git status --porcelain=v2 --branch -z. Headers that it does not know are passed over, as
// the format asks for; entries must be exactly what the format allows.
func parseStatus(output []byte) (head, []change, error) {
	var top head
	var changes []change
	for len(output) > 0 {
		record, rest, ended := bytes.Cut(output, []byte{0})
		if !ended || len(record) < 3 || record[1] != ' ' {
			return top, nil, errPorcelain
		}
		output = rest
		if record[0] == '#' {
			if err := top.header(string(record[2:])); err != nil {
				return top, nil, err
			}
			continue
		}
		if len(changes) == maxChanges {
			return top, nil, errChanges
		}
		if record[0] == '2' { // a rename, whose old name is a record of its own
			if _, output, ended = bytes.Cut(output, []byte{0}); !ended {
				return top, nil, errPorcelain
			}
		}
		one, err := parseChange(record[0], string(record[2:]))
		if err != nil {
			return top, nil, err
		}
		changes = append(changes, one)
	}
	return top, changes, nil
}

func (h *head) header(text string) error {
	name, value, _ := strings.Cut(text, " ")
	switch name {
	case "branch.oid":
		if value == "(initial)" {
			return nil
		}
		if !objectName(value) {
			return errPorcelain
		}
		h.commit = value
	case "branch.head":
		if h.detached = value == "(detached)"; !h.detached {
			h.branch = value
		}
		if value == "" {
			return errPorcelain
		}
	case "branch.ab":
		return h.distance(value)
	}
	return nil
}

// distance reads "+AHEAD -BEHIND"; question marks stand for numbers that Git was configured not to find out.
func (h *head) distance(value string) error {
	ahead, behind, ok := strings.Cut(value, " ")
	if !ok || !strings.HasPrefix(ahead, "+") || !strings.HasPrefix(behind, "-") {
		return errPorcelain
	}
	if ahead == "+?" && behind == "-?" {
		return nil
	}
	a, err1 := strconv.ParseUint(ahead[1:], 10, 31)
	b, err2 := strconv.ParseUint(behind[1:], 10, 31)
	if err1 != nil || err2 != nil {
		return errPorcelain
	}
	h.tracked, h.ahead, h.behind = true, int(a), int(b)
	return nil
}

// fieldsBefore is how many fields stand between the kind of an entry and its path.
var fieldsBefore = map[byte]int{'1': 7, '2': 8, 'u': 9, '?': 0}

func parseChange(kind byte, text string) (change, error) {
	fields, known := fieldsBefore[kind]
	if !known {
		return change{}, errPorcelain
	}
	parts := strings.SplitN(text, " ", fields+1)
	if len(parts) != fields+1 || parts[fields] == "" {
		return change{}, errPorcelain
	}
	one := change{path: parts[fields], index: '?', worktree: '?', added: kind == '?', conflicted: kind == 'u'}
	if one.added {
		return one, nil
	}
	letters, submodule := parts[0], parts[1]
	if len(letters) != 2 || !statusLetter(letters[0]) || !statusLetter(letters[1]) || len(submodule) != 4 {
		return change{}, errPorcelain
	}
	one.index, one.worktree = letters[0], letters[1]
	for _, field := range parts[2:fields] {
		if !hexadecimal(strings.TrimLeft(field, "RC")) {
			return change{}, errPorcelain
		}
	}
	return one, nil
}

func statusLetter(c byte) bool { return strings.IndexByte(".MTADRCU", c) >= 0 }

func objectName(s string) bool { return (len(s) == 40 || len(s) == 64) && hexadecimal(s) }

func hexadecimal(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}
