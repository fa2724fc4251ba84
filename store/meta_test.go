package store

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the fixtures anew")

// fixture is where the index files of every format are kept.
const fixture = "../testdata/store/"

// P-87: every format that was ever written is read; the fixtures were written by the code of their time.
func TestFixtures(t *testing.T) {
	for _, c := range []struct {
		format int
		name   string
	}{{FormatFirst, "format1.bolt"}, {Format, "format2.bolt"}} {
		t.Run(c.name, func(t *testing.T) {
			want := fixtureSample(c.format)
			if *update {
				writeFixture(t, want, c.format, fixture+c.name)
			}
			b, err := os.ReadFile(fixture + c.name)
			if err != nil {
				t.Fatal(err)
			}
			// Nothing in a file depends on the process that writes it (invariant 6).
			again := filepath.Join(t.TempDir(), c.name)
			writeFixture(t, want, c.format, again)
			if anew, err := os.ReadFile(again); err != nil || !bytes.Equal(anew, b) {
				t.Errorf("written anew the fixture has other bytes: %v", err)
			}
			d, path := testDir(t)
			if err := os.WriteFile(filepath.Join(path, FileName), b, 0o600); err != nil {
				t.Fatal(err)
			}
			snap := mustOpen(t, d)
			if snap.Meta().Format != c.format {
				t.Errorf("format %d", snap.Meta().Format)
			}
			if diff, err := want.compare(snap); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if report, err := Check(snap); err != nil {
				t.Errorf("check: %v", report.Problems)
			}
		})
	}
}

// fixtureSample is the content of a fixture: what its format can say.
func fixtureSample(format int) *sample {
	s := newSample(87, 12, 60)
	if format == FormatFirst {
		c := s.meta.Coverage
		s.meta.Cycle = Cycle{}
		s.meta.Coverage = Coverage{
			Revision: c.Revision, IndexedAtUnix: c.IndexedAtUnix, EligibleFiles: c.EligibleFiles, IndexedFiles: c.IndexedFiles,
			IndexedBytes: c.IndexedBytes, Chunks: c.Chunks, ExcludedEntries: c.ExcludedEntries, SkippedFiles: c.SkippedFiles,
			UnprocessedFiles: c.UnprocessedFiles, StopReason: c.StopReason,
		}
	}
	return s
}

func writeFixture(t *testing.T, s *sample, format int, name string) {
	t.Helper()
	d, path := testDir(t)
	w, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	w.format = format
	if err := s.fill(w, 100); err != nil {
		t.Fatal(err)
	}
	if err := w.Publish(context.Background(), s.meta); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, fileBytes(t, path), 0o644); err != nil {
		t.Fatal(err)
	}
}

// P-63: the rows that exist from format 2 on are left out for format 1, and empty objects are objects.
func TestCoverageJSON(t *testing.T) {
	revision := "0123abcd"
	first, err := json.Marshal(Coverage{
		Revision: &revision, IndexedAtUnix: 17, EligibleFiles: 6, IndexedFiles: 3, IndexedBytes: 900, Chunks: 4,
		ExcludedEntries: 5, SkippedFiles: 1, OversizedLinesOmitted: 8, UnprocessedFiles: 2, StopReason: "time_budget",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"revision":"0123abcd","indexed_at_unix":17,"eligible_files":6,"indexed_files":3,"indexed_bytes":900,` +
		`"chunks":4,"excluded_entries":5,"skipped_files":1,"oversized_lines_omitted":8,"unprocessed_files":2,` +
		`"stop_reason":"time_budget"}`
	if string(first) != want {
		t.Errorf("format 1: %s", cmp.Diff(want, string(first)))
	}
	second, err := json.Marshal(Coverage{StopReason: "complete", Mode: "refresh"})
	if err != nil {
		t.Fatal(err)
	}
	want = `{"revision":null,"indexed_at_unix":0,"eligible_files":0,"indexed_files":0,"indexed_bytes":0,"chunks":0,` +
		`"excluded_entries":0,"skipped_files":0,"oversized_lines_omitted":0,"unprocessed_files":0,"stop_reason":"complete",` +
		`"mode":"refresh","reused_files":0,"updated_files":0,"deleted_files":0,"remaining_files":0,` +
		`"excluded_by_reason":{},"skipped_by_reason":{}}`
	if string(second) != want {
		t.Errorf("format 2: %s", cmp.Diff(want, string(second)))
	}
}

func validMetadata(t testing.TB, format int) []byte {
	s := fixtureSample(format)
	m := metadata{Format: format, Tokenizer: 1, Rules: 3, NextBase: 9, Coverage: s.meta.Coverage}
	m.Tables = tables{Sources: uint32(len(s.sources)), Chunks: uint32(len(s.chunks)), Bytes: m.Coverage.IndexedBytes}
	if format == Format {
		pending, cursor := 5, "later/p002.go"
		m.Pending, m.Cursor, m.Tables.Skipped = &pending, &cursor, 2
	}
	text, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// P-84: metadata with missing, unknown, ill-typed, negative or contradicting members is refused.
func TestMetadata(t *testing.T) {
	for _, format := range []int{FormatFirst, Format} {
		if _, err := decodeMetadata(validMetadata(t, format)); err != nil {
			t.Fatalf("valid metadata of format %d: %v", format, err)
		}
	}
	cases := []struct{ name, from, to string }{
		{"unknown format", `"format":2`, `"format":3`},
		{"format of another type", `"format":2`, `"format":"2"`},
		{"fraction", `"format":2`, `"format":2.0`},
		{"no format", `"format":2,`, ``},
		{"first format with later members", `"format":2`, `"format":1`},
		{"unknown member", `"rules":3`, `"rules":3,"extra":1`},
		{"repeated member", `"rules":3`, `"rules":3,"rules":3`},
		{"member in another case", `"rules"`, `"Rules"`},
		{"spelling", `"rules":3`, `"rules": 3`},
		{"no pending", `,"pending":5`, ``},
		{"no cursor", `,"cursor":"later/p002.go"`, ``},
		{"cursor of another type", `"cursor":"later/p002.go"`, `"cursor":null`},
		{"cursor not UTF-8", `later/p002.go`, "\xff"},
		{"negative pending", `"pending":5`, `"pending":-5`},
		{"another pending", `"pending":5`, `"pending":4`},
		{"negative rules", `"rules":3`, `"rules":-3`},
		{"negative count", `"oversized_lines_omitted":0`, `"oversized_lines_omitted":-1`},
		{"huge count", `"excluded_entries":3`, `"excluded_entries":99999999999999999999`},
		{"negative time", `"indexed_at_unix":1`, `"indexed_at_unix":-1`},
		{"indexed files", `"indexed_files":12`, `"indexed_files":11`},
		{"sources", `"sources":12`, `"sources":13`},
		{"chunks", `"tables":{"sources":12,"chunks":`, `"tables":{"sources":12,"chunks":1`},
		{"bytes", `"skipped":2}`, `"skipped":3}`},
		{"eligible files", `"eligible_files":19`, `"eligible_files":18`},
		{"unprocessed above remaining", `"remaining_files":5`, `"remaining_files":4`},
		{"complete with remaining", `"time_budget"`, `"complete"`},
		{"no stop reason", `"time_budget"`, `""`},
		{"no mode", `"mode":"rebuild"`, `"mode":""`},
		{"reasons do not sum", `"hidden":2`, `"hidden":3`},
		{"reason of zero", `"hidden":2,"symlink":1`, `"hidden":3,"symlink":0`},
		{"reasons null", `{"hidden":2,"symlink":1}`, `null`},
		{"array", `{"format"`, `[{"format"`},
		{"two objects", `{"format":2`, `{}{"format":2`},
	}
	for _, c := range cases {
		text := validMetadata(t, Format)
		changed := bytes.Replace(text, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(text, changed) {
			t.Errorf("%s: nothing to change", c.name)
		}
		if _, err := decodeMetadata(changed); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
	for _, text := range []string{"", "null", "{}", "[]", "7", "\x00"} {
		if _, err := decodeMetadata([]byte(text)); err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add(validMetadata(f, FormatFirst))
	f.Add(validMetadata(f, Format))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decodeMetadata(text)
		if err != nil {
			return
		}
		if again, err := m.encode(); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%s reads as %s, %v", text, again, err)
		}
	})
}
