package files

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestNothingFromOutside: while files, directories and links are exchanged for one another, no tool ever gives a name or a
// byte from outside the root (M-34, M-35).
func TestNothingFromOutside(t *testing.T) {
	const canary = "OUTSIDE-CANARY"
	w := newWorld(t, map[string]string{"d/in.txt": "inside hit\n", "d/sub/in2.txt": "inside hit\n", "f.txt": "inside hit\n", "g/h/i.txt": "inside hit\n"})
	outside := filepath.Join(filepath.Dir(w.root), "outside")
	for _, name := range []string{"in.txt", "sub/in2.txt", canary + ".txt", "h/i.txt", "i.txt"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(outside, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(outside, name), []byte(canary+" hit\n"), 0o644))
	}
	w.link(outside, "link-d")
	w.link("../outside", "link-g")
	w.link(filepath.Join(outside, "in.txt"), "link-f")
	w.link(filepath.Join(outside, "sub"), "d/link-sub")
	// Both names are taken from one open directory: a path would lead through the links that are exchanged.
	top, inner := openDirectory(t, w.root), openDirectory(t, w.path("d"))
	pairs := []struct {
		at    int
		names [2]string
	}{{top, [2]string{"d", "link-d"}}, {top, [2]string{"f.txt", "link-f"}}, {top, [2]string{"g", "link-g"}}, {inner, [2]string{"sub", "link-sub"}}}
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	for _, pair := range pairs {
		swapping.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = unix.Renameat2(pair.at, pair.names[0], pair.at, pair.names[1], unix.RENAME_EXCHANGE)
				}
			}
		})
	}
	ctx, limits := context.Background(), DefaultLimits()
	answers := map[string]int{}
	look := func(what string, result any, err error) {
		text, _ := json.Marshal(result)
		if strings.Contains(string(text), canary) {
			t.Errorf("%s: %s", what, text)
		}
		switch code := pathguard.CodeOf(err); code {
		case "":
			answers[what]++
		case pathguard.PathOutsideRoot, pathguard.NotFound, pathguard.NotADirectory, pathguard.NotAFile, pathguard.NotARegularFile, pathguard.SourceChanged:
		default:
			t.Errorf("%s: %v", what, err)
		}
	}
	for range 60 {
		for _, path := range []string{"d/in.txt", "f.txt", "g/h/i.txt", "d/sub/in2.txt", "link-f", "link-d/in.txt"} {
			r, err := ReadFile(ctx, w.scope, ReadArgs{Path: path, LimitLines: 10}, limits)
			look("read", r, err)
		}
		for _, path := range []string{".", "d", "g/h", "link-d"} {
			l, err := ListDir(ctx, w.scope, ListArgs{Path: path, Limit: 100}, limits)
			look("list", l, err)
			tr, err := Tree(ctx, w.scope, TreeArgs{Path: path, MaxDepth: 5, MaxEntries: 100}, limits, nil)
			look("tree", tr, err)
			gr, err := Grep(ctx, w.scope, GrepArgs{Pattern: "hit", Path: path, MaxResults: 100}, limits, nil)
			look("grep", gr, err)
		}
		gl, err := Glob(ctx, w.scope, GlobArgs{Pattern: "**", MaxResults: 100}, limits, nil)
		look("glob", gl, err)
	}
	close(stop)
	swapping.Wait()
	for _, what := range []string{"read", "list", "tree", "grep", "glob"} {
		if answers[what] == 0 {
			t.Errorf("%s never answered", what)
		}
	}
}

func openDirectory(t *testing.T, path string) int {
	t.Helper()
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}
