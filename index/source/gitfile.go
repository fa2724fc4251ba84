package source

// gitFileState says what was found where Git keeps a file.
type gitFileState byte

const (
	gitFileMissing gitFileState = iota + 1 // nothing, or a directory, which Git takes for nothing where it expects a reference
	gitFileRead
	gitFileOdd // a link, a pipe, too large, not readable: only Git can tell what it makes of it
)

// readGitFile reads a file of Git's own, at most limit bytes, from a path that may be relative to the open directory at.
// With follow false a symbolic link in the last component is odd.
func readGitFile(at int, path string, limit int64, follow bool) ([]byte, gitFileState) {
	fd, stat, state := openPlainGitFile(at, path, follow)
	if state != gitFileRead {
		return nil, state
	}
	defer closeDescriptor(fd)
	if stat.Size > limit {
		return nil, gitFileOdd
	}
	content, err := readAll(fd, nil, stat.Size, limit)
	if err != nil {
		return nil, gitFileOdd
	}
	return content, gitFileRead
}

// openPlainGitFile opens a regular file of Git's own; the descriptor is open with gitFileRead only.
func openPlainGitFile(at int, path string, follow bool) (int, Stat, gitFileState) {
	fd, err := openGitFile(at, path, follow)
	if err != nil {
		if isMissing(err) {
			return -1, Stat{}, gitFileMissing
		}
		return -1, Stat{}, gitFileOdd
	}
	stat, err := statDescriptor(fd)
	if err == nil && stat.Mode.IsRegular() {
		return fd, stat, gitFileRead
	}
	closeDescriptor(fd)
	if err == nil && stat.Mode.IsDir() {
		return -1, Stat{}, gitFileMissing
	}
	return -1, Stat{}, gitFileOdd
}
