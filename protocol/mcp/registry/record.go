package registry

import "time"

// Names of the registries in the configuration directory, and what a reader accepts of them (M-17 to M-20).
const (
	ProjectsFile = "projects.yaml"
	GrantsFile   = "grants.yaml"

	formatVersion = 1
	maxFileBytes  = 1 << 20
	maxRecords    = 1000
	maxNameRunes  = 200

	// DefaultWriteDirectory is that of a project whose record names none (M-24).
	DefaultWriteDirectory = "docs"
)

// A Project is one record of projects.yaml. WriteDirectory is "" only for a project that is served without a registry
// and without a write directory (M-3): nothing can be written there.
type Project struct {
	ID             string
	Name           string
	Root           string
	Enabled        bool
	Git            bool
	WriteDirectory string
}

// A Grant is one record of grants.yaml. A zero time stands for a field that is absent.
type Grant struct {
	ID        string
	Name      string
	Root      string
	CreatedAt time.Time
	ExpiresAt time.Time
	Permanent bool
	Disabled  bool
	Revoked   bool
	RevokedAt time.Time
}

// A GrantStatus is the state of a grant at a moment.
type GrantStatus string

// The states of M-25, in the order in which they are decided.
const (
	Revoked     GrantStatus = "revoked"
	Expired     GrantStatus = "expired"
	Disabled    GrantStatus = "disabled"
	Unavailable GrantStatus = "unavailable"
	Active      GrantStatus = "active"
)

// StatusAt gives the state at a moment. It looks at the disk only when nothing else decides.
func (g Grant) StatusAt(now time.Time) GrantStatus {
	switch {
	case g.Revoked:
		return Revoked
	case g.expired(now):
		return Expired
	case g.Disabled:
		return Disabled
	case !available(g.Root):
		return Unavailable
	}
	return Active
}

func (g Grant) expired(now time.Time) bool { return !g.Permanent && !now.Before(g.ExpiresAt) }

// reserves reports whether no other root may touch the grant's (M-23).
func (g Grant) reserves(now time.Time) bool { return !g.Revoked && !g.expired(now) }

// Available reports whether the project's root can be opened now.
func (p Project) Available() bool { return available(p.Root) }
