package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"projectknowledge/index/provider"
	"projectknowledge/store"
)

func newCheck(c *console) *cobra.Command {
	var flags projectFlags
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Prove an index file sound: every checksum, list, table and count",
		Long: `check reads the whole index of the project, or the one that is named, and compares every checksum, list, table and count
in it with the others. FILE is an ` + store.FileName + ` or the directory that holds one.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				report, err := checkFile(args[0])
				return c.printReport(flags.json, args[0], report, err)
			}
			return flags.with(cmd.Context(), func(p *provider.Provider) error {
				report, err := p.Check(cmd.Context())
				return c.printReport(flags.json, "the index of the project", report, err)
			})
		},
	}
	flags.add(cmd)
	return cmd
}

// checkFile proves one file sound without a project. The report is nil when there is nothing to report on.
func checkFile(path string) (*store.Report, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		if filepath.Base(path) != store.FileName {
			return nil, &usageError{fmt.Errorf("%s is not called %s", path, store.FileName)}
		}
		path = filepath.Dir(path)
	}
	if err != nil {
		return nil, fileError(err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fileError(err)
	}
	dir := store.NewDir(root)
	defer dir.Close()
	snapshot, err := dir.Open()
	if err != nil {
		return nil, fileError(err)
	}
	defer snapshot.Close()
	report, err := store.Check(snapshot)
	return &report, fileError(err)
}

// fileError gives an error of an index file its code.
func fileError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrDamaged):
		return provider.NewError(provider.RebuildRequired, "")
	case errors.Is(err, fs.ErrNotExist):
		return provider.NewError(provider.NotIndexed, "There is no such index file.")
	}
	return provider.NewError(provider.CacheUnavailable, "")
}

// reportView is store.Report as JSON.
type reportView struct {
	Format   int      `json:"format"`
	Bytes    int64    `json:"bytes"`
	Blocks   int      `json:"blocks"`
	Segments int      `json:"segments"`
	Sources  int      `json:"sources"`
	Chunks   int      `json:"chunks"`
	Terms    int      `json:"terms"`
	Postings uint64   `json:"postings"`
	Paths    uint64   `json:"path_postings"`
	Pending  int      `json:"pending"`
	Skipped  int      `json:"skipped"`
	Problems []string `json:"problems,omitempty"`
}

func (c *console) printReport(asJSON bool, input string, report *store.Report, failure error) error {
	if failure != nil {
		if report != nil {
			for _, problem := range report.Problems {
				fmt.Fprintf(c.err, "problem: %s\n", plainLine(problem))
			}
		}
		return about(input, failure)
	}
	if asJSON {
		return c.printJSON(reportView(*report))
	}
	fmt.Fprintf(c.out, "%s: format %d, %s in %d checked blocks; sources %d, chunks %d, terms %d, postings %d\n",
		c.paint(styleGood, "sound"), report.Format, byteCount(report.Bytes), report.Blocks, report.Sources, report.Chunks,
		report.Terms, report.Postings)
	return nil
}
