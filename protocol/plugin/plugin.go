// Package plugin speaks webcodex-plugin-v1: newline-delimited JSON-RPC over a pair of pipes, as a native provider of a
// WebCodex Runner. It frames, checks and dispatches; what the four tools do is the business of index/provider.
//
// It promises that every line it writes is one answer within the Runner's limits, that an answer is written at once,
// that an id comes back as it was sent, and that no input ends the process: a malformed line, an unknown method or a bad
// argument gets its error and the next line is served. It never writes anything but answers to its output, never
// executes a notification, and never shows a path of the machine.
//
//	err := plugin.Serve(ctx, os.Stdin, os.Stdout, os.Stderr, "")
package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"projectknowledge/index/provider"
)

// stopGrace is how long a cancelled Serve waits for the call under way to let go of what it holds.
const stopGrace = 2 * time.Second

// Serve answers the requests on in until its end and then returns nil. The root of the project is dir, or the working
// directory of the process when dir is empty. Requests are served one at a time in their order. At the end of the input
// the request under way is finished and answered; when ctx ends, Serve stops soon, without another answer, and returns
// nil (P-99). An error is one of reading in or writing out. Diagnostics go to log, one short ASCII line each.
//
// After ctx ended, a read of in that is still waiting is left behind.
func Serve(ctx context.Context, in io.Reader, out, log io.Writer, dir string) error {
	s := &session{log: diagnostics{log}}
	s.admit = func(ctx context.Context) (operations, error) {
		opt := provider.DefaultOptions()
		opt.ResultBytes = maxStructured
		opt.Log = log
		return admitted(provider.Admit(ctx, dir, opt))
	}
	return s.serve(ctx, in, out)
}

// admitted keeps a nil provider from becoming an interface that is not nil.
func admitted(p *provider.Provider, err error) (operations, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// input is one line as it was read, or the error in its place.
type input struct {
	line []byte
	err  error
}

// Reasons for which serve ends without having failed.
var (
	errStopped   = errors.New("stopped")   // ctx ended; nothing is under way
	errAbandoned = errors.New("abandoned") // ctx ended and the request under way did not; the session is still in use
)

func (s *session) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := readLines(ctx, in)
	for {
		err := s.step(ctx, lines, out)
		switch {
		case err == nil:
		case errors.Is(err, errAbandoned):
			return nil
		case errors.Is(err, errStopped), errors.Is(err, io.EOF):
			return s.close()
		default:
			return errors.Join(err, s.close())
		}
	}
}

// step serves the next line.
func (s *session) step(ctx context.Context, lines <-chan input, out io.Writer) error {
	select {
	case <-ctx.Done():
		return errStopped
	case next := <-lines:
		answer, err := s.answerInput(ctx, next)
		if err != nil || answer == nil {
			return err
		}
		if _, err := out.Write(answer); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		return nil
	}
}

func (s *session) answerInput(ctx context.Context, next input) ([]byte, error) {
	switch {
	case next.err == nil:
		return s.answerWithin(ctx, next.line)
	case errors.Is(next.err, errLineTooLong):
		return errorLine(nullID, &rpcError{codeInvalidRequest, fmt.Sprintf("the line is over %d bytes", maxLine)}), nil
	case errors.Is(next.err, io.EOF):
		return nil, io.EOF
	}
	return nil, fmt.Errorf("read requests: %w", next.err)
}

// answerWithin answers a line. When ctx ends first there is no answer, and the request under way is waited for no longer
// than stopGrace.
func (s *session) answerWithin(ctx context.Context, line []byte) ([]byte, error) {
	done := make(chan []byte, 1)
	go func() { done <- s.answer(ctx, line) }()
	select {
	case answer := <-done:
		if ctx.Err() != nil {
			return nil, errStopped
		}
		return answer, nil
	case <-ctx.Done():
	}
	select {
	case <-done:
		return nil, errStopped
	case <-time.After(stopGrace):
		return nil, errAbandoned
	}
}

// readLines reads in one line ahead of the server, so that the end of ctx is seen while a read waits. The last input
// carries an error that is not errLineTooLong.
func readLines(ctx context.Context, in io.Reader) <-chan input {
	lines := make(chan input)
	go func() {
		reader := newLineReader(in)
		for {
			line, err := reader.next()
			select {
			case lines <- input{line, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, errLineTooLong) {
				return
			}
		}
	}()
	return lines
}
