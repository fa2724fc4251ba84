package source

// Reason says why a tracked path is no source (P-62b). The empty Reason means that nothing speaks against it.
type Reason string

// Reasons to exclude an entry by its kind or path. Where several hold, the first in this order is given.
const (
	Conflicted        Reason = "conflicted"
	Symlink           Reason = "symlink"
	Submodule         Reason = "submodule"
	InvalidPath       Reason = "invalid_path"
	Hidden            Reason = "hidden"
	SensitivePath     Reason = "sensitive_path"
	UnsupportedFormat Reason = "unsupported_format"
)

// Reasons to skip an eligible path when it is opened. Where several hold, the first in this order is given.
const (
	Unreadable       Reason = "unreadable" // missing, no permission, or a link on the way
	NotRegular       Reason = "not_regular"
	Hardlinked       Reason = "hardlinked"
	Oversized        Reason = "oversized"
	Binary           Reason = "binary"
	SensitiveContent Reason = "sensitive_content"
)

// A Refusal is the error of a source that is skipped: the file is passed over and the work goes on.
type Refusal struct {
	Reason Reason
	Rule   string // with SensitiveContent the name of the pattern of P-37 that matched, else empty
}

// Error gives the reason; it holds no text of the file.
func (r *Refusal) Error() string {
	if r.Rule != "" {
		return "source refused: " + string(r.Reason) + " (" + r.Rule + ")"
	}
	return "source refused: " + string(r.Reason)
}
