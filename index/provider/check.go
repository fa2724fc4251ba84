package provider

import (
	"context"

	"projectknowledge/store"
)

// Check proves the published index sound: every checksum, list, table and count of it. The error is NotIndexed without
// an index and RebuildRequired for one that is damaged; in that case the report, when there is one, names the problems.
func (p *Provider) Check(ctx context.Context) (*store.Report, error) {
	var report *store.Report
	_, err := serve(p, "check", func() (*store.Report, error) {
		var err error
		report, err = p.check(ctx)
		return report, err
	})
	return report, err
}

func (p *Provider) check(ctx context.Context) (*store.Report, error) {
	if err := p.root.Check(ctx); err != nil {
		return nil, err
	}
	cache, err := p.cache.open(false)
	if err != nil {
		return nil, err
	}
	defer cache.release()
	snapshot, err := cache.dir.Open()
	if err != nil {
		return nil, missing(err, NotIndexed)
	}
	defer snapshot.Close()
	report, err := store.Check(snapshot)
	return &report, err
}
