//go:build linux

package pathguard

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bothOpenings runs a test with openat2 and with the walk that stands in for it.
func bothOpenings(t *testing.T, test func(t *testing.T)) {
	t.Run("openat2", test)
	t.Run("stepwise", func(t *testing.T) {
		stepwise.Store(true)
		defer stepwise.Store(false)
		test(t)
	})
}

func TestReadingInsideTheRoot(t *testing.T) { // M-34, M-35
	bothOpenings(t, func(t *testing.T) {
		w := newWorld(t)
		w.put("README.md", "src/a/b.txt", "notes/中文 说明.txt", "percent/100%.txt", "x/y")
		w.link("ln.md", "README.md", "ln-src", "src", "src/up", "../README.md", "chain", "ln-src", "abs", filepath.Join(w.root, "src"),
			"absfile", filepath.Join(w.root, "README.md"), "round", "../root/x", "dots", "src/../x/./y", "src/slash", "a/")
		tree := w.open()
		for path, want := range map[string]string{
			"README.md": "README.md", "./src//a/b.txt": "src/a/b.txt", "notes/中文 说明.txt": "notes/中文 说明.txt", "percent/100%.txt": "percent/100%.txt",
			"ln.md": "README.md", "ln-src/a/b.txt": "src/a/b.txt", "src/up": "README.md", "chain/a/b.txt": "src/a/b.txt", "abs/a/b.txt": "src/a/b.txt",
			"absfile": "README.md", "round/y": "x/y", "dots": "x/y", "src/slash/b.txt": "src/a/b.txt",
		} {
			if text, err := read(tree, path); err != nil || text != want {
				t.Errorf("%q: %q, %v, want %q", path, text, err, want)
			}
		}
		file, entry, err := tree.OpenFile("chain/a/b.txt")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if entry.Path != "chain/a/b.txt" || entry.Type != File || entry.Size != 11 || entry.Symlink || time.Since(entry.Modified) > time.Hour {
			t.Errorf("entry %+v", entry)
		}
		if entry, err := tree.Resolve("ln-src", ForDirectory); err != nil || !entry.Symlink || entry.Type != Directory || entry.Name() != "ln-src" {
			t.Errorf("linked directory: %+v, %v", entry, err)
		}
	})
}

func TestLinksThatAreRefused(t *testing.T) { // M-35, M-38, M-39
	bothOpenings(t, func(t *testing.T) {
		w := newWorld(t)
		w.put("README.md", ".env", "node_modules/m/index.js", "conf/.ssh/config", "plain/x")
		w.link("out", w.outside, "out-file", "../outside/out.txt", "passwd", "/etc/passwd", "chain", "out", "proc", "/proc/self/environ", "zero", "/dev/zero",
			"slash", "/", "up", "..", "sibling", "../root-evil/x", "dangling", "missing", "dangling-out", "../outside/missing",
			"loop-a", "loop-b", "loop-b", "loop-a", "self", "self", "secret", ".env", "secret-missing", ".aws", "deep-secret", "conf/.ssh", "ignored", "node_modules/m/index.js",
			"ignored-dir", "node_modules", "through", "plain/../../outside/../root/README.md", "token", "README.md", "venv", "plain", "x.pyc", "README.md")
		tree := w.open()
		for path, want := range map[string]Code{
			"out/out.txt": PathOutsideRoot, "out-file": PathOutsideRoot, "passwd": PathOutsideRoot, "chain/out.txt": PathOutsideRoot, "proc": PathOutsideRoot, "zero": PathOutsideRoot,
			"slash/etc/passwd": PathOutsideRoot, "up/root/README.md": PathOutsideRoot, "sibling": PathOutsideRoot, "dangling-out": PathOutsideRoot, "through": PathOutsideRoot,
			"dangling": NotFound, "loop-a": NotFound, "loop-a/x": NotFound, "self": NotFound, "missing": NotFound, "README.md/x": NotFound,
			"secret": PathDenied, "secret-missing": PathDenied, "deep-secret/config": PathDenied, "token": PathDenied, "no/.env": PathDenied,
			"ignored": PathIgnored, "ignored-dir/m/index.js": PathIgnored, "node_modules/m/index.js": PathIgnored, "node_modules/none": PathIgnored,
			"venv/x": PathIgnored, "x.pyc": PathIgnored, "none.pyc": PathIgnored,
		} {
			_, _, err := tree.OpenFile(path)
			wantCode(t, path, err, want)
		}
		if got := list(t, tree, "."); fmt.Sprint(got) != "[README.md conf/ plain/]" {
			t.Errorf("the listing shows %v", got)
		}
	})
}

func TestManyLinksInARow(t *testing.T) { // M-35
	w := newWorld(t)
	w.put("end.txt")
	w.link("l0", "end.txt")
	for i := 1; i < 60; i++ {
		w.link(fmt.Sprintf("l%d", i), fmt.Sprintf("l%d", i-1))
	}
	tree := w.open()
	if text, err := read(tree, "l20"); err != nil || text != "end.txt" {
		t.Errorf("21 links: %q, %v", text, err)
	}
	_, err := read(tree, "l59")
	wantCode(t, "60 links", err, NotFound)
}

func TestOtherKindsOfFiles(t *testing.T) { // M-36
	bothOpenings(t, func(t *testing.T) {
		w := newWorld(t)
		w.put("dir/file", "locked")
		if err := syscall.Mkfifo(filepath.Join(w.root, "pipe"), 0o644); err != nil {
			t.Fatal(err)
		}
		socket, err := net.Listen("unix", filepath.Join(w.root, "sock"))
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		tree := w.open()
		for path, want := range map[string]Code{"pipe": NotARegularFile, "sock": NotARegularFile, "dir": NotAFile, "pipe/x": NotFound} {
			_, err := read(tree, path)
			wantCode(t, path, err, want)
		}
		for path, want := range map[string]Code{"pipe": NotADirectory, "dir/file": NotADirectory, "dir/none": NotFound, "dir/file/": NotADirectory} {
			_, err := tree.Resolve(path, ForDirectory)
			wantCode(t, path, err, want)
		}
		if got := fmt.Sprint(list(t, tree, ".")); got != "[dir/ locked pipe! sock!]" {
			t.Errorf("the listing shows %v", got)
		}
	})
}

func TestFilesOfTheKernel(t *testing.T) { // M-36
	tree, err := Open(fmt.Sprintf("/proc/%d", os.Getpid()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	tree.device++ // as if the root lay on another filesystem, and this one were mounted into it
	_, err = read(tree, "environ")
	wantCode(t, "a file of procfs", err, NotARegularFile)
	_, err = read(tree, "exe")
	wantCode(t, "a magic link", err, PathOutsideRoot)
}

func TestDecodedPaths(t *testing.T) { // M-33
	w := newWorld(t)
	w.put("a b.txt", "both%20x.txt", "both x.txt", "%41", "sub/q r/s", "a%2520b", "a%20b")
	tree := w.open()
	for path, want := range map[string]string{
		"a%20b.txt": "a b.txt", "both%20x.txt": "both%20x.txt", "%41": "%41", "sub/q%20r/s": "sub/q r/s", "sub%2Fq%20r%2Fs": "sub/q r/s", "a%2520b": "a%2520b",
	} {
		if text, err := read(tree, path); err != nil || text != want {
			t.Errorf("%q: %q, %v, want %q", path, text, err, want)
		}
	}
	_, err := read(tree, "a%252520b")
	if text, _ := read(tree, "a%252520b"); text != "a%2520b" {
		t.Errorf("only the once-decoded form is tried: %q, %v", text, err)
	}
	_, err = read(tree, "x%252520y")
	wantCode(t, "x%252520y", err, NotFound)
	_, err = tree.Resolve("a%20b.txt", ForWrite)
	wantCode(t, "a write", err, InvalidPath)
	_, err = read(tree, "node_modules%2fx")
	wantCode(t, "decoded ignored", err, PathIgnored)
}

func TestRootsThatCannotBeOpened(t *testing.T) { // M-31
	bothOpenings(t, func(t *testing.T) {
		w := newWorld(t)
		w.put("file", "dir/sub/")
		w.link("link", "dir")
		for _, root := range []string{filepath.Join(w.root, "none"), filepath.Join(w.root, "file"), filepath.Join(w.root, "link"), filepath.Join(w.root, "link/sub")} {
			if _, err := Open(root, nil); !errors.Is(err, ErrRootUnavailable) {
				t.Errorf("%s: %v", root, err)
			}
			if Available(root) {
				t.Errorf("%s is available", root)
			}
		}
		tree := w.open()
		if err := os.Rename(w.root, w.root+"-moved"); err != nil {
			t.Fatal(err)
		}
		if text, err := read(tree, "file"); err != nil || text != "file" {
			t.Errorf("an open tree stays with its directory: %q, %v", text, err)
		}
		if Available(w.root) {
			t.Error("a root that was moved away is available")
		}
	})
}

func TestUnreadableEntries(t *testing.T) {
	if os.Geteuid() == 0 {
		for _, err := range []error{syscall.EACCES, syscall.EPERM} {
			wantCode(t, "an error of permissions", openingFault(err), PermissionDenied)
		}
		return // permissions do not bind this user
	}
	w := newWorld(t)
	w.put("file", "dir/x")
	for _, path := range []string{"file", "dir"} {
		if err := os.Chmod(filepath.Join(w.root, path), 0); err != nil {
			t.Fatal(err)
		}
	}
	tree := w.open()
	_, err := read(tree, "file")
	wantCode(t, "file", err, PermissionDenied)
	_, err = read(tree, "dir/x")
	wantCode(t, "dir/x", err, PermissionDenied)
	_ = os.Chmod(filepath.Join(w.root, "dir"), 0o755)
}

func TestEntriesAreOfTheirTreeOnly(t *testing.T) { // M-34
	w := newWorld(t)
	w.put("a.txt")
	tree := w.open()
	_, _, err := tree.OpenEntry(Entry{Path: "a.txt", Type: File})
	wantCode(t, "an entry that nobody found", err, NotFound)
	_, err = tree.Stat(Entry{Path: "a.txt"})
	wantCode(t, "looking at it", err, NotFound)
	entry, err := tree.Resolve("a.txt", ForFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(w.root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	w.link("a.txt", "../outside/out.txt")
	_, _, err = tree.OpenEntry(entry)
	wantCode(t, "a file replaced by a link", err, NotFound)
	_, err = tree.Stat(entry)
	wantCode(t, "looking at a file replaced by a link", err, NotFound)
}

func TestVisibleByNameOnly(t *testing.T) { // M-38, M-39
	tree := newWorld(t).open()
	for path, want := range map[string]Code{".": "", "a/b": "", "a/.env": PathDenied, "venv": PathIgnored, "a/venv/b": PathIgnored, strings.Repeat("x", 20): ""} {
		wantCode(t, path, tree.Visible(path, true), want)
	}
	wantCode(t, "a file called venv", tree.Visible("venv", false), "")
}
