package index

import (
	"context"
	"fmt"

	"projectknowledge/store"
)

// Check proves the published index sound: every list, table and digest.
func (ix *Index) Check(ctx context.Context) (store.Report, error) {
	if err := ctx.Err(); err != nil {
		return store.Report{}, err
	}
	s, err := ix.acquire()
	if err != nil {
		return store.Report{}, err
	}
	defer ix.release(s)
	report, err := store.Check(s.Snapshot)
	if err != nil {
		return report, fmt.Errorf("check: %w", err)
	}
	return report, nil
}
