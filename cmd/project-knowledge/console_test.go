package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"projectknowledge/index"
	"projectknowledge/index/provider"
	"projectknowledge/store"
)

// newConsole is a console in memory.
func newConsole(terminal bool) (c *console, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &console{in: strings.NewReader(""), out: out, err: errs, outTTY: terminal, errTTY: terminal, color: terminal}, out, errs
}

// marked shows spans as brackets in the text.
func marked(text string, spans []span) string {
	var out strings.Builder
	at := 0
	for _, s := range spans {
		out.WriteString(text[at:s.from] + "[" + text[s.from:s.to] + "]")
		at = s.to
	}
	return out.String() + text[at:]
}

// The words in colour are those that the index would find by the query.
func TestHighlighter(t *testing.T) {
	for _, test := range []struct{ query, text, want string }{
		{"lighthouse", "The Lighthouse, the lighthouses", "The [Lighthouse], the [lighthouses]"},
		{"http", "func parseHTTPRequest(b)", "func [parseHTTPRequest](b)"},
		{"foo", "xfoo foo xfoo", "xfoo [foo] xfoo"},
		{"项目", "这个项目知识，项与目", "这个[项目]知识，项与目"},
		{"项目知识", "项目知识库", "[项目知识]库"},
		{"锁", "分锁定 锁 定锁", "分[锁]定 [锁] 定[锁]"},
		{"the", "the end", "[the] end"},
		{"the end", "the end", "the [end]"},
		{"café", "Café cafe\u0301", "[Café] [cafe\u0301]"},
		{"zeppelin", "nothing 这里", "nothing 这里"},
		{"x", "", ""},
	} {
		if got := marked(test.text, newHighlighter(test.query).spans([]byte(test.text))); got != test.want {
			t.Errorf("%q in %q: %q, want %q", test.query, test.text, got, test.want)
		}
	}
}

func TestPrintHits(t *testing.T) {
	score := 1.5
	row := uint64(7)
	result := &provider.SearchResult{
		Hits: []provider.Hit{
			{Path: "a.go", StartLine: 9, EndLine: 10, Text: "the posting\nlists\x1b[31m"},
			{Path: "b\u202e.md", StartLine: 1, EndLine: 1, Text: "x", Score: &score, Row: &row, Explanation: &index.Explanation{
				Score:   1.5,
				Terms:   []index.TermScore{{Term: "post", IDF: 2, Chunks: 3, Text: 1, Names: 0, Score: 1.5}},
				Signals: []index.SignalScore{{Signal: "text", Score: 1.5}},
			}},
		},
		Stale: 2, Truncated: true,
	}
	plain := `a.go:9-10
 9  the posting
10  lists<U+001B>[31m

b<U+202E>.md:1-1
1  x
    score 1.500000, row 7
    text                     +1.500000
    term post                +1.500000  idf 2.0000, in 3 chunks, 1 in the text, 0 in names
`
	c, out, errs := newConsole(false)
	c.printHits(result, newHighlighter("posting"))
	if diff := cmp.Diff(plain, out.String()); diff != "" {
		t.Errorf("in a pipe:\n%s", diff)
	}
	if notes := errs.String(); strings.Count(notes, "note: ") != 2 {
		t.Errorf("notes: %q", notes)
	}
	c, out, _ = newConsole(true)
	c.printHits(result, newHighlighter("posting"))
	colored := strings.SplitN(out.String(), "\n\n", 2)[0]
	want := "\x1b[1;35ma.go:9-10\x1b[0m\n\x1b[32m 9\x1b[0m  the \x1b[1;31mposting\x1b[0m\n\x1b[32m10\x1b[0m  lists<U+001B>[31m"
	if diff := cmp.Diff(want, colored); diff != "" {
		t.Errorf("on a terminal:\n%s", diff)
	}
}

func TestShowsColor(t *testing.T) {
	for _, test := range []struct {
		terminal      bool
		noColor, term string
		want          bool
	}{{true, "", "xterm", true}, {true, "", "", true}, {true, "1", "xterm", false}, {true, "", "dumb", false}, {false, "", "xterm", false}} {
		env := map[string]string{"NO_COLOR": test.noColor, "TERM": test.term}
		if got := showsColor(test.terminal, func(name string) string { return env[name] }); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestPrintReadOnTerminal(t *testing.T) {
	c, out, errs := newConsole(true)
	c.color = false // as with NO_COLOR
	c.printRead(&provider.ReadResult{Text: "a\x07\nb", StartLine: 3, EndLine: 4, TotalLines: 9, Truncated: true}, true)
	if got, want := out.String(), "3  a<U+0007>\n4  b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(errs.String(), "--lines 5: goes on") {
		t.Errorf("note: %q", errs.String())
	}
}

func TestProgress(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		c, out, errs := newConsole(terminal)
		bar := newProgress(c)
		bar.report(index.Progress{})
		for n := range 5 {
			bar.report(index.Progress{Files: n + 1, Total: 5, Bytes: int64(n) << 20})
		}
		bar.report(index.Progress{Files: 1, Total: 9}) // a second run
		bar.end()
		if out.Len() > 0 || (errs.Len() > 0) != terminal {
			t.Errorf("terminal %v: %d bytes on stdout, %d on stderr", terminal, out.Len(), errs.Len())
		}
	}
}

func TestPrintCoverage(t *testing.T) {
	c, out, _ := newConsole(false)
	c.printCoverage(store.Coverage{
		EligibleFiles: 9, IndexedFiles: 5, IndexedBytes: 3 << 20, Chunks: 70, ExcludedEntries: 6, SkippedFiles: 1, UnprocessedFiles: 3,
		StopReason: "file_limit", Mode: "refresh", RemainingFiles: 4,
		ExcludedByReason: map[string]int{"hidden": 1, "symlink": 1, "unsupported_format": 4}, SkippedByReason: map[string]int{"binary": 1},
	})
	for _, line := range []string{
		"files      5 of 9 eligible, 3.0 MiB in 70 chunks",
		"excluded   6 (unsupported_format 4, hidden 1, symlink 1)",
		"state      partial (file_limit): 4 files remain, 3 of them not searchable",
		"revision   no commit yet",
	} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
}

// Every code has advice for a person (P-89), and its exit code.
func TestFailuresTellWhatToDo(t *testing.T) {
	const codes = 27 // of P-4, P-89 and the one of a cancelled call
	if len(advice) != codes {
		t.Errorf("advice for %d codes, want %d", len(advice), codes)
	}
	for code, try := range advice {
		if provider.NewError(code, "").Code != code {
			t.Errorf("%s is no code", code)
		}
		c, out, errs := newConsole(false)
		cmd := newRoot(c)
		exit := c.fail(cmd, about("query \x1b[2J", provider.NewError(code, "")))
		want := exitRefused
		if code == provider.InvalidArguments {
			want = exitUsage
		}
		lines := strings.Split(errs.String(), "\n")
		if exit != want || out.Len() > 0 || !strings.HasPrefix(lines[0], "error: "+string(code)+": ") ||
			lines[1] != "  at:      query <U+001B>[2J" || lines[2] != "  try:     "+try {
			t.Errorf("%s: exit %d, %q", code, exit, errs.String())
		}
	}
	c, _, errs := newConsole(false)
	if exit := c.fail(newRoot(c), errors.New("write |1: no space")); exit != exitRefused || !strings.HasPrefix(errs.String(), "error: write") {
		t.Errorf("exit %d, %q", exit, errs.String())
	}
}

// A cancelled command ends with a failure and says that the index is kept.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, out, errs := newConsole(false)
	if exit := execute(ctx, c, []string{"index"}); exit != exitRefused || out.Len() > 0 || !strings.Contains(errs.String(), "the published index is as it was") {
		t.Errorf("exit %d, %q, %q", exit, out, errs)
	}
}

// A run that its budget ended is continued until it is complete, or until another one brings nothing more.
func TestRepeatUpdate(t *testing.T) {
	failure := provider.NewError(provider.GitFailed, "")
	type run struct {
		stop      string
		remaining int
		err       error
	}
	for _, test := range []struct {
		name string
		runs []run
		want run
	}{
		{"complete at once", []run{{stop: "complete"}}, run{stop: "complete"}},
		{"three runs", []run{{"time_budget", 9, nil}, {"time_budget", 4, nil}, {stop: "complete"}}, run{stop: "complete"}},
		{"a limit", []run{{"time_budget", 9, nil}, {"file_limit", 4, nil}}, run{"file_limit", 4, nil}},
		{"no way on", []run{{"time_budget", 9, nil}, {"time_budget", 9, nil}}, run{"time_budget", 9, nil}},
		{"failure", []run{{"time_budget", 9, nil}, {err: failure}}, run{err: failure}},
	} {
		calls := 0
		result, err := repeatUpdate(provider.Rebuild, func(mode provider.Mode) (*provider.IndexResult, error) {
			if (mode == provider.Rebuild) != (calls == 0) {
				t.Errorf("%s: call %d has mode %s", test.name, calls, mode)
			}
			next := test.runs[calls]
			calls++
			return &provider.IndexResult{Coverage: store.Coverage{StopReason: next.stop, RemainingFiles: next.remaining}}, next.err
		})
		got := run{result.Coverage.StopReason, result.Coverage.RemainingFiles, err}
		if calls != len(test.runs) || got != test.want {
			t.Errorf("%s: %d calls, %+v", test.name, calls, got)
		}
	}
}
