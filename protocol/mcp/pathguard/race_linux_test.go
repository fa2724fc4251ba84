package pathguard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// While names are exchanged between files, directories and links that lead out of the root or to secrets, no reader ever
// gets a byte, a size or a name from there (M-34, M-35, M-38, M-52).

const secretText = "SECRET, and much longer than any other"

// raceRounds is how often the names are exchanged; the readers go on until that is done.
const raceRounds = 1500

func newRacingWorld(t *testing.T) world {
	w := newWorld(t)
	w.put("d/out.txt", "d/sub/x.txt", "f.txt", "plain.txt", "docs/")
	if err := os.WriteFile(filepath.Join(w.root, ".env"), []byte(secretText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(w.outside, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.txt", "only-outside.txt"} {
		if err := os.WriteFile(filepath.Join(w.outside, "sub", name), []byte(outsideText), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.link("swap-d", "../outside", "swap-f", "../outside/out.txt", "swap-plain", ".env", "d/swap-sub", "../../outside/sub",
		"in", "d", "swap-in", "../outside", "swap-docs", "../outside")
	return w
}

// exchange swaps two names of the root at once.
func (w world) exchange(a, b string) {
	_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(w.root, a), unix.AT_FDCWD, filepath.Join(w.root, b), unix.RENAME_EXCHANGE)
}

func TestNothingLeaksWhileNamesAreSwapped(t *testing.T) {
	bothOpenings(t, func(t *testing.T) {
		w := newRacingWorld(t)
		tree := w.open()
		var over atomic.Bool
		var workers sync.WaitGroup
		for _, work := range []func(*testing.T, *Tree){readRacing, listRacing, walkRacing, writeRacing} {
			workers.Go(func() {
				for !over.Load() && !t.Failed() {
					work(t, tree)
				}
			})
		}
		for range raceRounds {
			for _, pair := range [][2]string{{"d", "swap-d"}, {"f.txt", "swap-f"}, {"plain.txt", "swap-plain"}, {"d/sub", "d/swap-sub"}, {"in", "swap-in"}, {"docs", "swap-docs"}} {
				w.exchange(pair[0], pair[1])
			}
		}
		over.Store(true)
		workers.Wait()
		entries, err := os.ReadDir(w.outside)
		if err != nil || len(entries) != 2 {
			t.Errorf("the directory outside has changed: %v, %v", entries, err)
		}
	})
}

func readRacing(t *testing.T, tree *Tree) {
	for _, path := range []string{"d/out.txt", "f.txt", "plain.txt", "d/sub/x.txt", "in/out.txt", "in/sub/x.txt", "swap-d/out.txt", "swap-f", "swap-plain"} {
		text, err := read(tree, path)
		if err == nil && (strings.Contains(text, outsideText) || strings.Contains(text, secretText)) {
			t.Errorf("%s gave %q", path, text)
		}
		switch CodeOf(err) {
		case "", NotFound, PathOutsideRoot, PathDenied, NotAFile:
		default:
			t.Errorf("%s: %v", path, err)
		}
	}
}

func listRacing(t *testing.T, tree *Tree) {
	for _, path := range []string{".", "d", "in", "d/sub", "in/sub"} {
		entries, _, err := tree.ReadDir(context.Background(), path, 0, All)
		for _, entry := range entries {
			checkRacing(t, tree, entry)
		}
		switch CodeOf(err) {
		case "", NotFound, PathOutsideRoot, NotADirectory:
		default:
			t.Errorf("listing of %s: %v", path, err)
		}
	}
}

func walkRacing(t *testing.T, tree *Tree) {
	for _, order := range []Order{PathOrder, TreeOrder} {
		_, err := tree.Walk(context.Background(), ".", Walk{Order: order, Workers: 2}, func(entry Entry, _ int) error {
			checkRacing(t, tree, entry)
			return nil
		})
		if err != nil {
			t.Errorf("walk: %v", err)
		}
	}
}

// checkRacing checks an entry, and what is opened of it.
func checkRacing(t *testing.T, tree *Tree, entry Entry) {
	if entry.Name() == "only-outside.txt" || entry.Name() == ".env" {
		t.Errorf("%s is shown", entry.Path)
	}
	if entry.Type == File && (entry.Size == int64(len(outsideText)) || entry.Size == int64(len(secretText))) {
		t.Errorf("%s has the size of a file that it must not be", entry.Path)
	}
	if file, _, err := tree.OpenEntry(entry); err == nil {
		var text strings.Builder
		_, _ = file.WriteTo(&text)
		_ = file.Close()
		if strings.Contains(text.String(), outsideText) || strings.Contains(text.String(), secretText) {
			t.Errorf("the entry %s gave %q", entry.Path, text.String())
		}
	}
}

func writeRacing(t *testing.T, tree *Tree) {
	for i, path := range []string{"docs/new", "d/new", "in/new", "docs/new/deep"} {
		dir, err := tree.OpenDirForWrite(path, true)
		if err != nil {
			continue
		}
		_ = unix.Mkdirat(int(dir.Fd()), fmt.Sprintf("made%d", i), 0o755)
		_ = dir.Close()
	}
}
