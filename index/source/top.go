package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// FindTop gives the top of the working tree around a directory, "" standing for the working directory; OpenRoot decides
// whether it is admitted. The directories above are looked through without Git as long as they are plain. Errors: a
// *Failure with a code of P-4, or that of ctx.
func FindTop(ctx context.Context, dir string) (string, error) {
	if err := hostSupported(); err != nil {
		return "", fail(HostUnsupported, err)
	}
	start, err := resolveRoot(dir)
	if err != nil {
		return "", err
	}
	if top, sure := plainTop(start); sure {
		return top, nil
	}
	output, err := ProviderGit(os.Environ()).Run(ctx, start, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", admission(err)
	}
	return strings.TrimSuffix(string(output), "\n"), nil
}

// plainTop looks upwards for a directory whose files alone show that it is a top. sure is false as soon as Git might
// stop or go on for another reason: a .git that is not plain, a directory that is a Git directory itself, a mount.
func plainTop(start string) (top string, sure bool) {
	first, err := statPath(start, false)
	if err != nil {
		return "", false
	}
	for at := start; ; at = filepath.Dir(at) {
		opened, err := OpenDir(at)
		if err != nil {
			return "", false
		}
		here, err := opened.Stat()
		_, missing := opened.Lstat(".git")
		_, bare := opened.Lstat("HEAD")
		plain := missing == nil && lookAround(opened.fd).plain
		opened.Close()
		switch {
		case err != nil || here.Device != first.Device:
			return "", false
		case plain:
			return at, true
		case missing == nil || bare == nil || at == "/":
			return "", false
		}
	}
}
