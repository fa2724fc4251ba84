package main

import (
	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp/smoke"
)

func newSmoke(c *console) *cobra.Command {
	var (
		flags   projectFlags
		options smoke.Options
	)
	cmd := &cobra.Command{
		Use:   "smoke --url URL --project-id ID",
		Short: "Try a running MCP server as a client would: health, tools, listing, reading, grep, Git",
		Long: `smoke connects to a running MCP server and tells check by check whether it passed, was skipped for want of something to
try it on, or failed. It writes nothing. The exit code is 1 if any check failed.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needFlags(cmd, "url", "project-id"); err != nil {
				return err
			}
			options.Version = currentVersion().Version
			report := smoke.Run(cmd.Context(), options)
			var err error
			if flags.json {
				err = c.printJSON(report)
			} else {
				err = c.printChecks(report.Checks)
			}
			if err == nil && report.Status == smoke.Failed {
				err = &reportedError{"failed"}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&options.URL, "url", "", "`URL` of the server, such as http://127.0.0.1:8765/mcp")
	cmd.Flags().StringVar(&options.ProjectID, "project-id", "", "`ID` of the project to try")
	flags.addJSON(cmd)
	return cmd
}

func (c *console) printChecks(checks []smoke.Check) error {
	rows := make([][]string, 0, len(checks))
	for _, check := range checks {
		rows = append(rows, []string{string(check.Status), check.Name, check.Reason})
	}
	return c.printTable(rows)
}
