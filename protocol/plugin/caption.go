package plugin

import (
	"fmt"
	"strings"
	"unicode"

	"projectknowledge/index/provider"
	"projectknowledge/store"
)

// A caption is the text item of a result: counts and first paths for a reader of the conversation. The data itself is in
// structuredContent (P-92).

func indexCaption(r *provider.IndexResult) string {
	return "Index published: " + coverageCaption(r.Coverage)
}

func statusCaption(r *provider.StatusResult) string {
	if !r.Indexed || r.Coverage == nil {
		return "No index yet. Call index."
	}
	return "Index: " + coverageCaption(*r.Coverage)
}

func coverageCaption(c store.Coverage) string {
	caption := fmt.Sprintf("%d of %s in %s; excluded by name or kind: %d; skipped for their content: %d; %s.", c.IndexedFiles,
		counted(c.EligibleFiles, "eligible file"), counted(c.Chunks, "chunk"), c.ExcludedEntries, c.SkippedFiles, c.StopReason)
	if c.RemainingFiles > 0 {
		caption += fmt.Sprintf(" To be visited still: %s; call index with mode refresh.", counted(c.RemainingFiles, "file"))
	}
	return caption
}

// counted writes a number of things that have a regular plural.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func searchCaption(r *provider.SearchResult) string {
	var caption strings.Builder
	caption.WriteString(counted(len(r.Hits), "hit"))
	for i, hit := range r.Hits[:min(len(r.Hits), captionPaths)] {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		fmt.Fprintf(&caption, "%s%s:%d-%d", separator, hit.Path, hit.StartLine, hit.EndLine)
	}
	if len(r.Hits) > captionPaths {
		caption.WriteString(", ...")
	}
	caption.WriteString(".")
	if r.Stale > 0 {
		fmt.Fprintf(&caption, " Left out as stale: %s; refresh the index.", counted(r.Stale, "candidate"))
	}
	if r.Truncated {
		caption.WriteString(" The list was cut short.")
	}
	return caption.String()
}

func readCaption(r *provider.ReadResult) string {
	caption := fmt.Sprintf("%s lines %d-%d of %d.", r.Path, r.StartLine, r.EndLine, r.TotalLines)
	if r.Truncated {
		caption += " Cut short: read on from the next line."
	}
	return caption
}

// plainCaption replaces control characters other than LF and cuts the caption so that it takes at most limit bytes in
// JSON (P-92).
func plainCaption(caption string, limit int) string {
	var out strings.Builder
	size := 0
	for _, r := range caption {
		if r != '\n' && unicode.IsControl(r) {
			r = ' '
		}
		if size += escapedSize(r); size > limit {
			break
		}
		out.WriteRune(r)
	}
	return out.String()
}

// escapedSize is how many bytes encode writes for a character of a caption.
func escapedSize(r rune) int {
	switch r {
	case '"', '\\', '\n':
		return 2
	case '\u2028', '\u2029':
		return len(`\u2028`)
	}
	return len(string(r))
}
