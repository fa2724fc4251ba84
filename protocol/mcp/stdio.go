package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// endGrace is how long the requests under way may go on after the end of the input. With what the cancelled ones take
// to stop, the process ends within two seconds (M-10).
const endGrace = time.Second

// ServeStdio serves one client, a message a line, until the end of in or of ctx. The error is that of a stream.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	connection := newLineConnection(in, out, s.limits.bodyBytes(), &s.parked)
	session, err := s.protocol.Connect(ctx, connection, nil)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer context.AfterFunc(ctx, connection.hangUp)()
	err = session.Wait()
	if err == nil || ctx.Err() != nil || errors.Is(err, syscall.EPIPE) { // a client that went away is no failure
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// lineConnection is a client on a pair of streams. Unlike the SDK's own it outlives lines that are too long or no
// messages (M-10), lets requests finish at the end of the input, and gives no answer to a cancelled one (M-8).
type lineConnection struct {
	out     io.Writer
	limit   int64
	results *parked
	lines   chan inputLine
	closed  chan struct{}
	closing sync.Once
	queue   []jsonrpc.Message // of a batch, not read yet; for Read alone

	writing sync.Mutex

	mu       sync.Mutex
	requests map[jsonrpc.ID]*request // read and not answered
	putting  int                     // answers that are being written
	idle     chan struct{}           // closed once nothing of both is left; nil before the end of the input
	batches  bool                    // the client speaks the one revision that has batches
}

type inputLine struct {
	bytes []byte
	err   error
}

// request is a request under way.
type request struct {
	cancelled bool
	batch     *batch // nil for a line of its own
}

// batch collects the answers to the requests of one line.
type batch struct {
	waiting int
	answers [][]byte
}

// batchVersion is the one revision with batches.
const batchVersion = "2025-03-26"

func newLineConnection(in io.Reader, out io.Writer, limit int64, results *parked) *lineConnection {
	c := &lineConnection{
		out: out, limit: limit, results: results,
		lines: make(chan inputLine), closed: make(chan struct{}), requests: make(map[jsonrpc.ID]*request),
	}
	go c.readLines(newLineReader(in, limit))
	return c
}

// Connect gives the connection itself: there is one client.
func (c *lineConnection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is empty: a client on a pair of streams has no need of one.
func (c *lineConnection) SessionID() string { return "" }

// Close makes Read give io.EOF.
func (c *lineConnection) Close() error {
	c.hangUp()
	return nil
}

func (c *lineConnection) hangUp() { c.closing.Do(func() { close(c.closed) }) }

// readLines reads ahead of Read, which can then be interrupted. It may wait for a line for as long as the process lives.
func (c *lineConnection) readLines(reader *lineReader) {
	for {
		line, err := reader.next()
		select {
		case c.lines <- inputLine{line, err}:
		case <-c.closed:
			return
		}
		if err != nil && !errors.Is(err, errLineTooLong) {
			return
		}
	}
}

// Read gives the next message. What is none is answered here.
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		message, err := c.readOne(ctx)
		if message != nil || err != nil {
			return message, err
		}
	}
}

// readOne takes one line, or one message of a batch; it gives nil when there is nothing to hand on.
func (c *lineConnection) readOne(ctx context.Context) (jsonrpc.Message, error) {
	if len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		return next, nil
	}
	var line inputLine
	select {
	case line = <-c.lines:
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch {
	case errors.Is(line.err, errLineTooLong):
		return nil, c.put(errorLine(nullID, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is over %d bytes", c.limit)))
	case errors.Is(line.err, io.EOF):
		c.drain()
		return nil, io.EOF
	case line.err != nil:
		return nil, line.err
	case !json.Valid(line.bytes):
		return nil, c.put(errorLine(nullID, jsonrpc.CodeParseError, "the line is not JSON"))
	case line.bytes[0] == '[':
		return nil, c.acceptBatch(line.bytes)
	}
	message, refusal := c.accept(line.bytes, nil)
	if refusal != nil {
		return nil, c.put(refusal)
	}
	return message, nil
}

// accept reads one message and takes note of what it means for the requests under way. What is no message, or a request
// with the id of one under way, gives the line to answer with.
func (c *lineConnection) accept(raw []byte, of *batch) (message jsonrpc.Message, refusal []byte) {
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, errorLine(idOf(raw), jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC message")
	}
	asked, ok := message.(*jsonrpc.Request)
	if !ok {
		return message, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case asked.IsCall():
		if c.requests[asked.ID] != nil {
			return nil, errorLine(idOf(raw), jsonrpc.CodeInvalidRequest, "a request with this id is under way")
		}
		c.requests[asked.ID] = &request{batch: of}
		if of != nil {
			of.waiting++
		}
		if asked.Method == "initialize" {
			c.batches = paramsOf[struct {
				Version string `json:"protocolVersion"`
			}](asked).Version == batchVersion
		}
	case asked.Method == "notifications/cancelled":
		id, err := jsonrpc.MakeID(paramsOf[struct {
			ID any `json:"requestId"`
		}](asked).ID)
		if under := c.requests[id]; err == nil && under != nil {
			under.cancelled = true
		}
	}
	return message, nil
}

// paramsOf gives what is known of the parameters of a request; what is wrong with them is for the SDK to say.
func paramsOf[P any](asked *jsonrpc.Request) (params P) {
	_ = json.Unmarshal(asked.Params, &params)
	return params
}

// acceptBatch reads the messages of one line. What is wrong with one of them is answered together with the others.
func (c *lineConnection) acceptBatch(line []byte) error {
	var messages []json.RawMessage
	c.mu.Lock()
	allowed := c.batches
	c.mu.Unlock()
	if !allowed || json.Unmarshal(line, &messages) != nil || len(messages) == 0 {
		return c.put(errorLine(nullID, jsonrpc.CodeInvalidRequest, "this revision of the protocol has no batches"))
	}
	of := &batch{}
	for _, raw := range messages {
		message, refusal := c.accept(raw, of)
		if refusal != nil {
			of.answers = append(of.answers, bytes.TrimSpace(refusal))
			continue
		}
		c.queue = append(c.queue, message)
	}
	if of.waiting > 0 || of.answers == nil {
		return nil
	}
	return c.put(of.line())
}

func (b *batch) line() []byte {
	return slices.Concat([]byte("["), bytes.Join(b.answers, []byte(",")), []byte("]\n"))
}

// drain waits until every request is answered, but no longer than endGrace.
func (c *lineConnection) drain() {
	c.mu.Lock()
	if c.isIdle() {
		c.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	c.idle = idle
	c.mu.Unlock()
	grace := time.NewTimer(endGrace)
	defer grace.Stop()
	select {
	case <-idle:
	case <-grace.C:
	case <-c.closed:
	}
}

// Write writes a message: at once, with the others of its batch, or, for the answer to a cancelled request, not at all.
func (c *lineConnection) Write(_ context.Context, m jsonrpc.Message) error {
	lent := borrow()
	defer lent.giveBack()
	line, err := appendMessage(lent.bytes, m, c.results)
	if err != nil {
		return err
	}
	lent.bytes = line
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.put(line)
	}
	c.mu.Lock()
	if asked := c.requests[response.ID]; asked != nil {
		line = asked.answer(line)
	}
	delete(c.requests, response.ID) // the client may use the id again as soon as it has the answer
	c.putting++
	c.mu.Unlock()
	if line != nil {
		err = c.put(line)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.putting--; c.idle != nil && c.isIdle() {
		close(c.idle)
		c.idle = nil
	}
	return err
}

// isIdle reports whether nothing is under way; the caller holds mu.
func (c *lineConnection) isIdle() bool { return len(c.requests) == 0 && c.putting == 0 }

// answer gives the line that is to be written once the request has its answer: nil for none. It does not keep line.
func (r *request) answer(line []byte) []byte {
	if r.cancelled {
		line = nil
	}
	if r.batch == nil {
		return line
	}
	if line != nil {
		r.batch.answers = append(r.batch.answers, bytes.Clone(bytes.TrimSpace(line)))
	}
	if r.batch.waiting--; r.batch.waiting > 0 || r.batch.answers == nil {
		return nil
	}
	return r.batch.line()
}

// put writes a line.
func (c *lineConnection) put(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(line)
	return err
}
