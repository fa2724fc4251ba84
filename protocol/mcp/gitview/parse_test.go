package gitview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const zeros = "0000000000000000000000000000000000000000"

// TestParseStatus holds the records of the format and the refusal of everything else.
func TestParseStatus(t *testing.T) {
	ordinary := "1 .M N... 100644 100644 100644 " + zeros + " " + zeros + " a b.txt\x00"
	renamed := "2 R. N... 100644 100644 100644 " + zeros + " " + zeros + " R100 new\x00old\x00"
	unmerged := "u UU N... 100644 100644 100644 100644 " + zeros + " " + zeros + " " + zeros + " c\x00"
	top, changes, err := parseStatus([]byte("# branch.oid " + zeros + "\x00# branch.head main\x00# branch.upstream o/m\x00# branch.ab +2 -3\x00# stash 1\x00" +
		ordinary + renamed + unmerged + "? new dir/\x00"))
	if err != nil || top.branch != "main" || top.commit != zeros || !top.tracked || top.ahead != 2 || top.behind != 3 {
		t.Errorf("%+v %v", top, err)
	}
	if got := fmt.Sprint(changes); got != "[{a b.txt 46 77 false false} {new 82 46 false false} {c 85 85 true false} {new dir/ 63 63 false true}]" {
		t.Error(got)
	}
	top, _, err = parseStatus([]byte("# branch.oid (initial)\x00# branch.head (detached)\x00# branch.ab +? -?\x00"))
	if err != nil || top.commit != "" || !top.detached || top.tracked {
		t.Errorf("%+v %v", top, err)
	}
	for _, bad := range []string{
		"?", "? a", "x a\x00", "1 .M a\x00", "# branch.oid xyz\x00", "# branch.head \x00", "# branch.ab 1 2\x00", "# branch.ab +1 -x\x00",
		strings.TrimSuffix(ordinary, "\x00"), strings.Replace(ordinary, ".M", ".Z", 1), strings.Replace(ordinary, "100644", "10064g", 1),
		strings.Replace(ordinary, "N...", "N..", 1), strings.TrimSuffix(renamed, "old\x00"), "? \x00", "!! x\x00",
	} {
		if _, _, err := parseStatus([]byte(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// TestParsePatch holds the forms of a part's first line.
func TestParsePatch(t *testing.T) {
	for header, want := range map[string]string{
		"diff --git a/x b/x": "x", "diff --git a/x y b/x y": "x y", "diff --git a/a b/a b/a b/a": "a b/a",
		`diff --git "a/t\ta" "b/t\ta"`: "t\ta", `diff --git "a/\350\256\241" "b/\350\256\241"`: "计", `diff --git "a/q\"\\" "b/q\"\\"`: `q"\`,
		"diff --cc x y": "x y", `diff --cc "t\n"`: "t\n", "* Unmerged path x": "x",
		"diff --git a/x b/y": "", "diff --git x x": "", `diff --git "a/x" b/y`: "", `diff --git "a/x`: "", `diff --git "a/\9" "b/\9"`: "", "hello": "", "diff --git ": "", `diff --cc "x"y`: "", `diff --git "a/\777" "b/\777"`: "",
	} {
		parts, err := parsePatch([]byte(header + "\nindex 1\n"))
		switch {
		case want == "" && err == nil:
			t.Errorf("%s: accepted as %q", header, parts[0].path)
		case want != "" && (err != nil || len(parts) != 1 || parts[0].path != want):
			t.Errorf("%s: %v %v", header, parts, err)
		}
	}
	parts, err := parsePatch([]byte("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ diff --git\n-diff --git a/y b/y\n+new\n same\n\n\\ No newline at end of file\n" +
		"diff --cc y\nindex 1,2..3\n--- a/y\n+++ b/y\n@@@ -1,1 -1,1 +1,5 @@@\n++<<<<<<< HEAD\n +three\n -two\n  same\n" +
		"diff --git a/z b/z\nBinary files a/z and b/z differ\n* Unmerged path w\n"))
	var got []string
	for _, p := range parts {
		got = append(got, fmt.Sprint(p.path, p.insertions, p.deletions, p.binary, p.bare))
	}
	if want := "[x1 1 false false y2 1 false false z0 0 true false w0 0 false false]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v %v, want %s", got, err, want)
	}
}

// FuzzStatus: no input makes the parser fail otherwise than with an error, and what it accepts has sound entries.
func FuzzStatus(f *testing.F) {
	f.Add([]byte("# branch.oid " + zeros + "\x00# branch.head main\x00# branch.ab +1 -2\x001 .M N... 100644 100644 100644 " + zeros + " " + zeros + " a b\x00"))
	f.Add([]byte("2 R. N... 100644 100644 100644 " + zeros + " " + zeros + " R100 new\x00old\x00? x\x00"))
	f.Add([]byte("u UU N... 100644 100644 100644 100644 " + zeros + " " + zeros + " " + zeros + " c\x00"))
	f.Fuzz(func(t *testing.T, output []byte) {
		top, changes, err := parseStatus(output)
		if err != nil {
			return
		}
		if top.commit != "" && !objectName(top.commit) || top.ahead < 0 || top.behind < 0 {
			t.Errorf("head %+v", top)
		}
		for _, one := range changes {
			if one.path == "" || strings.IndexByte(one.path, 0) >= 0 || !one.added && !statusLetter(one.index) {
				t.Errorf("change %+v", one)
			}
		}
	})
}

// FuzzDiffStat: parts are a partition of the input, and no part counts more lines than it has.
func FuzzDiffStat(f *testing.F) {
	f.Add([]byte("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"))
	f.Add([]byte("diff --git \"a/\\350\\256\\241\" \"b/\\350\\256\\241\"\nBinary files a/x and b/x differ\n"))
	f.Add([]byte("diff --cc y\n@@@ -1,1 -1,1 +1,5 @@@\n++<\n* Unmerged path w\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		parts, err := parsePatch(output)
		if err != nil {
			return
		}
		var joined []byte
		for _, part := range parts {
			joined = append(joined, part.text...)
			if part.path == "" || part.insertions+part.deletions > bytes.Count(part.text, []byte("\n"))+1 {
				t.Errorf("part %+v", part)
			}
		}
		if !bytes.Equal(joined, output) {
			t.Error("the parts are not the input")
		}
	})
}

// FuzzDrivers: every filter and diff program that is listed is switched off by its exact name (M-59).
func FuzzDrivers(f *testing.F) {
	f.Add("filter", "lfs", "clean")
	f.Add("diff", "a.b=c", "textconv")
	f.Add("filter", "", "process")
	f.Fuzz(func(t *testing.T, section, driver, key string) {
		name := section + "." + driver + "." + key
		settings, err := driverSettings([]byte("core.bare\x00" + name + "\x00"))
		if err != nil || strings.ContainsAny(name, "\x00") || strings.Contains(key, ".") || strings.Contains(section, ".") {
			return
		}
		runs := section == "filter" && (key == "clean" || key == "smudge" || key == "process") || section == "diff" && (key == "textconv" || key == "command")
		off := false
		for _, s := range settings {
			off = off || s.name == name && s.value == ""
		}
		if runs && !off {
			t.Errorf("%q is not switched off: %v", name, settings)
		}
	})
}
