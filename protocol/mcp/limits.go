package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"projectknowledge/index"
	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/document"
	"projectknowledge/protocol/mcp/files"
)

// Limits are what the administrator sets through the environment (M-11, M-13, M-63).
type Limits struct {
	Host           string   // address to listen on, loopback always
	Port           int      // 0 takes a free one
	AllowedOrigins []string // beyond those of the listening port itself
	AuditLog       string   // a file; "" = the diagnostic stream

	Files     files.Limits
	Documents document.Limits

	ToolTimeout    time.Duration
	GitTimeout     time.Duration
	LinkedWorktree bool // a repository whose Git directory is outside its root may be looked at (M-60)

	Index       index.Limits
	IndexBudget time.Duration

	ConcurrentCalls int
}

// variable is one row of the table of M-63: a whole number with its range.
type variable struct {
	name                  string
	fallback, least, most int64
	set                   func(*Limits, int64)
}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// Names of the variables that are not whole numbers.
const (
	hostVariable    = "PROJECT_MCP_HOST"
	originsVariable = "PROJECT_MCP_ALLOWED_ORIGINS"
	auditVariable   = "PROJECT_MCP_AUDIT_LOG"
)

// variables is the table of M-63.
var variables = []variable{
	{"PROJECT_MCP_PORT", 8765, 0, 65535, func(l *Limits, n int64) { l.Port = int(n) }},
	{"PROJECT_MCP_MAX_READ_BYTES", mib, kib, 10 * mib, func(l *Limits, n int64) { l.Files.ReadBytes = n }},
	{"PROJECT_MCP_MAX_WRITE_BYTES", 2 * mib, kib, 10 * mib, func(l *Limits, n int64) { l.Documents.WriteBytes = n }},
	{"PROJECT_MCP_MAX_CHUNK_BYTES", 64 * kib, kib, mib, func(l *Limits, n int64) { l.Documents.ChunkBytes = n }},
	{"PROJECT_MCP_MAX_DOCUMENT_BYTES", 20 * mib, kib, 100 * mib, func(l *Limits, n int64) { l.Documents.DocumentBytes, l.Files.DocumentBytes = n, n }},
	{"PROJECT_MCP_MAX_DOCUMENT_CHUNKS", 1024, 1, 4096, func(l *Limits, n int64) { l.Documents.Chunks = int(n) }},
	{"PROJECT_MCP_MAX_DOCUMENT_UPLOADS", 16, 1, 128, func(l *Limits, n int64) { l.Documents.Uploads = int(n) }},
	{"PROJECT_MCP_DOCUMENT_UPLOAD_TTL_SECONDS", 3600, 60, 86400, func(l *Limits, n int64) { l.Documents.TTL = seconds(n) }},
	{"PROJECT_MCP_MAX_RESULT_BYTES", mib, 16 * kib, 16 * mib, func(l *Limits, n int64) { l.Files.ResultBytes = int(n) }},
	{"PROJECT_MCP_TOOL_TIMEOUT_SECONDS", 20, 1, 300, func(l *Limits, n int64) { l.ToolTimeout = seconds(n) }},
	{"PROJECT_MCP_GIT_TIMEOUT_SECONDS", 15, 1, 120, func(l *Limits, n int64) { l.GitTimeout = seconds(n) }},
	{"PROJECT_MCP_GIT_ALLOW_LINKED_WORKTREE", 0, 0, 1, func(l *Limits, n int64) { l.LinkedWorktree = n == 1 }},
	{"PROJECT_MCP_INDEX_MAX_FILES", provider.MaxFiles, 1, 1_000_000, func(l *Limits, n int64) { l.Index.Files = int(n) }},
	{"PROJECT_MCP_INDEX_MAX_BYTES", provider.MaxBytes, mib, 16 * gib, func(l *Limits, n int64) { l.Index.Bytes = n }},
	{"PROJECT_MCP_INDEX_BUDGET_SECONDS", int64(provider.WorkBudget / time.Second), 1, 3600, func(l *Limits, n int64) { l.IndexBudget = seconds(n) }},
	{"PROJECT_MCP_MAX_CONCURRENT_CALLS", 32, 1, 256, func(l *Limits, n int64) { l.ConcurrentCalls = int(n) }},
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

// A SettingError is a variable whose value cannot be meant; the process ends for it before it serves (M-11, M-63).
type SettingError struct{ Variable, Reason string }

func (e *SettingError) Error() string { return e.Variable + " " + e.Reason }

// LimitsFrom reads the limits out of an environment; an empty variable counts as absent. The error is a *SettingError.
func LimitsFrom(getenv func(string) string) (Limits, error) {
	var l Limits
	for _, v := range variables {
		n, err := v.value(getenv(v.name))
		if err != nil {
			return Limits{}, err
		}
		v.set(&l, n)
	}
	var err error
	if l.Host, err = listenHost(getenv(hostVariable)); err != nil {
		return Limits{}, err
	}
	for origin := range strings.SplitSeq(getenv(originsVariable), ",") {
		if origin = strings.TrimSpace(origin); origin != "" {
			l.AllowedOrigins = append(l.AllowedOrigins, origin)
		}
	}
	if name := getenv(auditVariable); name != "stderr" {
		l.AuditLog = name
	}
	return l, nil
}

// DefaultLimits gives the limits of an environment without any of the variables.
func DefaultLimits() Limits {
	l, err := LimitsFrom(func(string) string { return "" })
	if err != nil {
		panic(err) // the defaults are in their ranges; a test proves it
	}
	return l
}

func (v *variable) value(text string) (int64, error) {
	if text == "" {
		return v.fallback, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < v.least || n > v.most {
		return 0, &SettingError{v.name, fmt.Sprintf("must be a whole number from %d to %d.", v.least, v.most)}
	}
	return n, nil
}

// listenHost gives the address for a value of PROJECT_MCP_HOST: loopback or nothing (M-11).
func listenHost(name string) (string, error) {
	switch name {
	case "", "127.0.0.1", "localhost":
		return "127.0.0.1", nil
	case "::1":
		return name, nil
	}
	return "", &SettingError{hostVariable, "must be 127.0.0.1, ::1 or localhost: the server never listens beyond this machine."}
}

// bodyBytes bounds a message of a client, over HTTP and on stdio alike: an escape of JSON can make six bytes of one, and
// the rest of the message needs some room (M-10, M-15).
func (l *Limits) bodyBytes() int64 {
	const escapeGrowth, envelope = 6, 64 * kib
	return escapeGrowth*max(l.Documents.WriteBytes, l.Documents.ChunkBytes) + envelope
}

// raisedIndex reports whether the index may be larger than the provider's own, and must not be met by it (M-61).
func (l *Limits) raisedIndex() bool {
	return l.Index.Files > provider.MaxFiles || l.Index.Bytes > provider.MaxBytes
}
