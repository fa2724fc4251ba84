package plugin

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// A transcript is a conversation with the built program as a readable file: "> " before what is sent, "< " before what
// comes back, "# " before a remark or a deed outside the conversation. Hashes, revisions and times are replaced by words.
type transcript struct {
	t    *testing.T
	text strings.Builder
	p    *process
	w    *world
}

// normal replaces what differs from run to run.
var normal = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`"indexed_at_unix":\d+`), `"indexed_at_unix":TIME`},
	{regexp.MustCompile(`"(revision|index_revision|observed_revision)":"[0-9a-f]{40,64}"`), `"$1":"REVISION"`},
	{regexp.MustCompile(`"source_hash":"[1-9a-f][0-9a-f]{63}"`), `"source_hash":"HASH"`},
}

func normalised(line string) string {
	for _, n := range normal {
		line = n.pattern.ReplaceAllString(line, n.word)
	}
	return line
}

// transcriptFiles is the small project of the transcripts.
var transcriptFiles = map[string]string{
	"README.md":       "# Sample\n\nThe lighthouse keeper writes a log.\n",
	"src/parser.go":   "package src\n\n// parseHTTPRequest reads one request.\nfunc parseHTTPRequest(b []byte) error {\n\treturn nil\n}\n",
	"docs/intro.md":   "# 介绍\n\n这个项目知识库保存源代码。\n",
	"docs/control.md": "bell \a escape \x1b[31m next \u0085 end\n",
	"wide.txt":        "one line " + strings.Repeat("wide ", 4000) + "\nshort line\n",
	".env":            "A=1\n",
	"logo.png":        "\x89PNG\r\n",
	"secrets/plan.md": "otter\n",
	"latin.md":        "caf\xe9\n",
}

func newTranscript(t *testing.T) *transcript {
	t.Helper()
	w := newWorld(t)
	for path, text := range transcriptFiles {
		w.write(w.root, path, []byte(text))
	}
	w.repository(w.root)
	r := &transcript{t: t, w: w}
	r.restart()
	return r
}

func (r *transcript) restart() {
	r.p = r.w.start(r.w.root, nil)
}

func (r *transcript) remark(format string, args ...any) {
	fmt.Fprintf(&r.text, "# "+format+"\n", args...)
}

// send writes one line and notes the answer to it; a line that is silent is noted without one.
func (r *transcript) send(line string, silent bool) {
	r.t.Helper()
	fmt.Fprintf(&r.text, "> %s\n", normalised(line))
	r.p.send([]byte(line))
	if silent {
		return // the next answer shows that nothing came
	}
	answer, ok := <-r.p.lines
	if !ok {
		r.t.Fatalf("the process ended after %s; stderr: %s", line, r.p.stderr.String())
	}
	r.admit(answer)
	fmt.Fprintf(&r.text, "< %s\n", normalised(strings.TrimSuffix(string(answer), "\n")))
}

func (r *transcript) admit(answer []byte) {
	r.t.Helper()
	m, err := admitLine(answer)
	if err == nil && strings.HasPrefix(string(m.Result), `{"content"`) {
		_, _, err = admitResult(m.Result)
	}
	if err != nil {
		r.t.Fatalf("answer %.300q: %v", answer, err)
	}
	for _, secret := range r.p.secrets {
		if strings.Contains(string(answer), secret) {
			r.t.Fatalf("the answer names %q: %.300q", secret, answer)
		}
	}
}

func (r *transcript) tool(id int, name, arguments string) {
	r.t.Helper()
	r.send(fmt.Sprintf(`{"id":%d,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":%s,"name":%q}}`, id, arguments, name), false)
}

func (r *transcript) start() {
	r.t.Helper()
	r.send(initializeLine, false)
}

func (r *transcript) hash(path string) string { return hashOf(filepath.Join(r.w.root, path)) }

// compare holds the transcript to the file, or rewrites it.
func (r *transcript) compare(name string) {
	r.t.Helper()
	r.p.end()
	path := filepath.Join("testdata", "transcripts", name+".txt")
	if *update {
		r.w.must(os.MkdirAll(filepath.Dir(path), 0o755))
		r.w.must(os.WriteFile(path, []byte(r.text.String()), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	r.w.must(err)
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(r.text.String(), "\n")
	for i := range max(len(wantLines), len(gotLines)) {
		if i >= len(wantLines) || i >= len(gotLines) || wantLines[i] != gotLines[i] {
			r.t.Fatalf("%s, line %d:\n got %s\nwant %s\n(go test -update rewrites the file)", path, i+1, lineAt(gotLines, i), lineAt(wantLines, i))
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func TestTranscriptSession(t *testing.T) {
	t.Parallel()
	r := newTranscript(t)
	r.start()
	r.send(`{"id":2,"jsonrpc":"2.0","method":"tools/list","params":{}}`, false)
	r.tool(3, "status", `{}`)
	r.tool(4, "index", `{}`)
	r.tool(5, "status", `{}`)
	r.tool(6, "search", `{"query":"lighthouse keeper"}`)
	r.tool(7, "search", `{"query":"parseHTTPRequest","limit":1}`)
	r.tool(8, "search", `{"query":"项目知识"}`)
	r.tool(9, "search", `{"query":"zeppelin"}`)
	r.tool(10, "read", `{"path":"src/parser.go","source_hash":"`+r.hash("src/parser.go")+`","start_line":3,"end_line":4}`)
	r.tool(11, "read", `{"path":"docs/control.md","source_hash":"`+r.hash("docs/control.md")+`"}`)
	r.remark("README.md is changed")
	r.w.write(r.w.root, "README.md", []byte("# Sample\n\nThe heron stands still.\n"))
	r.tool(12, "search", `{"query":"lighthouse"}`)
	r.tool(13, "index", `{"mode":"refresh"}`)
	r.tool(14, "search", `{"query":"heron"}`)
	r.compare("session")
}

func TestTranscriptErrors(t *testing.T) {
	t.Parallel()
	r := newTranscript(t)
	zero := strings.Repeat("0", 64)
	r.remark("before initialize")
	r.send(`{"id":1,"jsonrpc":"2.0","method":"tools/list","params":{}}`, false)
	r.send(`{"id":2,"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"webcodex-plugin-v2"}}`, false)
	r.send(`{"id":3,"jsonrpc":"2.0","method":"initialize"}`, false)
	r.start()
	r.remark("framing and envelope")
	for _, line := range []string{
		`{nope`, `[]`, `{}`, `{"id":4,"jsonrpc":"1.0","method":"tools/list"}`, `{"id":5,"jsonrpc":"2.0"}`,
		`{"id":null,"jsonrpc":"2.0","method":"tools/list"}`, `{"id":1.5,"jsonrpc":"2.0","method":"tools/list"}`,
		`{"id":"six","jsonrpc":"2.0","method":"no/such"}`, `{"id":7,"jsonrpc":"2.0","method":"tools/call"}`,
		`{"id":8,"jsonrpc":"2.0","method":"tools/call","params":{"name":"none","arguments":{}}}`,
		`{"id":9,"jsonrpc":"2.0","method":"tools/call","params":{"name":"status"}}`,
	} {
		r.send(line, false)
	}
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, true)
	r.remark("arguments")
	r.tool(10, "index", `{"mode":"full"}`)
	r.tool(11, "status", `{"root":"/"}`)
	r.tool(12, "search", `{}`)
	r.tool(13, "search", `{"query":"x","limit":5.0}`)
	r.tool(14, "search", `{"query":"x","limit":21}`)
	r.tool(15, "read", `{"path":"README.md","source_hash":"abc"}`)
	r.tool(16, "read", `{"path":"README.md","source_hash":"`+strings.Repeat("A", 64)+`"}`)
	r.tool(17, "read", `{"path":"README.md","source_hash":"`+zero+`","start_line":3,"end_line":2}`)
	r.remark("search")
	r.tool(20, "search", `{"query":"x"}`)
	r.tool(21, "index", `{}`)
	r.tool(22, "search", `{"query":"!?"}`)
	r.remark("read")
	for i, path := range []string{"/etc/hosts", "../x", "src//parser.go", ".env", "none.md", "secrets/plan.md", "logo.png", "latin.md", "README.md"} {
		r.tool(30+i, "read", `{"path":"`+path+`","source_hash":"`+zero+`"}`)
	}
	r.tool(40, "read", `{"path":"README.md","source_hash":"`+r.hash("README.md")+`","start_line":4}`)
	r.tool(41, "read", `{"path":"wide.txt","source_hash":"`+r.hash("wide.txt")+`"}`)
	r.remark("the index file is damaged")
	r.damageIndex()
	r.tool(50, "status", `{}`)
	r.tool(51, "search", `{"query":"lighthouse"}`)
	r.tool(52, "index", `{"mode":"refresh"}`)
	r.remark("the Git index is damaged")
	r.w.write(r.w.root, ".git/index", []byte("DIRC garbage"))
	r.tool(53, "index", `{}`)
	r.w.must(os.Remove(filepath.Join(r.w.root, ".git", "index")))
	r.remark("the cache directory is open to others")
	r.w.must(os.Chmod(filepath.Join(r.w.cache, "webcodex-project-knowledge"), 0o755))
	r.tool(54, "index", `{}`)
	r.remark("the root is replaced")
	r.w.must(os.Rename(r.w.root, r.w.root+"-moved"))
	r.w.must(os.Mkdir(r.w.root, 0o755))
	r.tool(55, "status", `{}`)
	r.compare("errors")
}

func (r *transcript) damageIndex() {
	run := &caseRun{world: r.w}
	r.w.must(run.damageCache("text"))
}

// A refused admission answers with its code, and every tool with -32002 (P-4).
func TestTranscriptRefused(t *testing.T) {
	t.Parallel()
	r := newTranscript(t)
	places := []struct {
		name, dir string
		env       map[string]string
	}{
		{"a subdirectory", filepath.Join(r.w.root, "src"), nil},
		{"no repository", r.w.out, nil},
		{"the home directory", r.w.root, map[string]string{"HOME": r.w.root}},
		{"the filesystem root", "/", nil},
		{"no Git", r.w.root, map[string]string{"PATH": r.w.out}},
		{"no temporary directory for the probe", r.w.root, map[string]string{"TMPDIR": filepath.Join(r.w.out, "none")}},
	}
	for _, place := range places {
		r.p.end()
		r.remark("%s", place.name)
		r.p = r.w.start(place.dir, place.env)
		r.start()
		r.send(`{"id":2,"jsonrpc":"2.0","method":"tools/list","params":{}}`, false)
	}
	r.compare("refused")
}
