package mcp

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkStart is a server from nothing to the answer to its first tools/list (M-73).
func BenchmarkStart(b *testing.B) {
	w := newWorld(b)
	w.projects(nil)
	for b.Loop() {
		in := strings.NewReader(initializeLine + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n")
		w.must(w.server().ServeStdio(context.Background(), in, io.Discard))
	}
}

// sink is the output of a server: it counts the lines and forgets them.
type sink struct{ answered chan struct{} }

func (s sink) Write(p []byte) (int, error) {
	if p[len(p)-1] == '\n' {
		s.answered <- struct{}{}
	}
	return len(p), nil
}

// benchmarkCall is one call over stdio, without the time of a client (M-73).
func benchmarkCall(b *testing.B, content map[string]string, tool, arguments string) {
	w := newWorld(b)
	w.projects(map[string]string{"p": "root: " + w.root("p", content)})
	in, inWriter := io.Pipe()
	out := sink{make(chan struct{}, 1)}
	go func() { _ = w.server().ServeStdio(context.Background(), in, out) }()
	ask := func(line string) {
		_, _ = io.WriteString(inWriter, line+"\n")
		<-out.answered
	}
	ask(initializeLine)
	line := callLine(2, tool, arguments, "")
	for b.Loop() {
		ask(line)
	}
	_ = inWriter.Close()
}

func BenchmarkReadFile(b *testing.B) {
	line := "the quick brown \"fox\" jumps over the lazy dog, again and again\n"
	text := strings.Repeat(line, 300*kib/len(line))
	benchmarkCall(b, map[string]string{"big.txt": text}, "read_file", `{"project_id":"p","path":"big.txt","limit_lines":5000}`)
}

func BenchmarkListDir(b *testing.B) {
	content := map[string]string{}
	for i := range 1000 {
		content[filepath.Join("many", "file"+strings.Repeat("x", i%30)+string(rune('a'+i%26))+strings.Repeat("y", i/26)+".txt")] = "x"
	}
	benchmarkCall(b, content, "list_dir", `{"project_id":"p","path":"many","limit":1000}`)
}

// BenchmarkHealth is the least that a call costs.
func BenchmarkHealth(b *testing.B) { benchmarkCall(b, nil, "health", `{}`) }
