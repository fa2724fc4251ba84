package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/pathguard"
)

func ExampleGlob() {
	root, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	if root, err = filepath.EvalSymlinks(root); err != nil {
		panic(err)
	}
	for _, name := range []string{"main.go", "main_test.go", ".env"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("package main\n"), 0o600); err != nil {
			panic(err)
		}
	}
	tree, err := pathguard.Open(root, pathguard.BuiltinRules())
	if err != nil {
		panic(err)
	}
	defer func() { _ = tree.Close() }()
	scope := files.Scope{Tree: tree}
	found, err := files.Glob(context.Background(), scope, files.GlobArgs{Pattern: "**/*.go", MaxResults: 1}, files.DefaultLimits(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Matches[0].Path, *found.TotalCount, found.HasMore, *found.NextOffset)
	// Output: main.go 2 true 1
}
