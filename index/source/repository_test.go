//go:build linux

package source

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository is a working tree in a temporary directory, worked on with the real Git.
type repository struct {
	t   testing.TB
	dir string
}

// quietEnvironment gives the test and all it starts a home of its own and no configuration from elsewhere.
func quietEnvironment(t testing.TB) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "PWD": "",
		"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", "GIT_CONFIG_KEY_1": "core.fsync", "GIT_CONFIG_VALUE_1": "none",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@localhost", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost",
	} {
		t.Setenv(name, value)
	}
}

func newRepository(t testing.TB, options ...string) *repository {
	t.Helper()
	quietEnvironment(t)
	r := &repository{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git(append([]string{"-c", "init.defaultBranch=main", "init", "-q", "--template="}, options...)...)
	return r
}

// git runs Git in the working tree and gives its output.
func (r *repository) git(arguments ...string) string {
	r.t.Helper()
	return r.gitInput("", arguments...)
}

func (r *repository) gitInput(input string, arguments ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", arguments...)
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(input)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	output, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", arguments, err, complaints.String())
	}
	return string(output)
}

// write makes files, each with its own path as text.
func (r *repository) write(paths ...string) {
	r.t.Helper()
	for _, path := range paths {
		r.writeText(path, path+"\n")
	}
}

func (r *repository) writeText(path, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) commit(paths ...string) {
	r.t.Helper()
	r.write(paths...)
	r.git("add", "-A")
	r.git("commit", "-qm", "more")
}

// open admits the working tree.
func (r *repository) open(options ...Option) *Root {
	r.t.Helper()
	root, err := OpenRoot(context.Background(), r.dir, options...)
	if err != nil {
		r.t.Fatal(err, errors.Unwrap(err))
	}
	r.t.Cleanup(func() { root.Close() })
	return root
}

// countGit makes every start of Git from now on leave a mark, and gives how many there were since the last look.
func countGit(t testing.TB) func() int {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	fakeGit(t, "echo x >>'"+log+"'\nexec '"+real+"' \"$@\"\n")
	return func() int {
		marks, _ := os.ReadFile(log)
		os.Remove(log)
		return bytes.Count(marks, []byte("\n"))
	}
}

// fakeGit puts a shell script in the place of Git.
func fakeGit(t testing.TB, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// failureCode gives the code of a failure, "" for no error.
func failureCode(t testing.TB, err error) Code {
	t.Helper()
	var failure *Failure
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &failure):
		t.Fatalf("not a failure: %v", err)
	}
	if len(failure.Message) > 300 || strings.IndexFunc(failure.Message, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 || strings.Contains(failure.Message, "/") {
		t.Errorf("message is not a plain ASCII sentence: %q", failure.Message)
	}
	return failure.Code
}

// refusalReason gives the reason of a refusal, "" for no error.
func refusalReason(t testing.TB, err error) Reason {
	t.Helper()
	var refusal *Refusal
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &refusal):
		t.Fatalf("not a refusal: %v", err)
	}
	return refusal.Reason
}
