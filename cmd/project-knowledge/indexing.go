package main

import (
	"context"

	"projectknowledge/index"
	"projectknowledge/index/provider"
)

// updateFully runs index calls on a project until nothing is left that another one could do. Each publishes what it got
// done, so an interrupted command keeps it.
func updateFully(ctx context.Context, p *provider.Provider, mode provider.Mode, progress func(index.Progress)) (*provider.IndexResult, error) {
	return repeatUpdate(mode, func(mode provider.Mode) (*provider.IndexResult, error) {
		return p.Index(ctx, provider.IndexRequest{Mode: mode, Progress: progress})
	})
}

// repeatUpdate calls update, first with mode and then as refreshes, while its budget ends before its work does and the
// work gets less.
func repeatUpdate(mode provider.Mode, update func(provider.Mode) (*provider.IndexResult, error)) (*provider.IndexResult, error) {
	result, err := update(mode)
	for err == nil && result.Coverage.StopReason == index.TimeBudget {
		before := result.Coverage.RemainingFiles
		result, err = update(provider.Refresh)
		if err == nil && result.Coverage.RemainingFiles >= before {
			break
		}
	}
	return result, err
}
