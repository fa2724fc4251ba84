//go:build linux

package provider

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// libraryWorld makes a repository of a part of the running toolchain's standard library.
func libraryWorld(b *testing.B) *world {
	b.Helper()
	files := map[string]string{}
	top := filepath.Join(toolchain(b), "src")
	for _, dir := range []string{"net", "go", "encoding", "os", "io", "text", "time"} {
		err := filepath.WalkDir(filepath.Join(top, dir), func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(top, path)
			files[name] = string(text)
			return err
		})
		if err != nil {
			b.Skip("this toolchain has no sources: ", err)
		}
	}
	return newWorld(b, files)
}

// BenchmarkSearch measures warm verified queries: ranking, observing the tracked set, reading and hashing every hit.
func BenchmarkSearch(b *testing.B) {
	w := libraryWorld(b)
	p := w.admit()
	w.indexed(p, Rebuild)
	for _, query := range []string{"parseHTTPRequest", "ReadRequest", "error", "read the next request from the connection"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Search(b.Context(), SearchRequest{Query: query}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefreshOfNothing measures a refresh that finds every source as it was.
func BenchmarkRefreshOfNothing(b *testing.B) {
	w := libraryWorld(b)
	p := w.admit()
	w.indexed(p, Rebuild)
	for b.Loop() {
		if _, err := p.Index(b.Context(), IndexRequest{Mode: Refresh}); err != nil {
			b.Fatal(err)
		}
	}
}

// toolchain gives the directory of the running Go installation.
func toolchain(b *testing.B) string {
	b.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(string(root))
}
