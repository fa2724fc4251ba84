package plugin

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"projectknowledge/index/provider"
)

var zeroHash = strings.Repeat("0", 64)

// Every argument error is invalid_arguments, never a JSON-RPC error, and nothing is called (P-10, P-11).
func TestArgumentsRefused(t *testing.T) {
	read := func(more string) string { return `{"path":"a.md","source_hash":"` + zeroHash + `"` + more + `}` }
	for _, test := range []struct{ tool, arguments string }{
		{"index", `{"mode":"full"}`}, {"index", `{"mode":"Refresh"}`}, {"index", `{"mode":null}`}, {"index", `{"mode":1}`},
		{"index", `{"mode":["refresh"]}`}, {"index", `{"mode":""}`}, {"index", `{"root":"/"}`}, {"index", `{"cache":"/"}`},
		{"index", `{"Mode":"refresh"}`}, {"index", `{"mode":"refresh","env":{}}`},
		{"status", `{"verbose":true}`}, {"status", `{"":1}`},
		{"search", `{}`}, {"search", `{"query":""}`}, {"search", `{"query":null}`}, {"search", `{"query":7}`},
		{"search", `{"query":["alpha"]}`}, {"search", `{"query":"` + strings.Repeat("知", 1025) + `"}`},
		{"search", `{"query":"\ud800"}`}, {"search", `{"query":"a\udc00b"}`}, {"search", `{"query":"\ud800\u0041"}`},
		{"search", `{"query":"alpha","limit":0}`}, {"search", `{"query":"alpha","limit":21}`}, {"search", `{"query":"alpha","limit":-1}`},
		{"search", `{"query":"alpha","limit":5.0}`}, {"search", `{"query":"alpha","limit":5e0}`}, {"search", `{"query":"alpha","limit":1E1}`},
		{"search", `{"query":"alpha","limit":"5"}`}, {"search", `{"query":"alpha","limit":true}`}, {"search", `{"query":"alpha","limit":null}`},
		{"search", `{"query":"alpha","limit":[5]}`}, {"search", `{"query":"alpha","limit":9223372036854775808}`},
		{"search", `{"query":"alpha","limit":1180591620717411303424}`}, {"search", `{"query":"alpha","root":"/"}`},
		{"search", `{"query":"alpha","query\ud800":"x"}`},
		{"read", `{}`}, {"read", `{"path":"a.md"}`}, {"read", `{"source_hash":"` + zeroHash + `"}`},
		{"read", `{"path":"","source_hash":"` + zeroHash + `"}`}, {"read", `{"path":"a.md","source_hash":"abc"}`},
		{"read", `{"path":"a.md","source_hash":"` + zeroHash + `0"}`}, {"read", read(`,"start_line":0`)}, {"read", read(`,"start_line":-4`)},
		{"read", read(`,"end_line":0`)}, {"read", read(`,"start_line":1.5`)}, {"read", read(`,"end_line":"3"`)},
		{"read", `{"path":"` + strings.Repeat("a", 1025) + `","source_hash":"` + zeroHash + `"}`},
	} {
		f := &fakeOperations{}
		structured, isError := callTool(t, newReadySession(t, f), test.tool, test.arguments)
		if !isError || errorCode(structured) != "invalid_arguments" || f.calls > 0 {
			t.Errorf("%s %.100s: %v, %d calls", test.tool, test.arguments, structured, f.calls)
		}
	}
}

// What is accepted reaches the operation with the value that the caller wrote.
func TestArgumentsAccepted(t *testing.T) {
	var mode provider.Mode
	var search provider.SearchRequest
	var read provider.ReadRequest
	f := &fakeOperations{
		index: func(_ context.Context, r provider.IndexRequest) (*provider.IndexResult, error) {
			mode = r.Mode
			return &provider.IndexResult{}, nil
		},
		search: func(_ context.Context, r provider.SearchRequest) (*provider.SearchResult, error) {
			search = r
			return &provider.SearchResult{}, nil
		},
		read: func(_ context.Context, r provider.ReadRequest) (*provider.ReadResult, error) {
			read = r
			return &provider.ReadResult{}, nil
		},
	}
	s := newReadySession(t, f)
	for arguments, want := range map[string]provider.Mode{
		`{}`: provider.Rebuild, `{"mode":"rebuild"}`: provider.Rebuild, `{"mode":"refresh"}`: provider.Refresh,
		`{"mode":1,"mode":"refresh"}`: provider.Refresh, `{"mode":"re\u0066resh"}`: provider.Refresh,
	} {
		if _, isError := callTool(t, s, "index", arguments); isError || mode != want {
			t.Errorf("index %s: mode %q, error %v", arguments, mode, isError)
		}
	}
	longest := strings.Repeat("😀", 1024)
	for arguments, want := range map[string]provider.SearchRequest{
		`{"query":"x"}`:                      {Query: "x"},
		`{"query":"a\u0000\u001b b"}`:        {Query: "a\x00\x1b b"},
		`{"query":"\ud83d\ude00","limit":1}`: {Query: "😀", Limit: 1},
		`{"query":" ","limit":20}`:           {Query: " ", Limit: 20},
		`{"query":"` + longest + `"}`:        {Query: longest},
	} {
		if _, isError := callTool(t, s, "search", arguments); isError || search.Query != want.Query || search.Limit != want.Limit {
			t.Errorf("search %.60s: %+v, error %v", arguments, search, isError)
		}
	}
	arguments := `{"path":"d/文.md","source_hash":"` + zeroHash + `","start_line":3,"end_line":1000000000000}`
	want := provider.ReadRequest{Path: "d/文.md", SourceHash: zeroHash, StartLine: 3, EndLine: 1000000000000}
	if _, isError := callTool(t, s, "read", arguments); isError || read != want {
		t.Errorf("read: %+v, error %v", read, isError)
	}
}

// What the Runner lets through by the schema is refused by us only for the ranges, which the schema cannot say.
func TestSchemaAndChecksAgree(t *testing.T) {
	_, catalogue, err := admitCatalogue(ask(t, newReadySession(t, &fakeOperations{}), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`).Result)
	if err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{
		`{}`, `{"mode":"rebuild"}`, `{"mode":"x"}`, `{"mode":1}`, `{"query":"x"}`, `{"query":""}`, `{"query":"x","limit":3}`,
		`{"query":"x","limit":3.0}`, `{"query":"x","limit":3e1}`, `{"query":"x","more":1}`, `{"path":"a","source_hash":"` + zeroHash + `"}`,
		`{"path":"a","source_hash":"` + zeroHash + `","end_line":9}`, `{"path":"a","source_hash":"0"}`, `{"path":null}`,
	} {
		for _, tool := range tools {
			value, err := decode([]byte(arguments))
			if err != nil {
				t.Fatal(err)
			}
			schema := catalogue[tool.name]["inputSchema"].(map[string]any)
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(arguments), &members); err != nil {
				t.Fatal(err)
			}
			_, refusal := decodeArguments(tool.parameters, members)
			if schemaMatches(schema, value) != (refusal == nil) {
				t.Errorf("%s %s: schema %v, our check %v", tool.name, arguments, schemaMatches(schema, value), refusal)
			}
		}
	}
}
