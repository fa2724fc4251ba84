package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// expectation is what a case wants of one answer; members that are absent want nothing.
type expectation struct {
	OK     bool
	Error  any           // true or "known"
	AnyOf  []expectation `json:"any_of"`
	Hit    string
	Top    string
	Miss   string
	NoHits bool `json:"no_hits"`
	MinHit *int `json:"min_hits"`
	MaxHit *int `json:"max_hits"`
	Line   *int
	Text   *string
	Stale  *int
	Fields map[string]any

	CountedOut   *int    `json:"counted_out"`
	HitOrCounted string  `json:"hit_or_counted"`
	TextIs       *string `json:"text_is"`
	MinLines     *int    `json:"min_lines"`
	MaxLines     *int    `json:"max_lines"`
	MaxBytes     *int    `json:"max_bytes"`
	NoFFFD       bool    `json:"no_fffd"`
	Loose        bool

	// Of raw steps.
	Code     int
	AnyError bool `json:"any_error"`
	ID       any
	Answered bool
	Silent   bool
}

// caseHit is a hit as a client reads it.
type caseHit struct {
	Path             *string
	StartLine        *int            `json:"start_line"`
	EndLine          *int            `json:"end_line"`
	Text             *string         `json:"text"`
	SourceHash       *string         `json:"source_hash"`
	IndexRevision    json.RawMessage `json:"index_revision"`
	ObservedRevision json.RawMessage `json:"observed_revision"`
}

// caseAnswer is structuredContent as a client reads it.
type caseAnswer struct {
	Hits      *[]caseHit
	Stale     *int    `json:"stale_candidates_omitted"`
	Truncated *bool   `json:"results_truncated"`
	Text      *string `json:"text"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
}

// holds checks an answer against the rules of every exchange and against what the step expects.
func (r *caseRun) holds(want expectation, got outcome) error {
	var answer caseAnswer
	if got.rpcCode == 0 {
		if err := json.Unmarshal(got.raw, &answer); err != nil {
			return err
		}
		if answer.Hits != nil {
			if err := r.checkHits(answer, want.Loose); err != nil {
				return err
			}
		}
	}
	if err := r.expected(want, got, answer); err != nil {
		return fmt.Errorf("%w; answer %.600s (code %d)", err, got.raw, got.rpcCode)
	}
	return nil
}

// checkHits applies the rules that hold for every search result.
func (r *caseRun) checkHits(answer caseAnswer, loose bool) error {
	if answer.Stale == nil || answer.Truncated == nil {
		return errors.New("a search result without its members")
	}
	for _, hit := range *answer.Hits {
		if hit.Path == nil || hit.StartLine == nil || hit.EndLine == nil || hit.Text == nil || hit.SourceHash == nil ||
			hit.IndexRevision == nil || hit.ObservedRevision == nil {
			return errors.New("a hit without its members")
		}
		path := filepath.Join(r.root, *hit.Path)
		if now := hashOf(path); now != *hit.SourceHash {
			return fmt.Errorf("hash of %s is %s", *hit.Path, now)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if want, ok := fileLines(content, *hit.StartLine, *hit.EndLine); !loose && (!ok || withoutLineEnds(*hit.Text) != withoutLineEnds(want)) {
			return fmt.Errorf("text of %s:%d-%d is %q, in the file %q", *hit.Path, *hit.StartLine, *hit.EndLine, *hit.Text, want)
		}
	}
	return nil
}

// fileLines cuts lines out of a file; LF alone ends a line.
func fileLines(content []byte, start, end int) (string, bool) {
	lines := strings.Split(string(content), "\n")
	if start < 1 || end < start || end > len(lines) {
		return "", false
	}
	return strings.Join(lines[start-1:end], "\n"), true
}

// withoutLineEnds leaves out what the comparison of a text with its file ignores.
func withoutLineEnds(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(text+"\n", "\r\n", "\n")
	return strings.TrimRight(text, "\n")
}

func (r *caseRun) expected(want expectation, got outcome, answer caseAnswer) error {
	if len(want.AnyOf) > 0 {
		var all error
		for _, choice := range want.AnyOf {
			err := r.expected(choice, got, answer)
			if err == nil {
				return r.expectedHere(want, got, answer)
			}
			all = errors.Join(all, err)
		}
		return all
	}
	return r.expectedHere(want, got, answer)
}

func (r *caseRun) expectedHere(want expectation, got outcome, answer caseAnswer) error {
	switch {
	case want.Error == true && !got.failed():
		return errors.New("no error")
	case want.Error == "known" && !got.isError:
		return errors.New("no known error")
	case want.OK && got.failed():
		return errors.New("an error")
	case want.MaxBytes != nil && len(got.raw) > *want.MaxBytes:
		return fmt.Errorf("%d bytes", len(got.raw))
	case want.NoFFFD && bytes.ContainsRune(got.raw, '\ufffd'):
		return errors.New("U+FFFD in the result")
	}
	if want.CountedOut != nil {
		if n := countedOut(got.structured["coverage"]); n < *want.CountedOut {
			return fmt.Errorf("%d counted out", n)
		}
	}
	for name, value := range want.Fields {
		if !r.fieldHolds(got.structured, name, value) {
			return fmt.Errorf("field %s is not %v", name, value)
		}
	}
	if err := want.expectedRead(got, answer); err != nil {
		return err
	}
	return r.expectedHits(want, got, answer)
}

func (want expectation) expectedRead(got outcome, answer caseAnswer) error {
	lines := answer.EndLine - answer.StartLine + 1
	switch {
	case want.TextIs != nil && (got.failed() || answer.Text == nil || strings.TrimRight(*answer.Text, "\r\n") != strings.TrimRight(*want.TextIs, "\r\n")):
		return fmt.Errorf("text is not %q", *want.TextIs)
	case want.MinLines != nil && (got.failed() || lines < *want.MinLines), want.MaxLines != nil && !got.failed() && lines > *want.MaxLines:
		return fmt.Errorf("%d lines", lines)
	}
	return nil
}

func (r *caseRun) expectedHits(want expectation, got outcome, answer caseAnswer) error {
	var hits []caseHit
	if answer.Hits != nil {
		hits = *answer.Hits
	}
	has := func(path string) bool {
		for _, hit := range hits {
			if *hit.Path == path {
				return true
			}
		}
		return false
	}
	searched := want.Hit+want.Top+want.Miss != "" || want.NoHits || want.MinHit != nil || want.Stale != nil
	switch {
	case searched && answer.Hits == nil:
		return errors.New("no search result")
	case want.Hit != "" && !has(want.Hit):
		return fmt.Errorf("%s is no hit", want.Hit)
	case want.Top != "" && (len(hits) == 0 || *hits[0].Path != want.Top):
		return fmt.Errorf("%s is not the first hit", want.Top)
	case want.Miss != "" && has(want.Miss):
		return fmt.Errorf("%s is a hit", want.Miss)
	case want.NoHits && len(hits) > 0, want.MinHit != nil && len(hits) < *want.MinHit, want.MaxHit != nil && len(hits) > *want.MaxHit:
		return fmt.Errorf("%d hits", len(hits))
	case want.Stale != nil && (*want.Stale > 0 && *answer.Stale < *want.Stale || *want.Stale == 0 && *answer.Stale != 0):
		return fmt.Errorf("%d stale", *answer.Stale)
	case want.HitOrCounted != "" && !has(want.HitOrCounted) && countedOut(r.lastIndex) == 0:
		return fmt.Errorf("%s is neither a hit nor counted", want.HitOrCounted)
	}
	return want.expectedPlace(hits)
}

// expectedPlace checks line and text, which concern the hits of the path in Hit.
func (want expectation) expectedPlace(hits []caseHit) error {
	covered, quoted := want.Line == nil, want.Text == nil
	for _, hit := range hits {
		if *hit.Path == want.Hit {
			covered = covered || *hit.StartLine <= *want.Line && *want.Line <= *hit.EndLine
			quoted = quoted || strings.Contains(*hit.Text, *want.Text)
		}
	}
	if !covered || !quoted {
		return fmt.Errorf("no hit of %s with the line or the text", want.Hit)
	}
	return nil
}

// countedOut is how many paths a coverage leaves out.
func countedOut(coverage any) int {
	members, _ := coverage.(map[string]any)
	sum := 0
	for _, name := range []string{"excluded_entries", "skipped_files"} {
		if n, ok := members[name].(json.Number); ok {
			value, _ := n.Int64()
			sum += int(value)
		}
	}
	return sum
}

// fieldHolds reports whether every member of that name, at any depth, has the value; there must be one.
func (r *caseRun) fieldHolds(node any, name string, want any) bool {
	found := findField(node, name)
	if want == "@HEAD" {
		want = r.mustGit(r.root, "rev-parse", "HEAD")
	}
	for _, value := range found {
		if least, ok := want.(map[string]any); ok {
			bound, _ := least["min"].(json.Number).Int64()
			number, isNumber := value.(json.Number)
			if n, err := number.Int64(); !isNumber || err != nil || n < bound {
				return false
			}
		} else if value != want {
			return false
		}
	}
	return len(found) > 0
}

func findField(node any, name string) (found []any) {
	switch n := node.(type) {
	case map[string]any:
		for key, child := range n {
			if key == name {
				found = append(found, child)
			}
			found = append(found, findField(child, name)...)
		}
	case []any:
		for _, child := range n {
			found = append(found, findField(child, name)...)
		}
	}
	return found
}
