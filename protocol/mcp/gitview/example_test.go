package gitview_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"projectknowledge/protocol/mcp/gitview"
	"projectknowledge/protocol/mcp/pathguard"
)

func ExampleGit_Status() {
	root, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	if root, err = filepath.EvalSymlinks(root); err != nil {
		panic(err)
	}
	if err := exec.Command("git", "init", "-q", "-b", "main", root).Run(); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(root, "new.txt"), []byte("new\n"), 0o600); err != nil {
		panic(err)
	}
	git, err := gitview.New(gitview.Options{Timeout: 15 * time.Second})
	if err != nil {
		panic(err)
	}
	defer func() { _ = git.Close() }()
	tree, err := pathguard.Open(root, nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = tree.Close() }()
	repository := gitview.Repository{ProjectID: "my_project", Root: root, Tree: tree}
	status, err := git.Status(context.Background(), repository, gitview.StatusArgs{Limit: 200}, 1<<20)
	if err != nil {
		panic(err)
	}
	fmt.Println(*status.Branch, status.Head == nil, status.Entries[0].Path, status.Entries[0].IndexStatus)
	// Output: main true new.txt ?
}
