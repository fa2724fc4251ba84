package main

import (
	"github.com/spf13/cobra"

	"projectknowledge/protocol/plugin"
)

func newPlugin(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "plugin",
		Short: "Serve a WebCodex Runner on stdin and stdout",
		Long: `plugin speaks webcodex-plugin-v1: one JSON-RPC request a line on stdin, one answer a line on stdout. The current
directory must be the top of a Git working tree. Diagnostics go to stderr. It ends with exit code 0 at the end of
its input, or soon after SIGTERM or SIGINT.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return plugin.Serve(cmd.Context(), c.in, c.out, c.err, "")
		},
	}
}
