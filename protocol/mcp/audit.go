package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"projectknowledge/index/provider"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// auditRecord is the line of the audit log about one call (M-68). It has nothing of what was read, written or searched for.
type auditRecord struct {
	Time        string  `json:"ts"`
	Transport   string  `json:"transport"`
	Tool        string  `json:"tool"`
	Scope       *string `json:"scope"`
	Path        *string `json:"path"` // relative; nil when the call has none, or none that is relative
	Outcome     string  `json:"outcome"`
	DurationMS  int64   `json:"duration_ms"`
	ResultBytes int     `json:"result_bytes"`
}

// maxAuditPath bounds a path in the log, in characters.
const maxAuditPath = 200

// auditLog writes records, one line and one write each, so that it is safe for concurrent use.
type auditLog struct {
	out  io.Writer // takes concurrent writes
	file *os.File  // nil when the log is the diagnostic stream
}

// openAudit opens the log in a file of its own, or gives it the diagnostic stream when name is "".
func openAudit(name string, diagnostics io.Writer) (*auditLog, error) {
	if name == "" {
		return &auditLog{out: diagnostics}, nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, &SettingError{auditVariable, "names a file that cannot be opened for appending."}
	}
	return &auditLog{out: file, file: file}, nil
}

func (l *auditLog) write(record auditRecord) {
	line, err := encode(record)
	if err != nil {
		return // strings and numbers always encode
	}
	_, _ = l.out.Write(append(line, '\n')) // a log that cannot be written stops no call
}

func (l *auditLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// auditScope names the scope that a call asked for, whether it exists or not; nil when there is no saying.
func auditScope(args *arguments) *string {
	project, grant := args.text(projectID.name), args.text(grantID.name)
	var scope registry.Scope
	switch {
	case (project == "") == (grant == ""):
		return nil
	case project != "":
		scope.ID = project
	default:
		scope.ID, scope.Grant = grant, true
	}
	name := scope.String()
	return &name
}

// auditPath gives the path that a call asked for, if it is a valid one: an absolute path could be a root.
func auditPath(args *arguments) *string {
	given, ok := args.strings["path"]
	if !ok {
		return nil
	}
	clean, err := pathguard.ValidatePath(given, pathguard.ForEither)
	if code := pathguard.CodeOf(err); code != "" && code != pathguard.PathDenied {
		return nil
	}
	if err != nil {
		clean = given // a denied name is told: it is what an administrator looks for
	}
	clean = firstRunes(clean, maxAuditPath)
	return &clean
}

func firstRunes(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}

// audit writes the record of a call that has ended.
func (s *Server) audit(transport string, c *call, began time.Time, a answer) {
	outcome := "ok"
	if a.code != "" {
		outcome = string(a.code)
	}
	s.log.write(auditRecord{
		Time: began.UTC().Format("2006-01-02T15:04:05.000Z"), Transport: transport, Tool: c.tool.name,
		Scope: auditScope(&c.args), Path: auditPath(&c.args),
		Outcome: outcome, DurationMS: time.Since(began).Milliseconds(), ResultBytes: a.size,
	})
}

// noted are the codes whose cause the administrator of this machine is told: something here is not as it should be.
var noted = map[pathguard.Code]bool{
	pathguard.InternalError: true, pathguard.WriteFailed: true, pathguard.CacheUnsafe: true, pathguard.CacheUnavailable: true,
	pathguard.GitFailed: true, pathguard.GitUnavailable: true,
}

// note writes the cause of an error to the diagnostic stream, which stays on this machine.
func (s *Server) note(t *tool, fault *pathguard.Error) {
	var logged *provider.Error // by the provider itself
	if !noted[fault.Code] || errors.As(fault.Unwrap(), &logged) {
		return
	}
	s.printf("%s: %v: %v", t.name, fault, fault.Unwrap())
}

// printf writes one line to the diagnostic stream.
func (s *Server) printf(format string, args ...any) {
	line := []byte(fmt.Sprintf(format, args...))
	if !utf8.Valid(line) {
		line, _ = json.Marshal(string(line))
	}
	_, _ = s.diagnostics.Write(append(line, '\n'))
}
