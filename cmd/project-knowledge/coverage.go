package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"projectknowledge/store"
)

// printCoverage tells in one screen what an index covers and why files are missing from it.
func (c *console) printCoverage(coverage store.Coverage) {
	revision := "no commit yet"
	if coverage.Revision != nil {
		revision = *coverage.Revision
	}
	rows := [][2]string{
		{"files", fmt.Sprintf("%d of %d eligible, %s in %d chunks", coverage.IndexedFiles, coverage.EligibleFiles,
			byteCount(coverage.IndexedBytes), coverage.Chunks)},
		{"this run", fmt.Sprintf("%s: %d updated, %d unchanged, %d removed", coverage.Mode, coverage.UpdatedFiles,
			coverage.ReusedFiles, coverage.DeletedFiles)},
		{"excluded", withReasons(coverage.ExcludedEntries, coverage.ExcludedByReason)},
		{"skipped", withReasons(coverage.SkippedFiles, coverage.SkippedByReason)},
		{"long lines", fmt.Sprintf("%d left out", coverage.OversizedLinesOmitted)},
		{"state", coverageState(coverage)},
		{"revision", revision},
		{"indexed", time.Unix(coverage.IndexedAtUnix, 0).Format("2006-01-02 15:04:05")},
	}
	for _, row := range rows {
		if row[0] == "this run" && coverage.Mode == "" {
			continue // a format 1 index does not tell
		}
		fmt.Fprintf(c.out, "%s %s\n", c.paint(styleFaint, fmt.Sprintf("%-10s", row[0])), row[1])
	}
}

func coverageState(coverage store.Coverage) string {
	if coverage.RemainingFiles == 0 {
		return coverage.StopReason
	}
	return fmt.Sprintf("partial (%s): %d files remain, %d of them not searchable", coverage.StopReason,
		coverage.RemainingFiles, coverage.UnprocessedFiles)
}

// withReasons writes a count and what it is made of, the greatest part first.
func withReasons(total int, reasons map[string]int) string {
	names := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		if reasons[a] != reasons[b] {
			return reasons[b] - reasons[a]
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, 0, len(names))
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s %d", name, reasons[name]))
	}
	if len(parts) == 0 {
		return fmt.Sprint(total)
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(parts, ", "))
}
