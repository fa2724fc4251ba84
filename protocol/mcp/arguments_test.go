package mcp

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"projectknowledge/protocol/mcp/files"
	"projectknowledge/protocol/mcp/pathguard"
)

var sample = []parameter{
	{name: "word", kind: text, required: true, least: 1, most: 4},
	{name: "path", kind: text, most: 10, judged: true, broken: pathguard.InvalidPath, fallback: "."},
	{name: "content", kind: text, most: 3, judged: true, broken: pathguard.NotText},
	parameter{name: "count", kind: integer}.within(files.Range{Min: 1, Max: 50, Default: 7}),
	{name: "flag", kind: boolean, fallback: true},
	{name: "mode", kind: text, enum: []string{"a", "b"}, fallback: "a"},
	{name: "names", kind: names, least: 1, most: 2},
	projectID,
}

// What a call may say, and what it is taken to mean (M-27, M-44).
func TestDecodeArguments(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want map[string]any
	}{
		{`{"word":"w"}`, map[string]any{"word": "w", "path": ".", "count": 7, "flag": true, "mode": "a"}},
		{` {"word":"研究计划"} `, map[string]any{"word": "研究计划"}},
		{`{"word":"w","count":50,"flag":false,"mode":"b"}`, map[string]any{"count": 50, "flag": false, "mode": "b"}},
		{`{"word":"w","count":5.0}`, map[string]any{"count": 5}},
		{`{"word":"w","count":1e1}`, map[string]any{"count": 10}},
		{`{"word":"w","path":"much longer than ten"}`, map[string]any{"path": "much longer than ten"}},
		{`{"word":"w","content":"` + `more than three"}`, map[string]any{"content": "more than three"}},
		{`{"word":"\ud83d\ude00"}`, map[string]any{"word": "😀"}},
		{`{"word":"\\ud8"}`, map[string]any{"word": `\ud8`}},
		{`{"word":"w","names":["go","md"]}`, map[string]any{"names": []string{"go", "md"}}},
		{`{"word":"w","project_id":"a-b_1"}`, map[string]any{"project_id": "a-b_1"}},
	} {
		args, err := decodeArguments(sample, json.RawMessage(c.raw))
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		for name, want := range c.want {
			var got any
			switch want.(type) {
			case string:
				got = args.text(name)
			case int:
				got = args.integer(name)
			case bool:
				got = args.boolean(name)
			default:
				got = args.names(name)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %v, want %v", c.raw, name, got, want)
			}
		}
	}
}

func TestDecodeArgumentsRefuses(t *testing.T) {
	for raw, code := range map[string]pathguard.Code{
		``:                                      pathguard.InvalidArguments,
		`null`:                                  pathguard.InvalidArguments,
		`[]`:                                    pathguard.InvalidArguments,
		`"x"`:                                   pathguard.InvalidArguments,
		`{}`:                                    pathguard.InvalidArguments,
		`{"word":"w","x":1}`:                    pathguard.InvalidArguments,
		`{"Word":"w"}`:                          pathguard.InvalidArguments,
		`{"word":7}`:                            pathguard.InvalidArguments,
		`{"word":null}`:                         pathguard.InvalidArguments,
		`{"word":""}`:                           pathguard.InvalidArguments,
		`{"word":"five5"}`:                      pathguard.InvalidArguments,
		`{"word":"\ud800"}`:                     pathguard.InvalidArguments,
		`{"word":"w","path":"\udfff"}`:          pathguard.InvalidPath,
		"{\"word\":\"w\",\"path\":\"\xff\"}":    pathguard.InvalidPath,
		"{\"word\":\"w\",\"content\":\"\xff\"}": pathguard.NotText,
		`{"word":"w","content":"\ud800x"}`:      pathguard.NotText,
		`{"word":"w","content":null}`:           pathguard.InvalidArguments,
		`{"word":"w","count":0}`:                pathguard.InvalidArguments,
		`{"word":"w","count":51}`:               pathguard.InvalidArguments,
		`{"word":"w","count":1.5}`:              pathguard.InvalidArguments,
		`{"word":"w","count":"5"}`:              pathguard.InvalidArguments,
		`{"word":"w","count":1e300}`:            pathguard.InvalidArguments,
		`{"word":"w","count":null}`:             pathguard.InvalidArguments,
		`{"word":"w","flag":"true"}`:            pathguard.InvalidArguments,
		`{"word":"w","flag":1}`:                 pathguard.InvalidArguments,
		`{"word":"w","mode":"c"}`:               pathguard.InvalidArguments,
		`{"word":"w","names":[]}`:               pathguard.InvalidArguments,
		`{"word":"w","names":["a","b","c"]}`:    pathguard.InvalidArguments,
		`{"word":"w","names":[""]}`:             pathguard.InvalidArguments,
		`{"word":"w","names":"go"}`:             pathguard.InvalidArguments,
		`{"word":"w","names":[1]}`:              pathguard.InvalidArguments,
		`{"word":"w","project_id":"A"}`:         pathguard.InvalidArguments,
		`{"word":"w","project_id":"a/b"}`:       pathguard.InvalidArguments,
		`{"word":"w","project_id":""}`:          pathguard.InvalidArguments,
	} {
		if _, err := decodeArguments(sample, json.RawMessage(raw)); pathguard.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s", raw, err, code)
		}
	}
}

// No arguments end the process, and what passes is text within its bounds.
func FuzzDecodeArguments(f *testing.F) {
	for _, seed := range []string{`{"word":"w","count":3}`, `{"word":"\ud83d\ude00","names":["go"]}`, `{"word":"\\\ud800"}`, `{"word":"w","count":-0}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		args, err := decodeArguments(sample, raw)
		if err != nil {
			if code := pathguard.CodeOf(err); code == pathguard.InternalError {
				t.Errorf("%s: %v", raw, err)
			}
			return
		}
		if n := utf8.RuneCountInString(args.text("word")); n < 1 || n > 4 || !utf8.ValidString(args.text("path")) {
			t.Errorf("%s: %q %q", raw, args.text("word"), args.text("path"))
		}
		if n := args.integer("count"); n < 1 || n > 50 {
			t.Errorf("%s: count %d", raw, n)
		}
	})
}
