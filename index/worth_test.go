package index

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	qualityDir = flag.String("quality", "", "relevance sets for TestSignalWorth: a folder with docs, sets and code/annotations")
	reposDir   = flag.String("repos", "", "work trees of the code sets for TestSignalWorth, one a repository")
	worthFile  = flag.String("worth", "", "file to which TestSignalWorth writes its table")
)

// TestSignalWorth measures what each signal of the ranked profile brings, by
// taking it out: nDCG@10 over sets of documents and of source repositories.
// It runs when the sets are named:
//
//	go test ./index -run TestSignalWorth -v -args -quality DIR -repos DIR -worth FILE
func TestSignalWorth(t *testing.T) {
	if *qualityDir == "" || *reposDir == "" {
		t.Log("no sets named: -quality and -repos")
		return
	}
	sets := append(codeSets(t), documentSets(t)...)
	var table strings.Builder
	row := func(name string, values []float64) {
		fmt.Fprintf(&table, "| %s |", name)
		for _, v := range values {
			fmt.Fprintf(&table, " %.3f |", v)
		}
		table.WriteString("\n")
	}
	table.WriteString("| taken out | code | of it symbols | cranfield | cisi | npl | cmrc |\n|---|---|---|---|---|---|---|\n")
	row("nothing", measureAll(t, sets, Ranked))
	for _, s := range takeOuts {
		kept := rankedWeights
		s.take(&rankedWeights)
		row(s.name, measureAll(t, sets, Ranked))
		rankedWeights = kept
	}
	row("everything (the fts5 profile)", measureAll(t, sets, FTS5))
	t.Log("\n" + table.String())
	if *worthFile != "" {
		text := "# What each signal of the ranked profile brings\n\nnDCG@10 with the signal taken out, on the development sets: 8 source repositories with 158\n" +
			"queries (mean over repositories), and four document collections. Written by\n" +
			"`go test ./index -run TestSignalWorth -v -args -quality DIR -repos DIR -worth FILE`.\n\n" + table.String()
		if err := os.WriteFile(*worthFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var takeOuts = []struct {
	name string
	take func(w *weights)
}{
	{"k1 1.6 and b 0.6 (1.2 and 0.75 in their place)", func(w *weights) { w.text.k1, w.text.b = 1.2, 0.75 }},
	{"names as a field of the text", func(w *weights) { w.text.names = 0 }},
	{"BM25 over the path", func(w *weights) { w.path = 0 }},
	{"name cover", func(w *weights) { w.cover = 0 }},
	{"path altogether", func(w *weights) { w.path, w.cover = 0, 0 }},
	{"definitions", func(w *weights) { w.definition = 0 }},
	{"the spelling of definitions", func(w *weights) { w.otherCase = 1 }},
	{"namesake of the definition", func(w *weights) { w.namesake = 1 }},
	{"coherence of files", func(w *weights) { w.coherence = 0 }},
	{"factor of test files", func(w *weights) { w.test = 1 }},
	{"factor of further chunks of a file", func(w *weights) { w.further = 1 }},
	{"stop words left out of queries", func(w *weights) { w.stopWords = true }},
}

// judgedSet is an index with queries whose relevant documents are known.
type judgedSet struct {
	name    string
	code    bool
	ix      *Index
	queries []judgedQuery
}

type judgedQuery struct {
	text, category string
	targets        []string
}

// measureAll gives the columns of the table.
func measureAll(t *testing.T, sets []*judgedSet, profile Profile) []float64 {
	code, symbols, repos, symbolCount := 0.0, 0.0, 0.0, 0.0
	var out []float64
	for _, s := range sets {
		sum := 0.0
		for _, q := range s.queries {
			v := s.score(t, q, profile)
			sum += v
			if q.category == "symbol" {
				symbols += v
				symbolCount++
			}
		}
		mean := sum / float64(len(s.queries))
		if s.code {
			code += mean
			repos++
		} else {
			out = append(out, mean)
		}
	}
	return append([]float64{code / repos, symbols / symbolCount}, out...)
}

// score is nDCG@10 with binary gain. Code sets count hits as they come, in
// source files alone; document sets count a file once.
func (s *judgedSet) score(t *testing.T, q judgedQuery, profile Profile) float64 {
	var hits []string
	seen := map[string]bool{}
	for _, h := range find(t, s.ix, Query{Text: q.text, Limit: 20, Profile: profile}) {
		if s.code && !sourceExtensions[strings.ToLower(filepath.Ext(h.Path))] || !s.code && seen[h.Path] {
			continue
		}
		seen[h.Path] = true
		hits = append(hits, h.Path)
	}
	gain := [10]bool{}
	for _, target := range q.targets {
		for i, h := range hits[:min(10, len(hits))] {
			if h == target || strings.HasSuffix(h, "/"+target) || strings.HasSuffix(target, "/"+h) {
				gain[i] = true
				break
			}
		}
	}
	dcg, ideal := 0.0, 0.0
	for i, g := range gain {
		if g {
			dcg += 1 / math.Log2(float64(i+2))
		}
		if i < len(q.targets) {
			ideal += 1 / math.Log2(float64(i+2))
		}
	}
	return dcg / ideal
}

var sourceExtensions = func() map[string]bool {
	m := map[string]bool{}
	for e := range strings.FieldsSeq(".py .js .jsx .ts .tsx .go .rs .java .kt .kts .rb .php .c .h .cpp .hpp .cs .swift .scala .sbt .ex .exs .dart .lua .sql .sh .bash .zig .hs") {
		m[e] = true
	}
	return m
}()

func codeSets(t *testing.T) []*judgedSet {
	annotations, err := filepath.Glob(filepath.Join(*qualityDir, "code", "annotations", "*.json"))
	if err != nil || len(annotations) == 0 {
		t.Fatalf("no annotations below %s: %v", *qualityDir, err)
	}
	var sets []*judgedSet
	for _, file := range annotations {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		s := &judgedSet{name: name, code: true, ix: openIndex(t, Options{})}
		tracked := trackedIn(t, filepath.Join(*reposDir, name))
		mustUpdate(t, s.ix, FS(os.DirFS(filepath.Join(*reposDir, name)), 1<<18, func(p string) bool { return tracked[p] }), Rebuild)
		var queries []struct {
			Query, Category     string
			Relevant, Secondary []json.RawMessage
		}
		readJSON(t, file, &queries)
		for _, q := range queries {
			judged := judgedQuery{text: q.Query, category: q.Category}
			for _, raw := range append(q.Relevant, q.Secondary...) {
				judged.targets = append(judged.targets, targetPath(t, raw))
			}
			s.queries = append(s.queries, judged)
		}
		sets = append(sets, s)
	}
	return sets
}

// trackedIn gives the tracked paths that are no hidden ones.
func trackedIn(t *testing.T, root string) map[string]bool {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("%s: %v", root, err)
	}
	tracked := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		tracked[p] = p != "" && !strings.HasPrefix(p, ".") && !strings.Contains(p, "/.")
	}
	return tracked
}

// targetPath reads a target that is a path or an object with one.
func targetPath(t *testing.T, raw json.RawMessage) string {
	var object struct{ Path string }
	if err := json.Unmarshal(raw, &object); err == nil {
		return object.Path
	}
	var path string
	if err := json.Unmarshal(raw, &path); err != nil {
		t.Fatal(err)
	}
	return path
}

func documentSets(t *testing.T) []*judgedSet {
	var sets []*judgedSet
	for _, name := range []string{"cranfield", "cisi", "npl", "cmrc"} {
		src := memory{}
		eachLine(t, filepath.Join(*qualityDir, "docs", name+".jsonl"), func(line []byte) {
			var d struct{ Path, Text string }
			if err := json.Unmarshal(line, &d); err != nil {
				t.Fatal(err)
			}
			src[d.Path] = strings.ReplaceAll(d.Text, "?", " ")
		})
		s := &judgedSet{name: name, ix: build(t, src, Options{})}
		eachLine(t, filepath.Join(*qualityDir, "sets", name+".jsonl"), func(line []byte) {
			var d struct {
				Query string
				Rel   []struct{ Path string }
			}
			if err := json.Unmarshal(line, &d); err != nil {
				t.Fatal(err)
			}
			q := judgedQuery{text: d.Query}
			for _, r := range d.Rel {
				q.targets = append(q.targets, r.Path)
			}
			s.queries = append(s.queries, q)
		})
		sets = append(sets, s)
	}
	return sets
}

func readJSON(t *testing.T, file string, v any) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func eachLine(t *testing.T, file string, fn func(line []byte)) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		fn(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// No rule of ranking names a repository of a development set: a weight that
// knows its exam is no weight.
func TestRankingNamesNoDevelopmentSet(t *testing.T) {
	names := []string{"axios", "cobra", "express", "redux", "trpc", "cranfield", "cisi", "cmrc"}
	if *qualityDir != "" {
		var repos []struct{ Name string }
		readJSON(t, filepath.Join(*qualityDir, "code", "repos.json"), &repos)
		for _, r := range repos {
			names = append(names, r.Name)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "definition_") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			for word := range strings.FieldsFuncSeq(strings.ToLower(string(text)), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if word == name {
					t.Errorf("%s names %q", file, name)
				}
			}
		}
	}
}
