package provider_test

import (
	"context"
	"fmt"
	"log"

	"projectknowledge/index/provider"
)

// A program that serves the working directory: refresh its index, search it, and read more lines of the best hit.
func Example() {
	ctx := context.Background()
	p, err := provider.Admit(ctx, "", provider.DefaultOptions())
	if err != nil {
		log.Fatal(err) // for instance: root_is_subdirectory: The directory is inside a Git working tree; start at its top.
	}
	defer p.Close()
	if _, err := p.Index(ctx, provider.IndexRequest{Mode: provider.Refresh}); err != nil {
		log.Fatal(err)
	}
	found, err := p.Search(ctx, provider.SearchRequest{Query: "posting list"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Hits {
		fmt.Printf("%s:%d\n%s\n", hit.Path, hit.StartLine, hit.Text)
	}
	if len(found.Hits) > 0 {
		best := found.Hits[0]
		more, err := p.Read(ctx, provider.ReadRequest{Path: best.Path, SourceHash: best.SourceHash, StartLine: best.EndLine + 1})
		fmt.Println(more, err)
	}
}
