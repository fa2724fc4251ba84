package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goldenQueries are searched for in testdata/corpus. They are the kinds that
// people and models ask: identifiers, words, questions, Chinese, paths, mixtures.
var goldenQueries = []string{
	"reserve stock", "stock reservation expires", "how is an order paid", "refund", "what happens when a payment fails",
	"Order", "OrderService", "reserveStock", "reserve_stock", "create table orders", "invoice", "email notification",
	"retry with backoff", "http handler", "parse config", "database migration", "docker compose", "makefile targets",
	"unit tests for the price calculation", "test", "rounding of prices", "currency", "tax", "cache", "timeout",
	"authentication", "protobuf message", "websocket", "event queue consumer", "idempotency", "README", "changelog",
	"库存", "订单 退款", "如何部署", "价格计算", "the", "a", "main.go", "deploy to production", "warehouse location 仓库",
}

// The whole result lists, with how each score came about, so that a changed
// weight shows as a readable diff. -update rewrites them.
func TestGoldenRankings(t *testing.T) {
	documents := FS(os.DirFS("../testdata/corpus"), 1<<18, func(path string) bool {
		return !strings.HasSuffix(path, ".png")
	})
	ix := openIndex(t, Options{})
	if _, err := ix.Update(context.Background(), documents, Run{Mode: Rebuild}); err != nil {
		t.Fatal(err)
	}
	for i, query := range goldenQueries {
		name := filepath.Join("testdata", "rankings", fmt.Sprintf("%02d %s.txt", i+1, query))
		got := goldenList(t, ix, query)
		if *rewrite {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%q ranks otherwise than %s says; go test -run TestGoldenRankings -update ./index rewrites it:\n%s", query, name, got)
		}
	}
}

// goldenList gives the best hits of a query with four digits behind the point,
// which is less than the order of additions can change.
func goldenList(t *testing.T, ix *Index, query string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", query)
	for i, h := range find(t, ix, Query{Text: query, Limit: 10, Explain: true}) {
		fmt.Fprintf(&b, "\n%2d  %.4f  %s:%d-%d\n", i+1, h.Score, h.Path, h.StartLine, h.EndLine)
		for _, s := range h.Explanation.Signals {
			fmt.Fprintf(&b, "    %-14s %8.4f\n", s.Signal, s.Score)
		}
		for _, term := range h.Explanation.Terms {
			fmt.Fprintf(&b, "        %-20s idf %.4f in %d chunks, %d in text, %d in names: %.4f\n",
				term.Term, term.IDF, term.Chunks, term.Text, term.Names, term.Score)
		}
	}
	return b.String()
}
