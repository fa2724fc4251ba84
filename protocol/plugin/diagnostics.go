package plugin

import (
	"fmt"
	"io"
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
