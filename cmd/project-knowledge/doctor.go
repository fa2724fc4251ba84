package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

func newDoctor(c *console) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what the program needs here: host, Git, root, full-text probe, cache, index",
		Long:  `doctor checks one need after the other, changes nothing, and tells what to do about each that is not met. The exit code is 1 if any is not.`,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := flags.directory()
			if err != nil {
				return err
			}
			findings := provider.Diagnose(cmd.Context(), dir, provider.DefaultOptions())
			if flags.json {
				err = c.printJSON(findings)
			} else {
				c.printFindings(findings)
			}
			if err != nil {
				return err
			}
			return worst(findings)
		},
	}
	flags.add(cmd)
	return cmd
}

func (c *console) printFindings(findings []provider.Finding) {
	for _, f := range findings {
		mark := c.paint(styleGood, "ok    ")
		switch {
		case f.Code == provider.NotIndexed:
			mark = "none  "
		case !f.OK:
			mark = c.paint(styleBad, "FAILED")
		}
		fmt.Fprintf(c.out, "%s  %-6s %s\n", mark, f.Name, plainLine(f.State))
		if !f.OK {
			fmt.Fprintf(c.out, "                %s\n", plainLine(f.Advice))
		}
	}
}

// reportedError is a failure that the command has already told.
type reportedError struct{ code provider.Code }

func (e *reportedError) Error() string { return string(e.code) }

// worst is the failure of the first finding that is not met. A missing index is no fault of the machine.
func worst(findings []provider.Finding) error {
	for _, f := range findings {
		if !f.OK && f.Code != provider.NotIndexed {
			return &reportedError{f.Code}
		}
	}
	return nil
}
