package pathguard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// specified are the codes of M-45.
const specified = `invalid_arguments scope_required scope_conflict scope_not_supported project_not_found project_disabled
project_unavailable grant_not_found grant_expired grant_disabled grant_revoked grant_unavailable registry_invalid invalid_path
path_outside_root path_denied path_ignored not_found not_a_file not_a_directory not_a_regular_file not_text permission_denied
file_too_large line_too_long invalid_pattern write_not_allowed invalid_extension symlink_parent already_exists
content_too_large write_failed upload_not_found upload_expired upload_limit chunk_too_large chunk_index_invalid
chunk_conflict missing_chunks unexpected_chunks document_too_large git_not_enabled git_unavailable git_failed not_indexed
rebuild_required invalid_query source_unavailable invalid_range line_too_large root_changed cache_unsafe cache_unavailable
index_busy budget_exhausted git_output_too_large source_changed timeout cancelled busy internal_error
id_invalid id_exists root_invalid root_forbidden root_overlap ttl_invalid write_directory_invalid state_conflict`

func TestCodesAreThoseOfTheContract(t *testing.T) { // M-45
	var got []string
	for _, code := range Codes() {
		got = append(got, string(code))
	}
	want := strings.Fields(specified)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("codes\n got %v\nwant %v", got, want)
	}
}

func TestEveryCodeHasOneSentence(t *testing.T) { // M-44
	for _, code := range Codes() {
		text := Fault(code).Message
		if !strings.HasSuffix(text, ".") || len(text) > 300 || strings.ContainsFunc(text, func(r rune) bool { return r > 126 || r < ' ' }) {
			t.Errorf("%s: %q is no short ASCII sentence", code, text)
		}
	}
}

func TestErrorsKeepTheirCause(t *testing.T) {
	err := fmt.Errorf("reading: %w", Fault(NotFound).Because(fs.ErrNotExist).With("limit", 3))
	if CodeOf(err) != NotFound || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v has lost its code or cause", err)
	}
	if CodeOf(errors.New("x")) != InternalError || CodeOf(nil) != "" {
		t.Error("the code of an unknown error or of none is wrong")
	}
	formatted := Errorf(WriteFailed, "It failed: %w", fs.ErrPermission)
	if !errors.Is(formatted, fs.ErrPermission) || formatted.Message != "It failed: permission denied" {
		t.Errorf("Errorf made %v", formatted)
	}
}

// wantCode checks the code of an error, and that its sentence has no path of the machine (M-29, M-44).
func wantCode(t *testing.T, what string, err error, want Code) {
	t.Helper()
	if got := CodeOf(err); got != want {
		t.Errorf("%s: code %q (%v), want %q", what, got, err, want)
	}
	var known *Error
	if errors.As(err, &known) && strings.Contains(known.Message, os.TempDir()) {
		t.Errorf("%s: the message has a path of the machine: %s", what, known.Message)
	}
}
