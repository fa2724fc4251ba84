package pathguard

import (
	"context"
	"fmt"
	"testing"
)

func TestQuick(t *testing.T) {
	tree, err := Open("/usr/local/go/src", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, o := range []Order{PathOrder, TreeOrder} {
		n := 0
		last := ""
		rep, err := tree.Walk(context.Background(), ".", Walk{Order: o}, func(e Entry, d int) error {
			n++
			if o == PathOrder && e.Path <= last {
				t.Fatal(last, e.Path)
			}
			last = e.Path
			return nil
		})
		fmt.Println(n, rep, err)
	}
}
func BenchmarkNames(b *testing.B) {
	tree, err := Open("/usr/local/go/src", nil)
	if err != nil { b.Fatal(err) }
	defer tree.Close()
	for b.Loop() {
		tree.Walk(context.Background(), ".", Walk{NamesOnly: true}, func(e Entry, d int) error { return nil })
	}
}
func BenchmarkWalk(b *testing.B) {
	tree, err := Open("/usr/local/go/src", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	for b.Loop() {
		tree.Walk(context.Background(), ".", Walk{}, func(e Entry, d int) error { return nil })
	}
}
