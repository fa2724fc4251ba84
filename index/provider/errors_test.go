package provider

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store"
)

// P-4, P-88: every code has one ASCII sentence of at most 300 bytes; the one of the probe names FTS5.
func TestEveryCodeHasASentence(t *testing.T) {
	for code := range sentences {
		message := NewError(code, "").Message
		if message != sentences[code] || !strings.HasSuffix(message, ".") {
			t.Errorf("%s: %q", code, message)
		}
	}
	if !strings.Contains(NewError(FTS5Unavailable, "").Message, "FTS5") {
		t.Error("the sentence of fts5_unavailable does not contain the word FTS5")
	}
}

// P-88: whatever a cause says, the message stays one bounded line of ASCII.
func TestMessagesArePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringN(300, 400, -1)).Draw(t, "text")
		message := NewError(GitFailed, text).Error()
		if len(message) <= len("git_failed: ") || len(message) > MaxMessageBytes {
			t.Fatalf("%d bytes", len(message))
		}
		for _, c := range []byte(message) {
			if c < ' ' || c > '~' {
				t.Fatalf("byte %#x in %q", c, message)
			}
		}
	})
}

// P-89: errors of the rooms below get their code, and only that.
func TestErrorsAreMappedToCodes(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("somewhere below /home/u: %w", err) }
	for _, c := range []struct {
		err  error
		want Code
	}{
		{&source.Failure{Code: source.GitOutputTooLarge, Message: "Much."}, GitOutputTooLarge},
		{&source.Failure{Code: source.RootChanged}, RootChanged},
		{&source.Failure{Code: "unheard_of"}, InternalError},
		{store.ErrDamaged, RebuildRequired},
		{errCoordinates, RebuildRequired},
		{store.ErrBusy, IndexBusy},
		{fmt.Errorf("%w: %w", store.ErrBusy, context.DeadlineExceeded), IndexBusy},
		{fmt.Errorf("%w: %w", store.ErrBusy, context.Canceled), Cancelled},
		{index.ErrBudget, BudgetExhausted},
		{context.DeadlineExceeded, BudgetExhausted},
		{index.ErrNoTerms, InvalidQuery},
		{context.Canceled, Cancelled},
		{&fs.PathError{Op: "open", Path: "/home/u", Err: syscall.ENOSPC}, CacheUnavailable},
		{&os.LinkError{Op: "rename", Old: "/a", New: "/b", Err: syscall.EIO}, CacheUnavailable},
		{syscall.EACCES, CacheUnavailable},
		{errors.New("unheard of at /home/u"), InternalError},
		{newError(CacheUnsafe, "", nil), CacheUnsafe},
	} {
		got := asError(wrapped(c.err))
		if got.Code != c.want || strings.Contains(got.Error(), "/home") {
			t.Errorf("%v gives %v, want %s", c.err, got, c.want)
		}
	}
	if asError(nil) != nil {
		t.Error("no error became one")
	}
}
