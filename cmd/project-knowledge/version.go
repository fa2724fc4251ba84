package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/plugin"
	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// versionReport is what `version` tells.
type versionReport struct {
	Version   string `json:"version"`
	Commit    string `json:"commit"`
	Date      string `json:"date"`
	Go        string `json:"go"`
	Platform  string `json:"platform"`
	Protocol  string `json:"protocol"`
	Format    int    `json:"index_format"`
	Tokenizer int    `json:"tokenizer"`
}

func newVersion(c *console) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of its formats",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			v := currentVersion()
			if flags.json {
				return c.printJSON(v)
			}
			_, err := fmt.Fprintf(c.out, "project-knowledge %s (commit %s, %s)\n%s %s, protocol %s, index format %d, tokenizer %d\n",
				v.Version, v.Commit, v.Date, v.Go, v.Platform, v.Protocol, v.Format, v.Tokenizer)
			return err
		},
	}
	flags.addJSON(cmd)
	return cmd
}

// currentVersion reads what the Go tool recorded in the binary.
func currentVersion() versionReport {
	v := versionReport{
		Version: "(devel)", Commit: "unknown", Date: "unknown",
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Protocol: plugin.ProtocolVersion, Format: store.Format, Tokenizer: tokenize.Version,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if build.Main.Version != "" {
		v.Version = build.Main.Version
	}
	for _, setting := range build.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.Commit = setting.Value
		case "vcs.time":
			v.Date = setting.Value
		}
	}
	return v
}
