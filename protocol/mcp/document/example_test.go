package document_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"projectknowledge/protocol/mcp/document"
)

func ExampleStore_CreateFile() {
	base, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(base) }()
	if base, err = filepath.EvalSymlinks(base); err != nil {
		panic(err)
	}
	root := filepath.Join(base, "notes")
	if err := os.Mkdir(root, 0o700); err != nil {
		panic(err)
	}
	store, err := document.Open(document.Options{
		Directory: filepath.Join(base, "uploads"),
		Limits:    document.DefaultLimits(),
		Resolve: func(string) (document.Place, error) {
			return document.Place{Root: root, WriteDirectory: "docs"}, nil
		},
	})
	if err != nil {
		panic(err)
	}
	defer func() { _ = store.Close() }()
	plan := document.CreateArgs{ProjectID: "notes", Path: "docs/plan.md", Content: "# Plan\n"}
	receipt, err := store.CreateFile(context.Background(), plan)
	fmt.Println(receipt.Path, receipt.BytesWritten, err)
	_, err = store.CreateFile(context.Background(), plan)
	fmt.Println(err)
	// Output:
	// docs/plan.md 7 <nil>
	// already_exists: The path exists already and is never overwritten; choose another name.
}
