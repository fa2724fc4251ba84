package main

import (
	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

func newIndex(c *console) *cobra.Command {
	var flags projectFlags
	var mode string
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Build or refresh the index of a project",
		Long: `index reads every eligible file and publishes an index of it. A rebuild starts anew; a refresh keeps what is unchanged,
judged by the bytes of the files. The index that was there stays in use until the new one is complete on disk, and stays
as it was when the command is interrupted.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.with(cmd.Context(), func(p *provider.Provider) error {
				bar := newProgress(c)
				result, err := updateFully(cmd.Context(), p, provider.Mode(mode), bar.report)
				bar.end()
				if err != nil {
					return about("index --mode "+mode, err)
				}
				if flags.json {
					return c.printJSON(result)
				}
				c.printCoverage(result.Coverage)
				return nil
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", string(provider.Rebuild), "`rebuild` or refresh")
	return cmd
}
