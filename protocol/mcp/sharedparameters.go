package mcp

import (
	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/pathguard"
)

// Parameters that several tools share.

const (
	idPattern = "^[a-z0-9_-]{1,64}$"
	maxIDs    = 64
)

// wellFormedID reports whether an ID could be that of a project or a grant (M-19).
func wellFormedID(id string) bool {
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= maxIDs
}

var (
	projectID = parameter{
		name: "project_id", kind: text, least: 1, most: maxIDs, pattern: idPattern, form: wellFormedID,
		description: "ID of the project, as list_projects gives it.",
	}
	grantID = parameter{
		name: "grant_id", kind: text, least: 1, most: maxIDs, pattern: idPattern, form: wellFormedID,
		description: "ID of a grant, as list_grants gives it; instead of project_id.",
	}
	offset = parameter{
		name: "offset", kind: integer, description: "How many entries to skip; the next_offset of the page before.",
	}.within(files.OffsetRange)
	offsetLine = parameter{
		name: "offset_line", kind: integer, description: "How many lines to skip; the next_offset_line of the page before.",
	}.within(files.OffsetRange)
	limitLines = parameter{
		name: "limit_lines", kind: integer, description: "Most lines of the page.",
	}.within(files.LinesRange)
)

// scopeParameters are those of a tool that reads a project or a grant. Exactly one of them has to be given; that neither
// is required alone is all that a schema can say of it.
func scopeParameters(rest ...parameter) []parameter {
	project := projectID
	project.description = "ID of the project, as list_projects gives it. Give exactly one of project_id and grant_id."
	return append([]parameter{project, grantID}, rest...)
}

// projectParameters are those of a tool that works on projects only. The schema requires the project; the check of a
// call leaves a missing one to the scope, which has its own code (M-27).
func projectParameters(rest ...parameter) []parameter {
	project := projectID
	project.required, project.scoping = true, true
	return append([]parameter{project}, rest...)
}

// filePath is a path that must name a file or a directory, as its description says. What is wrong with one is told by
// pathguard, with its own codes.
func filePath(description string) parameter {
	return parameter{
		name: "path", kind: text, required: true, least: 1, most: pathguard.MaxPathBytes, judged: true,
		broken: pathguard.InvalidPath, description: description,
	}
}

// directoryPath is an optional path that stands for the root when it is left out.
func directoryPath(description string) parameter {
	p := filePath(description)
	p.required, p.least, p.fallback = false, 0, "."
	return p
}

// content is the text of a document or of a chunk of one.
func content(description string, limit int64) parameter {
	return parameter{
		name: "content", kind: text, required: true, most: int(limit), judged: true,
		broken: pathguard.NotText, description: description,
	}
}
