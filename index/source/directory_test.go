//go:build linux

package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWalking(t *testing.T) { // P-24
	base := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(base+"/a/b", 0o755), os.Symlink("a", base+"/link"), os.Symlink("nowhere", base+"/dangling"), os.WriteFile(base+"/file", nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]error{
		"/a": nil, "/a/b": nil, "": nil, "/link": ErrLink, "/link/b": ErrLink, "/dangling": ErrLink, "/file": ErrNotDirectory, "/file/x": ErrNotDirectory,
		"/missing": fs.ErrNotExist, "/a/missing/x": fs.ErrNotExist,
	} {
		dir, err := OpenDir(base + path)
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: got %v, want %v", path, err, want)
		}
		if err == nil {
			if dir.Path() != base+path {
				t.Errorf("%s: path %s", path, dir.Path())
			}
			dir.Close()
			dir.Close()
		}
	}
	for _, path := range []string{"", "relative", base + "/a/../a", base + "/", base + "//a", "/."} {
		if dir, err := OpenDir(path); err == nil {
			t.Errorf("%q was opened as %s", path, dir.Path())
			dir.Close()
		}
	}
	dir := openDir(t, base)
	for _, name := range []string{"", ".", "..", "a/b", "/", "a\x00"} {
		if _, err := dir.Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
		if _, err := dir.Mkdir(name); err == nil {
			t.Errorf("%q was made", name)
		}
	}
}

func openDir(t *testing.T, path string) *Dir {
	t.Helper()
	dir, err := OpenDir(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

func TestMkdir(t *testing.T) { // P-23
	base := t.TempDir()
	if err := os.Chmod(base, 0o777|os.ModeSetgid); err != nil { // hands its bit down to new directories
		t.Fatal(err)
	}
	dir := openDir(t, base)
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		old := unix.Umask(mask)
		made, err := dir.Mkdir("new")
		unix.Umask(old)
		if err != nil {
			t.Fatalf("umask %o: %v", mask, err)
		}
		stat, err := made.Stat()
		if err != nil || stat.Mode != fs.ModeDir|0o700 || stat.Owner != uint32(os.Geteuid()) {
			t.Errorf("umask %o: mode %v, owner %d, %v", mask, stat.Mode, stat.Owner, err)
		}
		made.Close()
		if err := chmodByDescriptor(dir.fd, "new"); err != nil {
			t.Error(err)
		}
		os.Remove(base + "/new")
	}
	for _, err := range []error{os.Mkdir(base+"/wide", 0o755), os.Chmod(base+"/wide", 0o755), os.Symlink("wide", base+"/link")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	wide, err := dir.Mkdir("wide")
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Close()
	if stat, err := wide.Stat(); err != nil || stat.Mode.Perm() != 0o755 {
		t.Errorf("an existing directory was changed to %v, %v", stat.Mode, err)
	}
	if _, err := dir.Mkdir("link"); !errors.Is(err, ErrLink) {
		t.Errorf("a link was taken for a directory: %v", err)
	}
	if stat, err := dir.Lstat("link"); err != nil || stat.Mode&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v", stat.Mode, err)
	}
	if _, err := dir.Lstat("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestWithin(t *testing.T) { // P-25
	base := t.TempDir()
	if err := os.MkdirAll(base+"/root/a/b", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(base+"/root-not", 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := openDir(t, base+"/root").Stat()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"/root": true, "/root/a": true, "/root/a/b": true, "": false, "/root-not": false} {
		if got, err := openDir(t, base+path).Within(root.Identity); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	moved := openDir(t, base+"/root/a/b")
	if err := os.Rename(base+"/root/a", base+"/away"); err != nil {
		t.Fatal(err)
	}
	if got, err := moved.Within(root.Identity); got || err != nil {
		t.Errorf("after a move out of it: %v, %v", got, err)
	}
	if _, err := moved.OpenRoot(); err == nil {
		t.Error("opened as a root at a path where it no longer is")
	}
	if err := os.MkdirAll(base+"/root/a/b", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := moved.OpenRoot(); !errors.Is(err, ErrMoved) {
		t.Errorf("another directory was taken for it: %v", err)
	}
	opened, err := openDir(t, base+"/root").OpenRoot()
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := opened.WriteFile("x", nil, 0o600); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(base, "root/x")); err != nil {
		t.Error(err)
	}
}
