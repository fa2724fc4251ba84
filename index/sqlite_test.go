package index

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"projectknowledge/tokenize"
)

var rewrite = flag.Bool("update", false, "rewrite golden files")

// sqliteCase is one corpus with its queries and the scores that SQLite gives.
type sqliteCase struct {
	Documents []string             `json:"documents"`
	Queries   []string             `json:"queries"`
	Scores    []map[string]float64 `json:"scores"` // per query: document number to −bm25()
}

const sqliteGolden = "testdata/sqlite_bm25.json"

// P-43: the fts5 profile equals SQLite's bm25() over the same tokens to 1e-9.
// The golden values come from a real SQLite and are held everywhere.
func TestScoresEqualSQLiteGolden(t *testing.T) {
	if *rewrite {
		writeSQLiteGolden(t)
	}
	text, err := os.ReadFile(sqliteGolden)
	if err != nil {
		t.Fatal(err)
	}
	var cases []sqliteCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("only %d golden cases", len(cases))
	}
	for i := range cases {
		compareWithSQLite(t, &cases[i])
	}
}

// The same against the sqlite3 of this machine, on corpora of this run.
func TestScoresEqualSQLite(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Log("no sqlite3 on this machine; TestScoresEqualSQLiteGolden holds the golden values")
		return
	}
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	cases := make([]sqliteCase, 200)
	for i := range cases {
		cases[i] = drawSQLiteCase(r)
	}
	askSQLite(t, cases)
	for i := range cases {
		compareWithSQLite(t, &cases[i])
	}
}

func compareWithSQLite(t *testing.T, c *sqliteCase) {
	t.Helper()
	src := memory{}
	for i, d := range c.Documents {
		src[fmt.Sprintf("%04d.md", i)] = d
	}
	ix := build(t, src, Options{})
	for i, query := range c.Queries {
		hits := find(t, ix, Query{Text: query, Profile: FTS5, Limit: len(c.Documents) + 1})
		if len(hits) != len(c.Scores[i]) {
			t.Fatalf("%q over %q: %d hits, SQLite has %d", query, c.Documents, len(hits), len(c.Scores[i]))
		}
		for k, h := range hits {
			number, _ := strconv.Atoi(strings.TrimSuffix(h.Path, ".md"))
			want, ok := c.Scores[i][strconv.Itoa(number)]
			if !ok || math.Abs(h.Score-want) > 1e-9 {
				t.Fatalf("%q, document %d of %q: score %.17g, SQLite gives %.17g", query, number, c.Documents, h.Score, want)
			}
			if k > 0 && (hits[k-1].Score < h.Score || hits[k-1].Score == h.Score && hits[k-1].Path >= h.Path) {
				t.Fatalf("P-47: hits %d and %d of %q are out of order", k-1, k, query)
			}
		}
	}
}

// sqliteWords are words whose terms SQLite's own folding leaves alone.
var sqliteWords = strings.Fields(`parse http request parseHTTPRequest parse_http_request IPv6Addr HTTP2Server x y2k
	retry retries running runs cache cached error Errors 项目知识 数据库 テスト カタカナ 한국어 ข้าวเช้า привет данные naïve café
	MAX_RETRY_COUNT 128 14 v2 a1b2 the of and`)

func drawSQLiteCase(r *rand.Rand) sqliteCase {
	var c sqliteCase
	text := func(most int) string {
		words := make([]string, 1+r.IntN(most))
		for i := range words {
			// Squaring makes some words common and others rare.
			words[i] = sqliteWords[int(float64(len(sqliteWords))*r.Float64()*r.Float64())]
		}
		return strings.Join(words, " ")
	}
	for range 1 + r.IntN(30) {
		c.Documents = append(c.Documents, text(60))
	}
	for range 4 {
		c.Queries = append(c.Queries, text(6))
	}
	return c
}

// askSQLite fills in the scores. A document is one chunk, given to SQLite as
// its terms with spaces between, under a tokenizer whose token characters take
// in all that a term may hold.
func askSQLite(t *testing.T, cases []sqliteCase) {
	t.Helper()
	var tok tokenize.Tokenizer
	var script strings.Builder
	for i := range cases {
		c := &cases[i]
		fmt.Fprintf(&script, "CREATE VIRTUAL TABLE t%d USING fts5(x, tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* Co P* S*'\");\n", i)
		for d, text := range c.Documents {
			var terms []string
			tok.Each([]byte(text), func(term []byte) { terms = append(terms, string(term)) })
			fmt.Fprintf(&script, "INSERT INTO t%d(rowid, x) VALUES (%d, '%s');\n", i, d, strings.ReplaceAll(strings.Join(terms, " "), "'", "''"))
		}
		c.Scores = make([]map[string]float64, len(c.Queries))
		for q, query := range c.Queries {
			c.Scores[q] = map[string]float64{}
			var terms []string
			for _, term := range tok.Query(query, MaxQueryTerms) {
				terms = append(terms, `"`+string(term.Term)+`"`)
			}
			fmt.Fprintf(&script, "SELECT %d, %d, rowid, printf('%%.17g', -bm25(t%d)) FROM t%d WHERE t%d MATCH '%s';\n", i, q, i, i, i, strings.Join(terms, " OR "))
		}
	}
	cmd := exec.Command("sqlite3", ":memory:")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3: %v: %.500s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 4 {
			t.Fatalf("sqlite3 said %q", line)
		}
		i, _ := strconv.Atoi(f[0])
		q, _ := strconv.Atoi(f[1])
		score, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		cases[i].Scores[q][f[2]] = score
	}
}

func writeSQLiteGolden(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cases := make([]sqliteCase, 24)
	for i := range cases {
		cases[i] = drawSQLiteCase(r)
		cases[i].Documents = slices.Clip(cases[i].Documents)
	}
	askSQLite(t, cases)
	text, err := json.MarshalIndent(cases, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(sqliteGolden), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sqliteGolden, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
