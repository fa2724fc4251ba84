package store_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"projectknowledge/store"
)

// An index of one source with one chunk, written, published and read.
func Example() {
	place, err := os.MkdirTemp("", "store-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(place)
	dir, err := store.OpenDir(place)
	if err != nil {
		log.Fatal(err)
	}
	defer dir.Close()
	if err := write(context.Background(), dir); err != nil {
		log.Fatal(err)
	}

	snapshot, err := dir.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer snapshot.Close()
	err = snapshot.View(func(r *store.Reader) error {
		term, found := r.Term([]byte("hello"))
		if !found {
			return nil
		}
		var block [128]store.Posting
		list := r.Postings(term)
		for n := list.Next(block[:]); n > 0; n = list.Next(block[:]) {
			for _, p := range block[:n] {
				chunk := r.Chunk(p.Chunk)
				fmt.Printf("%s, line %d: %d times\n", r.SourcePath(chunk.Source), chunk.Line, p.Text)
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: greeting.txt, line 1: 2 times
}

func write(ctx context.Context, dir *store.Dir) error {
	unlock, err := dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	w, err := dir.Create()
	if err != nil {
		return err
	}
	defer w.Discard()
	// Every call of a Writer after the first failure returns it, so Publish alone needs a look.
	w.AddSource(store.Source{Path: "greeting.txt", Size: 12, Lines: 2, Chunks: 1})
	w.AddChunk(store.Chunk{Source: 0, Line: 1, Lines: 2, Terms: 2})
	var run store.TermRun
	run.Add([]byte("hello"), []store.Posting{{Chunk: 0, Text: 2}}, nil)
	w.AddTerms(&run)
	return w.Publish(ctx, store.Meta{NextBase: 1, Coverage: store.Coverage{
		EligibleFiles: 1, IndexedFiles: 1, IndexedBytes: 12, Chunks: 1, UpdatedFiles: 1, StopReason: "complete", Mode: "rebuild",
	}})
}
