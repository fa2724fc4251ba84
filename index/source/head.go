package source

import (
	"context"
	"errors"
	"strings"
)

// Revision gives the commit of HEAD now in hexadecimal digits, "" before the first commit.
// Errors: a *Failure of Git, or that of ctx.
func (r *Root) Revision(ctx context.Context) (string, error) {
	output, err := r.git.Run(ctx, r.path, "rev-parse", "--quiet", "--verify", "HEAD")
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
