package mcp

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The transcripts of testdata/*.txt are whole sessions, of either era over either transport (M-4). A line that begins
// with > is what the client sends; the lines with < behind it are what the server answers. Over HTTP the request's
// headers stand behind a #, and the answer begins with its status and the headers that matter. -update writes the
// answers anew.

// changing is what differs from one run to the next.
var changing = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`"modified_at\\?":\\?"[^"\\]*`), `"modified_at":"TIME`},
	{regexp.MustCompile(`"expires_at\\?":\\?"[^"\\]*`), `"expires_at":"TIME`},
	{regexp.MustCompile(`"upload_id\\?":\\?"[^"\\]*`), `"upload_id":"ID`},
	{regexp.MustCompile(`"indexed_at_unix\\?":\d+`), `"indexed_at_unix":0`},
	{regexp.MustCompile(`revision\\?":\\?"[0-9a-f]{40}`), `revision":"COMMIT`},
	{regexp.MustCompile(`"head\\?":\\?"[0-9a-f]{40}`), `"head":"COMMIT`},
}

func stable(line string) string {
	for _, c := range changing {
		line = c.pattern.ReplaceAllString(line, c.name)
	}
	return line
}

// transcriptWorld is what the transcripts were recorded in.
func transcriptWorld(t *testing.T) (*world, *Server) {
	w := newWorld(t)
	alpha := w.repository("alpha", map[string]string{
		"README.md": "# Alpha\n\nneedle <one>\n", "src/main.go": "package main\n\n// parseHTTPRequest reads the head.\nfunc parseHTTPRequest() {}\n",
		".env": "KEY=secret\n", "docs/plan.md": "plan\n",
	})
	w.must(os.WriteFile(filepath.Join(alpha, "README.md"), []byte("# Alpha\n\nneedle <two>\n"), 0o644))
	papers := w.root("papers", map[string]string{"a.txt": "paper\n"})
	w.projects(map[string]string{"alpha": "root: " + alpha + "\ngit: true"})
	w.grants(map[string]string{"papers": "root: " + papers + "\npermanent: true"})
	return w, w.server()
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			w, s := transcriptWorld(t)
			var ask func(request, notes string) []string
			if strings.HasPrefix(name, "http-") {
				h := w.http(s)
				ask = func(request, notes string) []string { return h.exchange(request, notes) }
			} else {
				c := w.stdio(s)
				ask = func(request, _ string) []string { return c.exchange(request) }
			}
			text, err := os.ReadFile(file)
			w.must(err)
			golden(t, name, replay(text, ask))
		})
	}
}

// replay gives a transcript with the answers of now.
func replay(text []byte, ask func(request, notes string) []string) []byte {
	var out bytes.Buffer
	notes := ""
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, mib)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "<"):
			continue
		case strings.HasPrefix(line, "# "):
			notes = line[2:]
		}
		fmt.Fprintln(&out, line)
		if request, ok := strings.CutPrefix(line, "> "); ok {
			for _, answer := range ask(request, notes) {
				fmt.Fprintln(&out, strings.TrimRight("< "+stable(answer), " "))
			}
			notes = ""
		}
	}
	return out.Bytes()
}

// exchange sends a line and gives the answer, if one is due.
func (c *lineClient) exchange(request string) []string {
	c.send(request)
	if strings.HasPrefix(request, "{") && !strings.Contains(request, `"id":`) {
		return nil
	}
	return []string{c.line()}
}

// exchange posts a body with headers "name: value; name: value" and gives status, the headers that matter and the body.
func (h *httpServer) exchange(request, notes string) []string {
	var headers []string
	for note := range strings.SplitSeq(notes, "; ") {
		if name, value, ok := strings.Cut(note, ": "); ok {
			headers = append(headers, name, value)
		}
	}
	r := h.post(request, headers...)
	out := []string{fmt.Sprintf("HTTP %d", r.StatusCode)}
	for _, name := range []string{"Allow", "Cache-Control", "Content-Type", "Mcp-Session-Id", "X-Accel-Buffering"} {
		if value := r.Header.Get(name); value != "" {
			out = append(out, name+": "+value)
		}
	}
	return append(out, strings.Split(strings.TrimRight(r.body, "\n"), "\n")...)
}
