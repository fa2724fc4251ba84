package registry

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A draft is both registries in the hands of the one writer that holds the lock.
type draft struct {
	projects []Project
	grants   []Grant
	now      time.Time
}

// stamp gives the moment as it is written: in UTC and whole seconds.
func stamp(at time.Time) time.Time { return at.UTC().Truncate(time.Second) }

// A change is what a command does to a draft. reserves says that it may give a root that was free before: then both
// registries must be valid, and still be when it is done. One that only gives roots back must not be kept from it by an
// overlap, or by the other registry.
type change struct {
	grants   bool // in grants.yaml, else in projects.yaml
	reserves bool
	apply    func(d *draft) error
}

// edit reads both registries under the lock, applies a change and writes the file that it concerns (M-26). A change that
// changes nothing writes nothing. Errors: those of apply, registry_invalid with file, line and reason (M-67),
// root_overlap, busy, write_failed.
func (r *Registry) edit(ctx context.Context, c change) error {
	if err := os.MkdirAll(r.configDir, 0o700); err != nil {
		return writeFault(err)
	}
	unlock, err := lock(ctx, r.configDir)
	if err != nil {
		return writeFault(err)
	}
	defer unlock()
	now := newRegistry(r.configDir, r.places, r.clock)
	if err := now.editable(c); err != nil {
		return err
	}
	d := draft{
		projects: slices.Clone(now.projects.records), grants: slices.Clone(now.grants.records),
		now: r.clock(),
	}
	if err := c.apply(&d); err != nil {
		return err
	}
	if slices.Equal(d.projects, now.projects.records) && slices.EqualFunc(d.grants, now.grants.records, sameGrant) {
		return nil
	}
	if c.reserves {
		if found := clashes(d.projects, d.grants, d.now, now.canonical); len(found) > 0 {
			return pathguard.Errorf(pathguard.RootOverlap, "The root of %s overlaps that of %s.", found[0].b, found[0].a)
		}
	}
	return now.write(c, d)
}

// editable loads both files and refuses what the change must not be built on.
func (r *Registry) editable(c change) error {
	snapshot := r.Snapshot()
	own, other := snapshot.ProjectsState, snapshot.GrantsState
	if c.grants {
		own, other = other, own
	}
	if own.Status == Invalid && (c.reserves || own.Kind() != Overlap) {
		return invalidFault(own.Problem)
	}
	if other.Status == Invalid && c.reserves {
		return invalidFault(other.Problem)
	}
	return nil
}

// write replaces one file after proving that it will be read back as what was meant.
func (r *Registry) write(c change, d draft) error {
	if c.grants {
		text, err := encodeGrants(d.grants)
		if err != nil {
			return writeFault(err)
		}
		back, _, problem := r.parseGrants(text)
		if problem == nil && !slices.EqualFunc(back, d.grants, sameGrant) {
			problem = &Problem{Kind: SchemaError, Reason: "the record cannot be written"}
		}
		return r.replace(r.grants.path, text, problem)
	}
	text, err := encodeProjects(d.projects)
	if err != nil {
		return writeFault(err)
	}
	back, _, problem := r.parseProjects(text)
	if problem == nil && !slices.Equal(back, d.projects) {
		problem = &Problem{Kind: SchemaError, Reason: "the record cannot be written"}
	}
	return r.replace(r.projects.path, text, problem)
}

func (r *Registry) replace(path string, text []byte, problem *Problem) error {
	if problem == nil && len(text) > maxFileBytes {
		problem = &Problem{Kind: SchemaError, Reason: fmt.Sprintf("the file would be larger than %d bytes", maxFileBytes)}
	}
	if problem != nil {
		return pathguard.Errorf(pathguard.RegistryInvalid, "The registry would become invalid: %s.", problem.Reason)
	}
	if err := publish(path, text); err != nil {
		return writeFault(err)
	}
	return nil
}

func sameGrant(a, b Grant) bool {
	times := a.CreatedAt.Equal(b.CreatedAt) && a.ExpiresAt.Equal(b.ExpiresAt) && a.RevokedAt.Equal(b.RevokedAt)
	a.CreatedAt, a.ExpiresAt, a.RevokedAt = b.CreatedAt, b.ExpiresAt, b.RevokedAt
	return times && a == b
}

// invalidFault tells the administrator where a registry is wrong.
func invalidFault(problem *Problem) error {
	return pathguard.Errorf(pathguard.RegistryInvalid, "%w", problem)
}

// writeFault tells the administrator why a registry could not be written.
func writeFault(err error) error {
	if pathguard.CodeOf(err) != pathguard.InternalError {
		return err
	}
	return pathguard.Errorf(pathguard.WriteFailed, "The registry could not be written: %w", err)
}
