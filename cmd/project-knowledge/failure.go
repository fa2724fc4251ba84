package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/pathguard"
)

// Exit codes, documented in longHelp.
const (
	exitDone    = 0
	exitRefused = 1
	exitUsage   = 2
)

// usageError is a command line that cannot be meant.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usageArgs makes the errors of a check of positional arguments usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{err}
		}
		return nil
	}
}

// inputError is a failure together with what it happened to, as the person wrote it.
type inputError struct {
	input string
	err   error
}

func (e *inputError) Error() string { return e.err.Error() + " (" + e.input + ")" }
func (e *inputError) Unwrap() error { return e.err }

// about adds to a failure the input that it happened to.
func about(input string, err error) error {
	if err == nil {
		return nil
	}
	return &inputError{input, err}
}

// advice tells for every code what a person can do about it.
var advice = map[provider.Code]string{
	provider.HostUnsupported:      "run on Linux with a kernel that has openat2 or O_NOFOLLOW",
	provider.RootNotWorktree:      "run inside a Git working tree, or name one with --root (git init makes one)",
	provider.RootIsSubdirectory:   "give the top of the working tree (git rev-parse --show-toplevel prints it)",
	provider.RootIsSymlink:        "give the path without symbolic links (realpath prints it)",
	provider.RootIsFilesystemRoot: "give a project directory",
	provider.RootIsHome:           "give a project directory below your home",
	provider.RootUnreadable:       "check that the directory exists and that you may read and enter it",
	provider.GitUnavailable:       "install Git and put it in PATH; for a repository of another owner see git config safe.directory",
	provider.FTS5Unavailable:      "check that the system's temporary directory can be written",
	provider.InvalidArguments:     "see --help",
	provider.InvalidQuery:         "give at least one word, name or character to search for",
	provider.InvalidPath:          "give the path from the top of the working tree, with slashes, no part beginning with a dot",
	provider.NotIndexed:           "run project-knowledge index, or search with --refresh",
	provider.RebuildRequired:      "run project-knowledge index --mode rebuild",
	provider.RootChanged:          "run the command again",
	provider.GitFailed:            "run git status in the project and mend what it reports",
	provider.GitOutputTooLarge:    "the repository has more entries than can be listed; use a smaller one",
	provider.CacheUnsafe:          "make the cache directory yours alone (chmod 700, no links) and keep it outside the project; see XDG_CACHE_HOME",
	provider.CacheUnavailable:     "check free space and permissions of the cache directory; see XDG_CACHE_HOME",
	provider.IndexBusy:            "wait for the other index run to end, then try again",
	provider.BudgetExhausted:      "try again; a machine under load needs longer",
	provider.SourceUnavailable:    "run project-knowledge explain PATH to see which rule leaves the file out",
	provider.SourceChanged:        "search again with --refresh, or leave --hash out to read the current bytes",
	provider.InvalidRange:         "ask for lines that the file has",
	provider.LineTooLarge:         "ask for other lines",
	provider.InternalError:        "run project-knowledge doctor, and report this",
	provider.Cancelled:            "the published index is as it was; run the command again to go on",
}

// registryAdvice tells for a refusal of the registries what can be done about it, where its sentence does not.
var registryAdvice = map[pathguard.Code]string{
	pathguard.ProjectNotFound: "project-knowledge project list shows the projects",
	pathguard.GrantNotFound:   "project-knowledge grant list shows the grants",
	pathguard.RegistryInvalid: "correct the file; a running server reads it again by itself",
	pathguard.IDExists:        "take another ID; that of a grant stays taken when the grant has ended",
	pathguard.RootInvalid:     "give the absolute path of an existing directory",
	pathguard.RootForbidden:   "give a directory of one project, below your home or below a directory such as /srv",
	pathguard.RootOverlap:     "give a directory that neither contains nor lies in another root; project list and grant list show them",
	pathguard.Busy:            "wait for the other change to end, then try again",
	pathguard.AlreadyExists:   "compare the file with what setup shows without --write, and merge by hand",
	pathguard.WriteFailed:     "check free space and permissions of the directory",
}

// fail reports the error of a command and gives the exit code.
func (c *console) fail(cmd *cobra.Command, err error) int {
	var reported *reportedError
	if errors.As(err, &reported) {
		return exitRefused
	}
	var refused *pathguard.Error
	if errors.As(err, &refused) {
		return c.failRegistry(cmd, refused)
	}
	var known *provider.Error
	if !errors.As(err, &known) {
		return c.failUsage(cmd, err)
	}
	c.printFailure(cmd, known)
	fmt.Fprintf(c.err, "error: %s\n", known)
	var input *inputError
	if errors.As(err, &input) {
		fmt.Fprintf(c.err, "  at:      %s\n", plainLine(input.input))
	}
	if cause := errors.Unwrap(known); cause != nil {
		fmt.Fprintf(c.err, "  because: %s\n", plainLine(cause.Error()))
	}
	fmt.Fprintf(c.err, "  try:     %s\n", advice[known.Code])
	if known.Code == provider.InvalidArguments {
		return exitUsage
	}
	return exitRefused
}

// printFailure tells a known failure on standard output where --json asks for it.
func (c *console) printFailure(cmd *cobra.Command, failure any) {
	if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
		c.printJSON(struct {
			Error any `json:"error"`
		}{failure})
	}
}

// failRegistry reports a refusal of the registries (M-65).
func (c *console) failRegistry(cmd *cobra.Command, refused *pathguard.Error) int {
	c.printFailure(cmd, struct {
		Code    pathguard.Code `json:"code"`
		Message string         `json:"message"`
	}{refused.Code, refused.Message})
	fmt.Fprintf(c.err, "error: %s\n", plainLine(refused.Error()))
	if try, ok := registryAdvice[refused.Code]; ok {
		fmt.Fprintf(c.err, "  try:     %s\n", try)
	}
	if refused.Code == pathguard.InvalidArguments {
		return exitUsage
	}
	return exitRefused
}

// failUsage reports everything that is no known failure: a command line that cannot be meant, or an output that cannot
// be written.
func (c *console) failUsage(cmd *cobra.Command, err error) int {
	var usage *usageError
	if !errors.As(err, &usage) {
		fmt.Fprintf(c.err, "error: %s\n", plainLine(err.Error()))
		return exitRefused
	}
	fmt.Fprintf(c.err, "error: %s\n", plainLine(usage.Error()))
	fmt.Fprintf(c.err, "  try:     %s --help\n", cmd.CommandPath())
	return exitUsage
}

// printJSON writes a value as one line of JSON, as a protocol would show it.
func (c *console) printJSON(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
