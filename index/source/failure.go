package source

// Code is the stable name of a failure that concerns the whole root (P-4, P-89).
type Code string

// Codes of failures. The first group is met only while a root is admitted, the last only afterwards.
const (
	HostUnsupported      Code = "host_unsupported"
	RootNotWorktree      Code = "root_not_worktree"
	RootIsSubdirectory   Code = "root_is_subdirectory"
	RootIsSymlink        Code = "root_is_symlink"
	RootIsFilesystemRoot Code = "root_is_filesystem_root"
	RootIsHome           Code = "root_is_home"
	RootUnreadable       Code = "root_unreadable"

	GitUnavailable    Code = "git_unavailable"
	GitFailed         Code = "git_failed"
	GitOutputTooLarge Code = "git_output_too_large"

	RootChanged Code = "root_changed"
)

// sentences holds what a failure says when nothing more exact is known: ASCII, without any path of the machine.
var sentences = map[Code]string{
	HostUnsupported:      "This system cannot open files relative to a directory without following symbolic links.",
	RootNotWorktree:      "The directory is not the top of a Git working tree.",
	RootIsSubdirectory:   "The directory lies below the top of its Git working tree.",
	RootIsSymlink:        "The path of the directory contains a symbolic link.",
	RootIsFilesystemRoot: "The directory is the root of the filesystem.",
	RootIsHome:           "The directory is the home directory of the user.",
	RootUnreadable:       "The directory cannot be opened.",
	GitUnavailable:       "Git cannot be used here.",
	GitFailed:            "Git ended with an error.",
	GitOutputTooLarge:    "Git printed more than the provider accepts.",
	RootChanged:          "The directory is no longer the working tree that was admitted.",
}

// A Failure is an error of the root or of Git. Code and Message may be shown to anyone: Message is one ASCII sentence of
// at most 300 bytes without a path, a user name or a value of the environment (P-4, P-88). The cause, for a log that
// stays on the machine, is reached with errors.Unwrap.
type Failure struct {
	Code    Code
	Message string
	cause   error
}

// fail gives the failure of code with its ordinary sentence.
func fail(code Code, cause error) *Failure {
	return &Failure{Code: code, Message: sentences[code], cause: cause}
}

// failBecause gives the failure of code with a sentence of its own.
func failBecause(code Code, sentence string, cause error) *Failure {
	return &Failure{Code: code, Message: sentence, cause: cause}
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Message }

// Unwrap gives what led to the failure, or nil. It may name paths of the machine.
func (f *Failure) Unwrap() error { return f.cause }

// Is makes two failures of the same code equal for errors.Is.
func (f *Failure) Is(target error) bool {
	other, ok := target.(*Failure)
	return ok && other.Code == f.Code
}
