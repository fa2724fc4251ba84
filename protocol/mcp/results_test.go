package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"projectknowledge/protocol/mcp/registry"
)

// everyTool is a call of each tool that gives a result in the world of the transcripts.
func everyTool(c *lineClient) []struct{ tool, arguments string } {
	return []struct{ tool, arguments string }{
		{"health", `{}`}, {"list_projects", `{}`}, {"list_grants", `{}`}, {"project_info", `{"project_id":"alpha"}`},
		{"tree", `{"project_id":"alpha"}`}, {"list_dir", `{"grant_id":"papers"}`}, {"read_file", `{"project_id":"alpha","path":"README.md"}`},
		{"glob", `{"project_id":"alpha","pattern":"**"}`}, {"grep", `{"project_id":"alpha","pattern":"needle"}`},
		{"git_status", `{"project_id":"alpha"}`}, {"git_diff", `{"project_id":"alpha","path":"src"}`}, {"git_diff", `{"project_id":"alpha"}`},
		{"create_file", `{"project_id":"alpha","path":"docs/new.md","content":""}`},
		{"status", `{"project_id":"alpha"}`}, {"index", `{"project_id":"alpha"}`}, {"status", `{"project_id":"alpha"}`},
		{"search", `{"project_id":"alpha","query":"needle","path_glob":"*.md","languages":["md"]}`},
		{"begin_document", `{"project_id":"alpha","path":"docs/u.md"}`},
	}
}

// Every result and every error is what the tool's output schema says (M-40).
func TestOutputSchemas(t *testing.T) {
	w, s := transcriptWorld(t)
	c := w.connect(s)
	schemas := map[string]map[string]any{}
	for i := range s.tools {
		var schema map[string]any
		w.must(json.Unmarshal(outputSchema(s.tools[i].result, s.tools[i].without), &schema))
		schemas[s.tools[i].name] = schema
	}
	check := func(tool, arguments string) outcome {
		o := c.call(tool, arguments)
		if why := accepts(schemas[tool], o.content); why != "" {
			t.Errorf("%s %s: %s: %s", tool, arguments, why, o.raw)
		}
		return o
	}
	for _, call := range everyTool(c) {
		if o := check(call.tool, call.arguments); o.code != "" {
			t.Errorf("%s %s: %s", call.tool, call.arguments, o.raw)
		}
		check(call.tool, `{"no such":1}`)
	}
	id := c.ok("begin_document", `{"project_id":"alpha","path":"docs/v.md"}`)["upload_id"].(string)
	check("write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":0,"content":"x"}`, id))
	check("finish_document", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"total_chunks":1}`, id))
	hit := c.ok("search", `{"project_id":"alpha","query":"needle"}`)["hits"].([]any)[0].(map[string]any)
	check("read", fmt.Sprintf(`{"project_id":"alpha","path":%q,"source_hash":%q,"start_line":1}`, hit["path"], hit["source_hash"]))
}

// Nothing that a client or the audit log gets names a path of this machine (M-29, M-68); the audit log has no contents,
// patterns, queries or upload IDs either.
func TestNoPathLeaves(t *testing.T) {
	w, _ := transcriptWorld(t)
	audit := filepath.Join(w.dir, "audit.log")
	w.env["PROJECT_MCP_AUDIT_LOG"] = audit
	s := w.server()
	c := w.connect(s)
	alpha := filepath.Join(w.dir, "ws", "alpha")
	var got strings.Builder
	calls := everyTool(c)
	for _, path := range []string{alpha, alpha + "/README.md", "../alpha", ".env", "no.txt", "src"} {
		calls = append(calls, struct{ tool, arguments string }{"read_file", fmt.Sprintf(`{"project_id":"alpha","path":%q}`, path)})
	}
	for _, call := range calls {
		o := c.call(call.tool, call.arguments)
		got.Write(o.raw)
		if id, ok := o.content["upload_id"].(string); ok {
			got.Write(c.call("write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":0,"content":"CANARY"}`, id)).raw)
			defer func() {
				if text, _ := os.ReadFile(audit); strings.Contains(string(text), id) {
					t.Error("the audit log has an upload ID")
				}
			}()
		}
	}
	w.must(os.RemoveAll(alpha))
	for _, call := range everyTool(c) {
		got.Write(c.call(call.tool, call.arguments).raw)
	}
	text, err := os.ReadFile(audit)
	w.must(err)
	for _, where := range []string{got.String(), string(text)} {
		if strings.Contains(where, w.dir) {
			t.Errorf("a path of the machine: …%.200s", where[strings.Index(where, w.dir):])
		}
	}
	for _, word := range []string{"needle", "CANARY", "**"} {
		if strings.Contains(string(text), word) {
			t.Errorf("the audit log has %q", word)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		var record auditRecord
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Tool == "" || record.Outcome == "" || record.Transport != "stdio" {
			t.Errorf("%s: %v", line, err)
		}
	}
	if !strings.Contains(string(text), `"tool":"read_file","scope":"project:alpha","path":".env","outcome":"path_denied"`) {
		t.Error("the audit log has no line about the denied path")
	}
	if info, err := os.Stat(audit); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the audit log: %v %v", info.Mode(), err)
	}
}

// A list that would be larger than a result may be ends at a whole entry and says so (M-43).
func TestListsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_MAX_RESULT_BYTES"] = "16384"
	projects, grants := map[string]string{}, map[string]string{}
	for i := range 300 {
		projects[fmt.Sprintf("p%03d", i)] = "root: " + w.root(fmt.Sprintf("p%03d", i), nil)
		grants[fmt.Sprintf("g%03d", i)] = "root: " + w.root(fmt.Sprintf("g%03d", i), nil) + "\nexpires_at: 2999-01-01T00:00:00+01:00"
	}
	w.projects(projects)
	w.grants(grants)
	c := w.connect(w.server())
	for tool, key := range map[string]string{"list_projects": "projects", "list_grants": "grants"} {
		o := c.call(tool, `{}`)
		n := len(o.content[key].([]any))
		if len(o.raw) > 16384 || n < 100 || n >= 300 || o.content["complete"] != false || o.content["total_count"] != 300.0 {
			t.Errorf("%s: %d bytes, %d entries, %v", tool, len(o.raw), n, o.content["complete"])
		}
	}
}

// A server for one project reads no registry (M-3).
func TestSingleProject(t *testing.T) {
	w := newWorld(t)
	root := w.repository("alone", map[string]string{"a.md": "quokka\n"})
	w.projects(map[string]string{"other": "root: " + root})
	served, err := registry.Single(root, "mine", "", w.places)
	w.must(err)
	c := w.connect(w.serverOf(served))
	health := c.ok("health", `{}`)
	if health["status"] != "ok" || health["projects_registry_status"] != "ok" || health["grants_registry_status"] != "ok" || health["project_count"] != 1.0 {
		t.Errorf("%v", health)
	}
	project := c.ok("list_projects", `{}`)["projects"].([]any)[0].(map[string]any)
	if project["project_id"] != "mine" || project["git"] != true || project["write_directory"] != nil {
		t.Errorf("%v", project)
	}
	c.refused("tree", `{"project_id":"other"}`, "project_not_found")
	c.refused("create_file", `{"project_id":"mine","path":"docs/a.md","content":""}`, "write_not_allowed")
	c.refused("begin_document", `{"project_id":"mine","path":"docs/a.md"}`, "write_not_allowed")
	c.ok("git_status", `{"project_id":"mine"}`)
	c.ok("index", `{"project_id":"mine"}`)
}

// A directory that takes the place of a root is indexed and searched without a restart (M-61), and one whose path leads
// elsewhere now is unavailable (M-31).
func TestReplacedRoot(t *testing.T) {
	w := newWorld(t)
	root := w.repository("r", map[string]string{"a.md": "quokka\n"})
	w.projects(map[string]string{"r": "root: " + root})
	c := w.connect(w.server())
	c.ok("index", `{"project_id":"r"}`)
	w.must(os.Rename(root, root+"-old"))
	c.refused("search", `{"project_id":"r","query":"quokka"}`, "project_unavailable")
	w.repository("r", map[string]string{"b.md": "wombat\n"})
	if found := c.ok("search", `{"project_id":"r","query":"quokka"}`); len(found["hits"].([]any)) != 0 || found["stale_candidates_omitted"] != 1.0 {
		t.Errorf("%v", found)
	}
	c.ok("index", `{"project_id":"r","mode":"refresh"}`)
	if found := c.ok("search", `{"project_id":"r","query":"wombat"}`); len(found["hits"].([]any)) != 1 {
		t.Errorf("%v", found)
	}
	w.must(os.Rename(root, root+"-new"))
	w.must(os.Symlink(root+"-new", root))
	c.refused("search", `{"project_id":"r","query":"wombat"}`, "project_unavailable")
}

// Providers are kept for the next call, but not for every project there is.
func TestProvidersAreBounded(t *testing.T) {
	w := newWorld(t)
	first := w.repository("r0", map[string]string{"a.md": "quokka\n"})
	projects := map[string]string{"r0": "root: " + first}
	for i := 1; i < maxProviders+4; i++ {
		name := fmt.Sprintf("r%d", i)
		projects[name] = "root: " + filepath.Join(w.dir, "ws", name)
		w.must(os.CopyFS(filepath.Join(w.dir, "ws", name), os.DirFS(first)))
	}
	w.projects(projects)
	s := w.server()
	c := w.connect(s)
	for range 2 {
		for id := range projects {
			c.ok("status", fmt.Sprintf(`{"project_id":%q}`, id))
		}
	}
	if n := len(s.providers.byRoot); n != maxProviders {
		t.Errorf("%d providers are kept", n)
	}
	w.must(s.Close())
	if n := len(s.providers.byRoot); n != 0 {
		t.Errorf("%d providers are left", n)
	}
}

// With raised limits the index has a place of its own (M-61).
func TestLargeIndex(t *testing.T) {
	w := newWorld(t)
	root := w.repository("r", map[string]string{"a.md": "quokka\n"})
	w.projects(map[string]string{"r": "root: " + root})
	caches := func() (plain, large int) {
		list, err := os.ReadDir(w.places.Cache)
		w.must(err)
		for _, entry := range list {
			if strings.HasSuffix(entry.Name(), "-large") {
				large++
			} else {
				plain++
			}
		}
		return plain, large
	}
	w.connect(w.server()).ok("index", `{"project_id":"r"}`)
	w.env["PROJECT_MCP_INDEX_MAX_FILES"] = "100000"
	c := w.connect(w.server())
	if c.ok("status", `{"project_id":"r"}`)["indexed"] != false {
		t.Error("the larger server meets the smaller one's index")
	}
	c.ok("index", `{"project_id":"r"}`)
	if plain, large := caches(); plain != 1 || large != 1 {
		t.Errorf("%d and %d caches", plain, large)
	}
}

// 32 clients at once over many projects: no error, and neither descriptors nor providers pile up.
func TestManyClients(t *testing.T) {
	w := newWorld(t)
	projects := map[string]string{}
	for i := range 40 {
		name := fmt.Sprintf("p%d", i)
		content := map[string]string{"README.md": "needle " + name + "\n", "docs/a.md": "a\n"}
		if i < 8 {
			projects[name] = "root: " + w.repository(name, content) + "\ngit: true"
			continue
		}
		projects[name] = "root: " + w.root(name, content)
	}
	w.projects(projects)
	s := w.server()
	h := w.http(s)
	round := func() {
		var clients sync.WaitGroup
		for client := range 32 {
			clients.Go(func() { w.useEverything(h, client) })
		}
		clients.Wait()
		http.DefaultClient.CloseIdleConnections()
	}
	round()
	before := openDescriptors()
	round()
	if after := openDescriptors(); after > before+maxProviders {
		t.Errorf("%d descriptors became %d", before, after)
	}
	if n := len(s.providers.byRoot); n > maxProviders {
		t.Errorf("%d providers are kept", n)
	}
}

// useEverything makes the calls of one client; each must succeed.
func (w *world) useEverything(h *httpServer, client int) {
	git := fmt.Sprintf("p%d", client%8)
	for i, call := range []struct{ tool, arguments string }{
		{"health", `{}`},
		{"list_projects", `{}`},
		{"read_file", fmt.Sprintf(`{"project_id":"p%d","path":"README.md"}`, client)},
		{"grep", fmt.Sprintf(`{"project_id":"p%d","pattern":"needle"}`, client)},
		{"glob", fmt.Sprintf(`{"project_id":"p%d","pattern":"**"}`, client)},
		{"tree", fmt.Sprintf(`{"project_id":"p%d"}`, client+8)},
		{"git_status", fmt.Sprintf(`{"project_id":%q}`, git)},
		{"index", fmt.Sprintf(`{"project_id":%q,"mode":"refresh"}`, git)},
		{"search", fmt.Sprintf(`{"project_id":%q,"query":"needle"}`, git)},
	} {
		r := h.post(callLine(i, call.tool, call.arguments, ""), "MCP-Protocol-Version", "2025-11-25")
		if o := outcomeOf(w.t, r.message(w.t).Result); o.code != "" && o.code != "index_busy" {
			w.t.Errorf("%s %s: %s", call.tool, call.arguments, o.raw)
		}
	}
}

// openDescriptors counts the open files of the process; 0 where that cannot be told.
func openDescriptors() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
