package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/index/provider"
)

// A known failure is a result; anything unexpected is internal_error, with its details on the diagnostic stream alone (P-88, P-89).
func TestFailuresAreResults(t *testing.T) {
	var log bytes.Buffer
	var give error
	f := &fakeOperations{search: func(context.Context, provider.SearchRequest) (*provider.SearchResult, error) { return nil, give }}
	s := newReadySession(t, f)
	s.log = diagnostics{&log}
	for _, test := range []struct {
		err  error
		code string
	}{
		{provider.NewError(provider.NotIndexed, ""), "not_indexed"},
		{fmt.Errorf("while searching: %w", provider.NewError(provider.CacheUnsafe, "")), "cache_unsafe"},
		{errors.New("open /home/user/x: denied"), "internal_error"},
	} {
		give = test.err
		structured, isError := callTool(t, s, "search", `{"query":"x"}`)
		if !isError || errorCode(structured) != test.code {
			t.Errorf("%v: %v", test.err, structured)
		}
	}
	if got := log.String(); got != "internal_error: open /home/user/x: denied\n" {
		t.Errorf("log: %q", got)
	}
}

// A panic inside a call is internal_error and the session goes on (P-90); one in initialize is an internal JSON-RPC error.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	f := &fakeOperations{search: func(context.Context, provider.SearchRequest) (*provider.SearchResult, error) {
		panic("lost \x1b[31m\nway")
	}}
	s := newReadySession(t, f)
	s.log = diagnostics{&log}
	structured, isError := callTool(t, s, "search", `{"query":"x"}`)
	if !isError || errorCode(structured) != "internal_error" {
		t.Errorf("%v", structured)
	}
	if _, isError := callTool(t, s, "status", `{}`); isError {
		t.Error("status after the panic failed")
	}
	s.admit = func(context.Context) (operations, error) { panic("admission") }
	if m := ask(t, s, initializeLine); m.Code != codeInternal {
		t.Errorf("initialize: %d %s", m.Code, m.Text)
	}
	for _, line := range strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n") {
		if !strings.HasPrefix(line, "panic in ") || !strings.Contains(line, "call_test.go:") || len(line) > maxDiagnostic || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("log line %q", line)
		}
	}
}

func TestInitialize(t *testing.T) {
	for _, params := range []string{
		``, `,"params":[]`, `,"params":null`, `,"params":{}`, `,"params":{"protocolVersion":null}`, `,"params":{"protocolVersion":1}`,
		`,"params":{"protocolVersion":"webcodex-plugin-v2"}`, `,"params":{"ProtocolVersion":"webcodex-plugin-v1"}`,
	} {
		s := newSession(&fakeOperations{})
		if m := ask(t, s, `{"jsonrpc":"2.0","id":1,"method":"initialize"`+params+`}`); m.Code != codeInvalidParams {
			t.Errorf("%s: %d %s", params, m.Code, m.Text)
		}
		if m := ask(t, s, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); m.Code != codeNotInitialized {
			t.Errorf("tools/list after %s: %d", params, m.Code)
		}
	}
	s := newSession(&fakeOperations{})
	m := ask(t, s, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"webcodex-plugin-v1","clientInfo":{}}}`)
	if string(m.Result) != `{"protocolVersion":"webcodex-plugin-v1"}` {
		t.Errorf("result %s", m.Result)
	}
}

// A repeated initialize makes the checks again; the root that was admitted first stays the one served (P-5, P-17).
func TestInitializeAgain(t *testing.T) {
	first, second := &fakeOperations{}, &fakeOperations{}
	s := newReadySession(t, first)
	s.admit = func(context.Context) (operations, error) { return second, nil }
	if m := ask(t, s, initializeLine); m.Result == nil {
		t.Errorf("again: %s", m.Text)
	}
	s.admit = func(context.Context) (operations, error) { return nil, provider.NewError(provider.RootNotWorktree, "") }
	if m := ask(t, s, initializeLine); m.Code != codeAdmission {
		t.Errorf("refused: %d", m.Code)
	}
	callTool(t, s, "status", `{}`)
	if first.calls != 1 || first.closed != 0 || second.calls != 0 || second.closed != 1 {
		t.Errorf("first %+v, second %+v", first, second)
	}
}

// The message of a refused admission is `code: sentence`, short ASCII, and the same line goes to the log (P-4).
func TestAdmissionMessage(t *testing.T) {
	for _, refusal := range []error{
		provider.NewError(provider.FTS5Unavailable, ""),
		provider.NewError(provider.RootIsHome, strings.Repeat("é", 500)),
		errors.New("stat /home/user: denied"),
	} {
		var log bytes.Buffer
		s := &session{admit: func(context.Context) (operations, error) { return nil, refusal }, log: diagnostics{&log}}
		m := ask(t, s, initializeLine)
		if m.Code != codeAdmission || len(m.Text) > 300 || strings.Contains(m.Text, "/home") || !strings.Contains(log.String(), m.Text+"\n") {
			t.Errorf("%d %q, log %q", m.Code, m.Text, log.String())
		}
	}
}

// The largest content that a provider may give fits with the widest caption; one over it is an error, not a line that
// the Runner refuses (P-94).
func TestResultBound(t *testing.T) {
	var hit provider.Hit
	f := &fakeOperations{search: func(context.Context, provider.SearchRequest) (*provider.SearchResult, error) {
		return &provider.SearchResult{Hits: []provider.Hit{hit}}, nil
	}}
	s := newReadySession(t, f)
	hit.Path = strings.Repeat("\u2028\"<&>", 150)
	bare, err := encode(&provider.SearchResult{Hits: []provider.Hit{hit}})
	if err != nil {
		t.Fatal(err)
	}
	hit.Text = strings.Repeat("x", maxStructured-len(bare))
	if _, isError := callTool(t, s, "search", `{"query":"x"}`); isError {
		t.Error("content of exactly the bound was refused")
	}
	hit.Text += strings.Repeat("x", maxCaption)
	if structured, _ := callTool(t, s, "search", `{"query":"x"}`); errorCode(structured) != "internal_error" {
		t.Error("content over the bound was let through")
	}
}

// Source text comes through exactly, control characters included, and is not escaped for HTML (P-93).
func TestSourceTextIsExact(t *testing.T) {
	const text = "a\x00\x1b[31m\x7f\u0085\u2028<script>&amp;\t\r\n😀"
	f := &fakeOperations{read: func(context.Context, provider.ReadRequest) (*provider.ReadResult, error) {
		return &provider.ReadResult{Path: "a\u0085b\x7f.md", Text: text}, nil
	}}
	s := newReadySession(t, f)
	line := `{"path":"a","source_hash":"` + zeroHash + `"}`
	structured, _ := callTool(t, s, "read", line)
	if structured["text"] != text {
		t.Errorf("text %q", structured["text"])
	}
	answer := s.answer(context.Background(), []byte(call(`{"name":"read","arguments":`+line+`}`)))
	if !bytes.Contains(answer, []byte("<script>&amp;")) {
		t.Errorf("escaped for HTML: %s", answer)
	}
}

func TestPlainCaption(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caption := rapid.StringN(0, 2000, -1).Draw(t, "caption")
		plain := plainCaption(caption, maxCaption)
		raw, err := encode(plain)
		if err != nil || len(raw) > maxCaption+len(`""`) {
			t.Fatalf("%d bytes, %v", len(raw), err)
		}
		if strings.ContainsFunc(plain, func(r rune) bool { return r != '\n' && (r < ' ' || 0x7f <= r && r <= 0x9f) }) {
			t.Fatalf("control character in %q", plain)
		}
	})
}

// A signal ends the conversation without another answer, with a call under way or without (P-99).
func TestCancelledServeWritesNothing(t *testing.T) {
	entered := make(chan struct{})
	f := &fakeOperations{index: func(ctx context.Context, _ provider.IndexRequest) (*provider.IndexResult, error) {
		close(entered)
		<-ctx.Done()
		return nil, provider.NewError(provider.Cancelled, "")
	}}
	for _, inCall := range []bool{false, true} {
		in, feed := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		var out bytes.Buffer
		ended := make(chan error, 1)
		go func() { ended <- newSession(f).serve(ctx, in, &out) }()
		fmt.Fprintln(feed, initializeLine)
		want := 1
		if inCall {
			fmt.Fprintln(feed, call(`{"name":"index","arguments":{}}`))
			<-entered
		} else {
			fmt.Fprintln(feed, call(`{"name":"status","arguments":{}}`))
			fmt.Fprintln(feed, "") // accepted only when the call before it was taken up
			fmt.Fprintln(feed, "")
			want = 2
		}
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("in a call %v: %v", inCall, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("serve did not stop")
		}
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("in a call %v: %d answers, want %d", inCall, got, want)
		}
		feed.Close()
	}
}

// A call that does not let go in time does not keep the process (P-99).
func TestAbandonedCall(t *testing.T) {
	t.Parallel()
	release, entered := make(chan struct{}), make(chan struct{})
	f := &fakeOperations{index: func(context.Context, provider.IndexRequest) (*provider.IndexResult, error) {
		close(entered)
		<-release
		return nil, provider.NewError(provider.Cancelled, "")
	}}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-entered; cancel() }()
	var out bytes.Buffer
	err := newSession(f).serve(ctx, strings.NewReader(initializeLine+"\n"+call(`{"name":"index","arguments":{}}`)+"\n"), &out)
	close(release)
	if err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// At the end of the input the request under way is finished and answered (P-99).
func TestEndOfInputFinishesTheRequest(t *testing.T) {
	f := &fakeOperations{}
	lines := serveAll(t, newSession(f), initializeLine+"\n"+call(`{"name":"index","arguments":{}}`))
	if len(lines) != 2 || f.calls != 1 || f.closed != 1 {
		t.Errorf("%d answers, %d calls, closed %d times", len(lines), f.calls, f.closed)
	}
}
