package registry

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"projectknowledge/protocol/mcp/pathguard"
)

// parseRecords reads the frame that both registries share: version, and the mapping of IDs to records.
func parseRecords(text []byte, list string) ([]field, *Problem) {
	top, problem := parseDocument(text)
	if problem != nil {
		return nil, problem
	}
	entries, problem := fields(top, "the file")
	if problem != nil {
		return nil, problem
	}
	var version, records *yaml.Node
	for _, f := range entries {
		switch f.key {
		case "version":
			version = f.value
		case list:
			records = f.value
		default:
			return nil, wrong(f.at, SchemaError, "the key %s is not known", quoted(f.key))
		}
	}
	switch {
	case version == nil:
		return nil, wrong(top, SchemaError, "version is missing")
	case version.Kind != yaml.ScalarNode || version.ShortTag() != "!!int" || version.Value != "1":
		return nil, wrong(version, SchemaError, "version must be %d", formatVersion)
	case records == nil:
		return nil, wrong(top, SchemaError, "%s is missing", list)
	}
	found, problem := fields(records, list)
	if problem != nil {
		return nil, problem
	}
	if len(found) > maxRecords {
		return nil, wrong(found[maxRecords].at, SchemaError, "there are more than %d records", maxRecords)
	}
	for _, f := range found {
		if !validID(f.key) {
			return nil, wrong(f.at, SchemaError, "the ID %s must have 1 to 64 characters out of a-z, 0-9, '_' and '-'", quoted(f.key))
		}
	}
	slices.SortFunc(found, func(a, b field) int { return strings.Compare(a.key, b.key) })
	return found, nil
}

// parseProjects reads projects.yaml (M-17); the records come in ascending order of IDs.
func (r *Registry) parseProjects(text []byte) ([]Project, rootReader, *Problem) {
	roots := r.newRootReader()
	records, problem := parseRecords(text, "projects")
	if problem != nil {
		return nil, roots, problem
	}
	projects := make([]Project, 0, len(records))
	for _, record := range records {
		project, problem := parseProject(record, roots)
		if problem != nil {
			return nil, roots, problem
		}
		projects = append(projects, project)
	}
	return projects, roots, nil
}

func parseProject(record field, roots rootReader) (Project, *Problem) {
	entries, problem := fields(record.value, "a project")
	if problem != nil {
		return Project{}, problem
	}
	p := Project{ID: record.key, Enabled: true, WriteDirectory: DefaultWriteDirectory}
	present := make(map[string]field, len(entries))
	for _, f := range entries {
		present[f.key] = f
		switch f.key {
		case "name":
			problem = text(f, &p.Name)
		case "root":
			problem = text(f, &p.Root)
		case "enabled":
			problem = truth(f, &p.Enabled)
		case "git":
			problem = truth(f, &p.Git)
		case "write_directory":
			problem = text(f, &p.WriteDirectory)
		default:
			problem = wrong(f.at, SchemaError, "the key %s is not known", quoted(f.key))
		}
		if problem != nil {
			return Project{}, problem
		}
	}
	if p.Root, problem = checkCommon(record, present, roots, p.Name, p.Root); problem != nil {
		return Project{}, problem
	}
	clean, err := CheckWriteDirectory(p.WriteDirectory)
	if err != nil {
		return Project{}, wrong(present["write_directory"].value, SchemaError, "write_directory must be a relative path of 1 to %d plain, visible names", maxWriteComponents)
	}
	p.WriteDirectory = clean
	return p, nil
}

// checkCommon checks the fields that projects and grants share and gives the cleaned root.
func checkCommon(record field, present map[string]field, roots rootReader, name, root string) (string, *Problem) {
	for _, key := range [...]string{"name", "root"} {
		if _, ok := present[key]; !ok {
			return "", wrong(record.at, SchemaError, "%s: %s is missing", record.key, key)
		}
	}
	if !validRecordName(name) {
		return "", wrong(present["name"].value, SchemaError, "name must have 1 to %d characters and no control characters", maxNameRunes)
	}
	roots.lines[record.key] = present["root"].value.Line
	clean, err := roots.check(root)
	switch pathguard.CodeOf(err) {
	case "":
		return clean, nil
	case pathguard.RootForbidden:
		return "", wrong(present["root"].value, RootForbidden, "%s: %s", record.key, sentence(err))
	}
	return "", wrong(present["root"].value, SchemaError, "%s: %s", record.key, sentence(err))
}

// parseGrants reads grants.yaml (M-18).
func (r *Registry) parseGrants(text []byte) ([]Grant, rootReader, *Problem) {
	roots := r.newRootReader()
	records, problem := parseRecords(text, "grants")
	if problem != nil {
		return nil, roots, problem
	}
	grants := make([]Grant, 0, len(records))
	for _, record := range records {
		grant, problem := parseGrant(record, roots)
		if problem != nil {
			return nil, roots, problem
		}
		grants = append(grants, grant)
	}
	return grants, roots, nil
}

func parseGrant(record field, roots rootReader) (Grant, *Problem) {
	entries, problem := fields(record.value, "a grant")
	if problem != nil {
		return Grant{}, problem
	}
	g := Grant{ID: record.key}
	present := make(map[string]field, len(entries))
	for _, f := range entries {
		present[f.key] = f
		switch f.key {
		case "name":
			problem = text(f, &g.Name)
		case "root":
			problem = text(f, &g.Root)
		case "created_at":
			problem = moment(f, &g.CreatedAt)
		case "expires_at":
			problem = moment(f, &g.ExpiresAt)
		case "permanent":
			problem = truth(f, &g.Permanent)
		case "disabled":
			problem = truth(f, &g.Disabled)
		case "revoked":
			problem = truth(f, &g.Revoked)
		case "revoked_at":
			problem = moment(f, &g.RevokedAt)
		default:
			problem = wrong(f.at, SchemaError, "the key %s is not known", quoted(f.key))
		}
		if problem != nil {
			return Grant{}, problem
		}
	}
	if g.Root, problem = checkCommon(record, present, roots, g.Name, g.Root); problem != nil {
		return Grant{}, problem
	}
	return g, checkGrantTimes(record, present, g)
}

// checkGrantTimes checks that a grant ends in exactly one way, and that a time of revocation is one.
func checkGrantTimes(record field, present map[string]field, g Grant) *Problem {
	_, expires := present["expires_at"]
	switch {
	case expires && g.Permanent:
		return wrong(present["permanent"].value, SchemaError, "%s: both expires_at and permanent: true", record.key)
	case !expires && !g.Permanent:
		return wrong(record.at, SchemaError, "%s: neither expires_at nor permanent: true", record.key)
	}
	if f, ok := present["revoked_at"]; ok && !g.Revoked {
		return wrong(f.at, SchemaError, "%s: revoked_at without revoked: true", record.key)
	}
	return nil
}

// moment reads an RFC 3339 time with a zone.
func moment(f field, into *time.Time) *Problem {
	tag := f.value.ShortTag()
	if f.value.Kind == yaml.ScalarNode && (tag == "!!timestamp" || tag == "!!str") {
		if at, err := time.Parse(time.RFC3339Nano, f.value.Value); err == nil && !at.IsZero() {
			*into = at.UTC()
			return nil
		}
	}
	return wrong(f.value, SchemaError, "%s must be a time like 2026-01-01T00:00:00Z, with a zone", f.key)
}
