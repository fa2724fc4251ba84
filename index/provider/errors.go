package provider

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"projectknowledge/index"
	"projectknowledge/index/source"
	"projectknowledge/store"
)

// Code is the stable name of a known failure: a program may compare it, its spelling never changes.
type Code string

// The codes of a failed admission (P-4).
const (
	HostUnsupported      Code = "host_unsupported"
	RootNotWorktree      Code = "root_not_worktree"
	RootIsSubdirectory   Code = "root_is_subdirectory"
	RootIsSymlink        Code = "root_is_symlink"
	RootIsFilesystemRoot Code = "root_is_filesystem_root"
	RootIsHome           Code = "root_is_home"
	RootUnreadable       Code = "root_unreadable"
	FTS5Unavailable      Code = "fts5_unavailable"
)

// The codes of a failed call (P-89). GitUnavailable is also an admission code.
const (
	InvalidArguments  Code = "invalid_arguments"
	InvalidQuery      Code = "invalid_query"
	InvalidPath       Code = "invalid_path"
	NotIndexed        Code = "not_indexed"
	RebuildRequired   Code = "rebuild_required"
	RootChanged       Code = "root_changed"
	GitUnavailable    Code = "git_unavailable"
	GitFailed         Code = "git_failed"
	GitOutputTooLarge Code = "git_output_too_large"
	CacheUnsafe       Code = "cache_unsafe"
	CacheUnavailable  Code = "cache_unavailable"
	IndexBusy         Code = "index_busy"
	BudgetExhausted   Code = "budget_exhausted"
	SourceUnavailable Code = "source_unavailable"
	SourceChanged     Code = "source_changed"
	InvalidRange      Code = "invalid_range"
	LineTooLarge      Code = "line_too_large"
	InternalError     Code = "internal_error"
)

// Cancelled is the code of a call whose context its caller ended (M-8). A face that has nobody left to answer drops it.
const Cancelled Code = "cancelled"

// sentences holds the default message of every code: one ASCII sentence.
var sentences = map[Code]string{
	HostUnsupported:      "This system has no descriptor-relative opening that can refuse symbolic links.",
	RootNotWorktree:      "The directory is not the top of an ordinary Git working tree.",
	RootIsSubdirectory:   "The directory is inside a Git working tree; start at its top.",
	RootIsSymlink:        "The path of the directory contains a symbolic link.",
	RootIsFilesystemRoot: "The filesystem root cannot be a project root.",
	RootIsHome:           "The home directory cannot be a project root.",
	RootUnreadable:       "The directory cannot be opened.",
	FTS5Unavailable:      "The FTS5 probe of the full-text store failed.",
	InvalidArguments:     "An argument is missing, unknown, of the wrong type or out of range.",
	InvalidQuery:         "The query contains no word to search for.",
	InvalidPath:          "The path must be relative, written with single slashes, and not hidden.",
	NotIndexed:           "There is no index yet; call index first.",
	RebuildRequired:      "The index is damaged or of an unknown format; call index with mode rebuild.",
	RootChanged:          "The root directory was replaced or is no longer a working-tree top; restart the provider.",
	GitUnavailable:       "Git cannot be started, or refuses this repository.",
	GitFailed:            "Git ended with an error.",
	GitOutputTooLarge:    "Git printed more than the allowed amount.",
	CacheUnsafe:          "The cache directory or file breaks a rule of place, owner, mode or links.",
	CacheUnavailable:     "The cache cannot be read or written.",
	IndexBusy:            "Another index call holds the lock; try again later.",
	BudgetExhausted:      "The work budget ended before there was anything to give back.",
	SourceUnavailable:    "The path is not a current, eligible and readable source.",
	SourceChanged:        "The source differs from source_hash; refresh the index and search again.",
	InvalidRange:         "start_line is beyond the last line of the source.",
	LineTooLarge:         "The first line alone is over the size limit of a result.",
	InternalError:        "Something unexpected happened; the local log has the details.",
	Cancelled:            "The call was cancelled.",
}

// Error is a known failure of an operation or of the admission. Message is one ASCII sentence without any path of the
// machine, with the code before it at most MaxMessageBytes long (P-4); the cause stays behind Unwrap, for the local log alone (P-88, P-100).
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	cause   error
}

// NewError makes the error of a code; an empty message stands for the code's own sentence.
func NewError(code Code, message string) *Error { return newError(code, message, nil) }

// Error gives code and sentence, fit for any reader.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the cause, which may name paths of the machine and therefore never goes into a result.
func (e *Error) Unwrap() error { return e.cause }

func newError(code Code, message string, cause error) *Error {
	known, ok := sentences[code]
	if !ok {
		code, known, message = InternalError, sentences[InternalError], ""
	}
	if message == "" {
		message = known
	}
	return &Error{Code: code, Message: plainSentence(message, MaxMessageBytes-len(code)-len(": ")), cause: cause}
}

// plainSentence keeps printable ASCII, at most so many bytes of it.
func plainSentence(message string, bound int) string {
	out := make([]byte, 0, min(len(message), bound))
	for _, r := range message {
		if len(out) == bound {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// asError maps every error that can reach the edge of this room to its code. An error that no rule names is an
// internal one: it tells nothing to the caller.
func asError(err error) *Error {
	var known *Error
	var failure *source.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return newError(Cancelled, "", err)
	case errors.As(err, &failure):
		return newError(Code(failure.Code), failure.Message, err)
	case errors.Is(err, store.ErrDamaged):
		return newError(RebuildRequired, "", err)
	case errors.Is(err, store.ErrBusy):
		return newError(IndexBusy, "", err)
	case errors.Is(err, index.ErrBudget), errors.Is(err, context.DeadlineExceeded):
		return newError(BudgetExhausted, "", err)
	case errors.Is(err, index.ErrNoTerms):
		return newError(InvalidQuery, "", err)
	case errors.Is(err, index.ErrGlob):
		return newError(InvalidArguments, "path_glob is not a pattern.", err)
	case isSystemError(err):
		return newError(CacheUnavailable, "", err)
	}
	return newError(InternalError, "", err)
}

// isSystemError reports whether the operating system refused something. Sources and Git have their own errors, so what
// is left belongs to the cache.
func isSystemError(err error) bool {
	var errno syscall.Errno
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &errno) || errors.As(err, &path) || errors.As(err, &link)
}
