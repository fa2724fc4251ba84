//go:build linux

package source

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openForReading gives a root on a plain directory: reading needs no repository.
func openForReading(t testing.TB, dir string) *Root {
	t.Helper()
	opened, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	root := &Root{fd: opened.fd, path: dir}
	t.Cleanup(func() { root.Close() })
	return root
}

// bothWays runs a test with openat2 and component by component.
func bothWays(t *testing.T, test func(t *testing.T, root *Root)) {
	for _, stepwise := range []bool{false, true} {
		t.Run(fmt.Sprintf("stepwise=%v", stepwise), func(t *testing.T) {
			root := openForReading(t, t.TempDir())
			root.opener.stepwise.Store(stepwise)
			test(t, root)
		})
	}
}

func TestRead(t *testing.T) { // P-36
	bothWays(t, func(t *testing.T, root *Root) {
		in := func(name string) string { return filepath.Join(root.path, name) }
		outside := filepath.Join(t.TempDir(), "o.md")
		for _, err := range []error{
			os.WriteFile(outside, []byte("outside"), 0o644),
			os.MkdirAll(in("d/e"), 0o755),
			os.WriteFile(in("d/e/a.md"), []byte("text"), 0o644),
			os.WriteFile(in("empty.md"), nil, 0o644),
			os.WriteFile(in("edge.md"), bytes.Repeat([]byte("x"), MaxFileBytes), 0o644),
			os.WriteFile(in("over.md"), bytes.Repeat([]byte("x"), MaxFileBytes+1), 0o644),
			os.WriteFile(in("one.md"), []byte("x"), 0o644),
			os.Link(in("one.md"), in("two.md")),
			os.Symlink("d/e/a.md", in("link.md")),
			os.Symlink(outside, in("out.md")),
			os.Symlink("d", in("dlink")),
			os.Symlink("/", in("rootlink")),
			os.Symlink("/proc/self/root", in("magic")),
			unix.Mkfifo(in("pipe.md"), 0o644),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(root.path) // a socket's path is short
		socket, err := net.Listen("unix", "sock.md")
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		for path, want := range map[string]Reason{
			"d/e/a.md": "", "empty.md": "", "edge.md": "", "over.md": Oversized, "one.md": Hardlinked, "two.md": Hardlinked,
			"link.md": Unreadable, "out.md": Unreadable, "dlink/e/a.md": Unreadable, "rootlink" + outside: Unreadable, "magic" + outside: Unreadable,
			"pipe.md": NotRegular, "sock.md": NotRegular, "d": NotRegular, "d/e": NotRegular,
			"missing.md": Unreadable, "d/missing/a.md": Unreadable, "d/e/a.md/x.md": Unreadable,
			"../" + filepath.Base(root.path) + "/empty.md": Unreadable, outside: Unreadable, "d/../empty.md": Unreadable, "": Unreadable, "d/e/": Unreadable,
			strings.Repeat("n", 300) + ".md": Unreadable,
		} {
			text, err := root.Read(path, nil)
			if got := refusalReason(t, err); got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
			if err != nil {
				continue
			}
			if file, err := os.ReadFile(in(path)); err != nil || !bytes.Equal(text, file) {
				t.Errorf("%s: got %d bytes, want %d", path, len(text), len(file))
			}
		}
		if text, err := root.ReadUpTo("d/e/a.md", nil, 4); err != nil || string(text) != "text" {
			t.Errorf("a file of exactly the limit: %q, %v", text, err)
		}
		if _, err := root.ReadUpTo("d/e/a.md", nil, 3); refusalReason(t, err) != Oversized {
			t.Errorf("a file over the limit: %v", err)
		}
	})
}

func TestReadReusesMemory(t *testing.T) {
	root := openForReading(t, t.TempDir())
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.WriteFile(filepath.Join(root.path, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(50, func() { buf, _ = root.Read("a.md", buf) }); n > 1 {
		t.Errorf("%v allocations a file", n)
	}
	if text, _ := root.Read("b.md", buf); string(text) != "b.md" || &text[0] != &buf[0] {
		t.Error("the memory handed in was not used")
	}
}

func TestFileThatGrows(t *testing.T) { // P-36
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 100), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		believed, limit int64
		want            Reason
	}{{100, 200, ""}, {10, 200, ""}, {0, 100, ""}, {10, 99, Oversized}, {0, 1, Oversized}, {100, 100, ""}} {
		fd, err := openGitFile(unix.AT_FDCWD, path, false)
		if err != nil {
			t.Fatal(err)
		}
		text, err := readAll(fd, nil, c.believed, c.limit)
		closeDescriptor(fd)
		if got := refusalReason(t, err); got != c.want || got == "" && len(text) != 100 {
			t.Errorf("%+v: %d bytes, %q", c, len(text), got)
		}
	}
}

// TestSwappedDirectory swaps a directory for a link to the outside while its file is read: never a byte from outside.
func TestSwappedDirectory(t *testing.T) { // P-36
	bothWays(t, func(t *testing.T, root *Root) {
		outside := t.TempDir()
		in := func(name string) string { return filepath.Join(root.path, name) }
		for _, err := range []error{
			os.Mkdir(in("d"), 0o755), os.WriteFile(in("d/a.md"), []byte("inside"), 0o644),
			os.WriteFile(filepath.Join(outside, "a.md"), []byte("outside"), 0o644), os.Symlink(outside, in("link")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				default:
					if err := unix.Renameat2(unix.AT_FDCWD, in("d"), unix.AT_FDCWD, in("link"), unix.RENAME_EXCHANGE); err != nil {
						t.Error(err)
						return
					}
				}
			}
		}()
		var buf []byte
		for range 3000 {
			text, err := root.Read("d/a.md", buf)
			if err == nil && string(text) != "inside" {
				t.Errorf("read %q", text)
				break
			}
			if err == nil {
				buf = text
			}
		}
		close(stop)
		<-done
	})
}

// TestForbiddenCall runs the reading tests in a process whose kernel refuses openat2, as old kernels and sandboxes do.
func TestForbiddenCall(t *testing.T) {
	for _, errno := range []unix.Errno{unix.ENOSYS, unix.EPERM} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutOpenat2$", "-test.v")
		cmd.Env = append(os.Environ(), fmt.Sprintf("REFUSE_OPENAT2=%d", errno))
		output, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(output), "read component by component") {
			t.Errorf("%v: %v\n%s", errno, err, output)
		}
	}
}

// TestWithoutOpenat2 is the other half of TestForbiddenCall; by itself it does nothing.
func TestWithoutOpenat2(t *testing.T) {
	var errno uint32
	if _, err := fmt.Sscan(os.Getenv("REFUSE_OPENAT2"), &errno); err != nil {
		return
	}
	root := openForReading(t, t.TempDir())
	for _, err := range []error{os.Mkdir(root.path+"/d", 0o755), os.WriteFile(root.path+"/d/a.md", []byte("text"), 0o644), os.Symlink("d", root.path+"/l")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	refuse(t, unix.SYS_OPENAT2, errno)
	if _, err := root.Read("missing.md", nil); refusalReason(t, err) != Unreadable {
		t.Errorf("missing file: %v", err)
	}
	if text, err := root.Read("d/a.md", nil); err != nil || string(text) != "text" || !root.opener.stepwise.Load() {
		t.Fatalf("%q, %v", text, err)
	}
	if _, err := root.Read("l/a.md", nil); refusalReason(t, err) != Unreadable {
		t.Errorf("link: %v", err)
	}
	t.Log("read component by component")
}

// refuse lets the kernel answer a system call of this process with an error.
func refuse(t *testing.T, call, errno uint32) {
	t.Helper()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | errno},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	_, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		t.Fatal(failed)
	}
}

func TestDescriptorsAreGivenBack(t *testing.T) {
	root := openForReading(t, t.TempDir())
	before := openDescriptors(t)
	for range 10 {
		root.Read("missing/a.md", nil)
		root.opener.stepwise.Store(true)
		root.Read("missing/a.md", nil)
		root.opener.stepwise.Store(false)
	}
	if after := openDescriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func openDescriptors(t testing.TB) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func BenchmarkRead(b *testing.B) {
	root := openForReading(b, b.TempDir())
	os.MkdirAll(root.path+"/a/b/c", 0o755)
	os.WriteFile(root.path+"/a/b/c/d.md", bytes.Repeat([]byte("x"), 8000), 0o644)
	for _, stepwise := range []bool{false, true} {
		b.Run(fmt.Sprintf("stepwise=%v", stepwise), func(b *testing.B) {
			root.opener.stepwise.Store(stepwise)
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = root.Read("a/b/c/d.md", buf)
			}
		})
	}
}
