package registry

import (
	"slices"
	"strings"
)

func findProject(projects []Project, id string) (Project, bool) {
	at, found := slices.BinarySearchFunc(projects, id, func(p Project, id string) int { return strings.Compare(p.ID, id) })
	if !found {
		return Project{}, false
	}
	return projects[at], true
}

func findGrant(grants []Grant, id string) (Grant, bool) {
	at, found := slices.BinarySearchFunc(grants, id, func(g Grant, id string) int { return strings.Compare(g.ID, id) })
	if !found {
		return Grant{}, false
	}
	return grants[at], true
}
