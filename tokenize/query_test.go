package tokenize

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describe writes a query term as in testdata/terms.golden.
func describe(term QueryTerm) string {
	out := fmt.Sprintf("%s/%d", term.Term, term.Word)
	for _, flag := range []struct {
		set  bool
		name string
	}{{term.Whole, "whole"}, {term.Unit, "unit"}, {term.Stop, "stop"}} {
		if flag.set {
			out += "," + flag.name
		}
	}
	return out
}

func describeAll(terms []QueryTerm) []string {
	var out []string
	for _, term := range terms {
		out = append(out, describe(term))
	}
	return out
}

// P-44, P-45, P-47: a query is cut as a text is.
func TestQuery(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"parseHTTPRequest", "parsehttprequest/0,whole pars/0 http/0 request/0"},
		{"cache", "cach/0,whole cache/0,whole"},
		{"getName", "getname/0,whole get/0 name/0 getnam/0,whole"},
		{"getname", "getnam/0,whole getname/0,whole"},
		{"is the cache stale", "is/0,whole,stop the/1,whole,stop cach/2,whole stale/3,whole cache/2,whole"},
		{"is_valid", "is_valid/0,whole is/0,stop valid/0"},
		{"this", "thi/0,whole,stop this/0,whole,stop"},
		{"thi this", "thi/0,whole this/1,whole,stop"},
		{"cache CACHE", "cach/0,whole cache/0,whole"},
		{"server httpServer", "server/0,whole httpserver/1,whole http/1"},
		{"httpServer http", "httpserver/0,whole http/0,whole server/0"},
		{"缓存", "缓存/0"},
		{"检查缓存", "检查/0 查缓/1 缓存/2"},
		{"锁", "锁/0,unit"},
		{"锁 锁定", "锁/0,unit 锁定/1"},
		{"第3章", "第/0,unit 3/1,whole 章/2,unit"},
		{"バグ ﾊﾞｸﾞ", "バグ/0"},
		{"グ ｸﾞ", "グ/0,unit"},
		{"redis缓存 x", "redi/0,whole 缓存/1 x/2,whole redis/0,whole"},
		{"résumés", "résumés/0,whole resum/0,whole resumes/0,whole"},
		{"++", ""},
	} {
		var tokenizer Tokenizer
		got := describeAll(tokenizer.Query(c.query, 64))
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("query %q:\n got %q\nwant %q", c.query, got, strings.Fields(c.want))
		}
	}
}

// P-47: distinct terms up to the greatest number, in order; second forms of words take no place from others.
func TestQueryLimit(t *testing.T) {
	var tokenizer Tokenizer
	var words []string
	for i := range 100 {
		words = append(words, strings.Repeat(string(rune('a'+i%26)), 3+i/26)+"ing")
	}
	got := tokenizer.Query(strings.Join(words, " "), 64)
	if len(got) != 64 || got[63].Word != 63 {
		t.Errorf("%d terms, the last of word %d", len(got), got[len(got)-1].Word)
	}
	got = tokenizer.Query("caching stores", 3)
	if want := []string{"cach/0,whole", "store/1,whole", "caching/0,whole"}; !slices.Equal(describeAll(got), want) {
		t.Errorf("got %q, want %q", describeAll(got), want)
	}
	if got := tokenizer.Query("alpha", 0); len(got) != 0 {
		t.Errorf("no term was asked for, got %q", describeAll(got))
	}
}

// A Tokenizer keeps nothing of a query for the texts after it.
func TestQueryLeavesTextsAlone(t *testing.T) {
	var tokenizer Tokenizer
	tokenizer.Query("getName", 64)
	var got []string
	tokenizer.Each([]byte("getName"), func(term []byte) { got = append(got, string(term)) })
	if want := []string{"getname", "get", "name"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// P-45: one character stands for every pair that it begins, and for itself at the end of a run.
func TestFirstUnitIs(t *testing.T) {
	for _, c := range []struct {
		term, unit string
		want       bool
	}{
		{"锁定", "锁", true},
		{"锁", "锁", true},
		{"定锁", "锁", false},
		{"锁定", "定", false},
		{"", "锁", false},
		{"锁", "", false},
		{"が", "か", false}, // another character, not another mark
		{"か゚x", "か", false},
		{"ข้า", "ข", false}, // a longer cluster
		{"ข้า", "ข้", true},
		{"ทำง", "ทำ", true},
		{"ខ្មែរ", "ខ", false},
		{"한글", "한", true},
		{"하늘", "한", false},
		{"𠀀𠀁", "𠀀", true},
		{"abc", "a", false}, // no script that is cut
		{"锁定", "\xe9", false},
	} {
		if got := FirstUnitIs([]byte(c.term), []byte(c.unit)); got != c.want {
			t.Errorf("FirstUnitIs(%q, %q) = %v", c.term, c.unit, got)
		}
	}
}

func TestStopWord(t *testing.T) {
	for _, word := range strings.Fields("the of and is in for not if a i this does") {
		if !StopWord([]byte(word)) {
			t.Errorf("%q is no stop word", word)
		}
	}
	for _, word := range strings.Fields("cache func return type The thi null go") {
		if StopWord([]byte(word)) {
			t.Errorf("%q is a stop word", word)
		}
	}
}
