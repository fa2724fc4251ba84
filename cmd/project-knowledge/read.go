package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
)

func newRead(c *console) *cobra.Command {
	var flags projectFlags
	var hash, lines string
	cmd := &cobra.Command{
		Use:   "read [flags] PATH",
		Short: "Print lines of a source file, as a tool would be given them",
		Long: fmt.Sprintf(`read prints whole lines of one source, with their numbers on a terminal and exactly as they are in a pipe.
At most %d lines are given at once. With --hash the file is read only while it has that SHA-256.`, provider.MaxReadLines),
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			request := provider.ReadRequest{Path: args[0], SourceHash: hash}
			var err error
			if request.StartLine, request.EndLine, err = lineRange(lines); err != nil {
				return &usageError{err}
			}
			return flags.with(cmd.Context(), func(p *provider.Provider) error {
				if request.SourceHash == "" {
					report, err := p.ExplainPath(cmd.Context(), request.Path)
					if err != nil {
						return about("path "+request.Path, err)
					}
					request.SourceHash = report.SourceHash
				}
				if request.SourceHash == "" { // no source: the read itself says why, whatever the hash
					request.SourceHash = strings.Repeat("0", provider.HashDigits)
				}
				result, err := p.Read(cmd.Context(), request)
				if err != nil {
					return about("path "+request.Path, err)
				}
				if flags.json {
					return c.printJSON(result)
				}
				c.printRead(result, lines != "")
				return nil
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&hash, "hash", "", "read only while the file has this SHA-256 (default: the one that it has now)")
	cmd.Flags().StringVar(&lines, "lines", "", "lines `A:B`, A: or A (default: the first "+strconv.Itoa(provider.DefaultReadLines)+")")
	return cmd
}

// lineRange reads A:B, A: or A; a bound that is left out is 0.
func lineRange(s string) (start, end int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	first, last, hasColon := strings.Cut(s, ":")
	if !hasColon {
		last = first
	}
	if start, err = lineNumber(first); err != nil {
		return 0, 0, err
	}
	if last == "" {
		return start, 0, nil
	}
	if end, err = lineNumber(last); err != nil || end < start {
		return 0, 0, fmt.Errorf("--lines %q is not A:B with A not above B", s)
	}
	return start, end, nil
}

func lineNumber(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("--lines: %q is not a line number from 1", s)
	}
	return n, nil
}

// printRead writes the lines, and to stderr that there are more of them than were asked for or, when none were chosen,
// than are shown.
func (c *console) printRead(result *provider.ReadResult, chosen bool) {
	if c.outTTY {
		c.printExcerpt(result.Text, result.StartLine, nil)
	} else {
		fmt.Fprintln(c.out, result.Text)
	}
	if result.Truncated || !chosen && result.EndLine < result.TotalLines {
		fmt.Fprintf(c.err, "note: lines %d to %d of %d; --lines %d: goes on\n", result.StartLine, result.EndLine, result.TotalLines, result.EndLine+1)
	}
}
