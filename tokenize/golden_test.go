package tokenize

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/terms.golden")

const goldenFile = "testdata/terms.golden"

// TestGolden compares the terms of many texts and queries with testdata/terms.golden. In the file, a line with a
// quoted text or query is followed by its terms. When a rule changes, run the test with -update, look at the
// difference and raise Version. New inputs are added to the file by hand, without terms.
func TestGolden(t *testing.T) {
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	got := rewriteGolden(t, string(want))
	if *update {
		if err := os.WriteFile(goldenFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("terms changed; raise Version if that is meant (-want +got):\n%s", cmp.Diff(string(want), string(got)))
	}
}

// rewriteGolden gives the golden file with the terms of today for the inputs of old.
func rewriteGolden(t *testing.T, old string) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(old) {
		line = strings.TrimSuffix(line, "\n")
		kind, quoted, _ := strings.Cut(line, " ")
		switch kind {
		case "#":
			fmt.Fprintln(&out, line)
		case "text", "query":
			input, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			terms := termsOf(input)
			if kind == "query" {
				var tokenizer Tokenizer
				terms = describeAll(tokenizer.Query(input, 64))
			}
			if terms == nil {
				terms = []string{"(none)"}
			}
			fmt.Fprintf(&out, "%s %q\n\t%s\n", kind, input, strings.Join(terms, " "))
		}
	}
	return out.Bytes()
}
