package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp/smoke"
)

func newSmoke(c *console) *cobra.Command {
	var (
		flags    projectFlags
		options  smoke.Options
		patience time.Duration
	)
	cmd := &cobra.Command{
		Use:   "smoke --url URL --project-id ID",
		Short: "Try a running MCP server as a client would: health, tools, listing, reading, grep, Git",
		Long: `smoke connects to a running MCP server and tells check by check whether it passed, was skipped for want of something to
try it on, or failed. It writes nothing. The exit code is 1 if any check failed.

With --wait-healthy it only waits, at most that long, until the server says that it is well; then no project is needed.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("wait-healthy") {
				return awaitServer(cmd, options, patience)
			}
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
	cmd.Flags().DurationVar(&patience, "wait-healthy", 0, "wait at most this `TIME`, such as 30s, for the server to be well, and try nothing else")
	flags.addJSON(cmd)
	return cmd
}

// awaitServer waits for a server that was just started.
func awaitServer(cmd *cobra.Command, options smoke.Options, patience time.Duration) error {
	if err := needFlags(cmd, "url"); err != nil {
		return err
	}
	if patience <= 0 {
		return &usageError{errors.New("--wait-healthy must be a time above 0, such as 30s")}
	}
	within, cancel := context.WithTimeout(cmd.Context(), patience)
	defer cancel()
	return smoke.WaitHealthy(within, options.URL)
}

func (c *console) printChecks(checks []smoke.Check) error {
	rows := make([][]string, 0, len(checks))
	for _, check := range checks {
		rows = append(rows, []string{string(check.Status), check.Name, check.Reason})
	}
	return c.printTable(rows)
}
