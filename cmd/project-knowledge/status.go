package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

func newStatus(c *console) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell what the index of a project covers",
		Long:  `status shows the record of the last index run. It does not look at the files: an index can be complete and old.`,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.with(cmd.Context(), func(p *provider.Provider) error {
				result, err := p.Status(cmd.Context())
				if err != nil {
					return about("status", err)
				}
				switch {
				case flags.json:
					return c.printJSON(result)
				case !result.Indexed:
					fmt.Fprintln(c.out, "no index yet: run project-knowledge index")
				default:
					c.printCoverage(*result.Coverage)
				}
				return nil
			})
		},
	}
	flags.add(cmd)
	return cmd
}
