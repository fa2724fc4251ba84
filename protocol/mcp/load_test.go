package mcp

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The ordinary run shows that the test works; the long form is for a machine of its own.
var loadTime = flag.Duration("load", 2*time.Second, "how long many clients call at once")

const (
	loadedProjects = 1000
	loadedClients  = 32
	loadedGits     = 2 * loadedClients // projects that are repositories
)

// A crowd is many clients of one server over HTTP, each with a connection of its own.
type crowd struct {
	*world
	server  *httpServer
	calls   atomic.Int64
	bytes   atomic.Int64
	created atomic.Int64
}

// loadedWorld registers many projects; their trees are small, so that what is measured is the server.
func loadedWorld(t *testing.T) *crowd {
	w := newWorld(t)
	w.env["PROJECT_MCP_AUDIT_LOG"] = filepath.Join(w.dir, "audit.log") // else it piles up in this process
	records := map[string]string{}
	for i := range loadedProjects {
		name := fmt.Sprintf("p%d", i)
		content := map[string]string{"README.md": "needle\n"}
		switch {
		case i >= loadedGits:
			records[name] = "root: " + w.root(name, content)
		case i == 0:
			root := w.repository(name, content)
			w.must(os.RemoveAll(filepath.Join(root, ".git/hooks"))) // samples
			records[name] = "root: " + root + "\ngit: true"
		default:
			records[name] = "root: " + w.copyOf("p0", name) + "\ngit: true"
		}
	}
	w.projects(records)
	return &crowd{world: w, server: w.http(w.server())}
}

// call makes one call as a client that keeps its connection; everything but success is an error.
func (c *crowd) call(client *http.Client, tool, arguments string) {
	body := callLine(1, tool, arguments, "")
	req, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/mcp", c.server.port), strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	answer, err := client.Do(req)
	if err != nil {
		c.t.Errorf("%s: %v", tool, err)
		return
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"structuredContent":{`) || strings.Contains(string(text), `"isError":true`) {
		c.t.Errorf("%s %s: %d %v %.500s", tool, arguments, answer.StatusCode, err, text)
	}
	c.calls.Add(1)
	c.bytes.Add(int64(len(text)))
}

// turn is one round of calls of a client: most projects are anybody's, repositories a client's own, so that no two runs of
// an index meet.
func (c *crowd) turn(client *http.Client, number, round int) {
	anyone := fmt.Sprintf(`"project_id":"p%d"`, (number*31+round*97)%loadedProjects)
	own := fmt.Sprintf(`"project_id":"p%d"`, number+loadedClients*(round%2))
	for _, call := range []struct{ tool, arguments string }{
		{"health", ``}, {"tree", anyone}, {"list_dir", anyone}, {"read_file", anyone + `,"path":"README.md"`},
		{"glob", anyone + `,"pattern":"**/*.md"`}, {"grep", anyone + `,"pattern":"needle"`}, {"project_info", anyone},
	} {
		c.call(client, call.tool, `{`+call.arguments+`}`)
	}
	switch round % 4 {
	case 0:
		c.call(client, "index", `{`+own+`,"mode":"refresh"}`)
		c.call(client, "search", `{`+own+`,"query":"needle"}`)
	case 1:
		c.call(client, "git_status", `{`+own+`}`)
		c.call(client, "git_diff", `{`+own+`}`)
	case 2:
		c.call(client, "list_projects", `{}`)
	case 3:
		path := fmt.Sprintf(`"path":"docs/n%d.md"`, c.created.Add(1))
		c.call(client, "create_file", `{`+anyone+`,`+path+`,"content":"new\n"}`)
	}
}

// run lets every client call for a time, one round at least.
func (c *crowd) run(d time.Duration) {
	end := time.Now().Add(d)
	var clients sync.WaitGroup
	for number := range loadedClients {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for round := 0; (round < 1 || time.Now().Before(end)) && !c.t.Failed(); round++ {
				c.turn(client, number, round)
			}
		})
	}
	clients.Wait()
}

// usage is what a server holds when nobody calls.
type usage struct {
	goroutines, descriptors int
	heap                    uint64
}

func (c *crowd) usage() usage {
	var u usage
	for range 50 { // connections that were closed end a moment later
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		u = usage{runtime.NumGoroutine(), openDescriptors(), memory.HeapAlloc}
		if u.goroutines < 20 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return u
}

// A thousand projects and many clients at once: no error, and what the server holds afterwards does not grow with the
// calls (M-16, M-21). The bounds: as many goroutines and descriptors as after the first calls, the few of open providers
// apart, and 4 MiB of heap.
func TestLoad(t *testing.T) {
	c := loadedWorld(t)
	c.run(0)
	before := c.usage()
	c.calls.Store(0)
	c.bytes.Store(0)
	began := time.Now()
	c.run(*loadTime)
	took := time.Since(began)
	after := c.usage()
	t.Logf("%d calls in %v, %.0f a second, %d MiB of answers; before %+v, after %+v", c.calls.Load(), took.Round(time.Millisecond),
		float64(c.calls.Load())/took.Seconds(), c.bytes.Load()>>20, before, after)
	if after.goroutines > before.goroutines+4 {
		t.Errorf("goroutines: %d became %d", before.goroutines, after.goroutines)
	}
	if after.descriptors > before.descriptors+2*maxProviders {
		t.Errorf("descriptors: %d became %d", before.descriptors, after.descriptors)
	}
	if after.heap > before.heap+4*mib {
		t.Errorf("heap: %d became %d bytes", before.heap, after.heap)
	}
}

// Slow clients, who stop in the middle of a head or a body, keep nobody from being served: they hold no place among the
// calls that run (M-15, M-16), and nothing is left of them when they go.
func TestSlowClients(t *testing.T) {
	w, s := single(t)
	h := w.http(s)
	before := runtime.NumGoroutine()
	var slow []*rawClient
	for i := range 3 * s.limits.ConcurrentCalls {
		c := h.dial(t)
		c.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n")
		if i%2 == 0 {
			c.write("Content-Length: 1000\r\n\r\n{\"jsonrpc\":")
		}
		slow = append(slow, c)
	}
	for range 50 {
		if o := h.call(t, "read_file", `{"project_id":"alpha","path":"README.md"}`); o.code != "" {
			t.Fatalf("%s", o.raw)
		}
	}
	if n := len(s.places); n != 0 {
		t.Errorf("%d places are taken", n)
	}
	for _, c := range slow {
		_ = c.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	w.until(func() bool { return runtime.NumGoroutine() <= before+4 })
	if lines := slices.Collect(maps.Keys(w.auditedTools())); !slices.Equal(lines, []string{"read_file"}) {
		t.Errorf("calls of %v", lines)
	}
}
