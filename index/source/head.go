package source

import (
	"context"
	"errors"
	"strings"
)

// maxLinks is how many symbolic references may lead from HEAD to a commit.
const maxLinks = 5

// Revision gives the commit of HEAD now in hexadecimal digits, "" before the first commit. It reads the files of Git
// where they are plain and asks Git where they are not. Errors: a *Failure of Git, or that of ctx.
func (r *Root) Revision(ctx context.Context) (string, error) {
	if layout := r.layout.Load(); layout.refFiles {
		if revision, sure := layout.revision("HEAD", layout.gitDir, maxLinks); sure {
			return revision, nil
		}
	}
	return r.askRevision(ctx)
}

// askRevision asks Git for HEAD.
func (r *Root) askRevision(ctx context.Context) (string, error) {
	output, err := r.run(ctx, "rev-parse", "--quiet", "--verify", "HEAD")
	var said *complaint
	if errors.As(err, &said) && said.status == 1 && said.text == "" {
		return "", nil // HEAD names a branch that has no commit
	}
	if err != nil {
		return "", err
	}
	revision := strings.TrimSuffix(string(output), "\n")
	if !isObjectName(revision) {
		return "", fail(GitFailed, errors.New("git printed no object name for HEAD"))
	}
	return revision, nil
}

// revision follows a reference that is kept in dir. sure is false when only Git can tell; an empty revision that is
// sure belongs to a branch without a commit.
func (l *layout) revision(name, dir string, links int) (revision string, sure bool) {
	content, found, sure := l.reference(dir + "/" + name)
	if !sure {
		return "", false
	}
	if !found {
		return l.packedRevision(name)
	}
	if target, symbolic := strings.CutPrefix(content, "ref: "); symbolic {
		if links == 0 || !sharedReference(target) {
			return "", false
		}
		return l.revision(target, l.commonDir, links-1)
	}
	return content, len(content) == l.format.digits() && isObjectName(content)
}

// maxReference is the size of the largest file of one reference that is read.
const maxReference = 4 << 10

// reference reads the file of one reference, without its line end.
func (l *layout) reference(path string) (content string, found, sure bool) {
	raw, state := readGitFile(l.root, path, maxReference, false)
	switch state {
	case gitFileRead:
		return strings.TrimSuffix(string(raw), "\n"), true, true
	case gitFileMissing:
		return "", false, true
	}
	return "", false, false
}

// maxPackedRefs is the size of the largest packed-refs file that is looked through; Git has an index for larger ones.
const maxPackedRefs = 8 << 20

// packedRevision looks for a reference that has no file. Git writes packed-refs before it removes a file, so what is in
// neither was looked for once more, in case it was written meanwhile.
func (l *layout) packedRevision(name string) (revision string, sure bool) {
	raw, state := readGitFile(l.root, l.commonDir+"/packed-refs", maxPackedRefs, true)
	if state == gitFileOdd {
		return "", false
	}
	revision, sure = findPackedRef(string(raw), name, l.format.digits())
	if !sure || revision != "" {
		return revision, sure
	}
	_, appeared, sure := l.reference(l.commonDir + "/" + name)
	return "", sure && !appeared
}

// findPackedRef looks in the content of a packed-refs file ("<object> <name>LF" a reference, with comments and peeled
// objects between) for a name. sure is false when the file is not of that form around the name or at its end.
func findPackedRef(content, name string, digits int) (object string, sure bool) {
	if content != "" && !strings.HasSuffix(content, "\n") {
		return "", false
	}
	wanted := " " + name + "\n"
	for from := 0; ; {
		at := strings.Index(content[from:], wanted)
		if at < 0 {
			return "", true
		}
		at += from
		start := strings.LastIndexByte(content[:at], '\n') + 1
		if object := content[start:at]; len(object) == digits && isObjectName(object) {
			return object, true
		}
		if content[start] != '#' {
			return "", false
		}
		from = at + 1
	}
}

// sharedReference reports whether a name is that of a reference kept for all working trees, written in the strict form
// that a path can be made of.
func sharedReference(name string) bool {
	rest, found := strings.CutPrefix(name, "refs/")
	if !found || strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for _, private := range []string{"bisect/", "worktree/", "rewritten/"} {
		if strings.HasPrefix(rest, private) {
			return false
		}
	}
	for component := range strings.SplitSeq(name, "/") {
		if component == "" || component[0] == '.' || strings.HasSuffix(component, ".lock") {
			return false
		}
	}
	return strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0
}
