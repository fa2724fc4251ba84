//go:build linux

package pathguard

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestDirectoriesForDocuments(t *testing.T) { // M-52
	bothOpenings(t, func(t *testing.T) {
		w := newWorld(t)
		w.put("docs/real/", "docs/file", "private/")
		w.link("docs/inner", "real", "docs/outer", "../../outside", "docs/dangling", "none", "linked", "docs")
		if err := os.Chmod(filepath.Join(w.root, "private"), 0o700); err != nil {
			t.Fatal(err)
		}
		tree := w.open()
		for path, want := range map[string]Code{
			"docs": "", "docs/real": "", "docs/inner": SymlinkParent, "docs/inner/x": SymlinkParent, "docs/outer": SymlinkParent, "docs/outer/deep/x": SymlinkParent,
			"docs/dangling": SymlinkParent, "docs/dangling/x": SymlinkParent, "linked/real": SymlinkParent, "docs/file": NotADirectory, "docs/file/x": NotADirectory,
			"docs/.ssh": PathDenied, "docs/node_modules/x": PathIgnored,
		} {
			for _, create := range []bool{false, true} {
				dir, err := tree.OpenDirForWrite(path, create)
				wantCode(t, path, err, want)
				if err == nil {
					_ = dir.Close()
				}
			}
		}
		_, err := tree.OpenDirForWrite("docs/new/deep", false)
		wantCode(t, "a missing directory", err, NotFound)
		if _, err := os.Stat(filepath.Join(w.root, "docs/new")); err == nil {
			t.Error("a directory was made although none was asked for")
		}
		old := syscall.Umask(0o077)
		dir, err := tree.OpenDirForWrite("docs/new/deep", true)
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		for path, want := range map[string]os.FileMode{"docs/new": 0o755, "docs/new/deep": 0o755, "private": 0o700} {
			info, err := os.Lstat(filepath.Join(w.root, path))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: mode %v, %v, want %v", path, info.Mode(), err, want)
			}
		}
		if entries, _ := os.ReadDir(w.outside); len(entries) != 1 {
			t.Errorf("something was made outside: %v", entries)
		}
	})
}
