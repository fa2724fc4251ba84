//go:build unix

package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// childTask tells a re-executed test binary what to do in the directory of childDir.
const (
	childTask = "PK_STORE_TEST_TASK"
	childDir  = "PK_STORE_TEST_DIR"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childTask) {
	case "":
		os.Exit(m.Run())
	case "publish":
		os.Exit(childPublish())
	case "limit":
		os.Exit(childLimit())
	case "umask":
		os.Exit(childUmask())
	}
	os.Exit(64)
}

func child(t *testing.T, task, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childTask+"="+task, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// childPublish publishes one of two contents in turn until it is killed.
func childPublish() int {
	d, err := OpenDir(os.Getenv(childDir))
	if err != nil {
		return 1
	}
	os.Stdout.WriteString("ready\n")
	for i := uint64(1); ; i++ {
		unlock, err := d.Lock(context.Background())
		if err == nil {
			err = d.Sweep()
		}
		if err == nil {
			err = newSample(i%2, 60, 700).publish(d)
		}
		if err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			return 2
		}
		unlock()
	}
}

// kills is the least number of kills; the long form has more.
const kills = 10

// P-98: a process killed at any moment leaves a whole index, and the next holder of the lock cleans up.
func TestKilled(t *testing.T) {
	d, path := testDir(t)
	contents := []*sample{newSample(0, 60, 700), newSample(1, 60, 700)}
	mustPublish(t, d, contents[0])
	rnd := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for range max(kills, *damages/25) {
		cmd := child(t, "publish", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.ReadFull(out, make([]byte, len("ready\n")))
		time.Sleep(time.Duration(rnd.IntN(60_000)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		checkOneOf(t, d, contents)
		unlock, err := d.Lock(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Sweep(); err != nil {
			t.Error(err)
		}
		unlock()
		if got := names(t, path); len(got) != 2 {
			t.Errorf("left behind: %v", got)
		}
	}
}

// checkOneOf opens the index and expects it sound and equal to one of the contents.
func checkOneOf(t *testing.T, d *Dir, contents []*sample) {
	t.Helper()
	snap, err := d.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if report, err := Check(snap); err != nil {
		t.Fatalf("check: %v %v", err, report.Problems)
	}
	got, err := readSample(snap)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(contents, func(want *sample) bool { return want.equal(got) }) {
		t.Fatal("neither the old nor the new index")
	}
}

// childLimit writes under a limit on the size of files, as on a disk that fills up.
func childLimit() int {
	signal.Ignore(syscall.SIGXFSZ)
	limit, err := strconv.ParseUint(os.Getenv("PK_STORE_TEST_LIMIT"), 10, 63)
	if err != nil || unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}) != nil {
		return 1
	}
	d, err := OpenDir(os.Getenv(childDir))
	if err != nil {
		return 1
	}
	if err := newSample(2, 60, 700).publish(d); err == nil || errors.Is(err, ErrDamaged) {
		return 2
	}
	return 0
}

// A write that the system refuses at any point leaves the old index and no build file.
func TestFullDisk(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(2, 60, 700))
	size := len(fileBytes(t, path))
	mustPublish(t, d, newSample(1, 20, 100))
	old := fileBytes(t, path)
	for _, limit := range []int{1, pageSize, 5 * pageSize, size / 2, size - 20} {
		cmd := child(t, "limit", path)
		cmd.Env = append(cmd.Env, "PK_STORE_TEST_LIMIT="+strconv.Itoa(limit))
		if err := cmd.Run(); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
		if !bytes.Equal(fileBytes(t, path), old) {
			t.Errorf("limit %d: the old index changed", limit)
		}
		if got := names(t, path); len(got) != 1 {
			t.Errorf("limit %d: left behind %v", limit, got)
		}
	}
}

// childUmask works under a mask that takes every bit away.
func childUmask() int {
	unix.Umask(0o777)
	d, err := OpenDir(filepath.Join(os.Getenv(childDir), "new"))
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	if _, err := d.Lock(context.Background()); err != nil {
		return 2
	}
	if err := newSample(2, 6, 70).publish(d); err != nil {
		return 3
	}
	return 0
}

// P-23, P-26: modes do not depend on the umask.
func TestModes(t *testing.T) {
	path := t.TempDir()
	if err := child(t, "umask", path).Run(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"new": os.ModeDir | 0o700, "new/" + FileName: 0o600, "new/" + LockName: 0o600} {
		info, err := os.Lstat(filepath.Join(path, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// A fault of other memory than this snapshot's map is not its damage: the panic passes on.
func TestForeignFault(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(1, 3, 10))
	snap := mustOpen(t, d)
	f, err := os.OpenFile(filepath.Join(path, "mapped"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(4 * pageSize); err != nil {
		t.Fatal(err)
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, 4*pageSize, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, ok := recover().(interface{ Addr() uintptr }); !ok {
			t.Error("the fault did not pass on")
		}
	}()
	err = snap.View(func(*Reader) error {
		if memory[3*pageSize] != 0 {
			return errors.New("not reached")
		}
		return nil
	})
	t.Errorf("the fault became %v", err)
}

// A lock that a foreign program holds on the file is a refusal of the system, no damage, and no endless wait.
func TestForeignLockOnIndex(t *testing.T) {
	d, path := testDir(t)
	mustPublish(t, d, newSample(1, 3, 10))
	f, err := os.Open(filepath.Join(path, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if held, err := tryLock(f); err != nil || !held {
		t.Fatal(held, err)
	}
	if _, err := d.Open(); err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}
