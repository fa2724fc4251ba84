// Package files holds the reading tools of the MCP server: tree, list_dir, read_file, glob and grep (M-48 to M-51).
//
// Each tool is a function of a [Scope] (one root, opened for the call), its typed arguments and the [Limits] in force, and
// gives a result whose JSON is the tool's structuredContent. Errors are *pathguard.Error with the codes of M-45. The
// context carries the end of the call: a deadline that passes cuts a walk or a search short, with everything up to some
// place in order and nothing behind it (M-42), or is the error timeout where a part would be of no use; a cancelled
// context is always the error cancelled.
//
// What it promises: results in one fixed order, bytewise by whole path, so that following the next offsets meets each
// entry of an unchanged tree exactly once; memory bounded by the limits and not by the tree; no byte that pathguard did
// not let through. What it never does: write, or follow a link into a directory while it walks.
//
//	scope := files.Scope{Tree: tree}
//	found, err := files.Glob(ctx, scope, files.GlobArgs{Pattern: "**/*.go", MaxResults: 50}, files.DefaultLimits(), nil)
package files
