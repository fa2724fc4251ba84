package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/pathguard"
)

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestRead holds M-50 with its wire names.
func TestRead(t *testing.T) {
	const readme = "# Alpha\n\nHello **world**.\nneedle one\n"
	w := newWorld(t, map[string]string{"README.md": readme, "src/main.go": "package main\n", "empty.txt": "", "bom.txt": "\ufeffhello\n"})
	r, err := w.read(ReadArgs{Path: "./README.md"}, DefaultLimits())
	must(t, err)
	text, err := json.Marshal(r)
	must(t, err)
	want := `{"path":"README.md","content":"# Alpha\n\nHello **world**.\nneedle one\n","line_count":4,"size_bytes":37,"sha256":"` + digestOf(readme) +
		`","offset_line":0,"limit_lines":500,"next_offset_line":null,"total_count":4,"has_more":false,"truncated":false,"complete":true,"truncation_reason":null}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if r, err = w.read(ReadArgs{Path: "./src//main.go"}, DefaultLimits()); err != nil || r.Path != "src/main.go" {
		t.Errorf("normal form: %+v %v", r, err)
	}
	if r, err = w.read(ReadArgs{Path: "empty.txt"}, DefaultLimits()); err != nil || *r.TotalCount != 0 || !r.Complete || *r.SHA256 != digestOf("") {
		t.Errorf("empty: %+v %v", r, err)
	}
	if r, err = w.read(ReadArgs{Path: "bom.txt"}, DefaultLimits()); err != nil || r.Content != "hello\n" || r.SizeBytes != 9 || *r.SHA256 != digestOf("\ufeffhello\n") {
		t.Errorf("byte order mark: %+v %v", r, err)
	}
	if r, err = w.read(ReadArgs{Path: "README.md", OffsetLine: 9}, DefaultLimits()); err != nil || r.Content != "" || !r.Complete || r.HasMore || *r.TotalCount != 4 {
		t.Errorf("past the end: %+v %v", r, err)
	}
}

// TestReadRefused holds the errors of M-36, M-37 and M-50.
func TestReadRefused(t *testing.T) {
	w := newWorld(t, map[string]string{
		"bin.dat": "\x00\x01", "latin1.txt": "caf\xe9\n", "cut.txt": "ab\xe7\xa0", "half-bom.txt": "\xef\xbb", ".env": "SECRET", "node_modules/x.js": "x", "src/a": "x",
		"over.txt": strings.Repeat("y", 2048), "over.md": strings.Repeat("y\n", 1024), "docs/over.txt": strings.Repeat("y\n", 1024), "docs/huge.md": strings.Repeat("y\n", 8192),
	})
	limits := Limits{ReadBytes: 1024, DocumentBytes: 8192, ResultBytes: 1 << 20}
	w.link("/etc/passwd", "out")
	w.link("nowhere", "dangling")
	for path, want := range map[string]pathguard.Code{
		"bin.dat": pathguard.NotText, "latin1.txt": pathguard.NotText, "cut.txt": pathguard.NotText, "half-bom.txt": pathguard.NotText, ".env": pathguard.PathDenied,
		"node_modules/x.js": pathguard.PathIgnored, "src": pathguard.NotAFile, "missing": pathguard.NotFound, "src/a/b": pathguard.NotFound, "../x": pathguard.InvalidPath,
		"over.txt": pathguard.FileTooLarge, "over.md": pathguard.FileTooLarge, "docs/over.txt": pathguard.FileTooLarge, "docs/huge.md": pathguard.FileTooLarge,
		"out": pathguard.PathOutsideRoot, "dangling": pathguard.NotFound,
	} {
		_, err := w.read(ReadArgs{Path: path}, limits)
		wantCode(t, path, err, want)
	}
	for _, args := range []ReadArgs{{Path: "src/a", LimitLines: 5001}, {Path: "src/a", LimitLines: -1}, {Path: "src/a", OffsetLine: -1}} {
		_, err := w.read(args, limits)
		wantCode(t, "bounds", err, pathguard.InvalidArguments)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := ReadFile(ctx, w.scope, ReadArgs{Path: "src/a", LimitLines: 1}, limits)
	wantCode(t, "cancelled", err, pathguard.Cancelled)
}

// TestReadDocument: a large document of the write directory comes in pages of at most the read limit (M-50).
func TestReadDocument(t *testing.T) {
	text := strings.Repeat("a paragraph with words\n", 2000)
	w := newWorld(t, map[string]string{"docs/long.md": text, "docs/wide.md": "short\n" + strings.Repeat("w", 2000) + "\nend\n"})
	limits := Limits{ReadBytes: 1024, DocumentBytes: 1 << 20, ResultBytes: 1 << 20}
	joined, pages := w.join(t, ReadArgs{Path: "docs/long.md", LimitLines: 5000}, limits)
	if joined != text || pages < len(text)/1024 {
		t.Errorf("%d pages give %d of %d bytes", pages, len(joined), len(text))
	}
	r, err := w.read(ReadArgs{Path: "docs/wide.md"}, limits)
	if err != nil || r.Content != "short\n" || *r.TruncationReason != page.ByteLimit || *r.NextOffsetLine != 1 {
		t.Errorf("before the wide line: %+v %v", r, err)
	}
	_, err = w.read(ReadArgs{Path: "docs/wide.md", OffsetLine: 1}, limits)
	wantCode(t, "wide line", err, pathguard.LineTooLong)
	if r, err = w.read(ReadArgs{Path: "docs/wide.md", OffsetLine: 2}, limits); err != nil || r.Content != "end\n" || !r.Complete {
		t.Errorf("behind the wide line: %+v %v", r, err)
	}
}

// join follows the next offsets to the end and holds every page against M-43.
func (w *world) join(t rapid.TB, args ReadArgs, limits Limits) (joined string, pages int) {
	t.Helper()
	for total := -1; ; pages++ {
		r, err := ReadFile(context.Background(), w.scope, args, limits)
		if err != nil {
			t.Fatal(err)
		}
		if size := compactSize(t, r); size > limits.ResultBytes {
			t.Fatalf("a page of %d bytes, limit %d", size, limits.ResultBytes)
		}
		if total >= 0 && *r.TotalCount != total {
			t.Fatalf("the total changed from %d to %d", total, *r.TotalCount)
		}
		total = *r.TotalCount
		joined += r.Content
		if r.NextOffsetLine == nil {
			return joined, pages + 1
		}
		if *r.NextOffsetLine <= args.OffsetLine {
			t.Fatalf("next offset %d after %d", *r.NextOffsetLine, args.OffsetLine)
		}
		args.OffsetLine = *r.NextOffsetLine
	}
}

// TestReadPages: pages of any size join to the file byte for byte, the byte order mark apart (M-42, M-50).
func TestReadPages(t *testing.T) {
	w := newWorld(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("\ufeff?([ab研\"\u2028]{0,30}(\n|\r\n|\r)?){0,20}").Draw(t, "text")
		if err := os.WriteFile(w.path("f.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		limits := Limits{ReadBytes: 1 << 16, ResultBytes: rapid.IntRange(readFixed()+1024, 8192).Draw(t, "bytes")}
		joined, _ := w.join(t, ReadArgs{Path: "f.txt", LimitLines: rapid.IntRange(1, 50).Draw(t, "limit")}, limits)
		if want := strings.TrimPrefix(text, "\ufeff"); joined != want {
			t.Fatalf("joined %q, want %q", joined, want)
		}
	})
}

// TestLineCutter: the pieces in which a text comes do not matter (M-50).
func TestLineCutter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.OneOf(rapid.StringMatching("\ufeff?[a研\n]{0,40}"), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text"))
		offset, limit, most := rapid.IntRange(0, 5).Draw(t, "offset"), rapid.IntRange(1, 5).Draw(t, "limit"), rapid.IntRange(1, 30).Draw(t, "bytes")
		cut := func(piece int) (string, page.Cut, pathguard.Code) {
			c := lineCutter{offset: offset, limit: limit, maxBytes: most, meter: page.NewMeter(1<<20, 0)}
			for rest := text; len(rest) > 0; {
				n := min(piece, len(rest))
				if err := c.write(rest[:n]); err != nil {
					return "", page.Cut{}, pathguard.CodeOf(err)
				}
				rest = rest[n:]
			}
			if err := c.finish(); err != nil {
				return "", page.Cut{}, pathguard.CodeOf(err)
			}
			return string(c.content[:c.open]), c.pageEnd(true), ""
		}
		whole, end, code := cut(len(text) + 1)
		pieces, end2, code2 := cut(rapid.IntRange(1, 7).Draw(t, "piece"))
		if (code == "") != (code2 == "") || whole != pieces || end != end2 {
			t.Fatalf("whole: %q %+v %s; pieces: %q %+v %s", whole, end, code, pieces, end2, code2)
		}
	})
}

// TestReadChanging: what is read of a file that is replaced, cut and written to all the time is the content of one moment
// or source_changed (M-50).
func TestReadChanging(t *testing.T) {
	w := newWorld(t, map[string]string{"f.txt": "x\n"})
	versions := [2]string{strings.Repeat("aaaaaaa\n", 20000), strings.Repeat("bbbbbbb\n", 30000)}
	known := map[string]bool{digestOf("x\n"): true, digestOf(versions[0]): true, digestOf(versions[1]): true}
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.WriteFile(w.path("f.new"), []byte(versions[i%2]), 0o644)
			_ = os.Rename(w.path("f.new"), w.path("f.txt"))
		}
	}()
	for range 100 {
		r, err := w.read(ReadArgs{Path: "f.txt"}, DefaultLimits())
		if err == nil && !known[*r.SHA256] {
			t.Errorf("a mixture of %d bytes", r.SizeBytes)
		}
		if code := pathguard.CodeOf(err); code != "" && code != pathguard.SourceChanged && code != pathguard.NotFound {
			t.Error(err)
		}
	}
	close(stop)
	<-done
}

// TestHeldStill: a change between two pieces of a reading is noticed, one behind what is read is not (M-50).
func TestHeldStill(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*os.File) error
		want   bool
	}{
		"nothing":        {func(*os.File) error { return nil }, true},
		"grown":          {func(f *os.File) error { _, err := f.WriteAt([]byte("more"), 4000); return err }, true},
		"overwritten":    {func(f *os.File) error { _, err := f.WriteAt([]byte("b"), 5); return err }, false},
		"cut":            {func(f *os.File) error { return f.Truncate(10) }, false},
		"back to before": {func(f *os.File) error { return os.Chtimes(f.Name(), time.Now(), time.Unix(1e9, 0)) }, true},
	} {
		w := newWorld(t, map[string]string{"f.txt": strings.Repeat("a", 4000)})
		file, err := os.OpenFile(w.path("f.txt"), os.O_RDWR, 0)
		must(t, err)
		before, err := stampOf(file)
		must(t, err)
		reader := fileReader{file: file, size: before.size, digest: sha256.New(), cutter: lineCutter{limit: 1, maxBytes: 1 << 20, meter: page.NewMeter(1<<20, 0)}}
		_, err = reader.read(context.Background())
		must(t, err)
		must(t, c.change(file))
		if got, err := reader.heldStill(context.Background(), before); err != nil || got != c.want {
			t.Errorf("%s: %v %v", name, got, err)
		}
		must(t, file.Close())
	}
}

func compactSize(t rapid.TB, v any) int {
	t.Helper()
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return out.Len() - 1
}
