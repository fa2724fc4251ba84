package provider

import (
	"context"
	"errors"
	"time"

	"projectknowledge/index"
	"projectknowledge/index/source"
)

// Index builds or refreshes the index and publishes it (P-49 to P-62). The work budget runs from the call's arrival and
// includes Git and the wait for another index call. On an error the published index is what it was (P-60).
func (p *Provider) Index(ctx context.Context, req IndexRequest) (*IndexResult, error) {
	return serve(p, "index", func() (*IndexResult, error) { return p.index(ctx, req) })
}

func (p *Provider) index(ctx context.Context, req IndexRequest) (*IndexResult, error) {
	arrival := p.now()
	run := index.Run{Excluded: map[string]int{}, Progress: req.Progress, Confirm: p.root.Check}
	switch req.Mode {
	case "", Rebuild:
		run.Mode = index.Rebuild
	case Refresh:
		run.Mode = index.Refresh
	default:
		return nil, newError(InvalidArguments, "mode must be rebuild or refresh.", nil)
	}
	if p.opt.Budget > 0 {
		run.Deadline = arrival.Add(p.opt.Budget)
	}
	corpus := corpus{root: p.root, deadline: run.Deadline, excluded: run.Excluded}
	var err error
	if run.Revision, err = corpus.start(ctx); err != nil {
		return nil, err
	}
	cache, err := p.cache.open(true)
	if err != nil {
		return nil, err
	}
	defer cache.release()
	coverage, err := cache.index.Update(ctx, &corpus, run)
	if err != nil {
		return nil, missing(err, CacheUnavailable)
	}
	if err := p.cache.stillAt(cache); err != nil {
		return nil, err
	}
	return &IndexResult{Indexed: true, Coverage: coverage}, nil
}

// corpus makes the tracked sources of a root an index.Source.
type corpus struct {
	root     *source.Root
	deadline time.Time      // for Git; zero means none
	excluded map[string]int // filled by Paths (P-62b)
}

// start checks the root and gives HEAD at the start of the run; nil before the first commit.
func (c *corpus) start(ctx context.Context) (*string, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	if err := c.root.Check(ctx); err != nil {
		return nil, err
	}
	revision, err := c.root.Revision(ctx)
	if err == nil {
		err = ctx.Err() // a budget that is over is not for waiting on the lock
	}
	if err != nil || revision == "" {
		return nil, err
	}
	return &revision, nil
}

// bounded puts Git under what is left of the call's budget (P-19).
func (c *corpus) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.deadline.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, c.deadline)
}

// Paths gives the eligible paths of this moment. It is called under the lock of the index, maybe long after the call
// arrived: the root is checked again (P-52).
func (c *corpus) Paths(ctx context.Context) ([]string, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	if err := c.root.Check(ctx); err != nil {
		return nil, err
	}
	seen, err := c.root.Observe(ctx)
	if err != nil {
		return nil, err
	}
	clear(c.excluded)
	for reason, n := range seen.Excluded {
		if n > 0 {
			c.excluded[string(reason)] = n
		}
	}
	return seen.Paths, nil
}

// Read gives the current bytes of a source, opened without following links.
func (c *corpus) Read(_ context.Context, path string, buf []byte) ([]byte, error) {
	text, err := c.root.Read(path, buf)
	return text, asRefusal(err)
}

// Admit applies the rules of content to bytes that were not judged before.
func (c *corpus) Admit(path string, text []byte) error {
	return asRefusal(source.Admit(path, text))
}

// asRefusal makes a refusal of the source room one of the index room; other errors stay.
func asRefusal(err error) error {
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		return &index.Refusal{Reason: string(refusal.Reason)}
	}
	return err
}
