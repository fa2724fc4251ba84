package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// progressInterval keeps notifications to five a second (M-9).
	progressInterval = 200 * time.Millisecond
	// walkPatience is how long a walk runs before it tells of its progress.
	walkPatience = time.Second
)

// progress tells the client of a call how far the call is, when it asked to be told. It is quiet after stop, after the
// call was cancelled, and while nothing has risen (M-8, M-9). A nil progress is quiet always.
type progress struct {
	ctx   context.Context
	send  func(context.Context, *sdk.ProgressNotificationParams) error
	token any
	began time.Time

	mu      sync.Mutex
	stopped bool
	last    time.Time
	told    float64
}

// newProgress gives the progress of a request, nil when it has no token.
func newProgress(ctx context.Context, req *sdk.CallToolRequest) *progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	now := time.Now()
	return &progress{ctx: ctx, send: req.Session.NotifyProgress, token: token, began: now}
}

// report tells that done of total, 0 for an unknown total, is done, unless the call is younger than patience or was
// reported on just now.
func (p *progress) report(done, total float64, patience time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.stopped || p.ctx.Err() != nil || done <= p.told || now.Sub(p.began) < patience || now.Sub(p.last) < progressInterval {
		return
	}
	p.last, p.told = now, done
	_ = p.send(p.ctx, &sdk.ProgressNotificationParams{ProgressToken: p.token, Progress: done, Total: total})
}

// stop ends the reports: none is on its way when it returns.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
}
