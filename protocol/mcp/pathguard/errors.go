package pathguard

import (
	"errors"
	"fmt"
)

// A Code is the machine-readable name of a known error (M-45). Codes are wire names and never change.
type Code string

// The codes of M-45, in its order.
const (
	InvalidArguments      Code = "invalid_arguments"
	ScopeRequired         Code = "scope_required"
	ScopeConflict         Code = "scope_conflict"
	ScopeNotSupported     Code = "scope_not_supported"
	ProjectNotFound       Code = "project_not_found"
	ProjectDisabled       Code = "project_disabled"
	ProjectUnavailable    Code = "project_unavailable"
	GrantNotFound         Code = "grant_not_found"
	GrantExpired          Code = "grant_expired"
	GrantDisabled         Code = "grant_disabled"
	GrantRevoked          Code = "grant_revoked"
	GrantUnavailable      Code = "grant_unavailable"
	RegistryInvalid       Code = "registry_invalid"
	InvalidPath           Code = "invalid_path"
	PathOutsideRoot       Code = "path_outside_root"
	PathDenied            Code = "path_denied"
	PathIgnored           Code = "path_ignored"
	NotFound              Code = "not_found"
	NotAFile              Code = "not_a_file"
	NotADirectory         Code = "not_a_directory"
	NotARegularFile       Code = "not_a_regular_file"
	NotText               Code = "not_text"
	PermissionDenied      Code = "permission_denied"
	FileTooLarge          Code = "file_too_large"
	LineTooLong           Code = "line_too_long"
	InvalidPattern        Code = "invalid_pattern"
	WriteNotAllowed       Code = "write_not_allowed"
	InvalidExtension      Code = "invalid_extension"
	SymlinkParent         Code = "symlink_parent"
	AlreadyExists         Code = "already_exists"
	ContentTooLarge       Code = "content_too_large"
	WriteFailed           Code = "write_failed"
	UploadNotFound        Code = "upload_not_found"
	UploadExpired         Code = "upload_expired"
	UploadLimit           Code = "upload_limit"
	ChunkTooLarge         Code = "chunk_too_large"
	ChunkIndexInvalid     Code = "chunk_index_invalid"
	ChunkConflict         Code = "chunk_conflict"
	MissingChunks         Code = "missing_chunks"
	UnexpectedChunks      Code = "unexpected_chunks"
	DocumentTooLarge      Code = "document_too_large"
	GitNotEnabled         Code = "git_not_enabled"
	GitUnavailable        Code = "git_unavailable"
	GitFailed             Code = "git_failed"
	NotIndexed            Code = "not_indexed"
	RebuildRequired       Code = "rebuild_required"
	InvalidQuery          Code = "invalid_query"
	SourceUnavailable     Code = "source_unavailable"
	InvalidRange          Code = "invalid_range"
	LineTooLarge          Code = "line_too_large"
	RootChanged           Code = "root_changed"
	CacheUnsafe           Code = "cache_unsafe"
	CacheUnavailable      Code = "cache_unavailable"
	IndexBusy             Code = "index_busy"
	BudgetExhausted       Code = "budget_exhausted"
	GitOutputTooLarge     Code = "git_output_too_large"
	SourceChanged         Code = "source_changed"
	Timeout               Code = "timeout"
	Cancelled             Code = "cancelled"
	Busy                  Code = "busy"
	InternalError         Code = "internal_error"
	IDInvalid             Code = "id_invalid" // this and the following: admin command line only
	IDExists              Code = "id_exists"
	RootInvalid           Code = "root_invalid"
	RootForbidden         Code = "root_forbidden"
	RootOverlap           Code = "root_overlap"
	TTLInvalid            Code = "ttl_invalid"
	WriteDirectoryInvalid Code = "write_directory_invalid"
	StateConflict         Code = "state_conflict"
)

// sentences tells for every code what happened and what the caller can do. It is also the table of all codes.
var sentences = map[Code]string{
	InvalidArguments:      "The arguments do not fit this tool; compare them with its input schema.",
	ScopeRequired:         "Name the scope of the call: project_id, or grant_id where the tool takes one.",
	ScopeConflict:         "Give exactly one of project_id and grant_id.",
	ScopeNotSupported:     "This tool works on projects only; give project_id instead of grant_id.",
	ProjectNotFound:       "There is no project with this ID; list_projects shows those that exist.",
	ProjectDisabled:       "The project is disabled; its administrator can enable it.",
	ProjectUnavailable:    "The project's directory is gone or has moved; its administrator has to correct the registry.",
	GrantNotFound:         "There is no grant with this ID; list_grants shows those that exist.",
	GrantExpired:          "The grant has expired; the administrator can make a new one.",
	GrantDisabled:         "The grant is disabled; the administrator can enable it.",
	GrantRevoked:          "The grant has been revoked for good.",
	GrantUnavailable:      "The grant's directory is gone or has moved; the administrator has to make a new grant.",
	RegistryInvalid:       "The registry is invalid, so that nothing in it is served until the administrator corrects it.",
	InvalidPath:           "The path is not valid; give a relative path with forward slashes and without '..'.",
	PathOutsideRoot:       "The path leads out of the root through a symbolic link.",
	PathDenied:            "The path has a name that is never served, because such files often hold secrets.",
	PathIgnored:           "The path is excluded by the ignore rules.",
	NotFound:              "There is no such file or directory; list_dir shows what exists.",
	NotAFile:              "The path names a directory; give the path of a file.",
	NotADirectory:         "The path does not name a directory.",
	NotARegularFile:       "The path names neither a regular file nor a directory, and cannot be read.",
	NotText:               "The content is not UTF-8 text without NUL characters.",
	PermissionDenied:      "The server is not permitted to read this path.",
	FileTooLarge:          "The file is larger than the read limit.",
	LineTooLong:           "A line is longer than the read limit.",
	InvalidPattern:        "The pattern is not valid.",
	WriteNotAllowed:       "Documents can be created below the project's write directory only.",
	InvalidExtension:      "Only documents whose name ends with .md can be created.",
	SymlinkParent:         "A directory on the way to the document is a symbolic link.",
	AlreadyExists:         "The path exists already and is never overwritten; choose another name.",
	ContentTooLarge:       "The content is larger than the write limit; use begin_document and write_chunk.",
	WriteFailed:           "The document could not be written; the administrator may have to add the write directory to ReadWritePaths= of the service's drop-in.",
	UploadNotFound:        "There is no such upload in this project; start again with begin_document.",
	UploadExpired:         "The upload has expired; start again with begin_document.",
	UploadLimit:           "Too many uploads are unfinished; finish one or wait until one expires.",
	ChunkTooLarge:         "The chunk is larger than the chunk limit; send smaller chunks.",
	ChunkIndexInvalid:     "The chunk index is outside the range that an upload can have.",
	ChunkConflict:         "Other content was received at this index before; it is kept.",
	MissingChunks:         "Chunks are missing; send them and finish again.",
	UnexpectedChunks:      "More chunks were received than total_chunks says.",
	DocumentTooLarge:      "The document would be larger than the document limit.",
	GitNotEnabled:         "Git is not enabled for this project; its administrator can enable it.",
	GitUnavailable:        "Git cannot be used safely in this project.",
	GitFailed:             "Git failed in this project.",
	NotIndexed:            "The project has no index yet; call index first.",
	RebuildRequired:       "The index cannot be used; call index with mode rebuild.",
	InvalidQuery:          "The query has no word to search for.",
	SourceUnavailable:     "The source cannot be read now.",
	InvalidRange:          "The line range is not valid for this source.",
	LineTooLarge:          "A line of the range is too large for the answer.",
	RootChanged:           "The project's directory was replaced during the call; call again.",
	CacheUnsafe:           "The index cache is not safe to use; the administrator has to correct its permissions.",
	CacheUnavailable:      "The index cache cannot be used.",
	IndexBusy:             "The index is being updated by another process; call again later.",
	BudgetExhausted:       "The work budget ended before anything could be indexed.",
	GitOutputTooLarge:     "Git's answer is larger than the limit.",
	SourceChanged:         "The source has changed; search or read it again.",
	Timeout:               "The call took longer than its time limit; narrow it or continue from where it stopped.",
	Cancelled:             "The call was cancelled.",
	Busy:                  "Too many calls are running; call again later.",
	InternalError:         "The server failed internally.",
	IDInvalid:             "The ID must have 1 to 64 characters out of a-z, 0-9, '_' and '-'.",
	IDExists:              "The ID is in use already.",
	RootInvalid:           "The root is not usable.",
	RootForbidden:         "The root is a directory that is never served.",
	RootOverlap:           "The root overlaps another root.",
	TTLInvalid:            "The time to live must be a positive whole number with m, h or d, at most 365 days.",
	WriteDirectoryInvalid: "The write directory must be a relative path of 1 to 10 plain, visible names.",
	StateConflict:         "The record's state does not allow this.",
}

// Codes gives every code of M-45, in no order.
func Codes() []Code {
	all := make([]Code, 0, len(sentences))
	for code := range sentences {
		all = append(all, code)
	}
	return all
}

// An Error is a known error of a tool or of the admin command line. Message is one English sentence that says what to do
// and never contains a path of the machine (M-44) unless it is meant for the local command line; Details holds limits and IDs only.
type Error struct {
	Code    Code
	Message string
	Details map[string]any
	cause   error
}

// Fault gives the error of a code with its standing sentence.
func Fault(code Code) *Error { return &Error{Code: code, Message: sentences[code]} }

// Errorf gives the error of a code with a sentence of its own; an operand of the verb %w becomes the cause, whose text
// must be fit to be shown.
func Errorf(code Code, format string, args ...any) *Error {
	text := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: text.Error(), cause: errors.Unwrap(text)}
}

// With adds a limit or an ID to the details and gives the error itself.
func (e *Error) With(name string, value any) *Error {
	if e.Details == nil {
		e.Details = make(map[string]any)
	}
	e.Details[name] = value
	return e
}

// Because keeps what caused the error for logs and errors.Is; it is never shown to the caller.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the cause, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf gives the code of an error: "" for nil, internal_error for one that is not known.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var known *Error
	if errors.As(err, &known) {
		return known.Code
	}
	return InternalError
}
