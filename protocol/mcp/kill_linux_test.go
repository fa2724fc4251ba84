package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"projectknowledge/protocol/mcp/registry"
)

// killedDir names the installation of a server that is a process of its own: this test binary, which then serves on stdin
// and stdout in place of its tests.
const killedDir = "MCP_TEST_KILLED_DIR"

// TestServeForKilling is that process; without the variable there is nothing to serve.
func TestServeForKilling(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		return
	}
	places, err := Locate(filepath.Join(dir, "cfg"), os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := LimitsFrom(func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Registry: registry.New(places.Config, places), Limits: limits, Staging: places.Staging, Version: "v0", Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ServeStdio(context.Background(), os.Stdin, os.Stdout); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A victim is a server in a process of its own.
type victim struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	lastID int
}

func (w *world) victim(t *testing.T) *victim {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServeForKilling$")
	cmd.Env = append(os.Environ(), killedDir+"="+w.dir)
	in, err := cmd.StdinPipe()
	w.must(err)
	out, err := cmd.StdoutPipe()
	w.must(err)
	w.must(cmd.Start())
	v := &victim{t: t, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64*kib), lastID: 1}
	v.send(initializeLine)
	v.answer()
	return v
}

func (v *victim) send(line string) { _, _ = io.WriteString(v.in, line+"\n") }

func (v *victim) request(tool, arguments string) {
	v.lastID++
	v.send(callLine(v.lastID, tool, arguments, ""))
}

func (v *victim) answer() message {
	v.t.Helper()
	line, err := v.out.ReadString('\n')
	var m message
	if err != nil || json.Unmarshal([]byte(line), &m) != nil {
		v.t.Fatalf("%v: %q", err, line)
	}
	return m
}

func (v *victim) call(tool, arguments string) map[string]any {
	v.t.Helper()
	v.request(tool, arguments)
	o := outcomeOf(v.t, v.answer().Result)
	if o.code != "" {
		v.t.Fatalf("%s: %s", tool, o.raw)
	}
	return o.content
}

// kill is the kind of end of which a process learns nothing.
func (v *victim) kill() {
	_ = v.cmd.Process.Kill()
	_ = v.cmd.Wait()
}

// A server that is killed while it creates documents leaves whole ones or none, and nothing else, neither in the project nor,
// once the next server has started, in the staging directory (M-52, M-57).
func TestKilledServer(t *testing.T) {
	w := newWorld(t)
	root := w.root("p", map[string]string{"docs/old.md": "old\n"})
	w.projects(map[string]string{"p": "root: " + root})
	text := strings.Repeat("the whole text\n", 100*kib)
	part := text[:60*kib/15*15]
	for round := range 6 {
		v := w.victim(t)
		if round%2 == 0 {
			for i := range 3 {
				v.request("create_file", fmt.Sprintf(`{"project_id":"p","path":"docs/r%d/n%d.md","content":%s}`, round, i, quoted(text)))
			}
		} else {
			id := v.call("begin_document", fmt.Sprintf(`{"project_id":"p","path":"docs/r%d/u.md"}`, round))["upload_id"].(string)
			for i := range 20 {
				v.call("write_chunk", fmt.Sprintf(`{"project_id":"p","upload_id":%q,"index":%d,"content":%s}`, id, i, quoted(part)))
			}
			v.request("finish_document", fmt.Sprintf(`{"project_id":"p","upload_id":%q,"total_chunks":20}`, id))
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
		v.kill()
		for _, name := range w.below(filepath.Join(root, "docs")) {
			content, err := os.ReadFile(filepath.Join(root, "docs", name))
			w.must(err)
			if got := string(content); name != "old.md" && got != text && got != strings.Repeat(part, 20) {
				t.Errorf("round %d: %s has %d bytes", round, name, len(content))
			}
			if name != "old.md" && !strings.HasPrefix(name, "r") || strings.Contains(name, "/.") {
				t.Errorf("round %d: %s was left", round, name)
			}
		}
	}
	t.Logf("%d documents came to be", len(w.below(filepath.Join(root, "docs")))-1)
	last := w.victim(t)
	if left := w.below(w.places.Staging); len(left) != 1 {
		t.Errorf("in the staging directory: %q", left)
	}
	last.call("create_file", `{"project_id":"p","path":"docs/last.md","content":"alive"}`)
	w.must(last.in.Close())
	if err := last.cmd.Wait(); err != nil {
		t.Errorf("the last server ended with %v", err)
	}
	if left := w.below(w.places.Staging); len(left) != 0 {
		t.Errorf("in the staging directory at the end: %q", left)
	}
}
