package source

import (
	"crypto/sha1"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// sealed puts a header before and the checksum behind entries and extensions.
func sealed(version, count uint32, body string) string {
	content := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	content = append(binary.BigEndian.AppendUint32(content, count), body...)
	sum := sha1.Sum(content)
	return string(content) + string(sum[:])
}

// indexEntry builds one entry of a version 2 or 3 index.
func indexEntry(mode uint32, flags uint16, extended []byte, path string) string {
	stat := make([]byte, statBytes+sha1.Size)
	binary.BigEndian.PutUint32(stat[modeOffset:], mode)
	raw := binary.BigEndian.AppendUint16(stat, flags|uint16(min(len(path), lengthMask)))
	raw = append(append(raw, extended...), path...)
	return string(append(raw, make([]byte, 8-len(raw)%8)...))
}

func TestOddIndexesAreLeftToGit(t *testing.T) {
	plain := indexEntry(modeRegular, 0, nil, "a.md") + indexEntry(modeExecutable, 0, nil, "b.md")
	for name, content := range map[string]string{
		"empty":                 "",
		"signature":             strings.Replace(sealed(2, 2, plain), "DIRC", "DIRX", 1),
		"version 1":             sealed(1, 2, plain),
		"version 5":             sealed(5, 2, plain),
		"too many entries":      sealed(2, 3, plain),
		"far too many entries":  sealed(2, 1<<32-1, plain),
		"too few entries":       sealed(2, 1, plain),
		"unsorted":              sealed(2, 2, indexEntry(modeRegular, 0, nil, "b.md")+indexEntry(modeRegular, 0, nil, "a.md")),
		"twice":                 sealed(2, 2, indexEntry(modeRegular, 0, nil, "a.md")+indexEntry(modeRegular, 0, nil, "a.md")),
		"merged and unmerged":   sealed(2, 2, indexEntry(modeRegular, 0, nil, "a.md")+indexEntry(modeRegular, 1<<stageShift, nil, "a.md")),
		"extended in version 2": sealed(2, 1, indexEntry(modeRegular, extendedFlag, []byte{0x40, 0}, "a.md")),
		"unknown extended flag": sealed(3, 1, indexEntry(modeRegular, extendedFlag, []byte{0x80, 0}, "a.md")),
		"directory":             sealed(2, 1, indexEntry(modeDirectory, 0, nil, "a/")),
		"no path":               sealed(2, 1, indexEntry(modeRegular, 0, nil, "")),
		"required extension":    sealed(2, 2, plain+"link\x00\x00\x00\x00"),
		"sparse":                sealed(2, 2, plain+"sdir\x00\x00\x00\x00"),
		"long extension":        sealed(2, 2, plain+"TREE\xff\xff\xff\xff"),
		"half an extension":     sealed(2, 2, plain+"TREE\x00"),
		"compressed too far":    sealed(4, 1, indexEntry(modeRegular, 0, nil, "")[:62]+"\x05a.md\x00"),
		"compressed unclosed":   sealed(4, 1, indexEntry(modeRegular, 0, nil, "")[:62]+"\x00a.md"),
	} {
		if err := parseIndex(content, sha1Format, MaxGitOutput, func(entry) {}); err != errOddIndex {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := parseIndex(sealed(2, 2, plain+"TREE\x00\x00\x00\x00"), sha1Format, MaxGitOutput, func(entry) {}); err != nil {
		t.Errorf("plain index: %v", err)
	}
	if err := parseIndex(sealed(2, 2, plain), sha1Format, 100, func(entry) {}); err != errOutput {
		t.Errorf("listing over the bound: %v", err)
	}
}

func TestSealedIndexesAreReadBack(t *testing.T) {
	long := rapid.Map(rapid.IntRange(lengthMask-5, lengthMask+5), func(n int) string { return strings.Repeat("b", n) })
	name := rapid.OneOf(rapid.StringMatching(`[a-c/]{1,12}`), long)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, 12, rapid.ID[string]).Draw(t, "names")
		slices.Sort(names)
		body := ""
		for _, name := range names {
			body += indexEntry(modeRegular, 0, nil, name)
		}
		var got []string
		if err := parseIndex(sealed(2, uint32(len(names)), body), sha1Format, MaxGitOutput, func(e entry) { got = append(got, e.path) }); err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, "\n") != strings.Join(names, "\n") {
			t.Fatalf("got %q, want %q", got, names)
		}
	})
}

// wellFormed fails when entries are not what an index or a listing may hold.
func wellFormed(t *testing.T, entries []entry) {
	for i, e := range entries {
		if e.path == "" || strings.Contains(e.path, "\x00") || e.stage > 3 {
			t.Fatalf("ill-formed entry %+v", e)
		}
		if i > 0 && !entries[i-1].before(e) {
			t.Fatalf("%+v does not come before %+v", entries[i-1], e)
		}
	}
}

// FuzzGitIndex: whatever the bytes, reading ends without a panic, and an answer is well-formed. The checksum is put in
// place first, since hardly any input would get past it.
func FuzzGitIndex(f *testing.F) {
	plain := indexEntry(modeRegular, 0, nil, "a.md") + indexEntry(modeSymlink, 1<<stageShift, nil, "b.md")
	f.Add(uint32(2), uint32(2), plain, false)
	f.Add(uint32(3), uint32(1), indexEntry(modeRegular, extendedFlag, []byte{0x20, 0}, "a.md")+"TREE\x00\x00\x00\x00", false)
	f.Add(uint32(4), uint32(2), plain[:62]+"\x00a.md\x00"+plain[:62]+"\x04b.md\x00", false)
	f.Add(uint32(2), uint32(2), plain+"link\x00\x00\x00\x00", true)
	f.Fuzz(func(t *testing.T, version, count uint32, body string, whole bool) {
		content := sealed(version, count, body)
		if whole {
			content = body
		}
		var entries []entry
		if err := parseIndex(content, sha1Format, 1<<16, func(e entry) { entries = append(entries, e) }); err == nil {
			wellFormed(t, entries)
		}
		_ = parseIndex(content, sha256Format, 1<<16, func(entry) {})
	})
}

func FuzzLsFiles(f *testing.F) {
	object := strings.Repeat("0", sha1Digits)
	f.Add([]byte("100644 " + object + " 0\ta.md\x00120000 " + object + " 2\tb\tc\x00"))
	f.Add([]byte("100644 " + object + " 0\ta.md"))
	f.Fuzz(func(t *testing.T, output []byte) {
		var entries []entry
		var back strings.Builder
		err := parseListing(output, func(e entry) { entries = append(entries, e) })
		if err != nil {
			return
		}
		wellFormed(t, entries)
		for _, e := range entries {
			back.WriteString(e.path + "\x00")
		}
		if back.Len() > len(output) {
			t.Fatal("more was read than printed")
		}
	})
}

func FuzzPackedRefs(f *testing.F) {
	object := strings.Repeat("ab", sha1.Size)
	f.Add("# pack-refs with: peeled fully-peeled sorted \n"+object+" refs/heads/main\n^"+object+"\n", "refs/heads/main")
	f.Add(object+" refs/heads/main", "refs/heads/main")
	f.Add("x refs/heads/main\n", "refs/heads/main")
	f.Fuzz(func(t *testing.T, content, name string) {
		if !sharedReference(name) {
			return
		}
		found, sure := findPackedRef(content, name, sha1Digits)
		if found != "" && (!sure || !isObjectName(found) || !strings.Contains("\n"+content, "\n"+found+" "+name+"\n")) {
			t.Fatalf("found %q, which is not there", found)
		}
	})
}

func FuzzClassifyPath(f *testing.F) {
	for _, seed := range []string{"a/b.md", ".hidden/x", "secret/a.go", "a\\b", "é/ß.txt", "a//b", "x.pem", "", "a\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		reason := ClassifyPath(path)
		if form := ValidPath(path); form != "" && form != reason {
			t.Fatalf("%q: form %q, class %q", path, form, reason)
		}
		if reason != "" {
			return
		}
		if !utf8.ValidString(path) || len(path) > MaxPathBytes || strings.HasPrefix(path, "/") || strings.Contains("/"+path, "/.") {
			t.Fatalf("%q is eligible", path)
		}
	})
}
