package provider

import (
	"context"
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
		root, err := source.OpenRoot(ctx, dir, opt.rootOptions()...)
		if err != nil {
			return nil, late(ctx, err)
		}
		if !opt.OneCall {
			if err := probe(ctx); err != nil {
				_ = root.Close()
				return nil, err
			}
		}
		p := &Provider{opt: opt, root: root, log: log, now: time.Now}
		p.cache.root = root
		p.cache.options = index.Options{Limits: opt.Limits, Rules: source.RulesVersion}
		p.cache.walk.names, p.cache.place = cacheNames(root.Path(), opt.CacheSuffix)
		return p, nil
	})
}

// rootOptions says how the source room is to admit the root.
func (o *Options) rootOptions() []source.Option {
	if o.OneCall {
		return []source.Option{source.TrustFiles()}
	}
	return nil
}

// probe makes sure that the full-text store works on this machine; nothing takes its place when it does not (P-3).
func probe(ctx context.Context) error {
	if err := fts5.Probe(ctx); err != nil {
		return newError(FTS5Unavailable, err.Error(), err)
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
