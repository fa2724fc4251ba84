package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// single is a world with one project of a few files.
func single(t testing.TB) (*world, *Server) {
	w := newWorld(t)
	root := w.root("alpha", map[string]string{"README.md": "# Alpha\nneedle\n", "src/main.go": "package main\n"})
	w.projects(map[string]string{"alpha": "root: " + root})
	return w, w.server()
}

// A line that is too long, no JSON or no message is answered, and the next one is served (M-10).
func TestBrokenLines(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_MAX_WRITE_BYTES"] = "1024"
	w.env["PROJECT_MCP_MAX_CHUNK_BYTES"] = "1024"
	c := w.connect(w.server())
	limit := 6*1024 + 64*kib
	for _, broken := range []struct {
		line, id string
		code     int
	}{
		{`not json`, `null`, -32700},
		{`{"jsonrpc":"2.0","id":5,"method":`, `null`, -32700},
		{`{"jsonrpc":"2.0","id":5,"method":"ping"} {}`, `null`, -32700},
		{`"` + strings.Repeat("x", limit) + `"`, `null`, -32600},
		{`{"jsonrpc":"1.0","id":5,"method":"ping"}`, `5`, -32600},
		{`{"id":"a\u0062","method":"ping"}`, `"a\u0062"`, -32600},
		{`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, `null`, -32600},
		{`{"jsonrpc":"2.0","id":7,"method":12}`, `7`, -32600},
		{`12`, `null`, -32600},
		{`[]`, `null`, -32600},
		{`[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, `null`, -32600},
	} {
		c.send(broken.line)
		var m struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		line := c.line()
		if err := json.Unmarshal([]byte(line), &m); err != nil || string(m.ID) != broken.id || m.Error.Code != broken.code {
			t.Errorf("%.60s: %s", broken.line, line)
		}
	}
	c.send("\n  \n\r\n")
	if c.ok("health", `{}`)["status"] != statusDegraded { // there is no projects.yaml
		t.Error("the server does not go on")
	}
	c.send(`"` + strings.Repeat("x", limit-2) + `"`) // exactly at the limit: a value, no message
	if m := c.receive(); m.Error == nil || m.Error.Code != -32600 || strings.Contains(m.Error.Message, "over") {
		t.Errorf("a line at the limit: %+v", m.Error)
	}
}

// Batches belong to one revision; their answers come in one line (M-4).
func TestBatches(t *testing.T) {
	_, s := single(t)
	w := &world{t: t}
	c := w.stdio(s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	c.receive()
	c.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
	c.send(`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"x":1,"id":9},{"jsonrpc":"2.0","id":3,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
	var answers []message
	if err := json.Unmarshal([]byte(c.line()), &answers); err != nil || len(answers) != 3 {
		t.Fatalf("%v %+v", err, answers)
	}
	c.send(`[{"x":1}]`)
	if err := json.Unmarshal([]byte(c.line()), &answers); err != nil || len(answers) != 1 || answers[0].Error.Code != -32600 {
		t.Errorf("%v %+v", err, answers)
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	if m := c.receive(); m.ID != 4.0 {
		t.Errorf("%+v", m)
	}
}

// block puts a tool into a server that waits until its call is cancelled or released.
func block(name string, started, release chan struct{}) func(*Server) {
	return func(s *Server) {
		for i := range s.tools {
			if s.tools[i].name == name {
				s.tools[i].run = func(ctx context.Context, _ *call) (any, error) {
					started <- struct{}{}
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-release:
						return &healthResult{}, nil
					}
				}
			}
		}
	}
}

// A cancelled call ends without an answer, and the session goes on (M-8).
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	started, release := make(chan struct{}), make(chan struct{})
	s := w.server(block("health", started, release))
	c := w.connect(s)
	c.send(callLine(7, "health", `{}`, ""))
	<-started
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"test"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	c.send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if m := c.receive(); m.ID != 8.0 {
		t.Errorf("the answer is to %v", m.ID)
	}
	c.close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
	for line := range c.lines {
		t.Errorf("a line of a cancelled call: %s", line)
	}
	if !strings.Contains(w.log.String(), `"outcome":"cancelled"`) {
		t.Errorf("the audit log: %s", w.log)
	}
}

// Two requests of one id cannot be told apart: the second is refused, the first goes on.
func TestSameID(t *testing.T) {
	w := newWorld(t)
	started, release := make(chan struct{}), make(chan struct{})
	c := w.connect(w.server(block("health", started, release)))
	c.send(callLine(7, "health", `{}`, ""))
	<-started
	c.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
	if m := c.receive(); m.ID != 7.0 || m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("%+v", m)
	}
	close(release)
	if m := c.receive(); m.ID != 7.0 || m.Result == nil {
		t.Errorf("%+v", m)
	}
	c.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
	if m := c.receive(); m.ID != 7.0 || m.Result == nil {
		t.Errorf("an id cannot be used again: %+v", m)
	}
}

// Requests that came before the end of the input are answered; those that do not end in time are given up (M-10).
func TestEndOfInput(t *testing.T) {
	w, s := single(t)
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` +
		"\n" + callLine(2, "grep", `{"project_id":"alpha","pattern":"needle"}`, ""))
	var out syncBuffer
	if err := s.ServeStdio(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[1], "README.md") {
		t.Errorf("answers: %s", out.String())
	}
	started := make(chan struct{})
	stuck := w.server(block("health", started, nil))
	c := w.connect(stuck)
	c.send(callLine(2, "health", `{}`, ""))
	<-started
	began := time.Now()
	c.close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
	if time.Since(began) < endGrace {
		t.Error("a request under way was not waited for")
	}
}

// The end of the context, as at SIGTERM, ends a session that waits for its client.
func TestEndOfContext(t *testing.T) {
	w := newWorld(t)
	started := make(chan struct{}, 1)
	s := w.server(block("health", started, nil))
	ctx, cancel := context.WithCancel(t.Context())
	in, inWriter := io.Pipe()
	ended := make(chan error)
	go func() { ended <- s.ServeStdio(ctx, in, io.Discard) }()
	_, _ = io.WriteString(inWriter, callLine(1, "health", `{}`, `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`)+"\n")
	<-started
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A server that ends leaves no staging files behind (M-10, M-57), and what a client sent is gone with it.
func TestStagingIsRemoved(t *testing.T) {
	w, s := single(t)
	c := w.connect(s)
	id := c.ok("begin_document", `{"project_id":"alpha","path":"docs/a.md"}`)["upload_id"].(string)
	c.ok("write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":0,"content":"x"}`, id))
	if got := c.ok("health", `{}`)["document_creation"].(map[string]any)["active_uploads"]; got != 1.0 {
		t.Errorf("active uploads %v", got)
	}
	entries := func() int {
		list, err := os.ReadDir(w.places.Staging)
		w.must(err)
		return len(list)
	}
	if entries() == 0 {
		t.Error("there is no staging directory")
	}
	w.must(s.Close())
	if entries() != 0 {
		t.Error("the staging directory is left")
	}
	if o := c.call("create_file", `{"project_id":"alpha","path":"docs/b.md","content":""}`); o.code != "cancelled" && o.code != "write_failed" {
		t.Errorf("a closed server answers %+v", o)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "ws", "alpha", "docs")); err == nil {
		t.Error("a closed server wrote")
	}
}

// A tool that fails in an unforeseen way is internal_error to its caller, a line with the cause to the administrator, and
// nothing to the process (M-16).
func TestPanic(t *testing.T) {
	w := newWorld(t)
	s := w.server(func(s *Server) {
		s.tools[0].run = func(context.Context, *call) (any, error) { panic("the cause") }
	})
	c := w.connect(s)
	o := c.call("health", `{}`)
	if o.code != "internal_error" || strings.Contains(o.message, "cause") {
		t.Errorf("%+v", o)
	}
	if !strings.Contains(w.log.String(), "panic: the cause") {
		t.Errorf("the log: %s", w.log)
	}
	c.ok("list_grants", `{}`)
}

// Whatever a client sends, every line of the server is one message of JSON, and the session ends with its input.
func FuzzStdio(f *testing.F) {
	for _, seed := range []string{
		initializeLine, "{}\n[]\nnull\n", callLine(1, "health", "{}", modernMeta), "[" + initializeLine + "]",
		strings.Replace(initializeLine, "2025-11-25", "2025-03-26", 1) + "\n[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		f.Add([]byte(seed))
	}
	w := newWorld(f)
	s := w.server()
	f.Fuzz(func(t *testing.T, in []byte) {
		var out syncBuffer
		if err := s.ServeStdio(t.Context(), bytes.NewReader(in), &out); err != nil {
			t.Errorf("%q: %v", in, err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q: %q", in, line)
			}
		}
	})
}
