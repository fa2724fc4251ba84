package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// outsider makes a repository beside the root, whose every name and byte is foreign to the project.
func (h *snare) outsider() string {
	h.t.Helper()
	other := filepath.Join(h.beside, "other")
	if err := os.CopyFS(other, os.DirFS(h.foreign)); err != nil {
		h.t.Fatal(err)
	}
	return other
}

// elsewhere takes a part of the Git directory away and puts a link to the outsider's there.
func (h *snare) elsewhere(part string) {
	h.t.Helper()
	name := filepath.Join(h.root, ".git", part)
	if err := os.RemoveAll(name); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(h.outsider(), ".git", part), name); err != nil {
		h.t.Fatal(err)
	}
}

func (h *snare) replaceGit(link bool) {
	h.t.Helper()
	other, name := h.outsider(), filepath.Join(h.root, ".git")
	if err := os.RemoveAll(name); err != nil {
		h.t.Fatal(err)
	}
	if !link {
		h.put(".git", "gitdir: "+other+"/.git\n")
		return
	}
	if err := os.Symlink(other+"/.git", name); err != nil {
		h.t.Fatal(err)
	}
}

// redirections are repositories that have their parts outside the root, with the code of the Git tools.
var redirections = []struct {
	name string
	git  string
	set  func(*snare)
}{
	{"git_file", "git_unavailable", func(h *snare) { h.replaceGit(false) }},
	{"git_link", "git_unavailable", func(h *snare) { h.replaceGit(true) }},
	{"git_file_of_nothing", "git_unavailable", func(h *snare) {
		h.replaceGit(false)
		h.put(".git", "gitdir: "+h.beside+"/none\n")
	}},
	{"common_directory", "git_unavailable", func(h *snare) { h.put(".git/commondir", h.outsider()+"/.git\n") }},
	{"objects", "git_unavailable", func(h *snare) { h.elsewhere("objects") }},
	{"index_file", "git_unavailable", func(h *snare) { h.elsewhere("index") }},
	{"head", "git_unavailable", func(h *snare) { h.elsewhere("HEAD") }},
	{"references", "git_unavailable", func(h *snare) { h.elsewhere("refs") }},
	{"configuration", "git_unavailable", func(h *snare) { h.elsewhere("config") }},
	{"information", "git_unavailable", func(h *snare) { h.elsewhere("info") }},
	{"excluded", "git_unavailable", func(h *snare) { h.elsewhere("info/exclude") }},
	{"alternates", "git_unavailable", func(h *snare) { h.put(".git/objects/info/alternates", h.outsider()+"/.git/objects\n") }},
	{"alternates_of_alternates", "git_unavailable", func(h *snare) {
		h.plain("", "clone", "-q", "--bare", ".", "inner")
		h.put("inner/objects/info/alternates", h.outsider()+"/.git/objects\n")
		h.put(".git/objects/info/alternates", "../../inner/objects\n")
	}},
	{"work_tree", "", func(h *snare) { h.config("[core]\n\tworktree = %s", h.outsider()) }},
	{"bare", "", func(h *snare) { h.config("[core]\n\tbare = true"); h.outsider() }},
	{"links", "", func(h *snare) {
		other := h.outsider()
		for name, target := range map[string]string{"out.txt": other + "/a.txt", "out": other, "sub/out.md": "../../../beside/links/other/a.txt"} {
			if err := os.Symlink(target, filepath.Join(h.root, name)); err != nil {
				h.t.Fatal(err)
			}
		}
		h.plain("", "add", "out.txt", "out", "sub/out.md")
	}},
	{"tracked_below_a_link", "", func(h *snare) {
		h.put("moved/a.txt", "inside\n")
		h.plain("", "add", "moved/a.txt")
		if err := os.RemoveAll(filepath.Join(h.root, "moved")); err != nil {
			h.t.Fatal(err)
		}
		if err := os.Symlink(h.outsider(), filepath.Join(h.root, "moved")); err != nil {
			h.t.Fatal(err)
		}
	}},
}

// A repository whose parts lie outside the root is not looked at, and whatever leads out of one shows nothing of what is
// there (M-34, M-35, M-60).
func TestRepositoriesElsewhere(t *testing.T) {
	s := newSnares(t)
	repositories := map[string]*snare{}
	for _, c := range redirections {
		repositories[c.name] = s.add(t, c.name)
		c.set(repositories[c.name])
	}
	server := s.serve()
	for _, c := range redirections {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := *repositories[c.name]
			h.t = t
			codes := h.ask(server, c.name)
			if codes["git_status"] != c.git || codes["git_diff"] != c.git || codes["project_info"] != "" {
				t.Errorf("%v", codes)
			}
			for _, tool := range []string{"tree", "list_dir"} {
				if o := server.call(t, tool, `{"project_id":"`+c.name+`"}`); o.code != "" || strings.Contains(string(o.raw), outsideCanary) {
					t.Errorf("%s: %s", tool, o.raw)
				}
			}
		})
	}
}

// A repository that makes Git wait for ever costs a call its time limit (M-8, M-60).
func TestRepositoryThatWaits(t *testing.T) {
	s := newSnares(t)
	s.env["PROJECT_MCP_GIT_TIMEOUT_SECONDS"] = "1"
	h := s.add(t, "pipe")
	s.must(unix.Mkfifo(filepath.Join(h.root, "pipe"), 0o600))
	h.config("[include]\n\tpath = %s/pipe", h.root)
	server := s.serve()
	if o := server.call(t, "git_status", `{"project_id":"pipe"}`); o.code != "timeout" {
		t.Errorf("%s", o.raw)
	}
}
