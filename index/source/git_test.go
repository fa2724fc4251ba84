//go:build linux

package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestProviderEnvironment(t *testing.T) { // P-18
	git := ProviderGit([]string{"PATH=/bin", "HOME=/h", "GIT_DIR=/x", "GIT_CONFIG_COUNT=1", "LC_ALL=de_DE", "GITLAB=kept", "LANG=de"})
	want := []string{"PATH=/bin", "HOME=/h", "GITLAB=kept", "LANG=de", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"}
	if !slices.Equal(git.Environment, want) {
		t.Errorf("environment %q", git.Environment)
	}
	want = []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false", "ls-files"}
	if got := git.arguments([]string{"ls-files"}); !slices.Equal(got, want) {
		t.Errorf("arguments %q", got)
	}
}

// TestGitEnds runs scripts in the place of Git (P-19, P-89).
func TestGitEnds(t *testing.T) {
	quietEnvironment(t)
	for _, c := range []struct {
		script, output string
		want           Code
	}{
		{"echo out; echo complaint >&2", "out\n", ""},
		{"cat; pwd", "/\n", ""},
		{"head -c 1000 /dev/zero | tr '\\0' x", strings.Repeat("x", 1000), ""},
		{"head -c 1001 /dev/zero | tr '\\0' x", "", GitOutputTooLarge},
		{"exec cat /dev/zero", "", GitOutputTooLarge},
		{"trap '' PIPE TERM; while :; do echo 0123456789012345678901234567890123456789; done", "", GitOutputTooLarge},
		{"head -c 1000000 /dev/zero >&2; exit 1", "", GitFailed},
		{"exit 1", "", GitFailed},
		{"kill -9 $$", "", GitFailed},
		{"echo out; sleep 2 & exit 0", "", GitFailed}, // another process holds the output open
	} {
		fakeGit(t, c.script+"\n")
		git := ProviderGit(os.Environ())
		git.MaxOutput, git.OwnGroup = 1000, true
		before := openDescriptors(t)
		output, err := git.Run(context.Background(), "/", "version")
		if got := failureCode(t, err); got != c.want || string(output) != c.output {
			t.Errorf("%s: got %q, %.60q (%v)", c.script, got, output, errors.Unwrap(err))
		}
		if after := openDescriptors(t); after != before {
			t.Errorf("%s: %d descriptors before, %d after", c.script, before, after)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := ProviderGit(os.Environ()).Run(context.Background(), "/", "version"); failureCode(t, err) != GitUnavailable {
		t.Errorf("without Git: %v", err)
	}
	if _, err := ProviderGit(os.Environ()).Run(context.Background(), "/nowhere", "version"); err == nil {
		t.Error("no error without Git and directory")
	}
}

// TestGitIsKilledAndReaped ends Git by the deadline of the call: no child is left, in the provider's group or its own (P-19, M-60).
func TestGitIsKilledAndReaped(t *testing.T) {
	quietEnvironment(t)
	for _, own := range []bool{false, true} {
		marks := t.TempDir()
		fakeGit(t, "trap '' TERM INT HUP\necho $$ >'"+marks+"/new'; mv '"+marks+"/new' '"+marks+"/pid'\nwhile :; do :; done\n")
		git := ProviderGit(os.Environ())
		git.OwnGroup = own
		ctx, cancel := context.WithCancel(context.Background())
		group := make(chan int, 1)
		go func() {
			pid := waitForPid(marks + "/pid")
			leader, _ := unix.Getpgid(pid)
			cancel()
			if own && leader == pid || !own && leader == unix.Getpgrp() {
				group <- pid
			} else {
				group <- -pid
			}
		}()
		_, err := git.Run(ctx, "/", "status")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("own group %v: %v", own, err)
		}
		pid := <-group
		if pid < 0 {
			t.Errorf("own group %v: the child is in the wrong group", own)
			pid = -pid
		}
		if err := unix.Kill(pid, 0); err != unix.ESRCH {
			t.Errorf("own group %v: the child was not reaped: %v", own, err)
		}
	}
}

func waitForPid(path string) int {
	for {
		if text, err := os.ReadFile(path); err == nil {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
			return pid
		}
		time.Sleep(time.Millisecond)
	}
}

func TestExpiredCallStartsNothing(t *testing.T) {
	quietEnvironment(t)
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	if _, err := ProviderGit(os.Environ()).Run(ctx, "/", "version"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestLargeListing gives the same answer whether Git prints too much or the index read in process would make it (P-19).
func TestLargeListing(t *testing.T) {
	r := newRepository(t)
	r.commit(manyNames(50)...)
	for _, c := range []struct {
		options []Option
		want    Code
	}{{nil, ""}, {[]Option{GitOutput(3000)}, GitOutputTooLarge}} {
		root := r.open(c.options...)
		_, err := root.Observe(context.Background())
		if got := failureCode(t, err); got != c.want {
			t.Errorf("in process: got %q, want %q", got, c.want)
		}
		_, err = root.askTracked(context.Background(), root.layout.Load())
		if got := failureCode(t, err); got != c.want {
			t.Errorf("by Git: got %q, want %q", got, c.want)
		}
	}
	exact := int64(len(r.git("ls-files", "--stage", "-z")))
	for limit, want := range map[int64]Code{exact: "", exact - 1: GitOutputTooLarge} {
		_, err := r.open(GitOutput(limit)).Observe(context.Background())
		if got := failureCode(t, err); got != want {
			t.Errorf("limit %d: got %q, want %q", limit, got, want)
		}
	}
}

// TestRepositoryStartsNoProgram lets a repository name programs wherever it can (P-18, M-59).
func TestRepositoryStartsNoProgram(t *testing.T) {
	r := newRepository(t)
	r.commit("a.md", "b=c.md")
	mark := filepath.Join(t.TempDir(), "started")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho $0 $@ >>'"+mark+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "filter.f.clean", "filter.f.smudge", "filter.g=h.process", "filter.g=h.clean",
		"diff.d.textconv", "diff.d.command", "gpg.program", "core.editor"} {
		r.git("config", name, program)
	}
	r.git("config", "filter.f.required", "true")
	hooks := filepath.Join(r.dir, "hooks")
	r.git("config", "core.hooksPath", hooks)
	r.writeText("hooks/post-index-change", "#!/bin/sh\necho hook >>'"+mark+"'\n")
	os.Chmod(filepath.Join(hooks, "post-index-change"), 0o755)
	r.writeText(".git/info/attributes", "*.md filter=f diff=d\nb* filter=g=h\n")
	r.writeText("a.md", "other\n")
	r.writeText("b=c.md", "other\n")
	root := r.open()
	if _, err := root.askTracked(context.Background(), root.layout.Load()); err != nil {
		t.Fatal(err)
	}
	git, err := IsolatedGit(context.Background(), t.TempDir(), filepath.Join(r.dir, ".git"), r.dir)
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	for _, command := range []string{"status --porcelain=v2 --branch -z --untracked-files=all --ignore-submodules=all --no-renames",
		"diff --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --full-index"} {
		output, err := git.Run(context.Background(), r.dir, strings.Fields(command)...)
		if err != nil || !strings.Contains(string(output), "a.md") {
			t.Errorf("%s: %v %v\n%s", command, err, errors.Unwrap(err), output)
		}
	}
	if started, err := os.ReadFile(mark); err == nil {
		t.Errorf("programs were started:\n%s", started)
	}
}

func TestMessagesAreSafe(t *testing.T) { // P-4, P-88
	for code, sentence := range sentences {
		if failureCode(t, fail(code, nil)) != code || !strings.HasSuffix(sentence, ".") {
			t.Errorf("%s: %q", code, sentence)
		}
	}
	err := fmt.Errorf("wrapped: %w", fail(GitFailed, &complaint{status: 3, text: "in /home/someone"}))
	if !errors.Is(err, &Failure{Code: GitFailed}) || errors.Is(err, &Failure{Code: RootChanged}) {
		t.Error("failures are not told apart by their code")
	}
}
