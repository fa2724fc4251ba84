package registry

import (
	"errors"
	"fmt"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A Status tells whether a registry serves.
type Status string

// The states of a registry file (M-46).
const (
	OK      Status = "ok"
	Missing Status = "missing"
	Invalid Status = "invalid"
)

// A Kind says in one word why a registry is invalid; "" when it is not.
type Kind string

// The reasons of M-46.
const (
	ParseError    Kind = "parse_error"
	SchemaError   Kind = "schema_error"
	RootForbidden Kind = "root_forbidden"
	Overlap       Kind = "overlap"
	Permissions   Kind = "permissions"
)

// A Problem is why a registry is invalid, in words for the administrator (M-67). It may name paths of the machine and is
// never shown to a model.
type Problem struct {
	Kind   Kind
	File   string // the path of the file
	Line   int    // from 1; 0 when the reason is in no line
	Reason string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason)
}

// A State is the state of one of the two registries.
type State struct {
	Status     Status
	Problem    *Problem // nil unless Status is Invalid
	Generation int      // 1 after the first load, one more with every change (M-21)
}

// Kind gives the word of M-46 for an invalid registry, else "".
func (s State) Kind() Kind {
	if s.Problem == nil {
		return ""
	}
	return s.Problem.Kind
}

// A Snapshot is both registries at one moment. Immutable, safe for concurrent use.
type Snapshot struct {
	ProjectsState State
	GrantsState   State

	projects []Project // ascending by ID; none when the registry is invalid
	grants   []Grant
	clock    func() time.Time
	rules    *pathguard.RuleBook
}

// Projects gives every project in ascending order of IDs; registry_invalid when there is no telling. The list belongs to the
// snapshot and must not be changed.
func (s *Snapshot) Projects() ([]Project, error) {
	if s.ProjectsState.Status == Invalid {
		return nil, pathguard.Fault(pathguard.RegistryInvalid)
	}
	return s.projects, nil
}

// Grants gives every grant in ascending order of IDs, whatever its state; registry_invalid when there is no telling. The
// list belongs to the snapshot and must not be changed.
func (s *Snapshot) Grants() ([]Grant, error) {
	if s.GrantsState.Status == Invalid {
		return nil, pathguard.Fault(pathguard.RegistryInvalid)
	}
	return s.grants, nil
}

// DescribedProject gives a project's record, also of a disabled one. Errors: registry_invalid, project_not_found.
func (s *Snapshot) DescribedProject(id string) (Project, error) {
	projects, err := s.Projects()
	if err != nil {
		return Project{}, err
	}
	if project, ok := findProject(projects, id); ok {
		return project, nil
	}
	return Project{}, pathguard.Fault(pathguard.ProjectNotFound)
}

// Project gives a project that serves. Errors: those of DescribedProject, and project_disabled.
func (s *Snapshot) Project(id string) (Project, error) {
	project, err := s.DescribedProject(id)
	if err == nil && !project.Enabled {
		return Project{}, pathguard.Fault(pathguard.ProjectDisabled)
	}
	return project, err
}

// Grant gives a grant that is active now, by the clock. Errors: registry_invalid, grant_not_found, grant_revoked,
// grant_expired, grant_disabled, grant_unavailable.
func (s *Snapshot) Grant(id string) (Grant, error) {
	grants, err := s.Grants()
	if err != nil {
		return Grant{}, err
	}
	grant, ok := findGrant(grants, id)
	if !ok {
		return Grant{}, pathguard.Fault(pathguard.GrantNotFound)
	}
	if code := grantCodes[grant.StatusAt(s.clock())]; code != "" {
		return Grant{}, pathguard.Fault(code)
	}
	return grant, nil
}

// grantCodes are the errors of the states in which a grant does not serve.
var grantCodes = map[GrantStatus]pathguard.Code{
	Revoked:     pathguard.GrantRevoked,
	Expired:     pathguard.GrantExpired,
	Disabled:    pathguard.GrantDisabled,
	Unavailable: pathguard.GrantUnavailable,
}

// Status gives the state of a grant of this snapshot now.
func (s *Snapshot) Status(g Grant) GrantStatus { return g.StatusAt(s.clock()) }

// A Scope is the project or the grant that a call works in.
type Scope struct {
	ID             string
	Root           string
	Grant          bool   // else a project
	Git            bool   // of a project
	WriteDirectory string // of a project; "" when nothing can be written
	rules          *pathguard.RuleBook
}

// Scope resolves the scope of a call out of its two arguments, "" for one that was not given (M-27).
// Errors: scope_required, scope_conflict, and those of Project and Grant.
func (s *Snapshot) Scope(projectID, grantID string) (Scope, error) {
	switch {
	case projectID != "" && grantID != "":
		return Scope{}, pathguard.Fault(pathguard.ScopeConflict)
	case grantID != "":
		grant, err := s.Grant(grantID)
		if err != nil {
			return Scope{}, err
		}
		return Scope{ID: grant.ID, Root: grant.Root, Grant: true, rules: s.rules}, nil
	case projectID != "":
		project, err := s.Project(projectID)
		if err != nil {
			return Scope{}, err
		}
		return s.scopeOf(project), nil
	}
	return Scope{}, pathguard.Fault(pathguard.ScopeRequired)
}

// ProjectScope resolves the scope of a tool that works on projects only (M-27). Errors: scope_not_supported when a grant
// was given, scope_required, and those of Project.
func (s *Snapshot) ProjectScope(projectID, grantID string) (Scope, error) {
	if grantID != "" {
		return Scope{}, pathguard.Fault(pathguard.ScopeNotSupported)
	}
	return s.Scope(projectID, "")
}

func (s *Snapshot) scopeOf(p Project) Scope {
	return Scope{ID: p.ID, Root: p.Root, Git: p.Git, WriteDirectory: p.WriteDirectory, rules: s.rules}
}

// String gives the scope as the audit log names it: "project:ID" or "grant:ID".
func (s Scope) String() string {
	if s.Grant {
		return "grant:" + s.ID
	}
	return "project:" + s.ID
}

// Open opens the scope's root for one call, under the ignore rules as they are now. Errors: project_unavailable or
// grant_unavailable (M-31), and registry_invalid when an ignore file cannot be read.
func (s Scope) Open() (*pathguard.Tree, error) {
	rules, err := s.Rules()
	if err != nil {
		return nil, err
	}
	tree, err := pathguard.Open(s.Root, rules)
	if errors.Is(err, pathguard.ErrRootUnavailable) {
		if s.Grant {
			return nil, pathguard.Fault(pathguard.GrantUnavailable).Because(err)
		}
		return nil, pathguard.Fault(pathguard.ProjectUnavailable).Because(err)
	}
	return tree, err
}

// Rules gives the ignore rules of the scope as they are now (M-39).
func (s Scope) Rules() (*pathguard.Rules, error) {
	if s.rules == nil {
		return pathguard.BuiltinRules(), nil
	}
	if s.Grant {
		return s.rules.Rules("")
	}
	return s.rules.Rules(s.ID)
}

func available(root string) bool { return pathguard.Available(root) }
