package plugin

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
)

// diagnostics writes to the provider's stderr, which the Runner keeps on its machine: one short line of printable ASCII
// at a time.
type diagnostics struct{ w io.Writer }

// printf writes one line. A failing stream is nothing that the protocol could tell anyone.
func (d diagnostics) printf(format string, args ...any) {
	line := make([]byte, 0, maxDiagnostic+1)
	for _, r := range fmt.Sprintf(format, args...) {
		if len(line) == maxDiagnostic {
			break
		}
		line = append(line, printable(r))
	}
	_, _ = d.w.Write(append(line, '\n'))
}

func printable(r rune) byte {
	switch {
	case ' ' <= r && r <= '~':
		return byte(r)
	case r == '\n' || r == '\t':
		return ' '
	}
	return '?'
}

// panicFrames is how many calls the line about a panic names.
const panicFrames = 8

// panicked tells of a recovered panic where it happened. It is called by the deferred function that recovered.
func (d diagnostics) panicked(where string, cause any) {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	var places []string
	for more := true; more && len(places) < panicFrames; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if strings.HasPrefix(frame.Function, "projectknowledge/") {
			places = append(places, fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line))
		}
	}
	d.printf("panic in %s: %v: %s", where, cause, strings.Join(places, " < "))
}
