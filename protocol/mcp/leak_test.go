package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/registry"
)

// A listener keeps everything that a server has answered, headers included.
type listener struct {
	*world
	server *httpServer
	heard  strings.Builder
	codes  map[string]bool
}

// headerSecret is what every call is sent along with.
const headerSecret = "HEADER-SECRET"

func (l *listener) call(tool, arguments string) outcome {
	l.t.Helper()
	r := l.server.post(callLine(1, tool, arguments, ""), "MCP-Protocol-Version", "2025-11-25",
		"Authorization", "Bearer "+headerSecret, "Cookie", "c="+headerSecret, "X-Forwarded-For", headerSecret, "User-Agent", headerSecret)
	l.keep(r)
	m := r.message(l.t)
	if m.Error != nil {
		return outcome{}
	}
	o := outcomeOf(l.t, m.Result)
	l.codes[o.code] = true
	return o
}

func (l *listener) keep(r response) {
	_ = r.Header.Write(&l.heard)
	l.heard.WriteString(r.Status + r.body)
}

// strangePaths are paths that are refused in many ways.
func strangePaths(root string) []string {
	return []string{root, root + "/README.md", "../alpha", ".env", "no.txt", "src", url.PathEscape(root), url.PathEscape(root + "/x"), "%2e%2e/alpha", "to-outside"}
}

// everyCall calls every tool in the ordinary way and in some that are refused, with paths.
func (l *listener) everyCall(root string, paths ...string) {
	for _, call := range everyTool(nil) {
		l.call(call.tool, call.arguments)
		l.call(call.tool, strings.Replace(call.arguments, "alpha", "none", 1))
	}
	for _, path := range append(paths, "README.md", "docs/plan.md") {
		for _, tool := range []string{"read_file", "list_dir", "tree", "git_diff", "create_file", "begin_document"} {
			extra := map[string]string{"create_file": `,"content":"x"`}[tool]
			l.call(tool, fmt.Sprintf(`{"project_id":"alpha","path":%q%s}`, path, extra))
		}
		l.call("grep", fmt.Sprintf(`{"project_id":"alpha","path":%q,"pattern":"x"}`, path))
		l.call("read", fmt.Sprintf(`{"project_id":"alpha","path":%q,"source_hash":%q}`, path, strings.Repeat("0", 64)))
	}
	for _, r := range []response{
		l.server.do("GET", "/healthz", ""), l.server.do("GET", root, ""), l.server.do("GET", "/mcp", ""), l.server.post("{"), l.server.post(`{"jsonrpc":"2.0","id":1,"method":"no/such"}`),
		l.server.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), l.server.post(initializeLine), l.server.do("POST", "/mcp", "x", "Host", "evil.example"),
	} {
		l.keep(r)
	}
}

// A misfortune is a state of the machine.
type misfortune struct {
	name string
	set  func(w *world, root string)
	code string // that shows the state to be what it should be
}

// paths are those that are asked for in that state: the strange ones have the same answers in each.
func (m *misfortune) paths(root string) []string {
	if m.code == "" {
		return strangePaths(root)
	}
	return nil
}

// misfortunes are states of the machine in which errors have causes that name its paths.
var misfortunes = []misfortune{
	{"in order", func(*world, string) {}, ""},
	{"a broken index of Git", func(w *world, root string) {
		w.must(os.WriteFile(filepath.Join(root, ".git/index"), []byte("DIRC"+strings.Repeat("x", 100)), 0o644))
	}, "git_failed"},
	{"a broken configuration of Git", func(w *world, root string) {
		w.must(os.WriteFile(filepath.Join(root, ".git/config"), []byte("[core\n"+root), 0o644))
	}, "git_failed"},
	{"a repository elsewhere", func(w *world, root string) {
		w.must(os.RemoveAll(filepath.Join(root, ".git")))
		w.must(os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: "+w.dir+"/elsewhere\n"), 0o644))
	}, "git_unavailable"},
	{"a cache that is a file", func(w *world, _ string) {
		w.must(os.RemoveAll(w.places.Cache))
		w.must(os.MkdirAll(filepath.Dir(w.places.Cache), 0o700))
		w.must(os.WriteFile(w.places.Cache, nil, 0o600))
	}, "cache_unsafe"},
	{"a cache for everybody", func(w *world, _ string) {
		w.must(os.MkdirAll(w.places.Cache, 0o700))
		w.must(os.Chmod(w.places.Cache, 0o777))
	}, "cache_unsafe"},
	{"a staging directory that is gone", func(w *world, _ string) { w.must(os.RemoveAll(w.places.Staging)) }, "write_failed"},
	{"a write directory that is a file", func(w *world, root string) {
		w.must(os.RemoveAll(filepath.Join(root, "docs")))
		w.must(os.WriteFile(filepath.Join(root, "docs"), nil, 0o600))
	}, ""},
	{"a write directory elsewhere", func(w *world, root string) {
		w.must(os.RemoveAll(filepath.Join(root, "docs")))
		w.must(os.Symlink(w.dir, filepath.Join(root, "docs")))
	}, "symlink_parent"},
	{"a root that is gone", func(w *world, root string) { w.must(os.Rename(root, root+"-gone")) }, "project_unavailable"},
	{"a root that is a file", func(w *world, root string) {
		w.must(os.RemoveAll(root))
		w.must(os.WriteFile(root, nil, 0o600))
	}, "project_unavailable"},
	{"a registry with a forbidden root", func(w *world, _ string) { w.projects(map[string]string{"alpha": "root: " + w.places.Config}) }, "registry_invalid"},
	{"a registry that is none", func(w *world, _ string) {
		w.must(os.WriteFile(filepath.Join(w.places.Config, registry.ProjectsFile), []byte(w.dir+": ["+w.dir), 0o600))
	}, "registry_invalid"},
}

// No byte of any answer tells where anything of this installation is, or what else a request carried (M-29, M-44).
func TestNothingOfTheMachine(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range misfortunes {
		t.Run(c.name, func(t *testing.T) {
			w, _ := transcriptWorld(t)
			root := filepath.Join(w.dir, "ws", "alpha")
			w.must(os.Symlink(w.places.Config, filepath.Join(root, "to-outside")))
			l := &listener{world: w, server: w.http(w.server()), codes: map[string]bool{}}
			c.set(w, root)
			l.everyCall(root, c.paths(root)...)
			if !l.codes[c.code] {
				t.Errorf("no answer has the code %q: %v", c.code, slices.Sorted(maps.Keys(l.codes)))
			}
			heard := l.heard.String()
			for _, secret := range []string{w.dir, url.PathEscape(w.dir), os.TempDir(), headerSecret, "host:" + host, fmt.Sprint("pid", os.Getpid())} {
				if at := strings.Index(heard, secret); at >= 0 {
					t.Errorf("%q: …%s…", secret, heard[max(0, at-300):min(len(heard), at+200)])
				}
			}
			if len(host) > 5 && strings.Contains(heard, host) {
				t.Errorf("the name of the machine, %s", host)
			}
		})
	}
}

// The audit log has what M-68 names and nothing else, over HTTP and for what is refused as well.
func TestAuditOverHTTP(t *testing.T) {
	w, _ := transcriptWorld(t)
	name := filepath.Join(w.dir, "audit.log")
	w.env["PROJECT_MCP_AUDIT_LOG"] = name
	root := filepath.Join(w.dir, "ws", "alpha")
	l := &listener{world: w, server: w.http(w.server()), codes: map[string]bool{}}
	l.everyCall(root, strangePaths(root)...)
	id, _ := l.call("begin_document", `{"project_id":"alpha","path":"docs/long.md"}`).content["upload_id"].(string)
	for _, call := range []struct{ tool, arguments string }{
		{"write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":0,"content":"CONTENT-SECRET"}`, id)},
		{"write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":"x%s","index":0,"content":"CONTENT-SECRET"}`, id)},
		{"finish_document", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"total_chunks":7}`, id)},
		{"create_file", `{"project_id":"alpha","path":"docs/c.md","content":"CONTENT-SECRET"}`},
		{"grep", `{"project_id":"alpha","pattern":"PATTERN-SECRET"}`}, {"grep", `{"project_id":"alpha","pattern":"PATTERN-SECRET("}`},
		{"glob", `{"project_id":"alpha","pattern":"PATTERN-SECRET/**"}`}, {"search", `{"project_id":"alpha","query":"QUERY-SECRET","path_glob":"PATTERN-SECRET"}`},
		{"tree", `{"project_id":"alpha","ARGUMENT-SECRET":1}`}, {"tree", `{"project_id":"alpha","max_depth":"ARGUMENT-SECRET"}`},
		{"read", fmt.Sprintf(`{"project_id":"alpha","path":"README.md","source_hash":%q}`, strings.Repeat("f", 64))},
		{"tree", `{"project_id":"alpha","path":"` + strings.Repeat("deep/", 300) + `end"}`},
		{"tree", `{"project_id":"alpha","path":"a\u0001\nb"}`}, {"tree", fmt.Sprintf(`{"project_id":%q}`, root)}, {"tree", fmt.Sprintf(`{"grant_id":%q}`, root)},
	} {
		l.call(call.tool, call.arguments)
	}
	text, err := os.ReadFile(name)
	w.must(err)
	log := string(text)
	for _, secret := range []string{w.dir, url.PathEscape(w.dir), "-SECRET", id, strings.Repeat("f", 64), "needle", "127.0.0.1", "evil.example"} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("%q: …%s…", secret, log[max(0, at-200):min(len(log), at+200)])
		}
	}
	members := []string{"duration_ms", "outcome", "path", "result_bytes", "scope", "tool", "transport", "ts"}
	for line := range strings.SplitSeq(strings.TrimSuffix(log, "\n"), "\n") {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil || !slices.Equal(slices.Sorted(maps.Keys(record)), members) {
			t.Errorf("%v: %s", err, line)
		}
		if path, ok := record["path"].(string); ok && (len([]rune(path)) > maxAuditPath || filepath.IsAbs(path)) {
			t.Errorf("path: %s", line)
		}
		if record["transport"] != "http" {
			t.Errorf("transport: %s", line)
		}
	}
}
