package gitview

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A trap is a repository that wants a program of its own to run. The program leaves a marker; ask looks at everything
// that gitview can tell and fails when there is one, or when a byte of the repository has changed (M-59, M-60).
type trap struct {
	*repo
	program string
	marker  string
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	r := newRepo(t, map[string]string{"a.txt": "one\n", "b.txt": "bee\n", "sub/c.txt": "see\n"})
	trap := &trap{repo: r, program: filepath.Join(r.base, "program"), marker: filepath.Join(r.base, "RAN")}
	script := fmt.Sprintf("#!/bin/sh\necho ran >> '%s'\n[ \"$1\" = cat ] && cat\nexit 0\n", trap.marker)
	must(t, os.WriteFile(trap.program, []byte(script), 0o755))
	return trap
}

// config sets a value in the repository's own configuration.
func (h *trap) config(name, value string) { h.run("config", name, value) }

// write writes a file of the Git directory.
func (h *trap) write(path, text string) {
	h.t.Helper()
	name := filepath.Join(h.root, ".git", path)
	must(h.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(h.t, os.WriteFile(name, []byte(text), 0o755))
}

// ask gives the outcome of the questions that run different commands. The change keeps the size of the file and the other file has a new time stamp,
// so that Git has to read both; a third is staged.
func (h *trap) ask() map[string]error {
	h.t.Helper()
	must(h.t, os.WriteFile(filepath.Join(h.root, "a.txt"), []byte("two\n"), 0o644))
	h.touch("b.txt")
	must(h.t, os.RemoveAll(h.marker))
	before := fingerprint(h.t, h.root)
	outcomes := make(map[string]error)
	_, outcomes["status"] = h.status()
	_, outcomes["diff"] = h.diff(nil)
	_, outcomes["staged diff"] = h.diff(staged)
	for what := range outcomes {
		if _, err := os.Stat(h.marker); err == nil {
			h.t.Errorf("%s or another question ran the repository's program", what)
			break
		}
	}
	wantSame(h.t, "after all questions", before, fingerprint(h.t, h.root))
	return outcomes
}

// TestTraps has one trap for every setting that can start a program (M-59). In all of these Git still answers.
func TestTraps(t *testing.T) {
	attributes := func(h *trap, line string) { h.put(".gitattributes", line+"\n") }
	traps := map[string]func(*trap){
		"fsmonitor":         func(h *trap) { h.config("core.fsmonitor", h.program) },
		"fsmonitor version": func(h *trap) { h.config("core.fsmonitor", h.program); h.config("core.fsmonitorHookVersion", "1") },
		"hooks path": func(h *trap) {
			dir := filepath.Join(h.base, "hooks")
			must(h.t, os.Mkdir(dir, 0o755))
			for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "query-watchman", "reference-transaction"} {
				must(h.t, os.Symlink(h.program, filepath.Join(dir, hook)))
			}
			h.config("core.hooksPath", dir)
		},
		"hooks": func(h *trap) {
			for _, hook := range []string{"post-index-change", "pre-commit", "reference-transaction"} {
				h.write("hooks/"+hook, "#!/bin/sh\n"+h.program+"\n")
			}
		},
		"filter clean":   func(h *trap) { h.config("filter.x.clean", h.program+" cat"); attributes(h, "* filter=x") },
		"filter smudge":  func(h *trap) { h.config("filter.x.smudge", h.program+" cat"); attributes(h, "* filter=x") },
		"filter process": func(h *trap) { h.config("filter.x.process", h.program); attributes(h, "* filter=x") },
		"filter required": func(h *trap) {
			h.config("filter.x.clean", h.program+" cat")
			h.config("filter.x.required", "true")
			attributes(h, "* filter=x")
		},
		"filter with dots and equals signs": func(h *trap) {
			h.config("filter.x=y.clean z.clean", h.program+" cat")
			h.write("info/attributes", "* filter=x=y.clean\n")
			h.config("filter.x=y.clean", h.program+" cat")
			h.config("filter.p.q.clean", h.program+" cat")
			attributes(h, "a.txt filter=x=y\nb.txt filter=p.q")
		},
		"filter in other case": func(h *trap) {
			h.write("config", readFile(h.t, h.root, ".git/config")+"[FILTER \"Mixed.Case\"]\n\tCLEAN = "+h.program+" cat\n")
			attributes(h, "* filter=Mixed.Case")
		},
		"filter by info/attributes": func(h *trap) {
			h.config("filter.x.clean", h.program+" cat")
			h.write("info/attributes", "* filter=x\n")
		},
		"filter by attributes file": func(h *trap) {
			h.config("filter.x.clean", h.program+" cat")
			h.put("attrs", "* filter=x\n")
			h.config("core.attributesFile", filepath.Join(h.root, "attrs"))
		},
		"filter by included file": func(h *trap) {
			h.put("more", "[filter \"x\"]\n clean = "+h.program+" cat\n")
			h.config("include.path", filepath.Join(h.root, "more"))
			attributes(h, "* filter=x")
		},
		"filter by relative include": func(h *trap) {
			h.write("more", "[filter \"x\"]\n clean = "+h.program+" cat\n")
			h.config("include.path", "more")
			attributes(h, "* filter=x")
		},
		"filter by include on a branch": func(h *trap) {
			h.put("more", "[filter \"x\"]\n clean = "+h.program+" cat\n")
			h.config("includeIf.onbranch:main.path", filepath.Join(h.root, "more"))
			attributes(h, "* filter=x")
		},
		"filter by include for the Git directory": func(h *trap) {
			h.put("more", "[filter \"x\"]\n clean = "+h.program+" cat\n")
			h.config("includeIf.gitdir:**.path", filepath.Join(h.root, "more"))
			attributes(h, "* filter=x")
		},
		"filter by work tree configuration": func(h *trap) {
			h.config("core.repositoryFormatVersion", "1")
			h.config("extensions.worktreeConfig", "true")
			h.write("config.worktree", "[filter \"x\"]\n clean = "+h.program+" cat\n")
			attributes(h, "* filter=x")
		},
		"textconv": func(h *trap) { h.config("diff.x.textconv", h.program+" cat"); attributes(h, "* diff=x") },
		"cached textconv": func(h *trap) {
			h.config("diff.x.textconv", h.program+" cat")
			h.config("diff.x.cachetextconv", "true")
			attributes(h, "* diff=x")
		},
		"driver command": func(h *trap) { h.config("diff.x.command", h.program); attributes(h, "* diff=x") },
		"external diff":  func(h *trap) { h.config("diff.external", h.program) },
		"merge driver":   func(h *trap) { h.config("merge.x.driver", h.program); attributes(h, "* merge=x") },
		"pager": func(h *trap) {
			h.config("core.pager", h.program)
			h.config("pager.diff", h.program)
			h.config("pager.status", h.program)
		},
		"editor and prompts": func(h *trap) {
			h.config("core.editor", h.program)
			h.config("core.askPass", h.program)
			h.config("credential.helper", h.program)
		},
		"interactive filter": func(h *trap) { h.config("interactive.diffFilter", h.program) },
		"ssh command": func(h *trap) {
			h.config("core.sshCommand", h.program)
			h.config("remote.origin.url", "ssh://example.invalid/x")
		},
		"git proxy":            func(h *trap) { h.config("core.gitProxy", h.program) },
		"signature program":    func(h *trap) { h.config("gpg.program", h.program); h.config("log.showSignature", "true") },
		"aliases":              func(h *trap) { h.config("alias.status", "!"+h.program); h.config("alias.diff", "!"+h.program) },
		"alternate references": func(h *trap) { h.config("core.alternateRefsCommand", h.program) },
		"untracked cache":      func(h *trap) { h.config("core.untrackedCache", "true"); h.config("feature.manyFiles", "true") },
		"work tree elsewhere":  func(h *trap) { h.config("core.worktree", h.base) },
		"submodule": func(h *trap) {
			inner := filepath.Join(h.base, "inner")
			must(h.t, os.Mkdir(inner, 0o755))
			h.runIn(inner, "init", "-q", "-b", "main")
			h.runIn(inner, "commit", "-q", "--allow-empty", "-m", "inner")
			h.run("submodule", "add", "-q", inner, "module")
			h.run("config", "-f", filepath.Join(h.root, ".git/modules/module/config"), "core.fsmonitor", h.program)
			h.config("submodule.module.update", "!"+h.program)
			h.config("status.submoduleSummary", "true")
			h.config("diff.submodule", "log")
			h.config("diff.ignoreSubmodules", "none")
			h.put("module/new.txt", "new\n")
		},
		"nested repository": func(h *trap) {
			dir := filepath.Join(h.root, "nested")
			must(h.t, os.Mkdir(dir, 0o755))
			h.runIn(dir, "init", "-q", "-b", "main")
			h.runIn(dir, "commit", "-q", "--allow-empty", "-m", "nested")
			h.runIn(dir, "config", "core.fsmonitor", h.program)
		},
	}
	for name, set := range traps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTrap(t)
			set(h)
			for what, err := range h.ask() {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

func readFile(t *testing.T, root, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	must(t, err)
	return string(text)
}

// TestBrokenTraps has those in which Git may refuse to answer; still nothing runs and nothing changes.
func TestBrokenTraps(t *testing.T) {
	traps := map[string]func(*trap){
		"filter without a name": func(h *trap) {
			h.write("config", readFile(h.t, h.root, ".git/config")+"[filter \"\"]\n\tclean = "+h.program+" cat\n")
			h.put(".gitattributes", "* filter=\n")
		},
		"partial clone": func(h *trap) {
			h.config("core.repositoryFormatVersion", "1")
			h.config("extensions.partialClone", "origin")
			h.config("remote.origin.promisor", "true")
			h.config("remote.origin.url", "ext::"+h.program)
			h.config("remote.origin.uploadpack", h.program)
			h.config("protocol.ext.allow", "always")
			h.config("protocol.allow", "always")
			object := h.run("rev-parse", "HEAD:a.txt")
			must(h.t, os.Remove(filepath.Join(h.root, ".git/objects", object[:2], object[2:])))
		},
		"partial clone by a helper": func(h *trap) {
			h.config("core.repositoryFormatVersion", "1")
			h.config("extensions.partialClone", "origin")
			h.config("remote.origin.promisor", "true")
			h.config("remote.origin.vcs", "evil")
			h.config("remote.origin.url", h.base)
			object := h.run("rev-parse", "HEAD:a.txt")
			must(h.t, os.Remove(filepath.Join(h.root, ".git/objects", object[:2], object[2:])))
		},
		"configuration that is none": func(h *trap) { h.write("config", "[filter \"x\n") },
		"bare":                       func(h *trap) { h.config("core.bare", "true") },
		"unknown format":             func(h *trap) { h.config("core.repositoryFormatVersion", "99") },
		"many filters": func(h *trap) {
			var all strings.Builder
			for i := range maxDrivers + 1 {
				fmt.Fprintf(&all, "[filter \"f%d\"]\n clean = %s cat\n", i, h.program)
			}
			h.write("config", readFile(h.t, h.root, ".git/config")+all.String())
			h.put(".gitattributes", "* filter=f0\n")
		},
		"index that is none": func(h *trap) { h.write("index", "DIRC nonsense") },
		"head that is none":  func(h *trap) { h.write("HEAD", "ref: \x00") },
	}
	for name, set := range traps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTrap(t)
			set(h)
			h.ask()
		})
	}
}

// TestNoProcessLeft: Git that runs too long is killed with its children, and the call says timeout (M-60).
func TestNoProcessLeft(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	slow := filepath.Join(r.base, "bin")
	must(t, os.Mkdir(slow, 0o755))
	alive := filepath.Join(r.base, "alive")
	script := "#!/bin/sh\n(while :; do date >> '" + alive + "'; sleep 0.05; done) &\nwait\n"
	must(t, os.WriteFile(filepath.Join(slow, "git"), []byte(script), 0o755))
	t.Setenv("PATH", slow+string(os.PathListSeparator)+os.Getenv("PATH"))
	g, err := New(Options{Timeout: 300 * time.Millisecond, TemporaryDirectory: r.base, AllowLinkedWorktree: true}) // not confined: it leaves a trace
	must(t, err)
	defer func() { must(t, g.Close()) }()
	_, err = g.Status(context.Background(), r.repository(), StatusArgs{Limit: 1}, resultBytes)
	wantCode(t, "slow git", err, "timeout")
	wantStill(t, alive)

	g.timeout = time.Minute
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	_, err = g.Status(ctx, r.repository(), StatusArgs{Limit: 1}, resultBytes)
	wantCode(t, "cancelled", err, "cancelled")
	wantStill(t, alive)
}

// wantStill fails when a file still grows.
func wantStill(t *testing.T, name string) {
	t.Helper()
	before, err := os.Stat(name)
	must(t, err)
	time.Sleep(300 * time.Millisecond)
	after, err := os.Stat(name)
	must(t, err)
	if before.Size() != after.Size() {
		t.Error("a child of Git is still running")
	}
}

// TestTrapsWork: the traps are real. Git used without this package's care runs the program.
func TestTrapsWork(t *testing.T) {
	for name, set := range map[string]func(*trap){
		"fsmonitor": func(h *trap) { h.config("core.fsmonitor", h.program) },
		"clean":     func(h *trap) { h.config("filter.x.clean", h.program+" cat"); h.put(".gitattributes", "* filter=x\n") },
		"textconv":  func(h *trap) { h.config("diff.x.textconv", h.program+" cat"); h.put(".gitattributes", "* diff=x\n") },
		"external":  func(h *trap) { h.config("diff.external", h.program) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTrap(t)
			set(h)
			must(t, os.WriteFile(filepath.Join(h.root, "a.txt"), []byte("two\n"), 0o644))
			must(t, os.RemoveAll(h.marker))
			h.run("diff")
			if _, err := os.Stat(h.marker); err != nil {
				t.Errorf("the program did not run: %v", err)
			}
		})
	}
}
