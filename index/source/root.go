package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// A Root is the top of a Git working tree that passed admission (section B of the provider's requirements). It keeps
// the directory open and remembers its path and identity. Safe for concurrent use, Close apart.
type Root struct {
	fd       int
	path     string // absolute, without links
	identity Identity

	trustFiles bool
	git        *Git
	opener     opener

	layout  atomic.Pointer[layout]  // as it was at the last check
	tracked atomic.Pointer[tracked] // what the last observation found
}

// An Option changes how a root is admitted and observed.
type Option func(*Root)

// TrustFiles lets the files of Git alone decide where they are plain, so that a process that lives for one call need not
// start Git. Without it admission always starts Git, and fails where Git cannot run (P-2).
func TrustFiles() Option { return func(r *Root) { r.trustFiles = true } }

// GitOutput sets the bound of what Git may print, in place of MaxGitOutput.
func GitOutput(bytes int64) Option { return func(r *Root) { r.git.MaxOutput = bytes } }

// OpenRoot admits a directory as a root. "" stands for the working directory of the process, whose spelling in PWD is
// checked (P-15); of any other path every component is checked for links. Errors are a *Failure with a code of P-4, in
// the order of P-2 (host, Git, root), or that of ctx.
func OpenRoot(ctx context.Context, dir string, options ...Option) (*Root, error) {
	if err := hostSupported(); err != nil {
		return nil, fail(HostUnsupported, err)
	}
	root := &Root{fd: -1, path: "/", git: ProviderGit(os.Environ())}
	for _, option := range options {
		option(root)
	}
	err := root.open(dir)
	if err == nil {
		err = root.settle(ctx, root.trustFiles)
	} else if !root.trustFiles {
		if _, gitErr := root.git.Run(ctx, "/", "--version"); gitErr != nil {
			err = admission(gitErr)
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// open opens the directory and makes the checks of P-13 to P-15 that need no Git.
func (r *Root) open(dir string) error {
	path, err := resolveRoot(dir)
	if err != nil {
		return err
	}
	opened, err := OpenDir(path)
	if err != nil {
		return rootFailure(err)
	}
	r.fd, r.path = opened.fd, path
	stat, err := opened.Stat()
	if err != nil {
		return fail(RootUnreadable, err)
	}
	r.identity = stat.Identity
	if here, err := statPath(".", true); dir == "" && (err != nil || here.Identity != r.identity) {
		return fail(RootUnreadable, err) // something else is mounted there by now
	}
	if top, err := statPath("/", true); err != nil || top.Identity == r.identity {
		return fail(RootIsFilesystemRoot, err)
	}
	if r.isHome() {
		return fail(RootIsHome, nil)
	}
	return nil
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
// the top of a working tree (P-16). It starts Git only where the files of Git are not plain and differ from those of
// the last check. Errors: a *Failure root_changed or one of Git, or that of ctx.
func (r *Root) Check(ctx context.Context) error {
	if err := r.inPlace(); err != nil {
		return err
	}
	err := r.settle(ctx, true)
	for _, code := range []Code{RootNotWorktree, RootIsSubdirectory, RootUnreadable} {
		if errors.Is(err, &Failure{Code: code}) {
			return fail(RootChanged, err)
		}
	}
	return err
}

// inPlace makes sure that the remembered path leads to the directory that is open.
func (r *Root) inPlace() error {
	stat, err := statPath(r.path, false)
	if err != nil || stat.Identity != r.identity {
		return fail(RootChanged, err)
	}
	return nil
}

// settle makes sure that the root is the top of a working tree and keeps the layout for what follows. trust lets the
// files decide where they can: they are plain, or the same as at Git's last verdict.
func (r *Root) settle(ctx context.Context, trust bool) error {
	now, last := lookAround(r.fd), r.layout.Load()
	if trust && (now.plain || last != nil && now.agrees(last)) {
		r.layout.Store(now)
		return nil
	}
	if err := admission(r.askTop(ctx)); err != nil {
		return err
	}
	if !now.agrees(lookAround(r.fd)) {
		now.evidence = nil // something changed while Git looked
	}
	r.layout.Store(now)
	return nil
}

// run starts Git in the root.
func (r *Root) run(ctx context.Context, arguments ...string) ([]byte, error) {
	output, err := r.git.Run(ctx, r.path, arguments...)
	if errors.Is(err, &Failure{Code: RootUnreadable}) {
		return nil, fail(RootChanged, err)
	}
	if err != nil {
		return nil, err
	}
	return output, r.inPlace() // so that Git looked at the directory that is open
}

// Territory gives the identities of the directories that belong to the repository as it was at the last check: the
// root, its Git directory, and the one that linked working trees share. Nothing of the provider's own may lie in them (P-25).
func (r *Root) Territory() ([]Identity, error) {
	where := r.layout.Load()
	identities := []Identity{r.identity}
	for _, dir := range []string{where.gitDir, where.commonDir} {
		if dir == "" {
			continue
		}
		stat, err := statGitFile(r.fd, dir, true)
		if err != nil {
			return nil, fail(RootChanged, err)
		}
		identities = append(identities, stat.Identity)
	}
	return identities, nil
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
