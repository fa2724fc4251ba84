package source

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"strings"
)

// A layout is where Git keeps what belongs to a working tree, and what its files say about the tree: read anew at each
// check, never changed afterwards. Paths may be relative to the root.
type layout struct {
	root      int // the descriptor of the root
	gitDir    string
	commonDir string
	format    objectFormat // 0 when the configuration does not tell it plainly
	refFiles  bool         // references are kept in files of the plain form

	// plain: the files alone show that the root is the top of an ordinary working tree that Git accepts.
	plain bool
	// evidence is everything that was read: while it is the same, Git's last verdict on the tree holds. nil when it is
	// incomplete, or when Git would look at more than these files.
	evidence []byte
}

// Sizes of the largest files of Git that are taken into account in process.
const (
	maxConfig  = 1 << 20
	maxPointer = 8 << 10 // .git, commondir and HEAD
)

// lookAround reads the layout around an open root.
func lookAround(root int) *layout {
	look := &looker{layout: layout{root: root}, complete: true}
	look.owner("", true)
	look.plain = look.findGitDir() && look.findCommonDir() && look.readConfig() && !look.linked && look.complete
	if !look.owned {
		look.plain, look.complete = false, false // Git then decides by the user's configuration with all it includes
	}
	look.readUserConfig()
	if !look.complete {
		look.evidence = nil
	}
	found := look.layout
	found.refFiles = found.refFiles && found.format != 0
	return &found
}

// agrees reports whether both were made from the same complete evidence.
func (l *layout) agrees(other *layout) bool {
	return l.evidence != nil && other.evidence != nil && bytes.Equal(l.evidence, other.evidence)
}

// looker reads a layout and keeps what it read.
type looker struct {
	layout
	owned    bool
	linked   bool // .git is a symbolic link
	complete bool
}

// note adds a finding to the evidence, in a form that no other findings can give together.
func (l *looker) note(kind byte, content []byte) {
	l.evidence = append(l.evidence, kind)
	l.evidence = binary.AppendUvarint(l.evidence, uint64(len(content)))
	l.evidence = append(l.evidence, content...)
}

// read reads a file and notes what was there.
func (l *looker) read(path string, limit int64, follow bool) ([]byte, gitFileState) {
	content, state := readGitFile(l.root, path, limit, follow)
	l.complete = l.complete && state != gitFileOdd
	l.note(byte(state), content)
	return content, state
}

// owner notes kind, identity and owner of a directory or file, and whether Git takes it for the user's own.
func (l *looker) owner(path string, first bool) (Stat, bool) {
	var stat Stat
	var err error
	if path == "" {
		stat, err = statDescriptor(l.root)
	} else {
		stat, err = statGitFile(l.root, path, false)
	}
	if err != nil {
		l.note('e', nil)
		return Stat{}, false
	}
	l.note('o', binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(
		binary.LittleEndian.AppendUint32(nil, uint32(stat.Mode.Type())), stat.Device), stat.Inode))
	mine := stat.Owner == effectiveUser()
	l.owned = mine && (first || l.owned)
	return stat, true
}

// findGitDir finds the Git directory: .git itself, or where the file .git points.
func (l *looker) findGitDir() bool {
	stat, found := l.owner(".git", false)
	if !found {
		return false
	}
	l.linked = stat.Mode&fs.ModeSymlink != 0
	if stat.Mode.IsDir() || l.linked {
		l.gitDir = ".git"
		return true
	}
	content, state := l.read(".git", maxPointer, false)
	target, points := strings.CutPrefix(string(content), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if state != gitFileRead || !points || target == "" || strings.ContainsAny(target, "\r\n\x00") {
		return false
	}
	l.gitDir = target
	stat, found = l.owner(target, false)
	return found && stat.Mode.IsDir()
}

// findCommonDir finds the directory that linked working trees share, and sees whether Git takes the whole for a repository.
func (l *looker) findCommonDir() bool {
	l.commonDir = l.gitDir
	content, state := l.read(l.gitDir+"/commondir", maxPointer, true)
	if state == gitFileRead {
		common := strings.TrimRight(string(content), "\r\n")
		if common == "" || strings.ContainsAny(common, "\r\n\x00") {
			return false
		}
		if !strings.HasPrefix(common, "/") {
			common = l.gitDir + "/" + common
		}
		l.commonDir = common
	}
	head, state := l.read(l.gitDir+"/HEAD", maxPointer, false)
	if state != gitFileRead || !plainHead(strings.TrimSuffix(string(head), "\n")) {
		return false
	}
	return l.isDirectory(l.commonDir+"/objects") && l.isDirectory(l.commonDir+"/refs")
}

// plainHead reports whether the content of HEAD is one that every Git accepts.
func plainHead(content string) bool {
	target, symbolic := strings.CutPrefix(content, "ref: ")
	if symbolic {
		return sharedReference(target)
	}
	return isObjectName(content)
}

func (l *looker) isDirectory(path string) bool {
	stat, err := statGitFile(l.root, path, true)
	is := err == nil && stat.Mode.IsDir()
	if is {
		l.note('d', nil)
	} else {
		l.note('n', nil)
	}
	return is
}

// readConfig reads the configuration of the repository and reports whether it is that of an ordinary working tree.
func (l *looker) readConfig() bool {
	content, state := l.read(l.commonDir+"/config", maxConfig, true)
	var found repositoryConfig
	if state != gitFileRead || !found.read(string(content)) {
		return false
	}
	if found.worktreeConfig {
		content, state := l.read(l.gitDir+"/config.worktree", maxConfig, true)
		if state == gitFileOdd || !found.read(string(content)) {
			return false
		}
	}
	format, known := found.objects()
	if !known {
		return false
	}
	l.format, l.refFiles = format, !found.otherRefs
	return found.ordinary()
}

// readUserConfig notes the configuration that Git reads outside the repository.
func (l *looker) readUserConfig() {
	paths := []string{"/etc/gitconfig"}
	home, config := os.Getenv("HOME"), os.Getenv("XDG_CONFIG_HOME")
	if home != "" {
		paths = append(paths, home+"/.gitconfig")
	}
	switch {
	case config != "":
		paths = append(paths, config+"/git/config")
	case home != "":
		paths = append(paths, home+"/.config/git/config")
	}
	for _, path := range paths {
		l.read(path, maxConfig, true)
	}
}
