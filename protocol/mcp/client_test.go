package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// message is any JSON-RPC message that a server sends.
type message struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// lineClient is a client on a pair of pipes.
type lineClient struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string
	ended chan error
	last  int
}

// stdio starts a client of the server that has not said anything yet.
func (w *world) stdio(s *Server) *lineClient {
	inReader, in := io.Pipe()
	out, outWriter := io.Pipe()
	c := &lineClient{t: w.t, in: in, lines: make(chan string, 1000), ended: make(chan error, 1), last: 100}
	go func() {
		c.ended <- s.ServeStdio(context.Background(), inReader, outWriter)
		_ = outWriter.Close()
	}()
	go func() {
		reader := newLineReader(out, 64*mib)
		for {
			line, err := reader.next()
			if err != nil {
				close(c.lines)
				return
			}
			c.lines <- string(line)
		}
	}()
	w.t.Cleanup(func() { c.close() })
	return c
}

// connect starts a client and shakes hands.
func (w *world) connect(s *Server) *lineClient {
	w.t.Helper()
	c := w.stdio(s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if m := c.receive(); m.Error != nil {
		w.t.Fatalf("initialize: %+v", m.Error)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *lineClient) close() {
	_ = c.in.Close()
}

func (c *lineClient) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// patience bounds what a test waits for; it is no measure of the server.
const patience = 20 * time.Second

// line gives the next line of the server.
func (c *lineClient) line() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the server has ended")
		}
		return line
	case <-time.After(patience):
		c.t.Fatal("no line of the server")
	}
	return ""
}

func (c *lineClient) receive() message {
	c.t.Helper()
	return parseMessage(c.t, c.line())
}

func parseMessage(t testing.TB, line string) message {
	t.Helper()
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return m
}

// outcome is what a tool answered: the structured content, and the code when it was refused.
type outcome struct {
	raw     json.RawMessage
	content map[string]any
	code    string
	message string
}

// call calls a tool; arguments are JSON.
func (c *lineClient) call(tool, arguments string) outcome {
	c.t.Helper()
	c.last++
	c.send(callLine(c.last, tool, arguments, ""))
	for {
		m := c.receive()
		if m.Method != "" {
			continue
		}
		if m.Error != nil {
			c.t.Fatalf("%s %s: %+v", tool, arguments, m.Error)
		}
		return outcomeOf(c.t, m.Result)
	}
}

// callLine gives a request for a tool; meta is JSON, or "".
func callLine(id int, tool, arguments, meta string) string {
	if meta != "" {
		meta = `,"_meta":` + meta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, id, tool, arguments, meta)
}

// outcomeOf reads the result of a call and holds it to M-40: the text is the structured content.
func outcomeOf(t testing.TB, result json.RawMessage) outcome {
	t.Helper()
	var r struct {
		Content []struct{ Type, Text string }
		Raw     json.RawMessage `json:"structuredContent"`
		IsError bool            `json:"isError"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" || r.Content[0].Text != string(r.Raw) {
		t.Errorf("the text is not the structured content: %s", result)
	}
	o := outcome{raw: r.Raw}
	if err := json.Unmarshal(r.Raw, &o.content); err != nil {
		t.Fatal(err)
	}
	if failure, ok := o.content["error"].(map[string]any); ok {
		o.code, _ = failure["code"].(string)
		o.message, _ = failure["message"].(string)
	}
	if r.IsError != (o.code != "") {
		t.Errorf("isError is %v: %s", r.IsError, r.Raw)
	}
	return o
}

// ok is call for a tool that must answer.
func (c *lineClient) ok(tool, arguments string) map[string]any {
	c.t.Helper()
	o := c.call(tool, arguments)
	if o.code != "" {
		c.t.Fatalf("%s %s: %s: %s", tool, arguments, o.code, o.message)
	}
	return o.content
}

// refused is call for a tool that must refuse.
func (c *lineClient) refused(tool, arguments string, code pathguard.Code) {
	c.t.Helper()
	if o := c.call(tool, arguments); o.code != string(code) {
		c.t.Errorf("%s %s: %q %s, want %s", tool, arguments, o.code, o.message, code)
	}
}

// httpServer is a server that listens.
type httpServer struct {
	t    testing.TB
	port int
	stop context.CancelFunc
	done chan error
}

// http starts the server on a free port.
func (w *world) http(s *Server) *httpServer {
	w.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	h := &httpServer{t: w.t, port: listener.Addr().(*net.TCPAddr).Port, stop: cancel, done: make(chan error, 1)}
	go func() { h.done <- s.serveOn(ctx, listener, h.port) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-h.done; err != nil {
			w.t.Errorf("serve: %v", err)
		}
	})
	return h
}

// response is an answer over HTTP with its body read.
type response struct {
	*http.Response
	body string
}

// do sends one request; a header "Host" names another host.
func (h *httpServer) do(method, path, body string, headers ...string) response {
	h.t.Helper()
	req, err := http.NewRequest(method, fmt.Sprintf("http://127.0.0.1:%d%s", h.port, path), strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return response{answer, string(text)}
}

// post sends a message as a client would.
func (h *httpServer) post(body string, headers ...string) response {
	h.t.Helper()
	return h.do(http.MethodPost, "/mcp", body, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, headers...)...)
}

// message gives the last message of an answer, whether it came alone or in a stream.
func (r response) message(t testing.TB) message {
	t.Helper()
	text := r.body
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
		for line := range strings.SplitSeq(r.body, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				text = data
			}
		}
	}
	return parseMessage(t, text)
}
