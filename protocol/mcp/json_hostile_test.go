package mcp

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Bytes that are not UTF-8, or escapes that stand for none, are refused where they would be read, written or searched for;
// they are never replaced by others (M-32, M-37, M-44).
func TestNoUnicode(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	for _, broken := range []string{"a\xff", "\xc0\xae", "\xed\xa0\x80", `\ud800`, `\udc00x`, "\xf5\x80\x80\x80", `\ud800\u0041`} {
		for _, c := range []struct{ tool, arguments, code string }{
			{"read_file", `{"project_id":"alpha","path":"%s"}`, "invalid_path"},
			{"tree", `{"project_id":"alpha","path":"%s"}`, "invalid_path"},
			{"create_file", `{"project_id":"alpha","path":"docs/%s.md","content":""}`, "invalid_path"},
			{"create_file", `{"project_id":"alpha","path":"docs/a.md","content":"%s"}`, "not_text"},
			{"grep", `{"project_id":"alpha","pattern":"%s"}`, "invalid_arguments"},
			{"glob", `{"project_id":"alpha","pattern":"%s"}`, "invalid_arguments"},
			{"search", `{"project_id":"alpha","query":"%s"}`, "invalid_arguments"},
			{"tree", `{"project_id":"%s"}`, "invalid_arguments"},
			{"tree", `{"project_id":"alpha","%s":1}`, "invalid_arguments"},
		} {
			if o := h.call(t, c.tool, fmt.Sprintf(c.arguments, broken)); o.code != c.code {
				t.Errorf("%s %q: %s", c.tool, fmt.Sprintf(c.arguments, broken), o.raw)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, "ws/alpha/docs")); err == nil {
		t.Error("something was written")
	}
}

// What the headers of 2026-07-28 say is what is done: a body that says a thing twice, in whatever case, cannot have one
// tool judged and another one run (M-6).
func TestSayingTwice(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	create := `{"project_id":"alpha","path":"docs/twice.md","content":"x"}`
	for _, params := range []string{
		`"name":"health","name":"create_file","arguments":` + create, `"name":"create_file","name":"health","arguments":` + create,
		`"name":"health","Name":"create_file","arguments":` + create, `"NAME":"create_file","name":"health","arguments":` + create,
		`"name":"health","n\u0061me":"create_file","arguments":` + create,
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":` + modernMeta + `,` + params + `}}`
		h.post(body, "MCP-Protocol-Version", modernVersion, "Mcp-Method", "tools/call", "Mcp-Name", "health")
	}
	for _, envelope := range []string{`"method":"tools/list","method":"tools/call"`, `"method":"tools/list","Method":"tools/call"`, `"METHOD":"tools/call","method":"tools/list"`} {
		body := `{"jsonrpc":"2.0","id":1,` + envelope + `,"params":{"_meta":` + modernMeta + `,"name":"create_file","arguments":` + create + `}}`
		h.post(body, "MCP-Protocol-Version", modernVersion, "Mcp-Method", "tools/list", "Mcp-Name", "create_file")
	}
	if tools := w.auditedTools(); tools["create_file"] != 0 {
		t.Errorf("calls: %v", tools)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "ws/alpha/docs")); err == nil {
		t.Error("something was written")
	}
}

// An argument that is given twice is used as the audit log tells it (M-68).
func TestArgumentsTwice(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	for _, arguments := range []string{`{"project_id":"none","project_id":"alpha","path":"README.md"}`, `{"project_id":"alpha","project_id":"none","path":"README.md"}`} {
		before := len(w.log.String())
		o := h.call(t, "read_file", arguments)
		line := w.log.String()[before:]
		if (o.code == "") != strings.Contains(line, `"scope":"project:alpha"`) {
			t.Errorf("%s: %s, audited as %s", arguments, o.raw, line)
		}
	}
}

// A body of many messages is for the one revision that has them; of any other it is refused whole (M-4, M-6).
func TestBatchesOverHTTP(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	one := callLine(1, "health", `{}`, "")
	modern := callLine(1, "health", `{}`, modernMeta)
	for _, c := range []struct {
		body, version string
		status        int
	}{
		{`[` + one + `]`, "2025-11-25", 400}, {`[` + one + `]`, "2025-06-18", 400}, {`[` + modern + `]`, modernVersion, 400}, {`[]`, "", 400},
		{`[[` + one + `]]`, "", 400}, {`[1]`, "", 400}, {`[` + one + `,`, "", 400}, {`[null]`, "", 400},
		{strings.Repeat("[", 20000), "", 400}, {strings.Repeat(`{"a":`, 20000), "", 400}, {"\xef\xbb\xbf" + one, "", 400}, {"null", "", 400}, {`"x"`, "", 400},
	} {
		if r := h.post(c.body, "MCP-Protocol-Version", c.version, "Mcp-Method", "tools/call", "Mcp-Name", "health"); r.StatusCode != c.status {
			t.Errorf("%.60q as %q: %d %.200s", c.body, c.version, r.StatusCode, r.body)
		}
	}
	if tools := w.auditedTools(); len(tools) > 0 {
		t.Errorf("calls: %v", tools)
	}
}

// A body of very many calls costs no more places than others have, and leaves nothing behind (M-16).
func TestLargeBatchOverHTTP(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	const many = 2000
	var body strings.Builder
	for i := range many {
		body.WriteString(map[bool]string{true: "[", false: ","}[i == 0] + callLine(i+1, "read_file", `{"project_id":"alpha","path":"README.md"}`, ""))
	}
	before := runtime.NumGoroutine()
	r := h.post(body.String()+"]", "MCP-Protocol-Version", "2025-03-26")
	if n := strings.Count(r.body, `"structuredContent"`); r.StatusCode != http.StatusOK || n != many {
		t.Errorf("%d, %d results: %.300s", r.StatusCode, n, r.body)
	}
	http.DefaultClient.CloseIdleConnections()
	w.until(func() bool { return runtime.NumGoroutine() <= before+4 })
}
