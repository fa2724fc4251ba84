package smoke

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// waitInterval is the time between two questions.
const waitInterval = 200 * time.Millisecond

// WaitHealthy waits until the server of an MCP endpoint says that it is well, or until the end of ctx. It speaks no MCP.
// The error tells the last answer.
func WaitHealthy(ctx context.Context, endpoint string) error {
	r := &run{options: Options{URL: endpoint}, http: &http.Client{CheckRedirect: noRedirect}}
	defer r.http.CloseIdleConnections()
	if _, err := healthURL(endpoint); err != nil {
		return err
	}
	ticker := time.NewTicker(waitInterval)
	defer ticker.Stop()
	var last error
	for {
		err := r.healthz(ctx)
		if err == nil {
			return nil
		}
		if last == nil || ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server did not become well in time: %w", last)
		case <-ticker.C:
		}
	}
}
