package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// P-45: a single character finds every place of it in a run.
func TestSingleCharacterQuery(t *testing.T) {
	ix := build(t, memory{
		"first.md": "锁实现", "inside.md": "分布式锁实现", "last.md": "分布式锁", "alone.md": "- 锁 :", "other.md": "门",
		"kana.md": "テスト", "hangul.md": "한국어",
	}, Options{})
	for query, want := range map[string][]string{
		"锁": {"alone.md", "first.md", "inside.md", "last.md"},
		"ス": {"kana.md"}, "ト": {"kana.md"}, "어": {"hangul.md"}, "国": nil,
	} {
		for _, profile := range []Profile{Ranked, FTS5} {
			got := paths(find(t, ix, Query{Text: query, Profile: profile}))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	}
}

// P-46: a file is found by its path alone, by its first chunk; a source
// without chunks never; the fts5 profile does not search the path.
func TestPathAlone(t *testing.T) {
	ix := build(t, memory{
		"billing/invoice_printer.go": strings.Repeat("alpha\n", 40), "b.md": "beta", "billing/empty.md": "...\n", "docs/guide.md": "gamma",
	}, Options{})
	for query, want := range map[string][]string{
		"invoice": {"billing/invoice_printer.go"}, "billing": {"billing/invoice_printer.go"}, "guide": {"docs/guide.md"}, "empty": nil,
	} {
		hits := find(t, ix, Query{Text: query})
		if got := paths(hits); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		if len(hits) > 0 && hits[0].StartLine != 1 {
			t.Errorf("%s: found at line %d", query, hits[0].StartLine)
		}
		if got := find(t, ix, Query{Text: query, Profile: FTS5}); len(got) > 0 {
			t.Errorf("fts5 found %v by path", paths(got))
		}
	}
}

// P-43b: a query that is one identifier finds its definition first.
func TestDefinitionFirst(t *testing.T) {
	use := "x := parseHeader(b)\ny := parseHeader(c)\nparseHeader(d)\n"
	ix := build(t, memory{
		"a.go": strings.Repeat(use, 10), "b.go": "package b\n\nfunc parseHeader(b []byte) error {\n\treturn nil\n}\n",
		"parse_header.md": strings.Repeat("parseHeader parse header\n", 10), "c_test.go": "func TestX() { parseHeader(nil) }\n",
	}, Options{})
	for _, query := range []string{"parseHeader", "parseheader"} {
		if got := paths(find(t, ix, Query{Text: query})); len(got) == 0 || got[0] != "b.go" {
			t.Errorf("%s: %v", query, got)
		}
	}
}

// P-47: more matching terms rank higher: what has both halves of a query comes
// before what has one, defined and in the path though it be.
func TestBothHalvesFirst(t *testing.T) {
	ix := build(t, memory{
		"README.md":     "# Sample\n\nThe lighthouse keeper writes a log.\n",
		"src/parser.go": "package src\n\n// parseHTTPRequest reads one request\nfunc parseHTTPRequest(b []byte) error {\n\treturn nil\n}\n",
		"docs/intro.md": "# 介绍\n\n这个项目知识库保存源代码。\n检索时使用二元组。\n",
		"src/load.py":   "def load_user_profile(path):\n    return path\n",
		"both.md":       "parseHTTPRequest 属于项目知识的例子\n",
	}, Options{})
	for _, query := range []string{"parseHTTPRequest 项目知识", "项目parseHTTP"} {
		got := paths(find(t, ix, Query{Text: query}))
		if len(got) != 3 || got[0] != "both.md" {
			t.Errorf("%s: hits %v", query, got)
		}
	}
}

// P-43b: chunks of one file may not fill the list: near-identical records and
// a file that repeats the query take one place of five.
func TestOneFileDoesNotFillTheList(t *testing.T) {
	var records strings.Builder
	for i := range 250 {
		fmt.Fprintf(&records, "record %d: throttle limiter bucket token refill\n", i)
	}
	src := memory{"generated.md": records.String(), "spam.md": strings.Repeat("throttle limiter bucket ", 1000) + "\n"}
	src["spam.md"] = strings.Repeat("throttle limiter bucket\n", 1000)
	for i := range 8 {
		src[fmt.Sprintf("real%d.go", i)] = fmt.Sprintf("package p\n\n// the throttle keeps a bucket for each limiter\nfunc f%d() {}\n", i)
	}
	hits := find(t, build(t, src, Options{}), Query{Text: "throttle limiter bucket", Limit: 5})
	count := map[string]int{}
	for _, h := range hits {
		count[h.Path]++
	}
	if len(hits) != 5 || count["generated.md"] > 1 || count["spam.md"] > 1 {
		t.Errorf("hits %v", paths(hits))
	}
}

// P-47: stop words are left out of a query that has other terms, in the
// ranked profile alone; ties go by path and line; terms are counted once.
func TestQueryTerms(t *testing.T) {
	ix := build(t, memory{"a.md": "the of and", "b.md": "keeper", "c.md": "keeper"}, Options{})
	if got := paths(find(t, ix, Query{Text: "the keeper of"})); !slices.Equal(got, []string{"b.md", "c.md"}) {
		t.Errorf("ranked: %v", got)
	}
	if got := find(t, ix, Query{Text: "the keeper of", Profile: FTS5}); len(got) != 3 {
		t.Errorf("fts5: %v", paths(got))
	}
	if got := paths(find(t, ix, Query{Text: "of the"})); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("nothing but stop words: %v", got)
	}
	res, err := ix.Search(context.Background(), Query{Text: "keeper KEEPER Keeper", Limit: 1})
	if err != nil || len(res.Terms) != 1 || res.Matched != 2 || len(res.Hits) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := ix.Search(context.Background(), Query{Text: "++ 。", Limit: 1}); !errors.Is(err, ErrNoTerms) {
		t.Errorf("err = %v", err)
	}
}

// Explained parts sum to the score, and explaining changes no answer.
func TestExplanationsSum(t *testing.T) {
	src := memory{}
	for i := range 30 {
		src[fmt.Sprintf("server/http%d/request_handler.go", i)] = fmt.Sprintf("package http\n\nfunc handleRequest%d() {}\n\n%s", i, strings.Repeat("request handler http\n", i%7*9))
		src[fmt.Sprintf("server/http%d/request_test.go", i)] = "func TestRequest() { handler(request) }\n"
	}
	ix := build(t, src, Options{})
	for _, query := range []string{"http request handler", "handleRequest3", "request", "legacy server handleRequest5 test"} {
		for _, profile := range []Profile{Ranked, FTS5} {
			plain := find(t, ix, Query{Text: query, Profile: profile})
			hits := find(t, ix, Query{Text: query, Profile: profile, Explain: true})
			if len(plain) != len(hits) || len(hits) == 0 {
				t.Fatalf("%q: %d hits, %d explained", query, len(plain), len(hits))
			}
			for i, h := range hits {
				e := h.Explanation
				if h.Path != plain[i].Path || h.Score != plain[i].Score || e.Score != h.Score {
					t.Fatalf("%q, hit %d differs when it is explained", query, i)
				}
				terms, signals := 0.0, 0.0
				for _, term := range e.Terms {
					terms += term.Score
				}
				for _, s := range e.Signals {
					signals += s.Score
				}
				text := 0.0
				if len(e.Signals) > 0 && e.Signals[0].Signal == "text" {
					text = e.Signals[0].Score
				}
				if math.Abs(terms-text) > 1e-9 || math.Abs(signals-h.Score) > 1e-9 {
					t.Errorf("%q, %s: terms %v, text %v, signals %v, score %v", query, h.Path, terms, text, signals, h.Score)
				}
			}
		}
	}
}

// Invariant 6: the number of workers changes nothing.
func TestWorkersChangeNothing(t *testing.T) {
	rapid.Check(t, func(t2 *rapid.T) {
		src := memory{}
		for range rapid.IntRange(1, 12).Draw(t2, "documents") {
			src[drawPath(t2)+rapid.StringMatching(`[a-c]{0,2}`).Draw(t2, "suffix")] = drawText(t2)
		}
		one, many := openIndex(t, Options{Workers: 1}), openIndex(t, Options{Workers: 5})
		for _, ix := range []*Index{one, many} {
			if _, err := ix.Update(context.Background(), src, Run{Mode: Rebuild}); err != nil {
				t2.Fatalf("%v", err)
			}
		}
		sameAnswers(t2, many, one)
	})
}

// Invariant 3: readers and updates at once see whole generations.
func TestSearchDuringUpdates(t *testing.T) {
	src := memory{}
	for i := range 60 {
		src[fmt.Sprintf("f%02d.md", i)] = fmt.Sprintf("common word%c\n", 'a'+i%26)
	}
	ix := build(t, src, Options{})
	other := New(ix.dir, Options{Workers: 2})
	defer other.Close()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				res, err := ix.Search(context.Background(), Query{Text: "common", Limit: 100})
				if err != nil || len(res.Hits) < 59 {
					t.Errorf("%d hits, %v", len(res.Hits), err)
					return
				}
			}
		})
	}
	for i := range 20 {
		mode := []Mode{Refresh, Rebuild}[i%2]
		src["f00.md"] = fmt.Sprintf("common changed %d", i)
		if _, err := other.Update(context.Background(), src, Run{Mode: mode}); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestSelectTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 2.5, 3}), 0, 200).Draw(t, "scores")
		k := rapid.IntRange(0, 220).Draw(t, "k")
		ids := make([]uint32, len(scores))
		for i := range ids {
			ids[i] = uint32(i)
		}
		better := func(a, b uint32) bool {
			return scores[a] > scores[b] || scores[a] == scores[b] && a < b
		}
		want := slices.Clone(ids)
		slices.SortFunc(want, func(a, b uint32) int {
			if better(a, b) {
				return -1
			}
			return 1
		})
		heap := slices.Clone(ids)
		heapTop(heap, k, better)
		for _, got := range [][]uint32{best(slices.Clone(ids), scores, k), heap[:min(k, len(heap))]} {
			slices.Sort(got)
			top := slices.Sorted(slices.Values(want[:min(k, len(want))]))
			if !slices.Equal(got, top) {
				t.Fatalf("best %d of %v: %v, want %v", k, scores, got, top)
			}
		}
	})
}
