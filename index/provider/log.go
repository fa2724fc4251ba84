package provider

import (
	"errors"
	"io"
	"strings"
	"sync"
)

// maxLogLine bounds one line of the log; a Runner keeps the first 1,024 bytes of each.
const maxLogLine = 1000

// diagnostics writes the causes of failures, one ASCII line each. They may name paths of the machine: the log stays
// with the operator and is never part of a result.
type diagnostics struct {
	mu  sync.Mutex
	out io.Writer
}

// ordinary failures are the caller's affair: their causes tell an operator nothing.
var ordinary = map[Code]bool{
	InvalidQuery: true, NotIndexed: true, SourceUnavailable: true, IndexBusy: true, BudgetExhausted: true, Cancelled: true,
}

// failure tells the cause of a failed call, if there is one to tell.
func (d *diagnostics) failure(operation string, err *Error) {
	if d.out == nil || err.cause == nil || ordinary[err.Code] {
		return
	}
	line := asciiLine(operation + ": " + string(err.Code) + ": " + chain(err.cause))
	d.mu.Lock()
	defer d.mu.Unlock()
	// A log that cannot be written has nowhere to report that.
	_, _ = io.WriteString(d.out, line+"\n")
}

// chain tells an error and what is behind it. An error whose text already ends with that of its cause is told once.
func chain(err error) string {
	text := err.Error()
	for cause := errors.Unwrap(err); cause != nil; cause = errors.Unwrap(cause) {
		if !strings.HasSuffix(text, cause.Error()) {
			text += ": " + cause.Error()
		}
	}
	return text
}

// asciiLine gives text as one bounded line of printable ASCII.
func asciiLine(text string) string {
	if len(text) > maxLogLine {
		text = text[:maxLogLine]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return ' '
		case r < ' ', r > '~':
			return '?'
		}
		return r
	}, text)
}
