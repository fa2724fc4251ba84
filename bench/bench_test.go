package bench

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"projectknowledge/index"
	"projectknowledge/store"
	"projectknowledge/tokenize"
)

// corpora are read once for all benchmarks.
var corpora = sync.OnceValues(func() ([]*Corpus, error) {
	library, err := GoStandardLibrary()
	if err != nil {
		return nil, err
	}
	mixed, err := Mixed()
	return []*Corpus{library, mixed}, err
})

// forEach runs a benchmark on every corpus.
func forEach(b *testing.B, run func(b *testing.B, c *Corpus)) {
	all, err := corpora()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range all {
		b.Run(c.Name, func(b *testing.B) { run(b, c) })
	}
}

// newIndex gives an empty index in a directory of its own, and the directory.
func newIndex(b *testing.B) (*index.Index, string) {
	path := b.TempDir()
	dir, err := store.OpenDir(path)
	if err != nil {
		b.Fatal(err)
	}
	ix := index.New(dir, index.Options{})
	b.Cleanup(func() {
		ix.Close()
		dir.Close()
	})
	return ix, path
}

// update runs the index once and gives the coverage.
func update(b *testing.B, ix *index.Index, c *Corpus, mode index.Mode) index.Coverage {
	coverage, err := ix.Update(context.Background(), c, index.Run{Mode: mode})
	if err != nil {
		b.Fatal(err)
	}
	return coverage
}

// reportSize reports the bytes of the index by corpus byte.
func reportSize(b *testing.B, path string, c *Corpus) {
	info, err := os.Stat(filepath.Join(path, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(c.Bytes), "indexB/B")
}

func BenchmarkBuild(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		ix, path := newIndex(b)
		b.SetBytes(c.Bytes)
		b.ReportAllocs()
		for b.Loop() {
			update(b, ix, c, index.Rebuild)
		}
		reportSize(b, path, c)
	})
}

func BenchmarkRefreshUnchanged(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		ix, _ := newIndex(b)
		built := update(b, ix, c, index.Rebuild)
		b.SetBytes(c.Bytes)
		b.ReportAllocs()
		for b.Loop() {
			if got := update(b, ix, c, index.Refresh); got.ReusedFiles != built.IndexedFiles {
				b.Fatalf("reused %d of %d files", got.ReusedFiles, built.IndexedFiles)
			}
		}
	})
}

func BenchmarkRefreshOneChanged(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		ix, _ := newIndex(b)
		update(b, ix, c, index.Rebuild)
		b.SetBytes(c.Bytes)
		b.ReportAllocs()
		for b.Loop() {
			c.Change()
			if got := update(b, ix, c, index.Refresh); got.UpdatedFiles != 1 {
				b.Fatalf("updated %d files", got.UpdatedFiles)
			}
		}
	})
}

func BenchmarkQuery(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		ix, _ := newIndex(b)
		update(b, ix, c, index.Rebuild)
		for _, class := range Classes(c.Name) {
			b.Run(class.Name, func(b *testing.B) {
				b.ReportAllocs()
				measure(b, class.Queries, func(query string) error {
					_, err := ix.Search(context.Background(), index.Query{Text: query, Limit: 5})
					return err
				})
			})
		}
	})
}

// measure asks the queries in turn, after each was asked once, and reports the
// median and the 99th percentile of their times.
func measure(b *testing.B, queries []string, ask func(query string) error) {
	for _, query := range queries {
		if err := ask(query); err != nil {
			b.Fatal(err)
		}
	}
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := ask(queries[i%len(queries)]); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// BenchmarkColdOpen opens the published index anew for one query.
func BenchmarkColdOpen(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		ix, path := newIndex(b)
		update(b, ix, c, index.Rebuild)
		b.ReportAllocs()
		for b.Loop() {
			dir, err := store.OpenDir(path)
			if err != nil {
				b.Fatal(err)
			}
			cold := index.New(dir, index.Options{})
			if _, err := cold.Search(context.Background(), index.Query{Text: "parse request", Limit: 5}); err != nil {
				b.Fatal(err)
			}
			cold.Close()
			dir.Close()
		}
	})
}

// BenchmarkTokenize cuts the whole corpus into terms on one core.
func BenchmarkTokenize(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		texts := make([][]byte, 0, len(c.paths))
		for _, path := range c.paths {
			text, err := c.Read(context.Background(), path, nil)
			if err != nil {
				b.Fatal(err)
			}
			texts = append(texts, text)
		}
		var t tokenize.Tokenizer
		b.SetBytes(c.Bytes)
		b.ReportAllocs()
		terms := 0
		for b.Loop() {
			terms = 0
			for _, text := range texts {
				t.Each(text, func([]byte) { terms++ })
			}
		}
		b.ReportMetric(float64(terms), "terms")
	})
}

// floor reads and hashes every document on all cores and hands it to work.
func floor(b *testing.B, c *Corpus, work func() func(text []byte)) {
	b.SetBytes(c.Bytes)
	b.ReportAllocs()
	for b.Loop() {
		var next atomic.Int64
		var group sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			group.Go(func() {
				each := work()
				buf := make([]byte, 0, maxSourceBytes+1)
				for {
					i := int(next.Add(1)) - 1
					if i >= len(c.paths) {
						return
					}
					text, err := c.Read(context.Background(), c.paths[i], buf)
					if err != nil {
						b.Error(err)
						return
					}
					sha256.Sum256(text)
					each(text)
				}
			})
		}
		group.Wait()
	}
}

func BenchmarkFloorHash(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		floor(b, c, func() func([]byte) { return func([]byte) {} })
	})
}

func BenchmarkFloorTokenize(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		floor(b, c, func() func([]byte) {
			var t tokenize.Tokenizer
			return func(text []byte) { t.Each(text, func([]byte) {}) }
		})
	})
}
