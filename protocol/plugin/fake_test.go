package plugin

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"projectknowledge/index/provider"
	"projectknowledge/store"
)

// fakeOperations stands in for a provider: it records what it is asked and gives what a test wants.
type fakeOperations struct {
	index  func(context.Context, provider.IndexRequest) (*provider.IndexResult, error)
	search func(context.Context, provider.SearchRequest) (*provider.SearchResult, error)
	read   func(context.Context, provider.ReadRequest) (*provider.ReadResult, error)
	calls  int
	closed int
}

func (f *fakeOperations) Index(ctx context.Context, r provider.IndexRequest) (*provider.IndexResult, error) {
	f.calls++
	if f.index != nil {
		return f.index(ctx, r)
	}
	return &provider.IndexResult{Indexed: true, Coverage: store.Coverage{Mode: string(r.Mode)}}, nil
}

func (f *fakeOperations) Status(context.Context) (*provider.StatusResult, error) {
	f.calls++
	return &provider.StatusResult{}, nil
}

func (f *fakeOperations) Search(ctx context.Context, r provider.SearchRequest) (*provider.SearchResult, error) {
	f.calls++
	if f.search != nil {
		return f.search(ctx, r)
	}
	return &provider.SearchResult{Hits: []provider.Hit{}}, nil
}

func (f *fakeOperations) Read(ctx context.Context, r provider.ReadRequest) (*provider.ReadResult, error) {
	f.calls++
	if f.read != nil {
		return f.read(ctx, r)
	}
	return &provider.ReadResult{Path: r.Path, SourceHash: r.SourceHash, StartLine: 1, EndLine: 1, TotalLines: 1}, nil
}

func (f *fakeOperations) Close() error {
	f.closed++
	return nil
}

// newSession is a session whose admission gives f; it is not initialized.
func newSession(f *fakeOperations) *session {
	return &session{
		admit: func(context.Context) (operations, error) { return f, nil },
		log:   diagnostics{io.Discard},
	}
}

// newReadySession is a session that f serves.
func newReadySession(t testing.TB, f *fakeOperations) *session {
	t.Helper()
	s := newSession(f)
	if m := ask(t, s, initializeLine); m.Result == nil {
		t.Fatalf("initialize: %s", m.Text)
	}
	return s
}

const initializeLine = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"webcodex-plugin-v1"}}`

// ask sends one line to a session and gives its admitted answer.
func ask(t testing.TB, s *session, line string) message {
	t.Helper()
	answer := s.answer(context.Background(), []byte(line))
	if answer == nil {
		t.Fatalf("no answer to %.200s", line)
	}
	m, err := admitLine(answer)
	if err != nil {
		t.Fatalf("answer %.300s to %.200s: %v", answer, line, err)
	}
	return m
}

// callTool calls a tool with arguments as JSON and gives the admitted structured content.
func callTool(t testing.TB, s *session, name, arguments string) (structured map[string]any, isError bool) {
	t.Helper()
	m := ask(t, s, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	structured, isError, err := admitResult(m.Result)
	if err != nil {
		t.Fatalf("%s %s: %v (error %d %s)", name, arguments, err, m.Code, m.Text)
	}
	return structured, isError
}

// errorCode is the code of a known failure, or the empty string.
func errorCode(structured map[string]any) string {
	e, _ := structured["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// serveAll runs a whole conversation and gives the lines that were written, each admitted.
func serveAll(t *testing.T, s *session, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	lines = lines[:len(lines)-1]
	for _, line := range lines {
		if _, err := admitLine([]byte(line)); err != nil {
			t.Errorf("line %.300q: %v", line, err)
		}
	}
	return lines
}
