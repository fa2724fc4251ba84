//go:build unix

package plugin

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// SIGTERM and SIGINT end the process soon with status 0, without output, and keep the published index; in the middle of
// an index call as well (P-99).
func TestSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 300 {
		w.write(w.root, fmt.Sprintf("d%02d/f%d.md", i%20, i), []byte(strings.Repeat(fmt.Sprintf("lighthouse word%d\n", i), 300)))
	}
	w.repository(w.root)
	first := w.start(w.root, nil)
	first.mustInitialize()
	if got := first.call("index", struct{}{}); got.failed() {
		t.Fatalf("index: %s", got.raw)
	}
	first.end()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		for _, pause := range []time.Duration{-1, 0, 20 * time.Millisecond} {
			p := w.start(w.root, nil)
			p.mustInitialize()
			if pause >= 0 {
				p.send([]byte(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"index","arguments":{}}}`))
				time.Sleep(pause)
			}
			w.must(p.cmd.Process.Signal(signal))
			p.expectSilentEnd(pause >= 0)
		}
	}
	last := w.start(w.root, nil)
	last.mustInitialize()
	if got := last.call("search", map[string]any{"query": "word77"}); got.failed() || !strings.Contains(string(got.raw), "d17/f77.md") {
		t.Errorf("after the signals: %s", got.raw)
	}
	last.end()
}

// expectSilentEnd expects exit code 0 in time. A call that was over before the signal may have been answered.
func (p *process) expectSilentEnd(mayAnswer bool) {
	p.t.Helper()
	deadline := time.After(endTime)
	for answers := 0; ; answers++ {
		select {
		case line, open := <-p.lines:
			if !open {
				if err := p.cmd.Wait(); err != nil {
					p.t.Errorf("end: %v; stderr: %s", err, p.stderr.String())
				}
				return
			}
			if _, err := admitLine(line); err != nil || !mayAnswer || answers > 0 {
				p.t.Errorf("output %.200q, %v", line, err)
			}
		case <-deadline:
			p.t.Fatalf("the process did not end within %v of the signal", endTime)
		}
	}
}
