package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

func newExplain(c *console) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "explain PATH",
		Short: "Tell whether a path is a source here, and if not, which rule leaves it out",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.with(cmd.Context(), func(p *provider.Provider) error {
				report, err := p.ExplainPath(cmd.Context(), args[0])
				if err != nil {
					return about("path "+args[0], err)
				}
				if flags.json {
					return c.printJSON(report)
				}
				c.printPathReport(report)
				return nil
			})
		},
	}
	flags.add(cmd)
	return cmd
}

// reasons says of every reason of P-62b what it means for one path.
var reasons = map[string]string{
	"conflicted":         "Git has it in conflict; resolve the merge and add it",
	"symlink":            "it is a symbolic link",
	"submodule":          "it is a submodule",
	"invalid_path":       "the path has a form that is not allowed (absolute, dot components, backslash, control characters, not UTF-8, too long)",
	"hidden":             "a part of the path begins with a dot",
	"sensitive_path":     "the name is one that often holds secrets",
	"unsupported_format": "the name is not one of the text formats that are indexed",
	"unreadable":         "it is missing, may not be read, or has a link in its path",
	"not_regular":        "it is not a regular file",
	"hardlinked":         "it has more than one hard link",
	"oversized":          "it is over 256 KiB",
	"binary":             "it has a NUL byte or is not UTF-8",
	"sensitive_content":  "its text looks like it holds a secret",
}

func (c *console) printPathReport(r *provider.PathReport) {
	path := plainLine(r.Path)
	if r.Source {
		fmt.Fprintf(c.out, "%s %s (%s, sha256 %s)\n", path, c.paint(styleGood, "is a source"), byteCount(int64(r.Size)), r.SourceHash)
	} else {
		fmt.Fprintf(c.out, "%s %s: %s\n", path, c.paint(styleBad, "is no source"), refusalReason(r))
	}
	switch {
	case r.Stale:
		fmt.Fprintln(c.out, "the index has an older state of it, which search leaves out; project-knowledge index --mode refresh mends that")
	case r.Indexed:
		fmt.Fprintln(c.out, "it is in the index as it is now")
	case r.Source:
		fmt.Fprintln(c.out, "it is not in the index yet; project-knowledge index --mode refresh adds it")
	}
}

// refusalReason names every rule that speaks against a path.
func refusalReason(r *provider.PathReport) string {
	var parts []string
	if r.Reason != "" {
		parts = append(parts, r.Reason+", "+reasons[r.Reason])
	}
	if r.Rule != "" {
		parts[len(parts)-1] += " (pattern " + r.Rule + ")"
	}
	if !r.Tracked {
		parts = append(parts, "Git does not track it")
	}
	return strings.Join(parts, "; ")
}
