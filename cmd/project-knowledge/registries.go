package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// registryFlags are the flags of the commands on the registries. They may stand anywhere after the command's name.
type registryFlags struct {
	configDir string
	json      bool
}

func (f *registryFlags) add(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&f.configDir, "config-dir", "", "configuration `DIR` (default: RESEARCH_FILES_CONFIG_DIR, or project-knowledge below XDG_CONFIG_HOME or ~/.config)")
	cmd.PersistentFlags().BoolVar(&f.json, "json", false, "print the result as one JSON object")
}

// open gives the registries of the configuration directory, which need not exist (M-2).
func (f *registryFlags) open() (*registry.Registry, error) {
	places, err := mcp.Locate(f.configDir, os.Getenv)
	if err != nil {
		return nil, err
	}
	return registry.New(places.Config, places), nil
}

// needFlags makes it a usage error that one of the flags is not given; an empty value is given.
func needFlags(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			return &usageError{fmt.Errorf("--%s is needed", name)}
		}
	}
	return nil
}

// given gives the value of a flag that stands on the command line, else nil.
func given(cmd *cobra.Command, name string, value *string) *string {
	if cmd.Flags().Changed(name) {
		return value
	}
	return nil
}

// whyInvalid is the refusal to tell anything of a registry that is invalid, with file, line and reason (M-67).
func whyInvalid(state registry.State) error {
	if state.Status != registry.Invalid {
		return nil
	}
	return pathguard.Errorf(pathguard.RegistryInvalid, "%w", state.Problem)
}

// printTable writes rows with their columns aligned; the first row has the headings.
func (c *console) printTable(rows [][]string) error {
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.ReplaceAll(plainLine(cell), "\t", " ")
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return table.Flush()
}

// yesNo is a truth as a person reads it in a table.
func yesNo(truth bool) string {
	if truth {
		return "yes"
	}
	return "no"
}
