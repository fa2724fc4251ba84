package registry

import (
	"bytes"
	"time"

	"go.yaml.in/yaml/v3"
)

const fileHeader = "# Written by project-knowledge. Comments are not kept when it writes again.\n"

// The files as they are written. Fields stand in the order of M-17 and M-18; those that have their default and were not
// asked for are left out.
type projectsFile struct {
	Version  int                      `yaml:"version"`
	Projects map[string]projectRecord `yaml:"projects"`
}

type projectRecord struct {
	Name           string `yaml:"name"`
	Root           string `yaml:"root"`
	Enabled        bool   `yaml:"enabled"`
	Git            bool   `yaml:"git"`
	WriteDirectory string `yaml:"write_directory"`
}

type grantsFile struct {
	Version int                    `yaml:"version"`
	Grants  map[string]grantRecord `yaml:"grants"`
}

type grantRecord struct {
	Name      string     `yaml:"name"`
	Root      string     `yaml:"root"`
	CreatedAt *time.Time `yaml:"created_at,omitempty"`
	ExpiresAt *time.Time `yaml:"expires_at,omitempty"`
	Permanent bool       `yaml:"permanent,omitempty"`
	Disabled  bool       `yaml:"disabled"`
	Revoked   bool       `yaml:"revoked"`
	RevokedAt *time.Time `yaml:"revoked_at,omitempty"`
}

func encodeProjects(projects []Project) ([]byte, error) {
	file := projectsFile{Version: formatVersion, Projects: make(map[string]projectRecord, len(projects))}
	for _, p := range projects {
		file.Projects[p.ID] = projectRecord{
			Name: p.Name, Root: p.Root, Enabled: p.Enabled, Git: p.Git, WriteDirectory: p.WriteDirectory,
		}
	}
	return encode(file)
}

func encodeGrants(grants []Grant) ([]byte, error) {
	file := grantsFile{Version: formatVersion, Grants: make(map[string]grantRecord, len(grants))}
	for _, g := range grants {
		file.Grants[g.ID] = grantRecord{
			Name: g.Name, Root: g.Root, CreatedAt: optional(g.CreatedAt), ExpiresAt: optional(g.ExpiresAt),
			Permanent: g.Permanent, Disabled: g.Disabled, Revoked: g.Revoked, RevokedAt: optional(g.RevokedAt),
		}
	}
	return encode(file)
}

func optional(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}

func encode(file any) ([]byte, error) {
	text := bytes.NewBufferString(fileHeader)
	encoder := yaml.NewEncoder(text)
	encoder.SetIndent(2)
	if err := encoder.Encode(file); err != nil {
		return nil, err
	}
	return text.Bytes(), encoder.Close()
}
