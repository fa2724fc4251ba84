package mcp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/store"
)

// codesWorld has something to refuse for every reason.
func codesWorld(t *testing.T) (*world, *Server) {
	w := newWorld(t)
	w.env["PROJECT_MCP_MAX_READ_BYTES"] = "1024"
	w.env["PROJECT_MCP_MAX_WRITE_BYTES"] = "1024"
	w.env["PROJECT_MCP_MAX_CHUNK_BYTES"] = "1024"
	w.env["PROJECT_MCP_MAX_DOCUMENT_BYTES"] = "2048"
	w.env["PROJECT_MCP_MAX_DOCUMENT_CHUNKS"] = "4"
	w.env["PROJECT_MCP_MAX_DOCUMENT_UPLOADS"] = "2"
	alpha := w.root("alpha", map[string]string{
		"a.txt": "one\ntwo\n", ".env": "K=v", "node_modules/m.js": "x", "big.txt": strings.Repeat("line\n", 2000),
		"docs/long.md": strings.Repeat("x", 2000), "docs/there.md": "x", "bin": "\x00", "sub/b.txt": "b",
	})
	w.must(os.Symlink(filepath.Join(w.dir, "home"), filepath.Join(alpha, "out")))
	w.must(os.Symlink("sub", filepath.Join(alpha, "docs", "link")))
	w.must(os.WriteFile(filepath.Join(alpha, "locked.txt"), []byte("x"), 0))
	code := w.repository("code", map[string]string{
		"a.md": "quokka\n", "secrets.md": "quokka\n", "env/ignored.md": "quokka\n", "long.md": longLine,
	})
	w.root("bare", map[string]string{"a.txt": "a"})
	gone := filepath.Join(w.dir, "ws", "gone")
	w.projects(map[string]string{
		"alpha": "root: " + alpha, "off": "root: " + w.root("off", nil) + "\nenabled: false", "gone": "root: " + gone,
		"code": "root: " + code + "\ngit: true", "bare": "root: " + w.root("bare", nil) + "\ngit: true",
	})
	w.grants(map[string]string{
		"past": "root: " + w.root("past", nil) + "\nexpires_at: 2020-01-01T00:00:00Z", "gone": "root: " + gone + "g\npermanent: true",
		"off": "root: " + w.root("goff", nil) + "\npermanent: true\ndisabled: true", "revoked": "root: " + w.root("rev", nil) + "\npermanent: true\nrevoked: true",
	})
	return w, w.server()
}

// longLine is a source whose one line is no result of its own.
var longLine = strings.Repeat("quokka ", 5000) + "\n"

const noHash = "0000000000000000000000000000000000000000000000000000000000000000"

// What is refused, and with which code (M-45). Codes that take a broken machine are those of TestRetrievalCodes and of
// the rooms.
func TestCodes(t *testing.T) {
	w, s := codesWorld(t)
	c := w.connect(s)
	seen := map[pathguard.Code]bool{}
	refused := func(code pathguard.Code, tool, arguments string) {
		t.Helper()
		if os.Getuid() == 0 && code == pathguard.PermissionDenied {
			return // nothing is denied to root
		}
		c.refused(tool, arguments, code)
		seen[code] = true
	}
	refused(pathguard.InvalidArguments, "list_dir", `{"project_id":"alpha","limit":0}`)
	refused(pathguard.InvalidArguments, "git_status", `{"project_id":"alpha","grant_id":"past","limit":"x"}`) // before the scope (M-27)
	refused(pathguard.ScopeRequired, "tree", `{}`)
	refused(pathguard.ScopeRequired, "create_file", `{"path":"docs/x.md","content":""}`)
	refused(pathguard.ScopeRequired, "project_info", `{}`)
	refused(pathguard.ScopeConflict, "grep", `{"project_id":"alpha","grant_id":"past","pattern":"x"}`)
	for _, tool := range []string{"git_status", "git_diff", "index", "status", "project_info"} {
		refused(pathguard.ScopeNotSupported, tool, `{"grant_id":"past"}`)
		refused(pathguard.ScopeNotSupported, tool, `{"project_id":"alpha","grant_id":"past"}`)
	}
	refused(pathguard.ProjectNotFound, "tree", `{"project_id":"nope"}`)
	refused(pathguard.ProjectNotFound, "project_info", `{"project_id":"nope"}`)
	refused(pathguard.ProjectDisabled, "tree", `{"project_id":"off"}`)
	refused(pathguard.ProjectDisabled, "create_file", `{"project_id":"off","path":"docs/x.md","content":""}`)
	refused(pathguard.ProjectUnavailable, "tree", `{"project_id":"gone"}`)
	refused(pathguard.ProjectUnavailable, "index", `{"project_id":"gone"}`)
	refused(pathguard.ProjectUnavailable, "create_file", `{"project_id":"gone","path":"docs/x.md","content":""}`)
	refused(pathguard.GrantNotFound, "tree", `{"grant_id":"nope"}`)
	refused(pathguard.GrantExpired, "tree", `{"grant_id":"past"}`)
	refused(pathguard.GrantDisabled, "tree", `{"grant_id":"off"}`)
	refused(pathguard.GrantRevoked, "tree", `{"grant_id":"revoked"}`)
	refused(pathguard.GrantUnavailable, "tree", `{"grant_id":"gone"}`)
	refused(pathguard.InvalidPath, "read_file", `{"project_id":"alpha","path":"../a.txt"}`)
	refused(pathguard.InvalidPath, "read", `{"project_id":"code","path":"/a.md","source_hash":"`+noHash+`"}`)
	refused(pathguard.PathOutsideRoot, "list_dir", `{"project_id":"alpha","path":"out"}`)
	refused(pathguard.PathDenied, "read_file", `{"project_id":"alpha","path":".env"}`)
	refused(pathguard.PathIgnored, "read_file", `{"project_id":"alpha","path":"node_modules/m.js"}`)
	refused(pathguard.NotFound, "read_file", `{"project_id":"alpha","path":"no.txt"}`)
	refused(pathguard.NotAFile, "read_file", `{"project_id":"alpha","path":"sub"}`)
	refused(pathguard.NotADirectory, "list_dir", `{"project_id":"alpha","path":"a.txt"}`)
	refused(pathguard.NotText, "read_file", `{"project_id":"alpha","path":"bin"}`)
	refused(pathguard.PermissionDenied, "read_file", `{"project_id":"alpha","path":"locked.txt"}`)
	refused(pathguard.FileTooLarge, "read_file", `{"project_id":"alpha","path":"big.txt"}`)
	refused(pathguard.LineTooLong, "read_file", `{"project_id":"alpha","path":"docs/long.md"}`)
	refused(pathguard.InvalidPattern, "grep", `{"project_id":"alpha","pattern":"("}`)
	refused(pathguard.InvalidPattern, "glob", `{"project_id":"alpha","pattern":"["}`)
	refused(pathguard.InvalidPattern, "search", `{"project_id":"code","query":"x","path_glob":"["}`)
	refused(pathguard.WriteNotAllowed, "create_file", `{"project_id":"alpha","path":"x.md","content":""}`)
	refused(pathguard.InvalidExtension, "create_file", `{"project_id":"alpha","path":"docs/x.txt","content":""}`)
	refused(pathguard.SymlinkParent, "create_file", `{"project_id":"alpha","path":"docs/link/x.md","content":""}`)
	refused(pathguard.AlreadyExists, "begin_document", `{"project_id":"alpha","path":"docs/there.md"}`)
	refused(pathguard.ContentTooLarge, "create_file", fmt.Sprintf(`{"project_id":"alpha","path":"docs/x.md","content":"%01025d"}`, 0))
	refused(pathguard.NotText, "create_file", `{"project_id":"alpha","path":"docs/x.md","content":"\u0000"}`)
	refuseUploads(c, refused)
	refused(pathguard.GitNotEnabled, "git_status", `{"project_id":"alpha"}`)
	refused(pathguard.GitUnavailable, "git_diff", `{"project_id":"bare"}`)
	refused(pathguard.GitUnavailable, "index", `{"project_id":"bare"}`)
	refused(pathguard.NotIndexed, "search", `{"project_id":"code","query":"quokka"}`)
	c.ok("index", `{"project_id":"code"}`)
	refused(pathguard.InvalidQuery, "search", `{"project_id":"code","query":"?!"}`)
	refused(pathguard.PathDenied, "read", `{"project_id":"code","path":"secrets.md","source_hash":"`+noHash+`"}`)
	refused(pathguard.PathIgnored, "read", `{"project_id":"code","path":"env/ignored.md","source_hash":"`+noHash+`"}`)
	refused(pathguard.SourceUnavailable, "read", `{"project_id":"code","path":"untracked.md","source_hash":"`+noHash+`"}`)
	refused(pathguard.SourceChanged, "read", `{"project_id":"code","path":"a.md","source_hash":"`+noHash+`"}`)
	hits := c.ok("search", `{"project_id":"code","query":"quokka"}`)["hits"].([]any)
	hash := hits[0].(map[string]any)["source_hash"].(string)
	refused(pathguard.InvalidRange, "read", fmt.Sprintf(`{"project_id":"code","path":"a.md","source_hash":%q,"start_line":9,"end_line":9}`, hash))
	long := sha256.Sum256([]byte(longLine))
	refused(pathguard.LineTooLarge, "read", fmt.Sprintf(`{"project_id":"code","path":"long.md","source_hash":"%x"}`, long))
	for _, hit := range hits {
		if path := hit.(map[string]any)["path"]; path != "a.md" {
			t.Errorf("a hit in %v", path)
		}
	}
	w.must(os.WriteFile(filepath.Join(w.places.Config, "projects.yaml"), []byte("version: 2\n"), 0o600))
	refused(pathguard.RegistryInvalid, "tree", `{"project_id":"alpha"}`)
	refused(pathguard.RegistryInvalid, "list_projects", `{}`)
	for _, code := range []pathguard.Code{ // of the machine, of time, or of a caller that is gone
		pathguard.NotARegularFile, pathguard.WriteFailed, pathguard.UploadExpired, pathguard.GitFailed, pathguard.RebuildRequired,
		pathguard.RootChanged, pathguard.CacheUnsafe, pathguard.CacheUnavailable, pathguard.IndexBusy,
		pathguard.BudgetExhausted, pathguard.GitOutputTooLarge, pathguard.Timeout, pathguard.Cancelled, pathguard.Busy,
		pathguard.InternalError, pathguard.PermissionDenied,
	} {
		seen[code] = true
	}
	for _, code := range pathguard.Codes() {
		if !seen[code] && !slices.Contains(adminOnly, code) {
			t.Errorf("%s is not reached", code)
		}
	}
}

// What is wrong with the index on disk is told by its own codes, and healed by what they ask for.
func TestIndexCodes(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_INDEX_BUDGET_SECONDS"] = "1"
	w.projects(map[string]string{"r": "root: " + w.repository("r", map[string]string{"a.md": "quokka\n"})})
	c := w.connect(w.server())
	c.ok("index", `{"project_id":"r"}`)
	caches, err := filepath.Glob(filepath.Join(w.places.Cache, "*"))
	if err != nil || len(caches) != 1 {
		t.Fatal(err, caches)
	}
	w.must(os.Chmod(caches[0], 0o777))
	c.refused("search", `{"project_id":"r","query":"quokka"}`, pathguard.CacheUnsafe)
	w.must(os.Chmod(caches[0], 0o700))
	c.ok("search", `{"project_id":"r","query":"quokka"}`)
	w.must(os.Truncate(filepath.Join(caches[0], store.FileName), 4096))
	c.refused("search", `{"project_id":"r","query":"quokka"}`, pathguard.RebuildRequired)
	c.ok("index", `{"project_id":"r","mode":"rebuild"}`)
	c.ok("search", `{"project_id":"r","query":"quokka"}`)
	dir, err := store.OpenDir(caches[0])
	w.must(err)
	defer dir.Close()
	unlock, err := dir.Lock(t.Context())
	w.must(err)
	c.refused("index", `{"project_id":"r"}`, pathguard.IndexBusy)
	unlock()
	c.ok("index", `{"project_id":"r"}`)
}

// adminOnly are the codes of M-45 that no tool gives.
var adminOnly = []pathguard.Code{
	pathguard.IDInvalid, pathguard.IDExists, pathguard.RootInvalid, pathguard.RootForbidden, pathguard.RootOverlap,
	pathguard.TTLInvalid, pathguard.WriteDirectoryInvalid, pathguard.StateConflict,
}

func refuseUploads(c *lineClient, refused func(pathguard.Code, string, string)) {
	id := c.ok("begin_document", `{"project_id":"alpha","path":"docs/u.md"}`)["upload_id"].(string)
	chunk := func(index int, content string) string {
		return fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"index":%d,"content":%q}`, id, index, content)
	}
	finish := func(total int) string {
		return fmt.Sprintf(`{"project_id":"alpha","upload_id":%q,"total_chunks":%d}`, id, total)
	}
	refused(pathguard.UploadNotFound, "write_chunk", `{"project_id":"alpha","upload_id":"nope","index":0,"content":""}`)
	refused(pathguard.UploadNotFound, "finish_document", strings.Replace(finish(1), "alpha", "code", 1))
	refused(pathguard.ChunkTooLarge, "write_chunk", chunk(0, strings.Repeat("x", 1025)))
	refused(pathguard.ChunkIndexInvalid, "write_chunk", chunk(4, "x"))
	refused(pathguard.InvalidArguments, "write_chunk", chunk(-1, "x"))
	c.ok("write_chunk", chunk(0, strings.Repeat("x", 1024)))
	refused(pathguard.ChunkConflict, "write_chunk", chunk(0, "y"))
	c.ok("write_chunk", chunk(2, strings.Repeat("x", 1024)))
	refused(pathguard.DocumentTooLarge, "write_chunk", chunk(1, "x"))
	refused(pathguard.MissingChunks, "finish_document", finish(3))
	refused(pathguard.UnexpectedChunks, "finish_document", finish(1))
	c.ok("begin_document", `{"project_id":"alpha","path":"docs/v.md"}`)
	refused(pathguard.UploadLimit, "begin_document", `{"project_id":"alpha","path":"docs/w.md"}`)
}

// Every code of the provider has one here, and a sentence that names no path (M-29, M-61).
func TestRetrievalCodes(t *testing.T) {
	known := pathguard.Codes()
	for _, code := range []provider.Code{
		provider.HostUnsupported, provider.RootNotWorktree, provider.RootIsSubdirectory, provider.RootIsSymlink,
		provider.RootIsFilesystemRoot, provider.RootIsHome, provider.RootUnreadable, provider.FTS5Unavailable,
		provider.InvalidArguments, provider.InvalidQuery, provider.InvalidPath, provider.NotIndexed, provider.RebuildRequired,
		provider.RootChanged, provider.GitUnavailable, provider.GitFailed, provider.GitOutputTooLarge, provider.CacheUnsafe,
		provider.CacheUnavailable, provider.IndexBusy, provider.BudgetExhausted, provider.SourceUnavailable, provider.SourceChanged,
		provider.InvalidRange, provider.LineTooLarge, provider.InternalError, provider.Cancelled,
	} {
		fault := faultOf(t.Context(), fmt.Errorf("search: %w", provider.NewError(code, "")))
		if !slices.Contains(known, fault.Code) || slices.Contains(adminOnly, fault.Code) || fault.Message == "" || strings.Contains(fault.Message, "/") {
			t.Errorf("%s: %s %q", code, fault.Code, fault.Message)
		}
		if _, admission := admissionCodes[code]; !admission && string(fault.Code) != string(code) {
			t.Errorf("%s becomes %s", code, fault.Code)
		}
	}
}

// What a call meets on its way out is told by what ended it (M-8).
func TestFaultOf(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		code pathguard.Code
	}{
		{cancelled, os.ErrNotExist, pathguard.Cancelled},
		{cancelled, pathguard.Fault(pathguard.NotFound), pathguard.Cancelled},
		{t.Context(), context.DeadlineExceeded, pathguard.Timeout},
		{t.Context(), os.ErrNotExist, pathguard.InternalError},
		{t.Context(), fmt.Errorf("x: %w", pathguard.Fault(pathguard.NotFound)), pathguard.NotFound},
	} {
		if got := faultOf(c.ctx, c.err); got.Code != c.code {
			t.Errorf("%v: %s, want %s", c.err, got.Code, c.code)
		}
	}
}

// More calls than may run at once wait, and are told that the server is busy when that takes too long (M-16).
func TestBusy(t *testing.T) {
	w := newWorld(t)
	w.env["PROJECT_MCP_MAX_CONCURRENT_CALLS"] = "1"
	started, release := make(chan struct{}), make(chan struct{})
	s := w.server(block("health", started, release))
	c := w.connect(s)
	c.send(callLine(7, "health", `{}`, ""))
	<-started
	c.refused("list_grants", `{}`, pathguard.Busy)
	c.send(callLine(8, "list_grants", `{}`, ""))
	close(release)
	for range 2 {
		if m := c.receive(); outcomeOf(t, m.Result).code != "" {
			t.Errorf("%+v", m)
		}
	}
}

// A tool that overruns its time is a timeout (M-63).
func TestTimeout(t *testing.T) {
	w := newWorld(t)
	started := make(chan struct{}, 1)
	s := w.server(block("health", started, nil))
	s.limits.ToolTimeout = 10 * time.Millisecond
	w.connect(s).refused("health", `{}`, pathguard.Timeout)
}
