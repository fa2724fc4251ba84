package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/pathguard"
)

func never() bool { return false }

// found gives the matching lines of a text as "START-END".
func found(e *expression, text string) (lines []string) {
	s := newLineSearch(e, []byte(text), never)
	for {
		start, end, ok := s.line()
		if !ok {
			return lines
		}
		lines = append(lines, fmt.Sprintf("%d-%d", start, end))
	}
}

// naive is what found has to give: every line matched by itself.
func naive(re *regexp.Regexp, text string) (lines []string) {
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if line == "" {
			continue
		}
		content, ended := strings.CutSuffix(line, "\n")
		if ended {
			content = strings.TrimSuffix(content, "\r")
		}
		if re.MatchString(content) {
			lines = append(lines, fmt.Sprintf("%d-%d", at, at+len(content)))
		}
		at += len(line)
	}
	return lines
}

// TestLineSearch holds the searched texts against matching every line, for patterns with and without such texts (M-51).
func TestLineSearch(t *testing.T) {
	texts := []string{
		"", "\n", "needle", "Needle\nneedle two\r\n\nNEEDLE", "a needle\r\nb needle\rc\r", "研究计划 needle\nſearch Kelvin \u212a\n", "foo\nbar\nfoobar\n", "xneedlex\n" + strings.Repeat("y", 5000) + "needle",
	}
	for _, pattern := range []string{
		"needle", "n", "^needle", "needle$", "^$", "", "needle (one|two)", "foo|bar", "fo+b?", "(needle)+", "(needle){2}", "(needle)*", "研究", "kelvin", "search", "K", "[nN]eedle",
		`\bneedle\b`, "needle\\r", "\\r", "\\n", "foo\\nbar", "^.*$", "a|b|c|d|e|f|g|h|i|j", `\x{FFFD}`, "(?i)two", "(?s)foo.bar", "(?m)^foo$", "x*needlex*", "é|É", "İ",
	} {
		for _, sensitive := range []bool{true, false} {
			if pattern == "" {
				continue
			}
			e, err := parseExpression(pattern, sensitive)
			if err != nil {
				t.Fatalf("%s: %v", pattern, err)
			}
			for _, text := range texts {
				if got, want := fmt.Sprint(found(e, text)), fmt.Sprint(naive(e.regexp, text)); got != want {
					t.Errorf("%q (case %v) in %q: %s, want %s; needles %v", pattern, sensitive, text, got, want, e.needles)
				}
			}
		}
	}
}

// TestLineSearchAgrees is the same for any pattern and text.
func TestLineSearchAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`(\^|[abkKsé]{1,3}|\(ab\|[kS]c\|bb\)[+*?]?|\[ab\]|\.|b\{1,2\}|\\b|\$){1,4}`).Filter(func(s string) bool {
			_, err := parseExpression(s, true)
			return err == nil
		}).Draw(t, "pattern")
		e, err := parseExpression(pattern, rapid.Bool().Draw(t, "sensitive"))
		if err != nil {
			t.Fatal(err)
		}
		text := rapid.StringMatching("([abcKkSséÉ\u212aſ \r]{0,5}\n?){0,6}").Draw(t, "text")
		if got, want := fmt.Sprint(found(e, text)), fmt.Sprint(naive(e.regexp, text)); got != want {
			t.Fatalf("%q in %q: %s, want %s; needles %v", pattern, text, got, want, e.needles)
		}
	})
}

// TestNeedles: which texts are read off a pattern.
func TestNeedles(t *testing.T) {
	for pattern, want := range map[string]string{
		"needle": "needle plain", "n": "n plain", "needle|thread": "needle thread", "ab.*longer": "longer", "x?y?": "", "(abc)+d": "abc", "(abc)*": "",
		"a": "a plain", "[abc]d": "", "(?i)Needle": "needle~ plain", "(?i)task": "ta~", "(?i)kiss": "", "^foo$": "foo", "a|bb": "", "foo(bar|baz)": "foo",
	} {
		e, err := parseExpression(pattern, true)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range e.needles {
			text := string(n.text)
			if n.fold {
				text += "~"
			}
			got = append(got, text)
		}
		if e.plain {
			got = append(got, "plain")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", pattern, got, want)
		}
	}
}

// TestBadExpression holds the refusals of M-51.
func TestBadExpression(t *testing.T) {
	for pattern, want := range map[string]pathguard.Code{
		"": pathguard.InvalidArguments, strings.Repeat("x", 1001): pathguard.InvalidArguments, strings.Repeat("研", 1000): "",
		"(": pathguard.InvalidPattern, "a)(b": pathguard.InvalidPattern, "*": pathguard.InvalidPattern, `\1`: pathguard.InvalidPattern, "(?=a)": pathguard.InvalidPattern, "[z-a]": pathguard.InvalidPattern,
		"a{1001}": pathguard.InvalidPattern, "((a{100}){10}){10}": pathguard.InvalidPattern, "(a{50}){100}": pathguard.InvalidPattern, "(x{1,100}){1,9}": "",
	} {
		for _, sensitive := range []bool{true, false} {
			_, err := parseExpression(pattern, sensitive)
			wantCode(t, pattern, err, want)
		}
	}
}

// TestInterruptibleMatch: a long match asks whether it should go on, and agrees with an ordinary one when it should (M-8).
func TestInterruptibleMatch(t *testing.T) {
	e, err := parseExpression("(x{1,100}){1,9}y$", true)
	if err != nil {
		t.Fatal(err)
	}
	line := bytes.Repeat([]byte("x"), maxAtOnce/e.size+2*checkRunes)
	if e.match(line, never) || !e.match(append(line[:len(line):len(line)], 'y'), never) {
		t.Error("a long line is matched otherwise than a short one")
	}
	asked := 0
	e.match(line, func() bool { asked++; return true })
	if asked != 1 {
		t.Errorf("went on after %d answers", asked)
	}
}

// TestIndexFold holds the search without case against lowering.
func TestIndexFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[abcABC.]{0,20}").Draw(t, "text")
		want := rapid.StringMatching("[abc.]{1,4}").Draw(t, "needle")
		n := needle{text: []byte(want), fold: true, rare: rapid.IntRange(0, len(want)-1).Draw(t, "rare")}
		if got := n.index([]byte(text)); got != strings.Index(strings.ToLower(text), want) {
			t.Fatalf("%q in %q: %d", want, text, got)
		}
	})
}

// FuzzExpression: no pattern makes compiling or searching fail, and the search agrees with matching every line.
func FuzzExpression(f *testing.F) {
	f.Add("needle|(?i)k", "a needle\nK", true)
	f.Add("^(a|b)*c{2,3}$", "abcc\r\n", false)
	f.Fuzz(func(t *testing.T, pattern, text string, sensitive bool) {
		e, err := parseExpression(pattern, sensitive)
		if err != nil || !isText([]byte(text)) {
			return
		}
		if got, want := fmt.Sprint(found(e, text)), fmt.Sprint(naive(e.regexp, text)); got != want {
			t.Fatalf("%q in %q: %s, want %s; needles %v", pattern, text, got, want, e.needles)
		}
	})
}
