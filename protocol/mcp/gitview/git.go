package gitview

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"projectknowledge/index/source"
	"projectknowledge/protocol/mcp/pathguard"
)

// Limits of one Git command (M-60) that no setting changes.
const (
	maxOutput = 64 << 20
	// maxDrivers bounds the filters and diff drivers that are switched off by name: their settings have to fit the
	// environment of a process.
	maxDrivers     = 512
	maxDriverBytes = 64 << 10 // of their names together
	// maxConfigBytes bounds the listing of the names of all settings.
	maxConfigBytes = 4 << 20
)

// Options say how a server uses Git.
type Options struct {
	Timeout             time.Duration // of one call (M-60)
	AllowLinkedWorktree bool          // the Git directory may be outside the root (M-60)
	TemporaryDirectory  string        // where the empty home directory is made; "" = the system's
}

// Git shows repositories. Safe for concurrent use; Close removes its empty home directory.
type Git struct {
	timeout time.Duration
	linked  bool
	home    string
	search  string // PATH of the child
}

// New prepares the use of Git. It does not look for Git: a server without it works, and answers git_unavailable.
func New(options Options) (*Git, error) {
	home, err := os.MkdirTemp(options.TemporaryDirectory, "project-knowledge-git-")
	if err != nil {
		return nil, err
	}
	return &Git{timeout: options.Timeout, linked: options.AllowLinkedWorktree, home: home, search: absolutePath(os.Getenv("PATH"))}, nil
}

// Close removes what New made. It is empty: nothing that Git runs as writes to its home.
func (g *Git) Close() error { return os.Remove(g.home) }

// absolutePath keeps the absolute directories of a search path: a relative one could be the repository's.
func absolutePath(list string) string {
	var kept []string
	for _, dir := range filepath.SplitList(list) {
		if filepath.IsAbs(dir) {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// A Repository is a project whose Git is enabled.
type Repository struct {
	ProjectID string
	Root      string          // canonical
	Tree      *pathguard.Tree // the root, opened for the call
}

// A command is Git made ready for one call: the repository's own drivers are known and switched off.
type command struct {
	git     *Git
	place   place
	drivers []setting
}

// ready locates the repository and lists its drivers.
func (g *Git) ready(ctx context.Context, repository Repository) (*command, error) {
	at, err := g.locate(repository.Root)
	if err != nil {
		return nil, err
	}
	c := &command{git: g, place: at}
	names, err := c.run(ctx, maxConfigBytes, "config", "--list", "--name-only", "-z", "--includes")
	if err != nil {
		return nil, err
	}
	c.drivers, err = driverSettings(names)
	return c, err
}

// run runs Git and gives its output. Errors: git_unavailable, git_failed, git_output_too_large, timeout, cancelled.
func (c *command) run(ctx context.Context, limit int64, arguments ...string) ([]byte, error) {
	git := source.Git{Environment: c.environment(), MaxOutput: limit, OwnGroup: true}
	run := func() ([]byte, error) { return git.Run(ctx, c.place.root, arguments...) }
	start := func() ([]byte, error) { return confined([]string{c.place.root, c.git.home}, run) }
	if c.git.linked { // what it reads may be anywhere
		start = run
	}
	output, err := start()
	if err == nil {
		return output, nil
	}
	return nil, gitFault(ctx, err)
}

func gitFault(ctx context.Context, err error) error {
	var failure *source.Failure
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return pathguard.Fault(pathguard.Cancelled).Because(err)
	case ctx.Err() != nil:
		return pathguard.Errorf(pathguard.Timeout, "Git took longer than its time limit; ask for less, or for one path.").Because(err)
	case errors.As(err, &failure) && failure.Code == source.GitUnavailable:
		return pathguard.Errorf(pathguard.GitUnavailable, "Git is not installed on the server's machine.").Because(err)
	case errors.As(err, &failure) && failure.Code == source.GitOutputTooLarge:
		return pathguard.Fault(pathguard.GitOutputTooLarge).Because(err)
	}
	return pathguard.Fault(pathguard.GitFailed).Because(err)
}
