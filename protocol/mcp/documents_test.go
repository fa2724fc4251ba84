package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/registry"
)

// below lists the regular files below a directory by their paths from it, hidden ones too.
func (w *world) below(dir string) []string {
	w.t.Helper()
	found := []string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			found = append(found, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// upload sends the chunks of a document in any order, some of them twice, several at a time, and finishes it.
func (h *httpServer) upload(t testing.TB, id string, chunks []string) outcome {
	var sending sync.WaitGroup
	for _, index := range append(rand.Perm(len(chunks)), 0, len(chunks)-1) {
		sending.Go(func() {
			o := h.call(t, "write_chunk", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":%d,"content":%q}`, id, index, chunks[index]))
			if o.code != "" {
				t.Errorf("chunk %d: %s", index, o.raw)
			}
		})
	}
	sending.Wait()
	return h.call(t, "finish_document", fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"total_chunks":%d}`, id, len(chunks)))
}

// Fifty documents at once, each with its chunks in any order: every one appears whole and alone, half of them are refused a
// name that another has taken meanwhile, and nothing is left in the staging directory (M-52 to M-57).
func TestFiftyUploads(t *testing.T) {
	const many = 50
	w, _ := single(t)
	w.env["PROJECT_MCP_MAX_DOCUMENT_UPLOADS"], w.env["PROJECT_MCP_MAX_CONCURRENT_CALLS"] = fmt.Sprint(many), "256"
	h := w.http(w.server())
	var ids []string
	for i := range many {
		ids = append(ids, h.call(t, "begin_document", fmt.Sprintf(`{"project_id":"alpha","path":"docs/deep/%d.md"}`, i/2)).content["upload_id"].(string))
	}
	if o := h.call(t, "begin_document", `{"project_id":"alpha","path":"docs/more.md"}`); o.code != "upload_limit" {
		t.Errorf("one more: %s", o.raw)
	}
	texts, sums := make([]string, many), make([]string, many)
	var uploads sync.WaitGroup
	for i, id := range ids {
		chunks := make([]string, 5)
		for k := range chunks {
			chunks[k] = strings.Repeat(fmt.Sprintf("%d-%d\n", i, k), 500)
		}
		texts[i] = strings.Join(chunks, "")
		uploads.Go(func() {
			o := h.upload(t, id, chunks)
			if sums[i], _ = o.content["sha256"].(string); o.code != "" && o.code != "already_exists" {
				t.Errorf("%s", o.raw)
			}
		})
	}
	uploads.Wait()
	var want []string
	for i := 0; i < many; i += 2 {
		name := fmt.Sprintf("docs/deep/%d.md", i/2)
		want = append(want, name)
		text, err := os.ReadFile(filepath.Join(w.dir, "ws/alpha", name))
		sum := sha256.Sum256(text)
		first, second := string(text) == texts[i] && sums[i] == hex.EncodeToString(sum[:]), string(text) == texts[i+1] && sums[i+1] == hex.EncodeToString(sum[:])
		if err != nil || first == second || (sums[i] == "") == (sums[i+1] == "") {
			t.Errorf("%s: %v %d bytes, receipts %q and %q", name, err, len(text), sums[i], sums[i+1])
		}
	}
	slices.Sort(want)
	if got := w.below(filepath.Join(w.dir, "ws/alpha/docs")); !slices.Equal(prefixed("docs/", got), want) {
		t.Errorf("files: %q", got)
	}
	if active := h.call(t, "health", `{}`).content["document_creation"].(map[string]any)["active_uploads"]; active != many/2.0 {
		t.Errorf("%v uploads are unfinished", active)
	}
}

func prefixed(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// An upload that expires leaves nothing, not even in the staging directory; the next call of any upload tool, or health,
// sees to it (M-57).
func TestUploadExpires(t *testing.T) {
	w, _ := single(t)
	limits := w.limits()
	limits.Documents.TTL = 300 * time.Millisecond
	s, err := New(Options{Registry: registry.New(w.places.Config, w.places), Limits: limits, Staging: w.places.Staging, Version: "v0", Log: w.log})
	w.must(err)
	defer func() { w.must(s.Close()) }()
	h := w.http(s)
	id, _ := h.call(t, "begin_document", `{"project_id":"alpha","path":"docs/late.md"}`).content["upload_id"].(string)
	chunk := fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":0,"content":"STAGED"}`, id)
	if o := h.call(t, "write_chunk", chunk); o.code != "" {
		t.Fatalf("%s", o.raw)
	}
	w.until(func() bool {
		h.call(t, "health", `{}`)
		return !slices.ContainsFunc(w.below(w.places.Staging), func(name string) bool { return !strings.HasSuffix(name, ".lock") })
	})
	for tool, arguments := range map[string]string{"write_chunk": chunk, "finish_document": fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"total_chunks":1}`, id)} {
		if o := h.call(t, tool, arguments); o.code != "upload_expired" {
			t.Errorf("%s: %s", tool, o.raw)
		}
	}
	if o := h.call(t, "write_chunk", strings.Replace(chunk, id, strings.Repeat("A", len(id)), 1)); o.code != "upload_not_found" {
		t.Errorf("%s", o.raw)
	}
	if left := w.below(filepath.Join(w.dir, "ws/alpha/docs")); len(left) > 0 {
		t.Errorf("in the project: %q", left)
	}
}

// Ways to write denied and ignored names that are not the plain one (M-33, M-38, M-39).
var disguised = map[string][]string{
	"path_denied": {
		".ENV", ".env", ".Env.Local", "ＩＤ_RSA", "id_ed25519", "Secrets", "ſecrets", "TOKEN", "ｔｏｋｅｎ", "t\u200boken", "t\u00adoken", "AUTHors", "x.PEM", "x.ｐｅｍ", "x.\uff4bey", "a\u2024key\u2024key.key",
		"Service-Account-1.JSON", "crede\u200dntials", ".SSH", ".aws", "%2eenv", "%2Eenv", "%252eenv", "%25252eenv", "%54oken", "s%65crets", "x%2epem", ".NETRC", "K.KDBX", "ﬀ/../.env",
		"\uff0eenv", "\ufe52env",
	},
	"path_ignored": {".git", "node_modules", "__pycache__", ".venv", ".cache", "%2egit", "node%5fmodules", "__pycache__%2f"},
}

// No disguise opens, lists or creates what is denied or ignored, whether it exists or not (M-33, M-38, M-39, M-52).
func TestDisguisedNames(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	tries := 0
	for code, names := range disguised {
		for _, name := range names {
			for tool, path := range map[string]string{
				"read_file": "src/" + name + "/x.txt", "list_dir": name + "/x", "tree": "src/" + name + "/x", "grep": name + "/x", "create_file": "docs/" + name + "/x.md", "begin_document": "docs/" + name + "/x.md",
			} {
				extra := map[string]string{"grep": `,"pattern":"x"`, "create_file": `,"content":"x"`}[tool]
				o := h.call(t, tool, fmt.Sprintf(`{"project_id":"alpha","path":%s%s}`, quoted(path), extra))
				tries++
				hidden := strings.HasPrefix(name, ".") && o.code == "path_denied" && strings.HasPrefix(path, "docs/")
				if o.code != code && o.code != "invalid_path" && !hidden {
					t.Errorf("%s %q: %q, want %s", tool, path, o.code, code)
				}
				if o.code == "invalid_path" && !strings.ContainsAny(path, "%") && !strings.Contains(path, "..") && tool[0] != 'c' && tool[0] != 'b' {
					t.Errorf("%s %q: %s", tool, path, o.raw)
				}
			}
		}
	}
	if left := w.below(filepath.Join(w.dir, "ws/alpha/docs")); len(left) > 0 || tries < 100 {
		t.Errorf("%d tries; in the project: %q", tries, left)
	}
}

// quoted gives a JSON string.
func quoted(s string) string { return string(appendJSON(nil, s)) }

// What is denied is in no listing, search, difference or status under any spelling that a filesystem keeps (M-38).
func TestDisguisedFiles(t *testing.T) {
	w := newWorld(t)
	content := map[string]string{"open.md": "needle\n"}
	for _, name := range disguised["path_denied"] {
		if !strings.ContainsAny(name, "%/") {
			content["src/"+name] = "needle " + outsideCanary + "\n"
			content["lib/"+name+"/x.md"] = "needle " + outsideCanary + "\n"
		}
	}
	root := w.repository("alpha", content)
	for name := range content {
		w.must(os.WriteFile(filepath.Join(root, name), []byte(content[name]+"changed\n"), 0o644))
	}
	w.projects(map[string]string{"alpha": "root: " + root + "\ngit: true"})
	h := w.http(w.server())
	h.call(t, "index", `{"project_id":"alpha"}`)
	for tool, extra := range map[string]string{
		"tree": `,"max_depth":9`, "list_dir": `,"path":"src"`, "glob": `,"pattern":"**"`, "grep": `,"pattern":"needle"`, "git_status": ``, "git_diff": ``, "search": `,"query":"needle changed","limit":20`,
	} {
		o := h.call(t, tool, `{"project_id":"alpha"`+extra+`}`)
		for name := range maps.Keys(content) {
			if part := filepath.Base(strings.TrimSuffix(name, "/x.md")); name != "open.md" && strings.Contains(string(o.raw), quoted(part)) {
				t.Errorf("%s tells %q: %.300s", tool, name, o.raw)
			}
		}
		if o.code != "" || strings.Contains(string(o.raw), outsideCanary) {
			t.Errorf("%s: %.300s", tool, o.raw)
		}
	}
}
