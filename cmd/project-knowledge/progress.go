package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"projectknowledge/index"
)

// progress shows how far an index run is, on a terminal alone.
type progress struct {
	bar *progressbar.ProgressBar // nil without a terminal
}

func newProgress(c *console) *progress {
	if !c.errTTY {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(1,
		progressbar.OptionSetWriter(c.err),
		progressbar.OptionSetDescription("indexing"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// report takes one step of a run. A bar that cannot be drawn is no reason to stop the run.
func (p *progress) report(step index.Progress) {
	if p.bar == nil || step.Total == 0 {
		return
	}
	p.bar.Describe("indexing " + byteCount(step.Bytes))
	if p.bar.GetMax() != step.Total {
		p.bar.ChangeMax(step.Total)
	}
	_ = p.bar.Set(min(step.Files, step.Total-1)) // the last step would end the bar, and another run may follow
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// byteCount writes a size for people.
func byteCount(n int64) string {
	const kib, mib = 1 << 10, 1 << 20
	switch {
	case n >= mib:
		return fmt.Sprintf("%.1f MiB", float64(n)/mib)
	case n >= kib:
		return fmt.Sprintf("%.1f KiB", float64(n)/kib)
	}
	return fmt.Sprintf("%d B", n)
}
