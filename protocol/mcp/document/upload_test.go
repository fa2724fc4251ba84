package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"projectknowledge/protocol/mcp/pathguard"
)

// TestUpload follows a document through its life (M-54 to M-56): chunks in any order, joined without separators.
func TestUpload(t *testing.T) {
	w := newWorld(t)
	begun, err := w.store.Begin(context.Background(), BeginArgs{ProjectID: "p1", Path: "docs/long/v1.md"})
	must(t, err)
	if len(begun.UploadID) < 26 || begun.ExpiresAt != "2001-09-09T02:46:40.000Z" {
		t.Errorf("begin: %+v", begun)
	}
	limits, _ := json.Marshal(begun.Limits)
	if string(limits) != `{"max_chunk_bytes":65536,"max_document_bytes":20971520,"max_document_chunks":1024,"upload_ttl_seconds":3600}` {
		t.Errorf("limits %s", limits)
	}
	parts := []string{"# 标题\n\n", "no newline", "", " glued\n"}
	for n, i := range []int{2, 0, 3, 1} {
		r, err := w.chunk(begun.UploadID, i, parts[i])
		must(t, err)
		if r.Duplicate || r.Index != i || r.BytesWritten != len(parts[i]) || r.ChunksReceived != n+1 || r.SHA256 != digestOf(parts[i]) {
			t.Errorf("chunk %d: %+v", i, r)
		}
	}
	if files := w.files(); len(files) > 0 {
		t.Errorf("before the finish there is %v", files)
	}
	r, err := w.finish(begun.UploadID, 4)
	must(t, err)
	want := strings.Join(parts, "")
	if w.read("docs/long/v1.md") != want || r.SHA256 != digestOf(want) || r.BytesWritten != int64(len(want)) || r.TotalChunks != 4 || r.Repeated {
		t.Errorf("finish: %+v", r)
	}
	again, err := w.finish(begun.UploadID, 4)
	must(t, err)
	if !again.Repeated || again.Receipt != r.Receipt {
		t.Errorf("repeated finish: %+v", again)
	}
	_, err = w.chunk(begun.UploadID, 0, "x")
	wantCode(t, "chunk of a finished one", err, pathguard.UploadNotFound)
	_, err = w.finish(begun.UploadID, 5)
	wantCode(t, "repeated with more", err, pathguard.MissingChunks)
	_, err = w.finish(begun.UploadID, 3)
	wantCode(t, "repeated with fewer", err, pathguard.UnexpectedChunks)
	if w.store.Active() != 0 {
		t.Errorf("%d active", w.store.Active())
	}
}

// TestChunks holds the refusals of M-55.
func TestChunks(t *testing.T) {
	w := newWorld(t, func(l *Limits) { l.ChunkBytes, l.DocumentBytes, l.Chunks = 1024, 2048, 4 })
	id := w.begin("docs/u.md")
	chunk := func(index int, content string, want pathguard.Code) *ChunkResult {
		t.Helper()
		r, err := w.chunk(id, index, content)
		wantCode(t, fmt.Sprint("chunk ", index), err, want)
		return r
	}
	chunk(0, strings.Repeat("x", 1025), pathguard.ChunkTooLarge)
	chunk(4, "x", pathguard.ChunkIndexInvalid)
	chunk(-1, "x", pathguard.ChunkIndexInvalid)
	chunk(0, "a\x00", pathguard.NotText)
	chunk(0, strings.Repeat("x", 1024), "")
	if r := chunk(0, strings.Repeat("x", 1024), ""); !r.Duplicate || r.ChunksReceived != 1 || r.BytesReceived != 1024 {
		t.Errorf("duplicate: %+v", r)
	}
	chunk(0, strings.Repeat("y", 1024), pathguard.ChunkConflict)
	chunk(1, strings.Repeat("y", 1024), "")
	chunk(2, "z", pathguard.DocumentTooLarge)
	chunk(2, "", "")
	_, err := w.store.WriteChunk(context.Background(), ChunkArgs{ProjectID: "p2", UploadID: id, Content: "x"})
	wantCode(t, "other project", err, pathguard.UploadNotFound)
	_, err = w.store.Finish(context.Background(), FinishArgs{ProjectID: "p2", UploadID: id, TotalChunks: 3})
	wantCode(t, "other project's finish", err, pathguard.UploadNotFound)
	_, err = w.finish(id, 3)
	must(t, err)
	if got := w.read("docs/u.md"); got != strings.Repeat("x", 1024)+strings.Repeat("y", 1024) {
		t.Errorf("document has %d bytes", len(got))
	}
}

// TestFinishRefused: gaps and wrong totals are refused and the upload goes on (M-56).
func TestFinishRefused(t *testing.T) {
	w := newWorld(t)
	id := w.begin("docs/u.md")
	for _, i := range []int{0, 2} {
		_, err := w.chunk(id, i, string(rune('a'+i)))
		must(t, err)
	}
	_, err := w.finish(id, 3)
	wantCode(t, "gap", err, pathguard.MissingChunks)
	wantDetail(t, err, "missing_chunks", []int{1})
	_, err = w.finish(id, 1)
	wantCode(t, "fewer", err, pathguard.UnexpectedChunks)
	wantDetail(t, err, "unexpected_chunks", []int{2})
	_, err = w.finish(id, 1<<31-1)
	wantCode(t, "many", err, pathguard.MissingChunks)
	_, err = w.finish(id, 0)
	wantCode(t, "none", err, pathguard.InvalidArguments)
	w.put("docs/u.md", "first")
	_, err = w.chunk(id, 1, "b")
	must(t, err)
	_, err = w.finish(id, 3)
	wantCode(t, "name taken meanwhile", err, pathguard.AlreadyExists)
	must(t, os.Remove(filepath.Join(w.root, "docs/u.md")))
	_, err = w.finish(id, 3)
	must(t, err)
	if got := w.read("docs/u.md"); got != "abc" {
		t.Errorf("document is %q", got)
	}
}

func wantDetail(t *testing.T, err error, name string, want any) {
	t.Helper()
	var known *pathguard.Error
	if !errors.As(err, &known) || fmt.Sprint(known.Details[name]) != fmt.Sprint(want) {
		t.Errorf("details of %v: %+v, want %s %v", err, known, name, want)
	}
}

// TestDamagedStaging: a chunk that is not what was received never gets into a document (M-56).
func TestDamagedStaging(t *testing.T) {
	for name, damage := range map[string]func(string) error{
		"changed": func(chunk string) error { return os.WriteFile(chunk, []byte("abd"), 0o600) },
		"longer":  func(chunk string) error { return os.WriteFile(chunk, []byte("abcd"), 0o600) },
		"gone":    os.Remove,
	} {
		w := newWorld(t)
		id := w.begin("docs/u.md")
		_, err := w.chunk(id, 0, "abc")
		must(t, err)
		must(t, damage(w.store.staging.chunk(id, 0)))
		_, err = w.finish(id, 1)
		wantCode(t, name, err, pathguard.WriteFailed)
		if files := w.files(); len(files) > 0 {
			t.Errorf("%s: left %v", name, files)
		}
	}
}

// TestExpiry: the time to live counts from the beginning; chunks do not extend it (M-57).
func TestExpiry(t *testing.T) {
	w := newWorld(t, func(l *Limits) { l.TTL = time.Minute })
	id, done := w.begin("docs/u.md"), w.begin("docs/done.md")
	_, err := w.chunk(done, 0, "d")
	must(t, err)
	_, err = w.finish(done, 1)
	must(t, err)
	w.pass(59 * time.Second)
	_, err = w.chunk(id, 0, "a")
	must(t, err)
	w.pass(time.Second)
	if _, err := os.Stat(w.store.staging.upload(id)); err != nil {
		t.Errorf("removed too early: %v", err)
	}
	if w.store.Active() != 0 {
		t.Error("still active")
	}
	if _, err := os.Stat(w.store.staging.upload(id)); !os.IsNotExist(err) {
		t.Errorf("the chunks are still there: %v", err)
	}
	_, err = w.chunk(id, 1, "b")
	wantCode(t, "chunk", err, pathguard.UploadExpired)
	_, err = w.finish(id, 1)
	wantCode(t, "finish", err, pathguard.UploadExpired)
	_, err = w.store.WriteChunk(context.Background(), ChunkArgs{ProjectID: "p2", UploadID: id})
	wantCode(t, "another project learns nothing", err, pathguard.UploadNotFound)
	_, err = w.finish(done, 1)
	wantCode(t, "receipt after expiry", err, pathguard.UploadNotFound)
}

// TestUploadLimit bounds unfinished uploads and with them the staging directory (M-54, M-57).
func TestUploadLimit(t *testing.T) {
	w := newWorld(t, func(l *Limits) { l.Uploads = 2 })
	first := w.begin("docs/1.md")
	w.begin("docs/2.md")
	_, err := w.store.Begin(context.Background(), BeginArgs{ProjectID: "p1", Path: "docs/3.md"})
	wantCode(t, "third", err, pathguard.UploadLimit)
	_, err = w.chunk(first, 0, "")
	must(t, err)
	_, err = w.finish(first, 1)
	must(t, err)
	w.begin("docs/3.md")
	w.pass(2 * time.Hour)
	w.begin("docs/4.md")
}

// TestMemory: receipts are bounded (M-56).
func TestMemory(t *testing.T) {
	var m memory[int]
	for i := range 3 * rememberedUploads {
		m.put(fmt.Sprint(i), i)
	}
	_, old := m.get("0")
	last, ok := m.get(fmt.Sprint(3*rememberedUploads - 1))
	if old || !ok || last != 3*rememberedUploads-1 || len(m.values) != rememberedUploads {
		t.Errorf("%d values, oldest kept: %v", len(m.values), old)
	}
}

// TestFinishOnce: of many finishes at once one creates, the others repeat its receipt.
func TestFinishOnce(t *testing.T) {
	w := newWorld(t)
	id := w.begin("docs/u.md")
	_, err := w.chunk(id, 0, "abc")
	must(t, err)
	var repeated int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r, err := w.finish(id, 1)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			} else if r.Repeated {
				repeated++
			}
		})
	}
	all.Wait()
	if repeated != 7 {
		t.Errorf("%d of 8 were repeated", repeated)
	}
}

// TestAnyOrder: whatever the order and the repetitions, the document is the chunks in order (M-55, M-56).
func TestAnyOrder(t *testing.T) {
	w := newWorld(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.String(), 1, 6).Draw(t, "parts")
		for i := range parts {
			parts[i] = strings.ReplaceAll(strings.ToValidUTF8(parts[i], "?"), "\x00", "0")
		}
		order := append(rapid.Permutation(numbers(len(parts))).Draw(t, "order"), rapid.SliceOfN(rapid.IntRange(0, len(parts)-1), 0, 3).Draw(t, "again")...)
		n++
		path := fmt.Sprintf("docs/%d.md", n)
		id := w.begin(path)
		for _, i := range order {
			if _, err := w.chunk(id, i, parts[i]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.finish(id, len(parts)); err != nil {
			t.Fatal(err)
		}
		if got := w.read(path); got != strings.Join(parts, "") {
			t.Fatalf("got %q", got)
		}
	})
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
