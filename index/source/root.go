package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// A Root is the top of a Git working tree that passed admission (section B of the provider's requirements). It keeps
// the directory open and remembers its path and identity. Safe for concurrent use, Close apart.
type Root struct {
	fd       int
	path     string // absolute, without links
	identity Identity
	git      *Git
	opener   opener
}

// OpenRoot admits a directory as a root. "" stands for the working directory of the process, whose spelling in PWD is
// checked (P-15); of any other path every component is checked for links. Errors are a *Failure with a code of P-4, in
// the order of P-2 (host, Git, root), or that of ctx.
func OpenRoot(ctx context.Context, dir string) (*Root, error) {
	if err := hostSupported(); err != nil {
		return nil, fail(HostUnsupported, err)
	}
	git := ProviderGit(os.Environ())
	if _, err := git.Run(ctx, "/", "--version"); err != nil {
		return nil, admission(err)
	}
	path, err := resolveRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := OpenDir(path)
	if err != nil {
		return nil, rootFailure(err)
	}
	root := &Root{fd: opened.fd, path: path, git: git}
	if err := root.admit(ctx); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// rootFailure turns an error of walking to the root into the failure that it means.
func rootFailure(err error) error {
	if errors.Is(err, ErrLink) {
		return fail(RootIsSymlink, err)
	}
	return fail(RootUnreadable, err)
}

// resolveRoot gives the absolute clean path of a root argument, after a look at each of its components.
func resolveRoot(dir string) (string, error) {
	working, err := workingDirectory()
	if err != nil && !filepath.IsAbs(dir) {
		return "", fail(RootUnreadable, err)
	}
	if dir == "" {
		return working, linkedWorkingDirectory(working)
	}
	if !filepath.IsAbs(dir) {
		dir = working + "/" + dir
	}
	for i := 1; i <= len(dir); i++ {
		if i < len(dir) && dir[i] != '/' || dir[i-1] == '/' {
			continue
		}
		stat, err := statPath(dir[:i], false)
		if err != nil {
			return "", fail(RootUnreadable, err)
		}
		if stat.Mode&os.ModeSymlink != 0 {
			return "", fail(RootIsSymlink, nil)
		}
	}
	return filepath.Clean(dir), nil
}

// linkedWorkingDirectory refuses a working directory that PWD spells in another way (P-15).
func linkedWorkingDirectory(working string) error {
	spelled := os.Getenv("PWD")
	if !filepath.IsAbs(spelled) || spelled == working {
		return nil
	}
	named, err := statPath(spelled, true)
	if err != nil {
		return nil // stale: it names nothing
	}
	if here, err := statPath(working, true); err == nil && here.Identity == named.Identity {
		return fail(RootIsSymlink, nil)
	}
	return nil
}

// admit makes the checks of P-12 to P-14 on the open directory.
func (r *Root) admit(ctx context.Context) error {
	stat, err := statDescriptor(r.fd)
	if err != nil {
		return fail(RootUnreadable, err)
	}
	r.identity = stat.Identity
	if top, err := statPath("/", true); r.path == "/" || err == nil && top.Identity == r.identity {
		return fail(RootIsFilesystemRoot, err)
	}
	if r.isHome() {
		return fail(RootIsHome, nil)
	}
	return admission(r.askTop(ctx))
}

// isHome compares the root with the homes of P-14.
func (r *Root) isHome() bool {
	homes := []string{os.Getenv("HOME")}
	if account, err := user.LookupId(fmt.Sprint(effectiveUser())); err == nil {
		homes = append(homes, account.HomeDir)
	}
	for _, home := range homes {
		if stat, err := statPath(home, true); home != "" && err == nil && stat.Identity == r.identity {
			return true
		}
	}
	return false
}

// askTop asks Git for the top of the working tree around the root and compares it with the root.
func (r *Root) askTop(ctx context.Context) error {
	output, err := r.git.Run(ctx, r.path, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	top, err := statPath(strings.TrimSuffix(string(output), "\n"), true)
	if err != nil {
		return fail(RootUnreadable, err)
	}
	if top.Identity != r.identity {
		return fail(RootIsSubdirectory, nil)
	}
	return nil
}

// admission turns what Git said about a directory into a code of P-4.
func admission(err error) error {
	var said *complaint
	switch {
	case err == nil || !errors.As(err, &said):
		return err
	case strings.Contains(said.text, "dubious ownership"):
		return failBecause(GitUnavailable, "Git refuses the repository because another user owns it.", err)
	case strings.Contains(said.text, "not a git repository"), strings.Contains(said.text, "must be run in a work tree"):
		return fail(RootNotWorktree, err)
	}
	return fail(GitUnavailable, err)
}

// Check makes sure that the remembered path still leads to the very directory that was admitted, and that it still is
// the top of a working tree (P-16). Errors: a *Failure root_changed or one of Git, or that of ctx.
func (r *Root) Check(ctx context.Context) error {
	stat, err := statPath(r.path, false)
	if err != nil || stat.Identity != r.identity {
		return fail(RootChanged, err)
	}
	err = admission(r.askTop(ctx))
	for _, code := range []Code{RootNotWorktree, RootIsSubdirectory, RootUnreadable} {
		if errors.Is(err, &Failure{Code: code}) {
			return fail(RootChanged, err)
		}
	}
	return err
}

// Path gives the absolute path of the root, without links.
func (r *Root) Path() string { return r.path }

// Identity gives what the root is, whatever its path.
func (r *Root) Identity() Identity { return r.identity }

// Close gives the descriptor back. No other call may be under way.
func (r *Root) Close() error {
	if r.fd >= 0 {
		closeDescriptor(r.fd)
		r.fd = -1
	}
	return nil
}
