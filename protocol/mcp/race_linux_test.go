package mcp

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The ordinary run shows that the test works; the long form is for a machine of its own.
var raceTime = flag.Duration("races", 2*time.Second, "how long names are exchanged under running tools")

// outsideSize is the size of every file outside, which no listing may tell.
const outsideSize = 7919

// A swapper exchanges names for one another for as long as a test runs.
type swapper struct {
	stop  chan struct{}
	ended sync.WaitGroup
}

// exchanged is a pair of names in an open directory: a path would lead through the links that are exchanged.
type exchanged struct {
	at   int
	a, b string
}

func (s *swapper) run(t *testing.T, root string, pairs ...[3]string) {
	t.Helper()
	var open []exchanged
	for _, pair := range pairs {
		at, err := unix.Open(filepath.Join(root, pair[0]), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, exchanged{at, pair[1], pair[2]})
	}
	for _, pair := range open {
		s.exchange(pair.at, pair.a, pair.b)
	}
}

func (s *swapper) exchange(at int, a, b string) {
	s.ended.Go(func() {
		defer func() { _ = unix.Close(at) }()
		for {
			select {
			case <-s.stop:
				return
			default:
				_ = unix.Renameat2(at, a, at, b, unix.RENAME_EXCHANGE)
				time.Sleep(50 * time.Microsecond) // the tools need the processors, too
			}
		}
	})
}

func (s *swapper) end() {
	close(s.stop)
	s.ended.Wait()
}

// racedWorld is a project whose files, directories and links change places with links that lead outside.
func racedWorld(t *testing.T) (w *world, root, outside string) {
	w = newWorld(t)
	inside := map[string]string{
		"f.txt": "inside hit\n", "d/in.md": "inside hit\n", "d/sub/in.md": "inside hit\n", "g/h/i.md": "inside hit\n", "docs/deep/a.md": "inside hit\n",
	}
	root = w.repository("raced", inside)
	outside = filepath.Join(w.dir, "outside")
	text := outsideCanary + " hit\n"
	text += strings.Repeat("x", outsideSize-len(text)-1) + "\n"
	for _, name := range []string{"f.txt", "in.md", "sub/in.md", outsideCanary + ".md", "h/i.md", "i.md", "deep/a.md", "a.md"} {
		w.must(os.MkdirAll(filepath.Dir(filepath.Join(outside, name)), 0o755))
		w.must(os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644))
	}
	for link, target := range map[string]string{
		"to-f": outside + "/f.txt", "to-d": outside, "to-g": "../../outside", "d/to-sub": outside + "/sub", "docs/to-deep": outside, "to-docs": outside,
	} {
		w.must(os.Symlink(target, filepath.Join(root, link)))
	}
	w.projects(map[string]string{"raced": "root: " + root + "\ngit: true"})
	return w, root, outside
}

// While names change places with links that lead outside, no result of any tool has a name, a byte or a size from there,
// and nothing is created there (M-34, M-35, M-50, M-52, M-61).
func TestNoByteFromOutside(t *testing.T) {
	w, root, outside := racedWorld(t)
	s := w.server()
	before := fingerprint(t, outside)
	swaps := &swapper{stop: make(chan struct{})}
	swaps.run(t, root, [3]string{".", "f.txt", "to-f"}, [3]string{".", "d", "to-d"}, [3]string{".", "g", "to-g"},
		[3]string{"d", "sub", "to-sub"}, [3]string{"docs", "deep", "to-deep"}, [3]string{".", "docs", "to-docs"})
	answered := &tally{}
	end := time.Now().Add(*raceTime)
	var clients sync.WaitGroup
	for i, use := range []func(*lineClient, *tally, int){readRaced, retrieveRaced, writeRaced} {
		c := w.connect(s)
		clients.Go(func() {
			for round := 0; time.Now().Before(end) && !t.Failed(); round++ {
				use(c, answered, round*10+i)
			}
		})
	}
	clients.Wait()
	swaps.end()
	if after := fingerprint(t, outside); !maps.Equal(before, after) {
		t.Errorf("outside: %s", difference(before, after))
	}
	for _, tool := range []string{"tree", "list_dir", "read_file", "glob", "grep", "index", "search", "create_file", "begin_document"} {
		if answered.of(tool) == 0 {
			t.Errorf("%s never succeeded", tool)
		}
	}
	t.Log(answered.counts)
}

// tally counts the calls of a tool that succeeded.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (a *tally) add(tool string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts = map[string]int{}
	}
	a.counts[tool]++
}

func (a *tally) of(tool string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts[tool]
}

// raced calls a tool and looks for anything from outside in the answer.
func (c *lineClient) raced(a *tally, tool, arguments string) outcome {
	o := c.call(tool, `{"project_id":"raced"`+arguments+`}`)
	for _, foreign := range []string{outsideCanary, fmt.Sprint(outsideSize)} {
		if strings.Contains(string(o.raw), foreign) {
			c.t.Errorf("%s %s: from outside: %.2000s", tool, arguments, o.raw)
		}
	}
	switch o.code {
	case "":
		a.add(tool)
	case "internal_error", "busy", "timeout":
		c.t.Errorf("%s %s: %s", tool, arguments, o.raw)
	}
	return o
}

func readRaced(c *lineClient, a *tally, _ int) {
	for _, path := range []string{"f.txt", "to-f", "d/in.md", "d/sub/in.md", "to-d/in.md", "g/h/i.md", "docs/deep/a.md"} {
		c.raced(a, "read_file", fmt.Sprintf(`,"path":%q`, path))
	}
	for _, path := range []string{".", "d", "g/h", "to-d", "docs"} {
		for _, tool := range []string{"list_dir", "tree"} {
			c.raced(a, tool, fmt.Sprintf(`,"path":%q`, path))
		}
		c.raced(a, "grep", fmt.Sprintf(`,"pattern":"hit|x+","path":%q`, path))
	}
	c.raced(a, "glob", `,"pattern":"**/*.md"`)
}

func retrieveRaced(c *lineClient, a *tally, round int) {
	mode := "refresh"
	if round%4 == 0 {
		mode = "rebuild"
	}
	c.raced(a, "index", `,"mode":"`+mode+`"`)
	found := c.raced(a, "search", `,"query":"inside hit outside canary","limit":20`)
	hits, _ := found.content["hits"].([]any)
	for _, hit := range hits {
		h := hit.(map[string]any)
		c.raced(a, "read", fmt.Sprintf(`,"path":%q,"source_hash":%q`, h["path"], h["source_hash"]))
	}
	c.raced(a, "search", `,"query":"hit","path_glob":"d/**"`)
}

func writeRaced(c *lineClient, a *tally, round int) {
	for _, dir := range []string{"docs", "docs/deep", fmt.Sprintf("docs/deep/new%d", round), fmt.Sprintf("docs/new%d", round)} {
		c.raced(a, "create_file", fmt.Sprintf(`,"path":"%s/n%d.md","content":"written"`, dir, round))
	}
	begun := c.raced(a, "begin_document", fmt.Sprintf(`,"path":"docs/deep/u%d.md"`, round))
	if id, ok := begun.content["upload_id"].(string); ok {
		c.raced(a, "write_chunk", fmt.Sprintf(`,"upload_id":%q,"index":0,"content":"written"`, id))
		for range 20 { // else refused ones pile up to the limit of unfinished uploads
			if c.raced(a, "finish_document", fmt.Sprintf(`,"upload_id":%q,"total_chunks":1`, id)).code == "" {
				break
			}
		}
	}
}
