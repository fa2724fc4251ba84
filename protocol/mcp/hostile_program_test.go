package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A trigger is a setting that starts a program, and the plain Git command that proves it: without the proof, a trap that
// never works would pass for a defence.
type trigger struct {
	name  string
	set   func(*snare)
	proof []string
	stdin string
}

func attributes(h *snare, text string) { h.put(".gitattributes", text+"\n") }

func clean(h *snare) string { return "[filter \"x\"]\n\tclean = " + h.program + " cat\n" }

// triggers are the settings of M-59 that start a program in a repository.
var triggers = []trigger{
	{name: "fsmonitor", proof: []string{"status"}, set: func(h *snare) { h.config("[core]\n\tfsmonitor = %s", h.program) }},
	{name: "fsmonitor_version", proof: []string{"status"}, set: func(h *snare) {
		h.config("[core]\n\tfsmonitor = %s\n\tfsmonitorHookVersion = 1\n\tuntrackedCache = true", h.program)
	}},
	{name: "hooks", proof: []string{"status"}, set: func(h *snare) { h.put(".git/hooks/post-index-change", "#!/bin/sh\n"+h.program+"\n") }},
	{name: "hooks_path", proof: []string{"status"}, set: func(h *snare) {
		h.put("hooks/post-index-change", "#!/bin/sh\n"+h.program+"\n")
		h.config("[core]\n\thooksPath = hooks")
	}},
	{name: "filter_clean", proof: []string{"diff"}, set: func(h *snare) { h.config("%s", clean(h)); attributes(h, "* filter=x") }},
	{name: "filter_required", proof: []string{"diff"}, set: func(h *snare) {
		h.config("%s\trequired = true", clean(h))
		attributes(h, "* filter=x")
	}},
	{name: "filter_smudge", proof: []string{"checkout", "--", "a.txt"}, set: func(h *snare) {
		h.config("[filter \"x\"]\n\tsmudge = %s cat", h.program)
		attributes(h, "* filter=x")
	}},
	{name: "filter_process", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[filter \"x\"]\n\tprocess = %s", h.program)
		attributes(h, "* filter=x")
	}},
	{name: "filter_equals_sign", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[filter \"x=y\"]\n\tclean = %s cat\n[filter \"p.q.clean=z\"]\n\tclean = %s cat", h.program, h.program)
		attributes(h, "a.txt filter=x=y\nb.txt filter=p.q.clean=z")
	}},
	{name: "filter_other_case", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[FILTER \"Mixed.Case\"]\n\tCLEAN = %s cat", h.program)
		attributes(h, "* filter=Mixed.Case")
	}},
	{name: "filter_macro", proof: []string{"diff"}, set: func(h *snare) {
		h.config("%s", clean(h))
		h.put(".git/info/attributes", "[attr]odd filter=x\n* odd\n")
	}},
	{name: "filter_below", proof: []string{"diff", "HEAD"}, set: func(h *snare) {
		h.config("%s", clean(h))
		h.put("sub/.gitattributes", "*.go filter=x\n")
		h.put("sub/d.go", "package f\n")
	}},
	{name: "attributes_file", proof: []string{"diff"}, set: func(h *snare) {
		h.put("attrs", "* filter=x\n")
		h.config("%s[core]\n\tattributesFile = %s/attrs", clean(h), h.root)
	}},
	{name: "include", proof: []string{"diff"}, set: func(h *snare) {
		h.put("more", "[include]\n\tpath = still/more\n")
		h.put("still/more", clean(h))
		h.config("[include]\n\tpath = %s/more", h.root)
		attributes(h, "* filter=x")
	}},
	{name: "include_outside", proof: []string{"diff"}, set: func(h *snare) {
		if err := os.WriteFile(h.beside+"/more", []byte(clean(h)), 0o644); err != nil {
			h.t.Fatal(err)
		}
		h.config("[include]\n\tpath = %s/more", h.beside)
		attributes(h, "* filter=x")
	}},
	{name: "include_if_branch", proof: []string{"diff"}, set: func(h *snare) { conditional(h, "onbranch:main") }},
	{name: "include_if_directory", proof: []string{"diff"}, set: func(h *snare) { conditional(h, "gitdir:**") }},
	{name: "include_if_directory_other_case", proof: []string{"diff"}, set: func(h *snare) { conditional(h, "gitdir/i:**/WS/**") }},
	{name: "include_if_remote", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[remote \"o\"]\n\turl = https://example.invalid/x")
		conditional(h, "hasconfig:remote.*.url:https://example.invalid/**")
	}},
	{name: "work_tree_configuration", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true")
		h.put(".git/config.worktree", clean(h))
		attributes(h, "* filter=x")
	}},
	{name: "textconv", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[diff \"x\"]\n\ttextconv = %s cat", h.program)
		attributes(h, "* diff=x")
	}},
	{name: "textconv_cached", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[diff \"x\"]\n\ttextconv = %s cat\n\tcachetextconv = true", h.program)
		attributes(h, "* diff=x")
	}},
	{name: "diff_driver", proof: []string{"diff"}, set: func(h *snare) {
		h.config("[diff \"x\"]\n\tcommand = %s", h.program)
		attributes(h, "* diff=x")
	}},
	{name: "external_diff", proof: []string{"diff"}, set: func(h *snare) { h.config("[diff]\n\texternal = %s", h.program) }},
	{name: "pager", proof: []string{"grep", "--open-files-in-pager", "quokka"}, set: func(h *snare) {
		h.config("[core]\n\tpager = %s\n[pager]\n\tdiff = %s\n\tstatus = %s\n\tconfig = %s", h.program, h.program, h.program, h.program)
	}},
	{name: "editor", proof: []string{"commit", "--allow-empty"}, set: func(h *snare) { h.config("[core]\n\teditor = %s", h.program) }},
	{name: "signature", proof: []string{"commit", "--allow-empty", "-S", "-m", "x"}, set: func(h *snare) {
		h.config("[gpg]\n\tprogram = %s\n[log]\n\tshowSignature = true\n[commit]\n\tgpgSign = true", h.program)
	}},
	{name: "password_helper", proof: []string{"credential", "fill"}, stdin: "protocol=https\nhost=example.invalid\n\n", set: func(h *snare) {
		h.config("[credential]\n\thelper = %s\n[core]\n\taskPass = %s", h.program, h.program)
	}},
	{name: "alias", proof: []string{"look"}, set: func(h *snare) {
		h.config("[alias]\n\tlook = !%s\n\tstatus = !%s\n\tdiff = !%s\n\tls-files = !%s\n\trev-parse = !%s", h.program, h.program, h.program, h.program, h.program)
	}},
	{name: "ssh_command", proof: []string{"fetch", "o"}, set: func(h *snare) {
		h.config("[core]\n\tsshCommand = %s\n[remote \"o\"]\n\turl = ssh://example.invalid/x\n[branch \"main\"]\n\tremote = o\n\tmerge = refs/heads/main", h.program)
	}},
	{name: "proxy", proof: []string{"fetch", "o"}, set: func(h *snare) {
		h.config("[core]\n\tgitProxy = %s\n[remote \"o\"]\n\turl = git://example.invalid/x", h.program)
	}},
	{name: "upload_pack", proof: []string{"fetch", "o"}, set: func(h *snare) {
		h.config("[remote \"o\"]\n\turl = %s\n\tuploadpack = %s", h.root, h.program)
	}},
	{name: "lost_file", proof: []string{"diff"}, set: func(h *snare) { promised(h, "HEAD:a.txt") }},
	{name: "lost_commit", proof: []string{"log"}, set: func(h *snare) { promised(h, "HEAD") }},
	{name: "lost_tree", proof: []string{"status"}, set: func(h *snare) { promised(h, "HEAD^{tree}") }},
	{name: "borrowed_references", proof: []string{"rev-list", "--alternate-refs"}, set: func(h *snare) {
		h.plain("", "clone", "-q", "--bare", ".", "inner")
		h.put(".git/objects/info/alternates", h.root+"/inner/objects\n")
		h.config("[core]\n\talternateRefsCommand = %s", h.program)
	}},
	{name: "submodule", proof: []string{"status"}, set: func(h *snare) {
		h.put("module/x.txt", "x\n")
		h.plain("", "init", "-q", "module")
		h.plain("", "-C", "module", "add", "x.txt")
		h.plain("", "-C", "module", "commit", "-q", "-m", "x")
		h.plain("", "add", "module")
		h.plain("", "-C", "module", "config", "core.fsmonitor", h.program)
		h.put("module/x.txt", "y\n")
		h.config("[diff]\n\tsubmodule = diff\n\tignoreSubmodules = none\n[status]\n\tsubmoduleSummary = true\n[submodule]\n\trecurse = true")
	}},
	{name: "submodule_clean", proof: []string{"diff"}, set: func(h *snare) {
		h.put("module/.gitattributes", "* filter=x\n")
		h.put("module/x.txt", "x\n")
		h.plain("", "init", "-q", "module")
		h.plain("", "-C", "module", "add", ".")
		h.plain("", "-C", "module", "commit", "-q", "-m", "x")
		h.plain("", "add", "module")
		h.plain("", "-C", "module", "config", "filter.x.clean", h.program+" cat")
		h.put("module/x.txt", "y\n")
		h.config("[diff]\n\tsubmodule = diff")
	}},
}

func conditional(h *snare, condition string) {
	h.put("more", clean(h))
	h.config("[includeIf \"%s\"]\n\tpath = %s/more", condition, h.root)
	attributes(h, "* filter=x")
}

// promised takes an object away that a remote promises to bring by a program.
func promised(h *snare, object string) {
	name := h.plain("", "rev-parse", object)[:40]
	if err := os.Remove(filepath.Join(h.root, ".git/objects", name[:2], name[2:])); err != nil {
		h.t.Fatal(err)
	}
	h.config("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\tpromisor = true\n"+
		"\turl = \"ext::%s\"\n[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always", h.program)
}

// Nothing that a repository configures is run by any tool, and no byte of it changes; plain Git runs it (M-59, M-60, M-61).
func TestHostileRepositories(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatal(err)
	}
	s := newSnares(t)
	repositories := map[string]*snare{}
	for _, c := range triggers {
		repositories[c.name] = s.add(t, c.name)
		c.set(repositories[c.name])
		s.must(os.RemoveAll(repositories[c.name].marker))
	}
	server := s.serve()
	for _, c := range triggers {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := *repositories[c.name]
			h.t = t
			for tool, code := range h.ask(server, c.name) {
				refusable := strings.HasPrefix(c.name, "lost_") || c.name == "include_outside" // what Git needs is not there for it
				if code != "" && !(code == "git_failed" && refusable) {
					t.Errorf("%s: %s", tool, code)
				}
			}
			if out := h.plain(c.stdin, c.proof...); !h.ran() {
				t.Errorf("plain git %q does not run the program either: %s", c.proof, out)
			}
		})
	}
}
