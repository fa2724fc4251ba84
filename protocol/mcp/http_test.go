package mcp

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/registry"
)

const (
	initializeLine = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	modernMeta     = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// Every route and method stands behind the guard (M-12, M-13).
func TestGuard(t *testing.T) {
	w, s := single(t)
	s.limits.AllowedOrigins = []string{"https://app.example", "null"}
	h := w.http(s)
	port := strconv.Itoa(h.port)
	for _, c := range []struct {
		headers []string
		allowed bool
	}{
		{nil, true},
		{[]string{"Host", "localhost:" + port}, true},
		{[]string{"Host", "LocalHost"}, true},
		{[]string{"Host", "127.0.0.1:1"}, true},
		{[]string{"Host", "[::1]:99"}, true},
		{[]string{"Host", "[::1]"}, true},
		{[]string{"Host", "evil.example"}, false},
		{[]string{"Host", "evil.example:" + port}, false},
		{[]string{"Host", "127.0.0.1.evil.example"}, false},
		{[]string{"Host", "localhost.evil.example:" + port}, false},
		{[]string{"Host", "127.0.0.2"}, false},
		{[]string{"Host", "0.0.0.0:" + port}, false},
		{[]string{"Host", "localhost:http"}, false},
		{[]string{"Host", "evil.example@localhost"}, false},
		{[]string{"Origin", "http://127.0.0.1:" + port}, true},
		{[]string{"Origin", "http://localhost:" + port}, true},
		{[]string{"Origin", "http://[::1]:" + port}, true},
		{[]string{"Origin", "https://app.example"}, true},
		{[]string{"Origin", "https://app.example:443"}, false},
		{[]string{"Origin", "http://localhost"}, false},
		{[]string{"Origin", "http://localhost:1"}, false},
		{[]string{"Origin", "https://localhost:" + port}, false},
		{[]string{"Origin", "http://evil.example"}, false},
		{[]string{"Origin", "null"}, false},
		{[]string{"Origin", ""}, false},
		{[]string{"Origin", "https://app.example", "Origin", "http://evil.example"}, false},
		{[]string{"Sec-Fetch-Site", "same-origin"}, true},
		{[]string{"Sec-Fetch-Site", "none"}, true},
		{[]string{"Sec-Fetch-Site", "cross-site"}, false},
		{[]string{"Sec-Fetch-Site", "Same-Site"}, false},
		{[]string{"Origin", "https://app.example", "Sec-Fetch-Site", "cross-site"}, false},
	} {
		for _, path := range []string{"/mcp", "/healthz", "/", "/elsewhere"} {
			for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "DELETE", "PUT"} {
				r := h.do(method, path, "{}", c.headers...)
				if (r.StatusCode != http.StatusForbidden) != c.allowed {
					t.Errorf("%s %s %q: %d", method, path, c.headers, r.StatusCode)
				}
				for name := range r.Header {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s %s %q: header %s", method, path, c.headers, name)
					}
				}
			}
		}
	}
}

// The routes, and what each takes (M-5, M-14, M-15).
func TestRoutes(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	json, both := "application/json", "application/json, text/event-stream"
	for _, c := range []struct {
		method, path, body, accept, kind string
		status                           int
		allow                            string
	}{
		{"GET", "/healthz", "", "", "", 200, ""},
		{"HEAD", "/healthz", "", "", "", 200, ""},
		{"POST", "/healthz", "{}", "", "", 405, "GET, HEAD"},
		{"OPTIONS", "/healthz", "", "", "", 405, "GET, HEAD"},
		{"GET", "/", "", "", "", 404, ""},
		{"GET", "/healthz/", "", "", "", 404, ""},
		{"GET", "//healthz", "", "", "", 404, ""},
		{"POST", "//mcp", initializeLine, both, json, 404, ""},
		{"POST", "/x/../mcp", initializeLine, both, json, 404, ""},
		{"POST", "/mcp?x=1", initializeLine, both, json, 200, ""},
		{"POST", "/mcp/", initializeLine, both, json, 404, ""},
		{"POST", "/elsewhere", initializeLine, both, json, 404, ""},
		{"GET", "/mcp", "", both, "", 405, "POST"},
		{"DELETE", "/mcp", "", both, "", 405, "POST"},
		{"PUT", "/mcp", initializeLine, both, json, 405, "POST"},
		{"POST", "/mcp", initializeLine, both, "text/plain", 415, ""},
		{"POST", "/mcp", initializeLine, both, "", 415, ""},
		{"POST", "/mcp", initializeLine, json, json, 400, ""},
		{"POST", "/mcp", initializeLine, "text/event-stream", json, 400, ""},
		{"POST", "/mcp", initializeLine, both, json + "; charset=utf-8", 200, ""},
		{"POST", "/mcp", initializeLine, "*/*", json, 200, ""},
		{"POST", "/mcp", "not json", both, json, 400, ""},
		{"POST", "/mcp", "", both, json, 400, ""},
	} {
		r := h.do(c.method, c.path, c.body, "Accept", c.accept, "Content-Type", c.kind)
		if r.StatusCode != c.status || c.allow != "" && r.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s %q %q: %d %q %s", c.method, c.path, c.accept, c.kind, r.StatusCode, r.Header.Get("Allow"), r.body)
		}
	}
}

// No session is minted and a received one is ignored; a stream is not to be kept back (M-5, M-15).
func TestStateless(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	r := h.post(initializeLine, "Mcp-Session-Id", "made up")
	if r.StatusCode != 200 || r.Header.Get("Mcp-Session-Id") != "" || r.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	r = h.post(callLine(2, "read_file", `{"project_id":"alpha","path":"README.md"}`, ""), "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", "another")
	if o := outcomeOf(t, r.message(t).Result); o.content["content"] != "# Alpha\nneedle\n" {
		t.Errorf("%v", o.content)
	}
	if r = h.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); r.StatusCode != http.StatusAccepted {
		t.Errorf("a notification: %d", r.StatusCode)
	}
}

// The health of the registries, in one word (M-14, M-22).
func TestHealthz(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	probe := func(status int, body string) {
		t.Helper()
		if r := h.do("GET", "/healthz", ""); r.StatusCode != status || r.body != body {
			t.Errorf("%d %s, want %d %s", r.StatusCode, r.body, status, body)
		}
	}
	probe(200, `{"status":"ok"}`)
	w.grants(map[string]string{"g": "root: /nowhere\npermanent: perhaps"})
	probe(503, `{"status":"degraded"}`)
	w.grants(nil)
	probe(200, `{"status":"ok"}`)
	w.register(registry.ProjectsFile, "projekte", nil)
	probe(503, `{"status":"degraded"}`)
}

// Headers and body of 2026-07-28 must say the same (M-6).
func TestModernHeaders(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	call := callLine(7, "health", `{}`, modernMeta)
	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`
	meta := func(version string) string { return strings.ReplaceAll(call, modernVersion, version) }
	const revision, method, name = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
	for what, c := range map[string]struct {
		body    string
		headers []string
		status  int
		code    int
	}{
		"a call":                {call, []string{revision, modernVersion, method, "tools/call", name, "health"}, 200, 0},
		"a list":                {list, []string{revision, modernVersion, method, "tools/list"}, 200, 0},
		"no revision header":    {call, []string{method, "tools/call", name, "health"}, 400, -32020},
		"another revision":      {call, []string{revision, "2025-11-25", method, "tools/call", name, "health"}, 400, -32020},
		"no method header":      {call, []string{revision, modernVersion, name, "health"}, 400, -32020},
		"another method":        {call, []string{revision, modernVersion, method, "tools/list", name, "health"}, 400, -32020},
		"no name header":        {call, []string{revision, modernVersion, method, "tools/call"}, 400, -32020},
		"another name":          {call, []string{revision, modernVersion, method, "tools/call", name, "tree"}, 400, -32020},
		"an unknown revision":   {meta("2099-01-01"), []string{revision, "2099-01-01", method, "tools/call", name, "health"}, 400, -32022},
		"an old, unknown one":   {meta("2024-01-01"), []string{revision, "2024-01-01", method, "tools/call", name, "health"}, 400, -32022},
		"no _meta":              {callLine(7, "health", `{}`, ""), []string{revision, modernVersion, method, "tools/call", name, "health"}, 400, -32602},
		"no capabilities":       {callLine(7, "health", `{}`, `{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), []string{revision, modernVersion, method, "tools/call", name, "health"}, 400, -32602},
		"an unknown method":     {`{"jsonrpc":"2.0","id":7,"method":"no/such","params":{"_meta":` + modernMeta + `}}`, []string{revision, modernVersion, method, "no/such"}, 404, -32601},
		"an unannounced one":    {`{"jsonrpc":"2.0","id":7,"method":"prompts/list","params":{"_meta":` + modernMeta + `}}`, []string{revision, modernVersion, method, "prompts/list"}, 404, -32601},
		"a method of handshake": {`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":` + modernMeta + `}}`, []string{revision, modernVersion, method, "ping"}, 404, -32601},
		"an unknown tool":       {callLine(7, "nope", `{}`, modernMeta), []string{revision, modernVersion, method, "tools/call", name, "nope"}, 400, -32602},
	} {
		r := h.post(c.body, c.headers...)
		m := r.message(t)
		got := 0
		if m.Error != nil {
			got = m.Error.Code
		}
		if r.StatusCode != c.status || got != c.code || m.ID != 7.0 {
			t.Errorf("%s: %d %d %s", what, r.StatusCode, got, r.body)
		}
		if c.code == -32022 && !strings.Contains(string(m.Error.Data), `"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]`) {
			t.Errorf("%s: data %s", what, m.Error.Data)
		}
	}
}

// A body over the limit is 413, whether its length is told or not (M-15).
func TestBodyLimit(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_MAX_WRITE_BYTES"], w.env["PROJECT_MCP_MAX_CHUNK_BYTES"] = "1024", "1024"
	h := w.http(w.server())
	limits := w.limits()
	body := initializeLine + strings.Repeat(" ", int(limits.bodyBytes())-len(initializeLine))
	if r := h.post(body); r.StatusCode != 200 {
		t.Errorf("a body at the limit: %d %s", r.StatusCode, r.body)
	}
	for _, version := range []string{"", "2020-01-01"} {
		if r := h.post(body+" ", "MCP-Protocol-Version", version); r.StatusCode != 413 {
			t.Errorf("a body over the limit, version %q: %d", version, r.StatusCode)
		}
	}
	req, err := http.NewRequest("POST", fmt.Sprintf("http://127.0.0.1:%d/mcp", h.port), struct{ *bytes.Reader }{bytes.NewReader([]byte(body + " "))})
	w.must(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := http.DefaultClient.Do(req)
	w.must(err)
	_ = answer.Body.Close()
	if answer.StatusCode != 413 {
		t.Errorf("a body of unknown length: %d", answer.StatusCode)
	}
}

// A client of 2026-07-28 that closes its stream cancels its call (M-8).
func TestClosedStreamCancels(t *testing.T) {
	w := newWorld(t)
	started := make(chan struct{}, 1)
	s := w.server(block("health", started, nil))
	h := w.http(s)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", fmt.Sprintf("http://127.0.0.1:%d/mcp", h.port), strings.NewReader(callLine(7, "health", `{}`, modernMeta)))
	w.must(err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": modernVersion, "Mcp-Method": "tools/call", "Mcp-Name": "health",
	} {
		req.Header.Set(name, value)
	}
	ended := make(chan error)
	go func() {
		answer, err := http.DefaultClient.Do(req)
		if err == nil {
			err = answer.Body.Close()
		}
		ended <- err
	}()
	<-started
	cancel()
	<-ended
	w.until(func() bool { return strings.Contains(w.log.String(), `"outcome":"cancelled"`) })
}

// until waits for a condition that another goroutine brings about.
func (w *world) until(met func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("it does not come about; the log: %s", w.log)
		}
	}
}

// The end of the context cancels what runs, of whatever revision, and the address that was bound is told (M-11).
func TestServeHTTPEnds(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_PORT"] = "0"
	started := make(chan struct{}, 1)
	s := w.server(block("health", started, nil))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.ServeHTTP(ctx) }()
	var port int
	w.until(func() bool {
		_, err := fmt.Sscanf(w.log.String(), "listening on http://127.0.0.1:%d/mcp\n", &port)
		return err == nil
	})
	h := &httpServer{t: t, port: port}
	answered := make(chan response)
	go func() { answered <- h.post(callLine(7, "health", `{}`, "")) }()
	<-started
	cancel()
	if o := outcomeOf(t, (<-answered).message(t).Result); o.code != "cancelled" {
		t.Errorf("%+v", o)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A port that is taken is an error before anything is served.
func TestPortTaken(t *testing.T) {
	w := newWorld(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	defer listener.Close()
	w.env["PROJECT_MCP_PORT"] = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	if err := w.server().ServeHTTP(t.Context()); err == nil {
		t.Error("no error")
	}
}
