package provider

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store/fts5"
)

// admissionBudget bounds an admission whose Git or disk hangs; an ordinary one takes some hundredths of it (P-7).
const admissionBudget = 10 * time.Second

// Admit opens a provider on a directory, "" for the working directory of the process. It checks, in this order, the
// host, Git, the root and the full-text probe (P-2); the cache is left to the calls that touch it. Errors are an *Error
// with a code of P-4.
func Admit(ctx context.Context, dir string, opt Options) (*Provider, error) {
	log := &diagnostics{out: opt.Log}
	return contained(log, "initialize", func() (*Provider, error) {
		ctx, cancel := context.WithTimeout(ctx, admissionBudget)
		defer cancel()
		root, err := source.OpenRoot(ctx, dir)
		if err != nil {
			return nil, late(ctx, err)
		}
		if err := probe(ctx); err != nil {
			_ = root.Close()
			return nil, err
		}
		git, err := gitDirectories(ctx, root.Path())
		if err != nil {
			_ = root.Close()
			return nil, late(ctx, err)
		}
		return &Provider{
			opt:  opt,
			root: root,
			log:  log,
			now:  time.Now,
			cache: cache{
				place:   placeCache(root.Path(), opt.CacheSuffix, append(git, root.Identity())),
				options: index.Options{Limits: opt.Limits, Rules: source.RulesVersion},
			},
		}, nil
	})
}

// probe makes sure that the full-text store works on this machine; nothing takes its place when it does not (P-3).
func probe(ctx context.Context) error {
	if err := fts5.Probe(ctx); err != nil {
		return newError(FTS5Unavailable, "", err)
	}
	return nil
}

// late gives an admission that Git did not let end in time its code; a caller who gave up keeps its own.
func late(ctx context.Context, err error) error {
	if context.Cause(ctx) == context.DeadlineExceeded {
		return newError(GitUnavailable, "Git did not answer in time.", err)
	}
	return err
}

// gitDirectories gives the identities of the Git directory of a working tree and of the one that linked working trees
// share, for P-25.
func gitDirectories(ctx context.Context, root string) ([]source.Identity, error) {
	git := source.ProviderGit(os.Environ())
	var identities []source.Identity
	for _, which := range []string{"--git-dir", "--git-common-dir"} {
		output, err := git.Run(ctx, root, "rev-parse", which)
		if err != nil {
			return nil, err
		}
		path := strings.TrimSuffix(string(output), "\n")
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		identity, err := identityOf(path)
		if err != nil {
			return nil, newError(GitUnavailable, "The Git directory cannot be opened.", err)
		}
		identities = append(identities, identity)
	}
	return identities, nil
}

// identityOf gives what a path leads to, links followed.
func identityOf(path string) (source.Identity, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return source.Identity{}, err
	}
	dir, err := source.OpenDir(path)
	if err != nil {
		return source.Identity{}, err
	}
	defer dir.Close()
	stat, err := dir.Stat()
	return stat.Identity, err
}
