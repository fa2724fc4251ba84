package mcp

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"projectknowledge/protocol/mcp/registry"
)

// snare is a repository that wants a program to run. The program leaves a marker.
type snare struct {
	t       testing.TB
	root    string
	beside  string // directory outside the root that the repository may name
	program string
	marker  string
	foreign string // a repository to copy
}

// outsideCanary stands in whatever lies outside a root: no answer may have it.
const outsideCanary = "OUTSIDE-CANARY"

// snares makes hostile repositories out of copies of one, each a project of one server.
type snares struct {
	*world
	template string
	foreign  string // a repository of what no project has
	names    []string
}

func newSnares(t *testing.T) *snares {
	w := newWorld(t)
	template := w.repository("template", map[string]string{
		"a.txt": "one quokka\n", "b.txt": "bee\n", "c.md": "# see\n\nquokka\n", "sub/d.go": "package d\n",
	})
	w.must(os.WriteFile(filepath.Join(template, "sub/d.go"), []byte("package e\n"), 0o644))
	w.git(template, "add", "sub/d.go")
	w.must(os.RemoveAll(filepath.Join(template, ".git/hooks"))) // samples
	text := outsideCanary + " quokka\n"
	foreign := w.repository("foreign", map[string]string{outsideCanary + ".txt": text, "a.txt": text})
	w.git(foreign, "checkout", "-q", "-b", outsideCanary)
	return &snares{world: w, template: template, foreign: foreign}
}

// add makes the repository of a trap. Its files are copies, so that Git must compare them by content; one has a change
// that keeps its size, one is staged.
func (s *snares) add(t *testing.T, name string) *snare {
	t.Helper()
	beside := filepath.Join(s.dir, "beside", name)
	h := &snare{t: t, root: filepath.Join(s.dir, "ws", name), beside: beside, program: beside + "/program", marker: beside + "/RAN", foreign: s.foreign}
	s.must(os.MkdirAll(beside, 0o755))
	s.must(os.CopyFS(h.root, os.DirFS(s.template)))
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >>'%s'\n[ \"$1\" = cat ] && exec cat\nexit 0\n", h.marker)
	s.must(os.WriteFile(h.program, []byte(script), 0o755))
	h.put("a.txt", "two quokka\n")
	s.names = append(s.names, name)
	return h
}

// serve registers every repository so far.
func (s *snares) serve() *httpServer {
	records := map[string]string{}
	for _, name := range s.names {
		records[name] = "root: " + filepath.Join(s.dir, "ws", name) + "\ngit: true"
	}
	s.projects(records)
	return s.http(s.serverOf(registry.New(s.places.Config, s.places)))
}

// put writes a file of the work tree or, below .git, of Git.
func (h *snare) put(path, text string) {
	h.t.Helper()
	name := filepath.Join(h.root, path)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		h.t.Fatal(err)
	}
}

// config appends to the repository's configuration.
func (h *snare) config(format string, values ...any) {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.root, ".git/config"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.put(".git/config", string(text)+fmt.Sprintf(format, values...)+"\n")
}

// plain runs Git as a careless program would.
func (h *snare) plain(stdin string, args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = h.root, strings.NewReader(stdin)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.beside, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "TERM=dumb",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.invalid", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.invalid",
	}
	out, _ := cmd.CombinedOutput() // a program that does nothing makes Git fail, having run
	return string(out)
}

func (h *snare) ran() bool {
	_, err := os.Lstat(h.marker)
	return err == nil
}

// questions are the calls that look at a repository, each of another kind (M-47, M-58, M-61).
func questions(project string) []struct{ tool, arguments string } {
	id := fmt.Sprintf(`"project_id":%q`, project)
	return []struct{ tool, arguments string }{
		{"git_status", `{` + id + `}`},
		{"git_diff", `{` + id + `}`},
		{"project_info", `{` + id + `}`},
		{"index", `{` + id + `}`},
		{"index", `{` + id + `,"mode":"refresh"}`},
		{"search", `{` + id + `,"query":"quokka"}`},
	}
}

// ask asks every question, and fails when a program ran or a byte of the repository or beside it changed (M-59, M-60).
// It gives the codes of the answers by tool.
func (h *snare) ask(server *httpServer, project string) map[string]string {
	h.t.Helper()
	before, codes := fingerprint(h.t, h.root, h.beside), map[string]string{}
	for _, q := range questions(project) {
		o := server.call(h.t, q.tool, q.arguments)
		if codes[q.tool] == "" {
			codes[q.tool] = o.code
		}
		if strings.Contains(string(o.raw), outsideCanary) {
			h.t.Errorf("%s %s: from outside: %s", q.tool, q.arguments, o.raw)
		}
		if h.ran() {
			text, _ := os.ReadFile(h.marker)
			h.t.Fatalf("%s %s ran the program of the repository with %q", q.tool, q.arguments, text)
		}
	}
	if after := fingerprint(h.t, h.root, h.beside); !maps.Equal(before, after) {
		h.t.Errorf("changed: %s", difference(before, after))
	}
	return codes
}

// call calls a tool over HTTP; it may be used by several tests at once.
func (h *httpServer) call(t testing.TB, tool, arguments string) outcome {
	t.Helper()
	answer := h.post(callLine(1, tool, arguments, ""), "MCP-Protocol-Version", "2025-11-25").message(t)
	if answer.Error != nil {
		t.Fatalf("%s %s: %+v", tool, arguments, answer.Error)
	}
	return outcomeOf(t, answer.Result)
}

// fingerprint tells everything about directories that a write could change.
func fingerprint(t testing.TB, roots ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			facts, err := entry.Info()
			if err != nil {
				return err
			}
			content := ""
			switch {
			case facts.Mode()&fs.ModeSymlink != 0:
				content, err = os.Readlink(path)
			case facts.Mode().IsRegular():
				var text []byte
				text, err = os.ReadFile(path)
				content = fmt.Sprintf("%x", sha256.Sum256(text))
			}
			all[path] = fmt.Sprint(facts.Mode(), facts.Size(), facts.ModTime().UnixNano(), content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func difference(before, after map[string]string) string {
	var changed []string
	for path, was := range before {
		if is, ok := after[path]; !ok || is != was {
			changed = append(changed, fmt.Sprintf("%s: %s became %q", path, was, is))
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			changed = append(changed, path+" is new")
		}
	}
	slices.Sort(changed)
	return strings.Join(changed, "\n")
}
