package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"projectknowledge/index"
)

// progress shows how far an index run is, on a terminal alone. The bar appears with the first step that has a total.
type progress struct {
	out io.Writer // nil without a terminal
	bar *progressbar.ProgressBar
}

func newProgress(c *console) *progress {
	if !c.errTTY {
		return &progress{}
	}
	return &progress{out: c.err}
}

// report takes one step of a run. A bar that cannot be drawn is no reason to stop the run.
func (p *progress) report(step index.Progress) {
	if p.out == nil || step.Total == 0 {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(step.Total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	if p.bar.GetMax() != step.Total { // another run with other files to visit
		p.bar.ChangeMax(step.Total)
	}
	p.bar.Describe("indexing " + byteCount(step.Bytes))
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
