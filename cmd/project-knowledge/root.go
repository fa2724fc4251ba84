package main

import (
	"context"

	"github.com/spf13/cobra"
)

const longHelp = `project-knowledge finds passages in the Git-tracked text of a project and shows them as they are on disk now.

  project-knowledge search --refresh "posting list"   index what changed, then search
  project-knowledge plugin                            serve a WebCodex Runner on stdin and stdout
  project-knowledge mcp                               serve MCP clients on this machine

The index is kept in a private cache directory; nothing is written into the project.

Exit codes:
  0  done
  1  refused or failed: one line "error: CODE: what happened" on stderr, and what to do;
     with --json also {"error":{"code":...,"message":...}} on stdout
  2  usage: an unknown command or flag, or a value that cannot be meant`

// newRoot builds the tree of commands over a console.
func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:           "project-knowledge",
		Short:         "Search the Git-tracked text of a project, with every excerpt verified",
		Long:          longHelp,
		Args:          usageArgs(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(
		newPlugin(c), newMCP(c), newIndex(c), newSearch(c), newStatus(c), newRead(c), newExplain(c), newDoctor(c), newCheck(c), newVersion(c),
		newProject(c), newGrant(c), newSmoke(c), newSetup(c),
	)
	return root
}

// execute carries out one command line and gives its exit code.
func execute(ctx context.Context, c *console, args []string) int {
	root := newRoot(c)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	return c.fail(cmd, err)
}
