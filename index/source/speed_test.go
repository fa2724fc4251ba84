//go:build linux

package source

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkObserve measures what a call pays before it touches a source.
func BenchmarkObserve(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{4096, 40000} {
		r := newRepository(b)
		r.trackMany(n)
		root := r.open()
		b.Run(fmt.Sprintf("new/%d", n), func(b *testing.B) {
			for b.Loop() {
				root.tracked.Store(nil)
				if seen, err := root.Observe(ctx); err != nil || len(seen.Paths) != n {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("same/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := root.Observe(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("check/%d", n), func(b *testing.B) {
			for b.Loop() {
				if err := root.Check(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// trackMany puts n paths into the index, without files.
func (r *repository) trackMany(n int) {
	r.t.Helper()
	blob := r.gitInput("x", "hash-object", "-w", "--stdin")[:sha1Digits]
	var lines strings.Builder
	for _, name := range manyNames(n) {
		lines.WriteString("100644 " + blob + "\t" + name + "\n")
	}
	r.gitInput(lines.String(), "update-index", "--index-info")
	r.write("a.md")
	r.git("commit", "-qm", "many")
}
