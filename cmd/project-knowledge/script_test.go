package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"project-knowledge": func() { os.Exit(run()) }})
}

// TestScripts runs the behaviour of the command line as it is told in testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("..", "..", "testdata", "script"),
		Setup: scriptHome,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repository": scriptRepository,
			"exits":      scriptExits,
		},
		RequireExplicitExec: true,
	})
}

// scriptHome gives a script a home, a cache and a Git configuration of its own.
func scriptHome(env *testscript.Env) error {
	work, err := filepath.EvalSymlinks(env.WorkDir)
	if err != nil {
		return err
	}
	program, err := exec.LookPath("project-knowledge")
	if err != nil {
		return err
	}
	env.WorkDir = work
	for name, value := range map[string]string{
		"PROJECT_KNOWLEDGE": program, // for scripts that take PATH away
		"WORK":              work, "HOME": filepath.Join(work, "home"), "XDG_CACHE_HOME": filepath.Join(work, "cache"),
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.invalid",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.invalid",
	} {
		env.Setenv(name, value)
	}
	return errors.Join(os.Mkdir(filepath.Join(work, "home"), 0o700), os.Mkdir(filepath.Join(work, "cache"), 0o700))
}

// scriptRepository is the script command `repository DIR`: it makes DIR a repository with everything in it committed.
func scriptRepository(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	for _, git := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", dir}, git...)...))
	}
}

// scriptExits is the script command `exits CODE PROGRAM ARGUMENT...`: it runs a program and expects its exit code.
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
