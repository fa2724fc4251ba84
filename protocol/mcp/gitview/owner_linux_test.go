package gitview

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestPipe: a .git that is a pipe does not make the call wait (M-60).
func TestPipe(t *testing.T) {
	r := newRepo(t, nil)
	must(t, os.RemoveAll(filepath.Join(r.root, ".git")))
	must(t, unix.Mkfifo(filepath.Join(r.root, ".git"), 0o600))
	_, err := r.status()
	wantCode(t, "pipe", err, pathguard.GitUnavailable)
}

// TestForeignOwner: a repository of another user is refused as Git itself would (M-60). Only root can make one; others see
// that the judgement of an owner is that of the system.
func TestForeignOwner(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\n"})
	if os.Geteuid() != 0 {
		if owned("/") == nil {
			t.Error("the root of the filesystem counts as ours")
		}
		return
	}
	for _, path := range []string{".git", "."} {
		must(t, os.Chown(filepath.Join(r.root, path), 12345, 12345))
		_, err := r.status()
		wantCode(t, path, err, pathguard.GitUnavailable)
		must(t, os.Chown(filepath.Join(r.root, path), 0, 0))
	}
	_, err := r.status()
	must(t, err)
}
