package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strings"
	"time"
)

// Bounds of one Git command.
const (
	MaxGitOutput = 8 << 20 // bytes kept of its output (P-19)

	maxGitComplaint = 64 << 10        // bytes kept of its standard error, never given out (M-60)
	pipeDelay       = 2 * time.Second // how long a pipe may stay open in other hands after Git itself has ended
)

// Git says how Git is started. The zero value is of no use; ProviderGit and IsolatedGit give the two ways.
// A Git is not changed by use and safe for concurrent use.
type Git struct {
	Environment []string // the whole environment of the child
	Config      []string // name=value settings, given with -c
	MaxOutput   int64    // more output than this many bytes is git_output_too_large
	OwnGroup    bool     // the child leads a process group of its own and is killed with all its children (M-60)
}

// guardedConfig keeps configuration inside the repository from starting a program (P-18).
var guardedConfig = []string{"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"}

// ProviderGit is Git as the provider starts it (P-18, P-19): the given environment without its GIT_ variables, so that
// none of them points it elsewhere; the user's own configuration stays readable.
func ProviderGit(environment []string) *Git {
	kept := make([]string, 0, len(environment)+3)
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "GIT_") && !strings.HasPrefix(variable, "LC_ALL=") {
			kept = append(kept, variable)
		}
	}
	return &Git{
		Environment: append(kept, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"),
		Config:      guardedConfig,
		MaxOutput:   MaxGitOutput,
	}
}

// A complaint is how Git ended when it did not end well, with what it said. It may name paths of the machine.
type complaint struct {
	status int
	text   string
}

func (c *complaint) Error() string {
	return fmt.Sprintf("git ended with status %d: %s", c.status, strings.TrimSpace(c.text))
}

// errOutput ends a command whose output passes its bound.
var errOutput = errors.New("too much output")

// Run starts Git in dir with the given arguments and an empty standard input, waits for its end and gives its output.
// When ctx ends, Git is killed and reaped before Run returns, and the error is that of ctx. Other errors are a *Failure:
// git_unavailable when Git cannot be started, root_unreadable when dir is missing, git_output_too_large, or git_failed.
func (g *Git) Run(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	output := &boundedBuffer{limit: g.MaxOutput, over: func() { stop(errOutput) }}
	complaints := &boundedBuffer{limit: maxGitComplaint}
	cmd := exec.CommandContext(running, "git", g.arguments(arguments)...)
	cmd.Dir = dir
	cmd.Env = append(g.Environment[:len(g.Environment):len(g.Environment)], "PWD="+dir)
	cmd.Stdout, cmd.Stderr = output, complaints
	cmd.WaitDelay = pipeDelay
	if g.OwnGroup {
		inOwnGroup(cmd)
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("git: %w", ctx.Err())
		}
		var started *fs.PathError
		if errors.As(err, &started) && started.Op == "chdir" {
			return nil, fail(RootUnreadable, err)
		}
		return nil, failBecause(GitUnavailable, "Git cannot be started.", err)
	}
	err := cmd.Wait()
	switch {
	case output.full:
		return nil, fail(GitOutputTooLarge, nil)
	case err == nil:
		return output.kept.Bytes(), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git: %w", ctx.Err())
	}
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = &complaint{status: ended.ExitCode(), text: complaints.kept.String()}
	}
	return nil, fail(GitFailed, err)
}

func (g *Git) arguments(command []string) []string {
	all := make([]string, 0, 2*len(g.Config)+len(command))
	for _, setting := range g.Config {
		all = append(all, "-c", setting)
	}
	return append(all, command...)
}

// boundedBuffer keeps at most limit bytes. With over set it then calls it once and refuses what follows; without, it
// swallows the rest. It offers Write alone, so that nothing gets past the bound.
type boundedBuffer struct {
	kept  bytes.Buffer
	limit int64
	over  func()
	full  bool
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	room := b.limit - int64(b.kept.Len())
	if int64(len(p)) <= room {
		return b.kept.Write(p)
	}
	b.kept.Write(p[:room])
	if b.over == nil {
		return len(p), nil
	}
	if !b.full {
		b.full = true
		b.over()
	}
	return int(room), io.ErrShortWrite
}
