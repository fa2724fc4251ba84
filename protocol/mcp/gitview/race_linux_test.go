package gitview

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Git never shows what is outside the root, even while directories and files change places with links that lead there
// (M-34). It takes a kernel that can confine a process.
func TestNothingFromOutside(t *testing.T) {
	if landlock() == 0 {
		t.Skip("this kernel has no Landlock")
	}
	const canary = "OUTSIDE-CANARY"
	r := newRepo(t, map[string]string{"d/in.txt": "inside\n", "f.txt": "inside\n", "d/sub/in.txt": "inside\n"})
	outside := filepath.Join(r.base, "outside")
	for _, name := range []string{"in.txt", "f.txt", "sub/in.txt", canary} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(outside, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(outside, name), []byte(canary+"\n"), 0o644))
	}
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	at, err := unix.Open(r.root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	defer func() { _ = unix.Close(at) }()
	for name, target := range map[string]string{"d": outside, "f.txt": filepath.Join(outside, "f.txt")} {
		link := "to-" + name
		must(t, os.Symlink(target, filepath.Join(r.root, link)))
		swapping.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = unix.Renameat2(at, name, at, link, unix.RENAME_EXCHANGE)
					time.Sleep(20 * time.Microsecond)
				}
			}
		})
	}
	answers := 0
	for range 40 {
		if diff, err := r.diff(nil); err == nil {
			answers++
			if strings.Contains(diff.Content, canary) {
				t.Errorf("the difference: %s", diff.Content)
			}
		}
		if status, err := r.status(); err == nil {
			answers++
			for _, entry := range status.Entries {
				if strings.Contains(entry.Path, canary) {
					t.Errorf("the status: %s", entry.Path)
				}
			}
		}
	}
	close(stop)
	swapping.Wait()
	if answers == 0 {
		t.Error("Git never answered")
	}
}
