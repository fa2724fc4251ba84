package index_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"projectknowledge/index"
	"projectknowledge/store"
)

// A program indexes its own documents, searches them, changes one and brings
// the index up to date.
func Example() {
	path, err := os.MkdirTemp("", "index")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(path)
	dir, err := store.OpenDir(path)
	if err != nil {
		log.Fatal(err)
	}
	defer dir.Close()
	ix := index.New(dir, index.Options{})
	defer ix.Close()

	ctx := context.Background()
	files := fstest.MapFS{
		"guide/search.md": {Data: []byte("# Search\n\nA posting list names the chunks that hold a term.\n")},
		"guide/zh.md":     {Data: []byte("# 搜索\n\n倒排索引记录每个词项所在的文本块。\n")},
		"ledger.go":       {Data: []byte("package ledger\n\n// Add books an entry.\nfunc Add(entry int) {}\n")},
	}
	documents := index.FS(files, 1<<20, nil)
	if _, err := ix.Update(ctx, documents, index.Run{Mode: index.Rebuild}); err != nil {
		log.Fatal(err)
	}
	for _, query := range []string{"posting list", "倒排索引"} {
		results, err := ix.Search(ctx, index.Query{Text: query, Limit: 1})
		if err != nil {
			log.Fatal(err)
		}
		for _, hit := range results.Hits {
			fmt.Printf("%s: %s:%d-%d\n", query, hit.Path, hit.StartLine, hit.EndLine)
		}
	}

	files["ledger.go"] = &fstest.MapFile{Data: []byte("package ledger\n\nfunc Remove(entry int) {}\n")}
	coverage, err := ix.Update(ctx, documents, index.Run{Mode: index.Refresh})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d updated, %d unchanged\n", coverage.UpdatedFiles, coverage.ReusedFiles)
	// Output:
	// posting list: guide/search.md:1-3
	// 倒排索引: guide/zh.md:1-3
	// 1 updated, 2 unchanged
}
