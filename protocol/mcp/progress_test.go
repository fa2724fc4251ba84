package mcp

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressing is a tool that reports far more often than may be told, and not always more than before.
func progressing(ctx context.Context, c *call) (any, error) {
	end := time.Now().Add(2*progressInterval + progressInterval/2)
	for i := 0; time.Now().Before(end) && ctx.Err() == nil; i++ {
		c.progress.report(float64(i%500), 1000, 0)
		time.Sleep(time.Millisecond)
	}
	return &healthResult{}, nil
}

// A progress is quiet when nothing has risen, for a call that is young, that was cancelled, and after its end (M-8, M-9).
func TestProgressQuiet(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var told []float64
	p := &progress{
		ctx: ctx, token: 1, began: time.Now(),
		send: func(_ context.Context, n *sdk.ProgressNotificationParams) error {
			told = append(told, n.Progress)
			return nil
		},
	}
	p.report(5, 0, time.Hour)
	p.report(5, 0, 0)
	p.last = time.Time{}
	p.report(5, 0, 0)
	p.report(4, 0, 0)
	p.report(6, 0, 0)
	p.report(7, 0, 0) // too soon
	p.last = time.Time{}
	cancel()
	p.report(8, 0, 0)
	if len(told) != 2 || told[0] != 5 || told[1] != 6 {
		t.Errorf("told %v", told)
	}
	p.ctx = t.Context()
	p.stop()
	p.report(9, 0, 0)
	if len(told) != 2 {
		t.Errorf("told %v after the end", told)
	}
	var none *progress
	none.report(1, 0, 0)
	none.stop()
}

// M-9: progress rises, stays under five a second, and ends before the result.
func TestProgress(t *testing.T) {
	w := newWorld(t)
	s := w.server(func(s *Server) {
		s.tools[0].run = progressing
	})
	c := w.connect(s)
	c.send(callLine(5, "health", `{}`, `{"progressToken":"tok"}`))
	began, told := time.Now(), -1.0
	for n := 0; ; n++ {
		m := c.receive()
		if m.Method == "" {
			if n < 2 || float64(n) > time.Since(began).Seconds()*5+1 {
				t.Errorf("%d notifications in %v", n, time.Since(began))
			}
			break
		}
		var p struct {
			ProgressToken   any
			Progress, Total float64
		}
		w.must(json.Unmarshal(m.Params, &p))
		if m.Method != "notifications/progress" || p.ProgressToken != "tok" || p.Progress <= told || p.Total != 1000 {
			t.Errorf("%s %s", m.Method, m.Params)
		}
		told = p.Progress
	}
	c.send(callLine(6, "health", `{}`, "")) // without a token there is nothing to send
	if m := c.receive(); m.ID != 6.0 {
		t.Errorf("%+v", m)
	}
}
