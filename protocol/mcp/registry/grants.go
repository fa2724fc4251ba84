package registry

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// The commands of the administrator on grants (M-64, M-66). Their errors are *pathguard.Error for the local command line.

// MaxTTL is the longest time to live of a grant (M-25).
const MaxTTL = 365 * 24 * time.Hour

var ttlForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]{1,9})([mhd])$`) })

// ParseTTL reads a time to live: a positive whole number and m, h or d, at most 365 days. Error: ttl_invalid.
func ParseTTL(word string) (time.Duration, error) {
	unit := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	found := ttlForm().FindStringSubmatch(word)
	if found == nil {
		return 0, pathguard.Fault(pathguard.TTLInvalid)
	}
	count, err := strconv.Atoi(found[1])
	if err != nil || count == 0 || count > int(MaxTTL/unit[found[2]]) {
		return 0, pathguard.Fault(pathguard.TTLInvalid)
	}
	return time.Duration(count) * unit[found[2]], nil
}

// AddGrant registers root, in its canonical form, under a new ID; ttl 0 makes a permanent grant. The ID of a grant that
// has ended is not free while its record is kept (M-19). Errors: id_invalid, id_exists, invalid_arguments for the name,
// ttl_invalid, root_invalid, root_forbidden, root_overlap, registry_invalid, busy, write_failed.
func (r *Registry) AddGrant(ctx context.Context, id, name, root string, ttl time.Duration) (Grant, error) {
	if err := checkID(id); err != nil {
		return Grant{}, err
	}
	if !validRecordName(name) {
		return Grant{}, nameFault()
	}
	if ttl < 0 || ttl > MaxTTL {
		return Grant{}, pathguard.Fault(pathguard.TTLInvalid)
	}
	canonical, err := pathguard.CheckRoot(root, r.places)
	if err != nil {
		return Grant{}, err
	}
	g := Grant{ID: id, Name: name, Root: canonical, Permanent: ttl == 0}
	err = r.edit(ctx, change{grants: true, reserves: true, apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.grants, id, byGrantID)
		if exists {
			return pathguard.Fault(pathguard.IDExists)
		}
		g.CreatedAt = stamp(d.now)
		if ttl > 0 {
			g.ExpiresAt = stamp(d.now.Add(ttl))
		}
		d.grants = slices.Insert(d.grants, at, g)
		return nil
	}})
	if err != nil {
		return Grant{}, err
	}
	return g, nil
}

// EnableGrant ends a disablement. Errors: grant_not_found, state_conflict for a grant that is revoked or expired,
// registry_invalid, root_overlap, busy, write_failed.
func (r *Registry) EnableGrant(ctx context.Context, id string) (Grant, error) {
	return r.setGrant(ctx, id, true, func(g *Grant, now time.Time) error {
		if g.Revoked || g.expired(now) {
			return pathguard.Errorf(pathguard.StateConflict, "A grant that is revoked or expired cannot be enabled; make a new one.")
		}
		g.Disabled = false
		return nil
	})
}

// DisableGrant keeps a grant from serving; its root stays reserved (M-23). Errors: grant_not_found, state_conflict for a
// revoked grant, registry_invalid, busy, write_failed.
func (r *Registry) DisableGrant(ctx context.Context, id string) (Grant, error) {
	return r.setGrant(ctx, id, false, func(g *Grant, _ time.Time) error {
		if g.Revoked {
			return pathguard.Errorf(pathguard.StateConflict, "The grant is revoked for good.")
		}
		g.Disabled = true
		return nil
	})
}

// RevokeGrant ends a grant for good; its record is kept and its root is free again. Errors: those of DisableGrant.
func (r *Registry) RevokeGrant(ctx context.Context, id string) (Grant, error) {
	return r.setGrant(ctx, id, false, func(g *Grant, now time.Time) error {
		if g.Revoked {
			return pathguard.Errorf(pathguard.StateConflict, "The grant is revoked already.")
		}
		g.Revoked, g.RevokedAt = true, stamp(now)
		return nil
	})
}

func (r *Registry) setGrant(ctx context.Context, id string, reserves bool, set func(g *Grant, now time.Time) error) (Grant, error) {
	var updated Grant
	err := r.edit(ctx, change{grants: true, reserves: reserves, apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.grants, id, byGrantID)
		if !exists {
			return pathguard.Fault(pathguard.GrantNotFound)
		}
		if err := set(&d.grants[at], d.now); err != nil {
			return err
		}
		updated = d.grants[at]
		return nil
	}})
	if err != nil {
		return Grant{}, err
	}
	return updated, nil
}

func byGrantID(g Grant, id string) int { return strings.Compare(g.ID, id) }
