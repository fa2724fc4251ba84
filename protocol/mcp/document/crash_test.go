//go:build linux

package document

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

// The test binary runs itself as the process that dies: where it is to stop is in the environment.
const (
	crashAt   = "DOCUMENT_TEST_CRASH_AT"
	crashRoot = "DOCUMENT_TEST_CRASH_ROOT"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(crashAt); at != "" {
		dieAt(at, os.Getenv(crashRoot))
	}
	os.Exit(m.Run())
}

// dieAt comes to a point of publishing or uploading, says so, and waits for its end.
func dieAt(at, root string) {
	reached := func() error {
		fmt.Println("reached")
		time.Sleep(time.Minute)
		return nil
	}
	place := Place{Root: root, WriteDirectory: "docs"}
	if at == "upload" {
		store, err := Open(Options{Directory: filepath.Join(filepath.Dir(root), "uploads"), Limits: DefaultLimits(), Resolve: func(string) (Place, error) { return place, nil }})
		if err == nil {
			var begun *BeginResult
			begun, err = store.Begin(context.Background(), BeginArgs{ProjectID: "p1", Path: "docs/x.md"})
			if err == nil {
				_, err = store.WriteChunk(context.Background(), ChunkArgs{ProjectID: "p1", UploadID: begun.UploadID, Content: "left"})
			}
		}
		fmt.Fprintln(os.Stderr, err)
		_ = reached()
	}
	t, err := place.target("docs/x.md")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
		if at == "writing" {
			return reached()
		}
		return err
	}
	err = publish(t, write, reached)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// crash runs a process up to a point and kills it there.
func crash(t *testing.T, at, root string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashAt+"="+at, crashRoot+"="+root)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, child.Process.Kill())
	_ = child.Wait()
	if err != nil || line != "reached\n" {
		t.Fatalf("the process did not come as far as %q: %q %v", at, line, err)
	}
}

// TestKilledWhilePublishing: a process that dies before the name is given leaves no file (M-52).
func TestKilledWhilePublishing(t *testing.T) {
	for _, at := range []string{"writing", "naming"} {
		w := newWorld(t)
		crash(t, at, w.root)
		if files := w.files(); len(files) > 0 {
			t.Errorf("killed while %s: left %v", at, files)
		}
		_, err := w.create("docs/x.md", "after")
		must(t, err)
	}
}

// TestKilledWithUploads: the staging directory of a dead process is removed by the next one, that of a living one is not (M-57).
func TestKilledWithUploads(t *testing.T) {
	w := newWorld(t)
	id := w.begin("docs/mine.md")
	crash(t, "upload", w.root)
	if n := stagingEntries(t, w.staging); n != 4 {
		t.Fatalf("%d entries before the sweep", n)
	}
	second := w.open(DefaultLimits())
	if n := stagingEntries(t, w.staging); n != 4 {
		t.Errorf("%d entries with two living processes", n)
	}
	_, err := w.chunk(id, 0, "x")
	must(t, err)
	must(t, second.Close())
	if n := stagingEntries(t, w.staging); n != 2 {
		t.Errorf("%d entries after a close", n)
	}
	facts, err := os.Stat(w.staging)
	must(t, err)
	if facts.Mode().Perm() != 0o700 {
		t.Errorf("staging directory has mode %o", facts.Mode().Perm())
	}
}

func stagingEntries(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	return len(entries)
}

// TestHiddenDraft covers filesystems without nameless files: no replacing, no leftover, and the drafts of dead processes go.
func TestHiddenDraft(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, draftPrefix+"dead"), []byte("x"), 0o600))
	held, err := os.Create(filepath.Join(dir, draftPrefix+"alive"))
	must(t, err)
	defer func() { _ = held.Close() }()
	must(t, unix.Flock(int(held.Fd()), unix.LOCK_EX))
	directory, err := os.Open(dir)
	must(t, err)
	defer func() { _ = directory.Close() }()
	for _, name := range []string{"a.md", "a.md"} {
		d, err := newHidden(directory)
		must(t, err)
		_, err = d.file.WriteString("content")
		must(t, err)
		_, err = os.Stat(filepath.Join(dir, name))
		taken := err == nil
		err = d.name(name)
		d.discard()
		if taken {
			wantCode(t, "second", err, pathguard.AlreadyExists)
		} else {
			must(t, err)
		}
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	if len(entries) != 2 || entries[0].Name() != draftPrefix+"alive" || entries[1].Name() != "a.md" {
		t.Errorf("left %v", entries)
	}
}

// TestSwappedParents: while directories on the way are exchanged for links that lead outside, nothing appears outside (M-34, M-52).
func TestSwappedParents(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(w.root, "docs/a"), 0o755))
	link := filepath.Join(w.root, "link")
	must(t, os.Symlink(outside, link))
	stop := make(chan struct{})
	swapped := make(chan struct{})
	go func() {
		defer close(swapped)
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(w.root, "docs/a"), unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
			}
		}
	}()
	for i := range 300 {
		_, err := w.create(fmt.Sprintf("docs/a/%d.md", i), "x")
		switch pathguard.CodeOf(err) {
		case "", pathguard.SymlinkParent, pathguard.WriteFailed, pathguard.NotADirectory:
		default:
			t.Errorf("create: %v", err)
		}
	}
	close(stop)
	<-swapped
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside the root: %v %v", left, err)
	}
}
