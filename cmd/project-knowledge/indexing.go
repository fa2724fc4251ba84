package main

import (
	"context"

	"projectknowledge/index"
	"projectknowledge/index/provider"
)

// stoppedByTime is the stop_reason of a run whose work budget ended (P-59).
const stoppedByTime = "time_budget"

// updateFully runs index calls until nothing is left that another one could do: each publishes what it got done, so an
// interrupted command keeps it.
func updateFully(ctx context.Context, p *provider.Provider, mode provider.Mode, progress func(index.Progress)) (*provider.IndexResult, error) {
	result, err := p.Index(ctx, provider.IndexRequest{Mode: mode, Progress: progress})
	for err == nil && result.Coverage.StopReason == stoppedByTime {
		before := result.Coverage.RemainingFiles
		result, err = p.Index(ctx, provider.IndexRequest{Mode: provider.Refresh, Progress: progress})
		if err == nil && result.Coverage.RemainingFiles >= before {
			break
		}
	}
	return result, err
}
