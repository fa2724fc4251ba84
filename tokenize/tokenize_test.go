package tokenize

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// termsOf returns the terms of text as strings.
func termsOf(text string) []string {
	var t Tokenizer
	var terms []string
	t.Each([]byte(text), func(term []byte) { terms = append(terms, string(term)) })
	return terms
}

type termCase struct {
	text string
	want string // terms, separated by spaces
}

func checkTerms(t *testing.T, cases []termCase) {
	t.Helper()
	for _, c := range cases {
		if got := termsOf(c.text); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("terms of %q:\n got %q\nwant %q", c.text, got, strings.Fields(c.want))
		}
	}
}

// P-44: the whole word and its parts.
func TestIdentifierParts(t *testing.T) {
	checkTerms(t, []termCase{
		{"parseHTTPRequest", "parsehttprequest pars http request"},
		{"parse_http_request", "parse_http_request pars http request"},
		{"cache", "cach"},
		{"HTTP", "http"},
		{"Parser", "parser"},
		{"GitHub and JavaScript", "github git hub and javascript java script"},
		{"MAX_RETRY_COUNT", "max_retry_count max retri count"},
		{"__init_cache__ snake__case", "__init_cache__ init cach snake__case snake case"},
		{"_private", "_private privat"},
		{"multi-agent-launcher", "multi agent launcher"},
		{"com.example.EntryStore", "com exampl entrystore entri store"},
		{"@dataclassLike $scopeValue", "dataclasslike dataclass like scopevalue scope valu"},
		{"C++ C# .NET", "c c net"},
		{"don't", "don t"},
		{"aB", "ab a b"},
		{"ABc", "abc a bc ab c"},
		{"one two one", "on two on"},
		{"foo_foo", "foo_foo foo"},
	})
}

// P-44: a part cut at a border of letters and digits is found joined with its neighbour as well.
func TestDigitJoins(t *testing.T) {
	checkTerms(t, []termCase{
		{"IPv6Addr", "ipv6addr i pv ip v 6 pv6 v6 ipv6 addr 6addr"},
		{"MyIPv6", "myipv6 my i pv ip v 6 pv6 v6 ipv6"},
		{"HTTP2Server", "http2server http 2 http2 server 2server"},
		{"NewHTTPServer2", "newhttpserver2 new http server 2 server2"},
		{"sha256sum", "sha256sum sha 256 sha256 sum 256sum"},
		{"x86_64", "x86_64 x 86 x86 64"},
		{"utf8", "utf8 utf 8"},
		{"128", "128"},
		{"14.2.1.0", "14 2 1 0"},
		{"a1_b2", "a1_b2 a 1 a1 b 2 b2"},
		{"URLs", "urls ur ls url s"},
		{"getURLsFrom", "geturlsfrom get ur ls url s from"},
		{"XMLHttp", "xmlhttp xml http"},
	})
}

// P-44: case folding, accents, widths, normal forms.
func TestFolding(t *testing.T) {
	checkTerms(t, []termCase{
		{"ПРИВЕТ привет", "привет привет"},
		{"ΣΟΦΟΣ σοφος", "σοφοσ σοφοσ"},
		{"GRÖSSE größe", "grösse gross grösse gross"},
		{"café_menu", "café_menu cafe_menu café cafe menu"},
		{"cafe\u0301", "café cafe"},
		{"résumés", "résumés resum"},
		{"łódź øre", "łódź lodz øre or"},
		{"Ёлка", "ёлка елка"},
		{"İstanbul", "i̇stanbul istanbul"},
		{"ﬁle", "file"},
		{"ＲｅｄｉｓＣｌｉｅｎｔ２", "redisclient2 redi client 2 client2"},
		{"ＭＡＸ＿ＣＯＵＮＴ", "max_count max count"},
		{"ＣＡＣＨＥＳ caches", "cach cach"},
		{"\u212Aelvin Kelvin", "kelvin kelvin"},
		{"größeÄndern", "grösseändern grosseandern grösse gross ändern andern"},
		{"ՀԱՅ հայ", "հայ հայ"},
		{"a\u0301\u0308\u0323", "ạ́̈ a"},
		{"Ⅷ ⅷ", "ⅷ ⅷ"},
	})
}

// P-44: what is no word.
func TestNoTerms(t *testing.T) {
	for _, text := range []string{
		"", " \t\r\n", "++ -- ***", "___", "_ __", "。，、「」", "\u0301\u0301", "\u200d\u200b\u202e\u2066", "\ufeff",
		"\xff\xfe\x80", "\ue000\uf8ff", "\ufffe\uffff\U0001ffff\U0010ffff", "😀👩\u200d👩", "→ ≠ €", "\ufe0f", "ﾞ",
		"_\u0301", "\ufffd", "²①",
	} {
		if got := termsOf(text); got != nil {
			t.Errorf("terms of %q: %q, want none", text, got)
		}
		var tokenizer Tokenizer
		if got := tokenizer.Query(text, 64); got != nil {
			t.Errorf("query of %q: %v, want none", text, got)
		}
	}
}

// P-45: scripts cut into pairs, each by itself, and the last character of each run.
func TestPairs(t *testing.T) {
	checkTerms(t, []termCase{
		{"项目知识", "项目 目知 知识 识"},
		{"锁", "锁"},
		{"第3章共有128条", "第 3 章共 共有 有 128 条"},
		{"使用Redis缓存", "使用 用 redi 缓存 存"},
		{"人々 二〇", "人々 々 二〇 〇"},
		{"テスト結果とバグ", "テス スト ト 結果 果 と バグ グ"},
		{"ﾃｽﾄ結果とﾊﾞｸﾞ", "テス スト ト 結果 果 と バグ グ"},
		{"サーバー ｻｰﾊﾞｰ", "サー ーバ バー ー サー ーバ バー ー"},
		{"か\u3099く", "がく く"},
		{"한글 처리", "한글 글 처리 리"},
		{"\u1112\u1161\u11ab\u1100\u1173\u11af", "한글 글"},
		{"ﾡﾢ", "ㄱㄲ ㄲ"},
		{"𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂 𠀂"},
		{"葛\U000E0100城", "葛城 城"},
		{"\uF900", "豈"},
		{"漢ￊ字", "漢 ㅕ 字"},
		{"项目_知识", "项目 目 知识 识"},
	})
}

// P-45: clusters of the scripts of South-East Asia.
func TestClusters(t *testing.T) {
	checkTerms(t, []termCase{
		{"ข้าวเช้า", "ข้า าว วเ เช้ ช้า า"},
		{"ทำงาน", "ทำง งา าน น"},
		{"ພາສາລາວ", "ພາ າສ ສາ າລ ລາ າວ ວ"},
		{"ភាសា\u200bខ្មែរ", "ភាសា សា ខ្មែរ រ"},
		{"မြန်မာ", "မြန် န်မာ မာ"},
		{"๑๒๓", "๑๒๓"},
	})
}

// P-45: words of other scripts by UAX #29.
func TestOtherScripts(t *testing.T) {
	checkTerms(t, []termCase{
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"مرحبا بالعالم", "مرحبا بالعالم"},
		{"אבג דהו", "אבג דהו"},
		{"צה\"ל", "צה\"ל צה ל"},
		{"ש.ש\"ש", "ש.ש\"ש ש"},
		{"ג׳ \"אב\" ב'", "ג׳ ג אב ב' ב"},
		{"می\u200cخواهم", "میخواهم"},
		{"سلام_دنیا", "سلام_دنیا سلام دنیا"},
		{"fooسلام2", "foo سلام2 سلام 2"},
		{"שָׁלוֹם", "שָׁלוֹם שלום"},
		{"أحمد", "أحمد احمد"},
		{"ትግርኛ።ቋንቋ", "ትግርኛ ቋንቋ"},
		{"𞤀𞤁 𞤢𞤣", "𞤢𞤣 𞤢𞤣"},
	})
}

// Bytes that are no UTF-8 part words and are in no term.
func TestInvalidBytes(t *testing.T) {
	checkTerms(t, []termCase{
		{"foo\xffbar", "foo bar"},
		{"项\xe7\x9b目", "项 目"},
		{"caf\xe9 latin", "caf latin"},
		{"\xe9\xa1", ""},
		{"é\xcc", "é e"},
	})
}

// P-44: a term has at most 64 characters, in index and query alike.
func TestLongTerms(t *testing.T) {
	long := strings.Repeat("é", 100)
	checkTerms(t, []termCase{
		{long, long[:2*64] + " " + strings.Repeat("e", 64)},
		{strings.Repeat("caches", 20), strings.Repeat("caches", 11)[:64]},
		{strings.Repeat("x", 62) + "ss", strings.Repeat("x", 62) + "ss"},
		{strings.Repeat("_", 70) + "a", "a"},
		{strings.Repeat("_", 63) + "ab", strings.Repeat("_", 63) + "a ab"},
		{strings.Repeat("項", 3), "項項 項項 項"},
	})
	var tokenizer Tokenizer
	query := tokenizer.Query(strings.Repeat("z", 300000), 64)
	if len(query) != 1 || string(query[0].Term) != strings.Repeat("z", 64) {
		t.Errorf("query of a long word: %v", query)
	}
}

// The tables of another Unicode version change terms, so that Version has to be raised with them.
func TestUnicodeVersion(t *testing.T) {
	const version = "15.0.0"
	if unicode.Version != version || norm.Version != version {
		t.Errorf("Unicode %s and %s, the terms of Version %d follow %s", unicode.Version, norm.Version, Version, version)
	}
}
