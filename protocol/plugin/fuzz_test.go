package plugin

import (
	"bytes"
	"context"
	"testing"
)

// FuzzLine: no line panics, each gives at most one answer, and the Runner would take every answer.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		initializeLine, "", " \t", "{nope", "[]", "\xff", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":-0,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"tools/list"}`, `{"jsonrpc":"2.0","id":"\\ud800\ud83d\ude00","method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		call(`{"name":"search","arguments":{"query":"a\u0000b","limit":5}}`),
		call(`{"name":"search","arguments":{"query":"x","limit":5e0}}`),
		call(`{"name":"read","arguments":{"path":"a.md","source_hash":"` + string(bytes.Repeat([]byte("0"), 64)) + `"}}`),
		call(`{"name":"index","arguments":{"mode":"refresh"}}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 || len(line) > maxLine {
			return // the reader never gives such a line
		}
		operations := &fakeOperations{}
		answer := newReadySession(t, operations).answer(context.Background(), line)
		if operations.calls > 1 {
			t.Fatalf("%d calls", operations.calls)
		}
		if answer == nil {
			return
		}
		m, err := admitLine(answer)
		if err != nil {
			t.Fatalf("answer %.300q: %v", answer, err)
		}
		if bytes.HasPrefix(m.Result, []byte(`{"content"`)) {
			if _, _, err := admitResult(m.Result); err != nil {
				t.Fatalf("result %.300q: %v", m.Result, err)
			}
		}
	})
}
