package bench

import (
	"context"
	"os"
	"testing"

	"projectknowledge/index/provider"
)

// BenchmarkVerified asks a provider: each hit is cut from bytes that were read
// and hashed in the call, and the tracked set is that of the moment.
func BenchmarkVerified(b *testing.B) {
	forEach(b, func(b *testing.B, c *Corpus) {
		p := admit(b, c)
		for _, class := range Classes(c.Name) {
			b.Run(class.Name, func(b *testing.B) {
				b.ReportAllocs()
				measure(b, class.Queries, func(query string) error {
					_, err := p.Search(context.Background(), provider.SearchRequest{Query: query, Limit: provider.DefaultLimit})
					return err
				})
			})
		}
	})
}

// admit gives a provider over a checkout of the corpus with a fresh index.
func admit(b *testing.B, c *Corpus) *provider.Provider {
	root, cache := b.TempDir(), b.TempDir()
	if err := os.Chmod(cache, 0o700); err != nil {
		b.Fatal(err)
	}
	b.Setenv("XDG_CACHE_HOME", cache)
	if err := c.Checkout(root); err != nil {
		b.Fatal(err)
	}
	options := provider.DefaultOptions()
	options.Budget = 0 // the first build is no part of what is measured
	p, err := provider.Admit(context.Background(), root, options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	if _, err := p.Index(context.Background(), provider.IndexRequest{Mode: provider.Rebuild}); err != nil {
		b.Fatal(err)
	}
	return p
}
