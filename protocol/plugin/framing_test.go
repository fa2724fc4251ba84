package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"projectknowledge/index/provider"
)

// Section 9 of webcodex-plugin-v1, row by row. The session is initialized. Every answer has the code and the id; a row
// with the empty id has no answer.
func TestSection9(t *testing.T) {
	const list = `"method":"tools/list"`
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	for _, test := range []struct {
		name, line, id string
		code           int // 0 stands for a result
	}{
		{"carriage return kept by nobody", `{"jsonrpc":"2.0","id":1,` + list + "}\r", "1", 0},
		{"white space around", " \t{\"jsonrpc\":\"2.0\",\"id\":2," + list + "} ", "2", 0},
		{"blank: nothing", "", "", 0},
		{"blank: spaces and tabs", " \t ", "", 0},

		{"not JSON: a word", "nul", "null", codeParse},
		{"not JSON: cut", `{"jsonrpc":"2.0","id":5,"method":`, "null", codeParse},
		{"not JSON: trailing brace", `{"a":1}}`, "null", codeParse},
		{"not JSON: two values", `{} {}`, "null", codeParse},
		{"not JSON: single quotes", `{'a':1}`, "null", codeParse},
		{"not JSON: NaN", `{"jsonrpc":"2.0","id":NaN,"method":"x"}`, "null", codeParse},
		{"not JSON: leading zero", `{"jsonrpc":"2.0","id":01,"method":"x"}`, "null", codeParse},
		{"not JSON: a BOM", "\ufeff" + `{"jsonrpc":"2.0","id":1,` + list + `}`, "null", codeParse},
		{"not JSON: raw control character", "{\"jsonrpc\":\"2.0\",\"id\":\"a\x01\"," + list + "}", "null", codeParse},
		{"not JSON: nested past the bound", deep, "null", codeParse},
		{"not JSON: endless brackets", strings.Repeat("[", maxLine), "null", codeParse},
		{"invalid UTF-8 in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"," + list + "}", "null", codeParse},
		{"invalid UTF-8: a surrogate", "{\"jsonrpc\":\"2.0\",\"id\":\"\xed\xa0\x80\"," + list + "}", "null", codeParse},
		{"invalid UTF-8 alone", "\x80", "null", codeParse},

		{"not an object: array", `[]`, "null", codeInvalidRequest},
		{"not an object: batch", `[{"jsonrpc":"2.0","id":1,` + list + `}]`, "null", codeInvalidRequest},
		{"not an object: number", `7`, "null", codeInvalidRequest},
		{"not an object: string", `"x"`, "null", codeInvalidRequest},
		{"not an object: null", `null`, "null", codeInvalidRequest},
		{"empty object", `{}`, "null", codeInvalidRequest},
		{"wrong jsonrpc", `{"jsonrpc":"1.0","id":3,` + list + `}`, "3", codeInvalidRequest},
		{"no jsonrpc", `{"id":"a",` + list + `}`, `"a"`, codeInvalidRequest},
		{"jsonrpc a number", `{"jsonrpc":2.0,"id":3,` + list + `}`, "3", codeInvalidRequest},
		{"no method", `{"jsonrpc":"2.0","id":902}`, "902", codeInvalidRequest},
		{"method a number", `{"jsonrpc":"2.0","id":4,"method":1}`, "4", codeInvalidRequest},
		{"method null", `{"jsonrpc":"2.0","id":4,"method":null}`, "4", codeInvalidRequest},
		{"neither id nor method", `{"jsonrpc":"2.0"}`, "null", codeInvalidRequest},
		{"neither id nor right jsonrpc", `{"jsonrpc":"1.0","method":"x"}`, "null", codeInvalidRequest},
		{"members are case-sensitive", `{"JSONRPC":"2.0","id":4,` + list + `}`, "4", codeInvalidRequest},

		{"id 0", `{"jsonrpc":"2.0","id":0,` + list + `}`, "0", 0},
		{"id negative", `{"jsonrpc":"2.0","id":-5,` + list + `}`, "-5", 0},
		{"id negative zero", `{"jsonrpc":"2.0","id":-0,` + list + `}`, "-0", 0},
		{"id past 53 bits", `{"jsonrpc":"2.0","id":9007199254740993,` + list + `}`, "9007199254740993", 0},
		{"id the greatest 64-bit", `{"jsonrpc":"2.0","id":18446744073709551615,` + list + `}`, "18446744073709551615", 0},
		{"id of any size", `{"jsonrpc":"2.0","id":1` + strings.Repeat("0", 400) + `,` + list + `}`, "1" + strings.Repeat("0", 400), 0},
		{"id a string", `{"jsonrpc":"2.0","id":"7",` + list + `}`, `"7"`, 0},
		{"id the empty string", `{"jsonrpc":"2.0","id":"",` + list + `}`, `""`, 0},
		{"id a string as it was written", `{"jsonrpc":"2.0","id":"\u043a <&>\/ ключ",` + list + `}`, `"\u043a <&>\/ ключ"`, 0},
		{"id a surrogate pair", `{"jsonrpc":"2.0","id":"\ud83d\ude00",` + list + `}`, `"\ud83d\ude00"`, 0},
		{"id half a surrogate pair", `{"jsonrpc":"2.0","id":"\ud83d",` + list + `}`, "null", codeInvalidRequest},
		{"id halves in the wrong order", `{"jsonrpc":"2.0","id":"\ude00\ud83d",` + list + `}`, "null", codeInvalidRequest},
		{"id an escaped backslash before u", `{"jsonrpc":"2.0","id":"\\ud83d",` + list + `}`, `"\\ud83d"`, 0},
		{"id null", `{"jsonrpc":"2.0","id":null,` + list + `}`, "null", codeInvalidRequest},
		{"id true", `{"jsonrpc":"2.0","id":true,` + list + `}`, "null", codeInvalidRequest},
		{"id a fraction", `{"jsonrpc":"2.0","id":1.0,` + list + `}`, "null", codeInvalidRequest},
		{"id an exponent", `{"jsonrpc":"2.0","id":1e0,` + list + `}`, "null", codeInvalidRequest},
		{"id an exponent, capital", `{"jsonrpc":"2.0","id":1E2,` + list + `}`, "null", codeInvalidRequest},
		{"id an array", `{"jsonrpc":"2.0","id":[1],` + list + `}`, "null", codeInvalidRequest},
		{"id an object", `{"jsonrpc":"2.0","id":{},` + list + `}`, "null", codeInvalidRequest},

		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", 0},
		{"notification of an unknown method", `{"jsonrpc":"2.0","method":"nope","params":{}}`, "", 0},
		{"notification of a call", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"index","arguments":{}}}`, "", 0},
		{"notification with wrong params", `{"jsonrpc":"2.0","method":"tools/list","params":[]}`, "", 0},

		{"unknown method", `{"jsonrpc":"2.0","id":6,"method":"no/such"}`, "6", codeNoMethod},
		{"unknown method: ping", `{"jsonrpc":"2.0","id":6,"method":"ping"}`, "6", codeNoMethod},
		{"unknown method: the empty one", `{"jsonrpc":"2.0","id":6,"method":""}`, "6", codeNoMethod},
		{"unknown method: other case", `{"jsonrpc":"2.0","id":6,"method":"tools/List"}`, "6", codeNoMethod},
		{"unknown method: half a surrogate pair", `{"jsonrpc":"2.0","id":6,"method":"tools/list\ud800"}`, "6", codeNoMethod},

		{"list: params an array", `{"jsonrpc":"2.0","id":8,` + list + `,"params":[]}`, "8", codeInvalidParams},
		{"list: params null", `{"jsonrpc":"2.0","id":8,` + list + `,"params":null}`, "8", codeInvalidParams},
		{"list: unknown member ignored", `{"jsonrpc":"2.0","id":8,` + list + `,"params":{"cursor":"x"}}`, "8", 0},
		{"call: no params", call(""), "9", codeInvalidParams},
		{"call: params an array", call(`[]`), "9", codeInvalidParams},
		{"call: no name", call(`{"arguments":{}}`), "9", codeInvalidParams},
		{"call: name a number", call(`{"name":1,"arguments":{}}`), "9", codeInvalidParams},
		{"call: unknown tool", call(`{"name":"delete","arguments":{}}`), "9", codeInvalidParams},
		{"call: tool in other case", call(`{"name":"Status","arguments":{}}`), "9", codeInvalidParams},
		{"call: no arguments", call(`{"name":"status"}`), "9", codeInvalidParams},
		{"call: arguments null", call(`{"name":"status","arguments":null}`), "9", codeInvalidParams},
		{"call: arguments an array", call(`{"name":"status","arguments":[]}`), "9", codeInvalidParams},
		{"call: another member", call(`{"name":"status","arguments":{},"root":"/"}`), "9", codeInvalidParams},
		{"call", call(`{"name":"status","arguments":{}}`), "9", 0},

		{"duplicate keys: last method", `{"jsonrpc":"2.0","id":1,"method":"nope",` + list + `}`, "1", 0},
		{"duplicate keys: last id", `{"jsonrpc":"2.0","id":null,"id":12,` + list + `}`, "12", 0},
		{"duplicate keys: escaped", `{"jsonrpc":"2.0","id":1,"\u0069d":13,` + list + `}`, "13", 0},
		{"duplicate keys: last arguments", call(`{"name":"status","arguments":[],"arguments":{}}`), "9", 0},
		{"unknown member of the request", `{"jsonrpc":"2.0","id":14,` + list + `,"trace":1}`, "14", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakeOperations{}
			s := newReadySession(t, f)
			answer := s.answer(context.Background(), []byte(test.line))
			if test.id == "" {
				if answer != nil || f.calls > 0 {
					t.Fatalf("answered with %s, %d calls", answer, f.calls)
				}
				return
			}
			m, err := admitLine(answer)
			if err != nil {
				t.Fatalf("%s: %v", answer, err)
			}
			if string(m.ID) != test.id || m.Code != test.code {
				t.Fatalf("got id %s code %d %s, want id %s code %d", m.ID, m.Code, m.Text, test.id, test.code)
			}
			ask(t, s, call(`{"name":"status","arguments":{}}`)) // it goes on
		})
	}
}

func call(params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return `{"jsonrpc":"2.0","id":9,"method":"tools/call"` + params + `}`
}

func TestOversizedLines(t *testing.T) {
	pad := strings.Repeat("x", maxLine)
	long := `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"pad":"` + pad + `"}}`
	lines := serveAll(t, newSession(&fakeOperations{}), initializeLine+"\n"+long+"\n"+pad+pad+pad+"\n"+call(`{"name":"status","arguments":{}}`)+"\n")
	want := []string{`1 0`, `null -32600`, `null -32600`, `9 0`}
	if len(lines) != len(want) {
		t.Fatalf("%d answers, want %d", len(lines), len(want))
	}
	for i, line := range lines {
		m, err := admitLine([]byte(line))
		if got := fmt.Sprintf("%s %d", m.ID, m.Code); err != nil || got != want[i] {
			t.Errorf("answer %d: %s, %v; want %s", i, got, err, want[i])
		}
	}
}

// tools/* before a successful initialize is -32002, also after a refused one (P-4).
func TestNotInitialized(t *testing.T) {
	refusal := provider.NewError(provider.RootIsHome, "")
	s := newSession(nil)
	s.admit = func(context.Context) (operations, error) { return nil, refusal }
	lines := []string{
		`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, call(`{"name":"status","arguments":{}}`), call(`[]`),
		`{"jsonrpc":"2.0","id":9,"method":"tools/none"}`,
	}
	for range 2 {
		for _, line := range lines {
			if m := ask(t, s, line); m.Code != codeNotInitialized {
				t.Errorf("%s: %d %s", line, m.Code, m.Text)
			}
		}
		if m := ask(t, s, initializeLine); m.Code != codeAdmission {
			t.Errorf("initialize: %d %s", m.Code, m.Text)
		}
	}
	if m := ask(t, s, `{"jsonrpc":"2.0","id":9,"method":"ping"}`); m.Code != codeNoMethod {
		t.Errorf("ping: %d", m.Code)
	}
}

func TestWriteAndReadFailuresEndServe(t *testing.T) {
	f := &fakeOperations{}
	s := newSession(f)
	broken := errors.New("broken pipe")
	err := s.serve(context.Background(), strings.NewReader(initializeLine+"\n"), writerFunc(func([]byte) (int, error) { return 0, broken }))
	if !errors.Is(err, broken) || f.closed != 1 {
		t.Errorf("write: %v, closed %d times", err, f.closed)
	}
	err = newSession(f).serve(context.Background(), readerFunc(func([]byte) (int, error) { return 0, broken }), &strings.Builder{})
	if !errors.Is(err, broken) {
		t.Errorf("read: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
