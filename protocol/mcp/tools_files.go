package mcp

import (
	"context"
	"fmt"

	"projectknowledge/protocol/mcp/files"
)

// paging is what the description of every paged tool says about its pages (M-41, M-42).
const paging = " The result is a page: while has_more is true, call again with the next offset; complete tells whether anything is left out."

// fileTools are the tools that read a project or a grant (M-48 to M-51).
func fileTools(limits *Limits) []tool {
	return []tool{
		{
			name: "tree", title: "Show a directory tree",
			description: "Lists a directory with everything below it, depth first, down to max_depth. coverage tells whether that is the whole subtree.",
			scope:       anyScope,
			parameters: scopeParameters(
				directoryPath("Directory to begin at, relative to the root, with forward slashes."),
				parameter{name: "max_depth", kind: integer, description: "How deep to go; 1 shows the directory's own entries."}.within(files.DepthRange),
				parameter{name: "max_entries", kind: integer, description: "Most entries of the result."}.within(files.EntriesRange),
			),
			result: files.TreeResult{}, run: runTree,
		},
		{
			name: "list_dir", title: "List a directory",
			description: "Lists the entries of one directory in byte order of their names, with type, size and time of change." + paging,
			scope:       anyScope,
			parameters: scopeParameters(
				directoryPath("Directory to list, relative to the root, with forward slashes."),
				offset,
				parameter{name: "limit", kind: integer, description: "Most entries of the page."}.within(files.ListRange),
			),
			result: files.ListResult{}, run: runListDir,
		},
		{
			name: "read_file", title: "Read a text file",
			description: fmt.Sprintf("Gives lines of a UTF-8 text file with their line ends, so that the pages joined are the file. Files over %d bytes"+
				" are refused, documents in a project's write directory apart.", limits.Files.ReadBytes) + paging,
			scope: anyScope,
			parameters: scopeParameters(
				filePath("File to read, relative to the root, with forward slashes."),
				offsetLine, limitLines,
			),
			result: files.ReadResult{}, run: runReadFile,
		},
		{
			name: "glob", title: "Find files by path",
			description: "Finds the regular files whose paths fit a pattern, in byte order of their paths. * and ? stay within one name," +
				" ** goes through directories, [..] is one character of a class, {a,b} either text; names with a leading dot want that dot in the pattern." + paging,
			scope: anyScope,
			parameters: scopeParameters(
				parameter{
					name: "pattern", kind: text, required: true, least: files.MinGlobChars, most: files.MaxGlobChars,
					description: "Pattern for the whole path from the root, such as **/*.go or docs/*.{md,txt}.",
				},
				offset,
				parameter{name: "max_results", kind: integer, description: "Most files of the page."}.within(files.GlobRange),
			),
			result: files.GlobResult{}, run: runGlob,
		},
		{
			name: "grep", title: "Search file contents",
			description: "Finds the lines that match a regular expression (RE2 syntax, no look-around or back references) in the text files" +
				" below a directory, or in one file." + paging,
			scope: anyScope,
			parameters: scopeParameters(
				parameter{
					name: "pattern", kind: text, required: true, least: files.MinExpressionChars, most: files.MaxExpressionChars,
					description: "Regular expression in RE2 syntax; it is matched within single lines.",
				},
				directoryPath("Directory or file to search, relative to the root, with forward slashes."),
				parameter{name: "case_sensitive", kind: boolean, fallback: true, description: "Whether capitals and small letters differ."},
				offset,
				parameter{name: "max_results", kind: integer, description: "Most matching lines of the page."}.within(files.GrepRange),
			),
			result: files.GrepResult{}, run: runGrep,
		},
	}
}

func runTree(ctx context.Context, c *call) (any, error) {
	scope, err := c.files()
	if err != nil {
		return nil, err
	}
	args := files.TreeArgs{Path: c.args.text("path"), MaxDepth: c.args.integer("max_depth"), MaxEntries: c.args.integer("max_entries")}
	return result(files.Tree(ctx, scope, args, c.server.limits.Files, c.walked))
}

func runListDir(ctx context.Context, c *call) (any, error) {
	scope, err := c.files()
	if err != nil {
		return nil, err
	}
	args := files.ListArgs{Path: c.args.text("path"), Offset: c.args.integer("offset"), Limit: c.args.integer("limit")}
	return result(files.ListDir(ctx, scope, args, c.server.limits.Files))
}

func runReadFile(ctx context.Context, c *call) (any, error) {
	scope, err := c.files()
	if err != nil {
		return nil, err
	}
	args := files.ReadArgs{Path: c.args.text("path"), OffsetLine: c.args.integer("offset_line"), LimitLines: c.args.integer("limit_lines")}
	return result(files.ReadFile(ctx, scope, args, c.server.limits.Files))
}

func runGlob(ctx context.Context, c *call) (any, error) {
	scope, err := c.files()
	if err != nil {
		return nil, err
	}
	args := files.GlobArgs{Pattern: c.args.text("pattern"), Offset: c.args.integer("offset"), MaxResults: c.args.integer("max_results")}
	return result(files.Glob(ctx, scope, args, c.server.limits.Files, c.walked))
}

func runGrep(ctx context.Context, c *call) (any, error) {
	scope, err := c.files()
	if err != nil {
		return nil, err
	}
	args := files.GrepArgs{
		Pattern: c.args.text("pattern"), Path: c.args.text("path"), CaseSensitive: c.args.boolean("case_sensitive"),
		Offset: c.args.integer("offset"), MaxResults: c.args.integer("max_results"),
	}
	return result(files.Grep(ctx, scope, args, c.server.limits.Files, c.walked))
}
