package mcp

import (
	"context"
	"path/filepath"
	"time"

	"projectknowledge/protocol/mcp/files/page"
	"projectknowledge/protocol/mcp/gitview"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// healthResult is the result of health (M-46).
type healthResult struct {
	Status                 string           `json:"status"`
	ServerVersion          string           `json:"server_version"`
	ProtocolVersions       []string         `json:"protocol_versions"`
	ProjectsRegistryStatus registry.Status  `json:"projects_registry_status"`
	GrantsRegistryStatus   registry.Status  `json:"grants_registry_status"`
	ProjectsRegistryError  *registry.Kind   `json:"projects_registry_error"`
	GrantsRegistryError    *registry.Kind   `json:"grants_registry_error"`
	ProjectsGeneration     int              `json:"projects_generation"`
	GrantsGeneration       int              `json:"grants_generation"`
	ProjectCount           int              `json:"project_count"`
	EnabledProjectCount    int              `json:"enabled_project_count"`
	GrantCount             int              `json:"grant_count"`
	ActiveGrantCount       int              `json:"active_grant_count"`
	DocumentCreation       documentCreation `json:"document_creation"`
	MaxReadBytes           int64            `json:"max_read_bytes"`
}

type documentCreation struct {
	MaxWriteBytes      int64 `json:"max_write_bytes"`
	MaxChunkBytes      int64 `json:"max_chunk_bytes"`
	MaxDocumentBytes   int64 `json:"max_document_bytes"`
	MaxDocumentChunks  int   `json:"max_document_chunks"`
	MaxDocumentUploads int   `json:"max_document_uploads"`
	UploadTTLSeconds   int64 `json:"upload_ttl_seconds"`
	ActiveUploads      int   `json:"active_uploads"`
}

const (
	statusOK       = "ok"
	statusDegraded = "degraded"
)

// statusOf judges a snapshot: without projects.yaml the server has nothing to do, without grants.yaml it has (M-22).
func statusOf(s *registry.Snapshot) string {
	if s.ProjectsState.Status != registry.OK || s.GrantsState.Status == registry.Invalid {
		return statusDegraded
	}
	return statusOK
}

func runHealth(_ context.Context, c *call) (any, error) {
	snapshot := c.server.registry.Snapshot()
	limits := &c.server.limits
	health := &healthResult{
		Status: statusOf(snapshot), ServerVersion: c.server.version, ProtocolVersions: protocolVersions,
		ProjectsRegistryStatus: snapshot.ProjectsState.Status, GrantsRegistryStatus: snapshot.GrantsState.Status,
		ProjectsRegistryError: problemOf(snapshot.ProjectsState), GrantsRegistryError: problemOf(snapshot.GrantsState),
		ProjectsGeneration: snapshot.ProjectsState.Generation, GrantsGeneration: snapshot.GrantsState.Generation,
		DocumentCreation: documentCreation{
			MaxWriteBytes: limits.Documents.WriteBytes, MaxChunkBytes: limits.Documents.ChunkBytes,
			MaxDocumentBytes: limits.Documents.DocumentBytes, MaxDocumentChunks: limits.Documents.Chunks,
			MaxDocumentUploads: limits.Documents.Uploads, UploadTTLSeconds: int64(limits.Documents.TTL / time.Second),
			ActiveUploads: c.server.activeUploads(),
		},
		MaxReadBytes: limits.Files.ReadBytes,
	}
	// The error of a registry that is invalid stands in the states already; nothing is counted then.
	projects, _ := snapshot.Projects()
	health.ProjectCount = len(projects)
	for _, p := range projects {
		if p.Enabled {
			health.EnabledProjectCount++
		}
	}
	grants, _ := snapshot.Grants()
	health.GrantCount = len(grants)
	for _, g := range grants {
		if snapshot.Status(g) == registry.Active {
			health.ActiveGrantCount++
		}
	}
	return health, nil
}

func problemOf(state registry.State) *registry.Kind {
	kind := state.Kind()
	if kind == "" {
		return nil
	}
	return &kind
}

// projectEntry is a project as list_projects and project_info give it (M-47).
type projectEntry struct {
	ProjectID      string  `json:"project_id"`
	Name           string  `json:"name"`
	Enabled        bool    `json:"enabled"`
	Available      bool    `json:"available"`
	Git            bool    `json:"git"`
	WriteDirectory *string `json:"write_directory"` // nil when nothing can be written (M-3)
}

func entryOf(p registry.Project) projectEntry {
	entry := projectEntry{ProjectID: p.ID, Name: p.Name, Enabled: p.Enabled, Available: p.Available(), Git: p.Git}
	if p.WriteDirectory != "" {
		entry.WriteDirectory = &p.WriteDirectory
	}
	return entry
}

type listProjectsResult struct {
	Projects   []projectEntry `json:"projects"`
	TotalCount int            `json:"total_count"`
	Complete   bool           `json:"complete"`
}

var (
	listProjectsFixed = page.Bound(listProjectsResult{TotalCount: 1 << 20})
	projectEntryFixed = page.Bound(projectEntry{WriteDirectory: new(string)})
)

func runListProjects(ctx context.Context, c *call) (any, error) {
	projects, err := c.server.registry.Snapshot().Projects()
	if err != nil {
		return nil, err
	}
	list := &listProjectsResult{Projects: []projectEntry{}, TotalCount: len(projects)}
	room := page.NewMeter(c.server.limits.Files.ResultBytes, listProjectsFixed)
	for _, p := range projects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !room.Take(projectEntryFixed + page.StringSize(p.ID) + page.StringSize(p.Name) + page.StringSize(p.WriteDirectory)) {
			break
		}
		list.Projects = append(list.Projects, entryOf(p))
	}
	list.Complete = len(list.Projects) == list.TotalCount
	return list, nil
}

type projectInfoResult struct {
	projectEntry
	RootName   string           `json:"root_name"`
	GitSummary *gitview.Summary `json:"git_summary"`
}

func runProjectInfo(ctx context.Context, c *call) (any, error) {
	project, err := c.server.registry.Snapshot().DescribedProject(c.args.text(projectID.name))
	if err != nil {
		return nil, err
	}
	info := &projectInfoResult{projectEntry: entryOf(project), RootName: filepath.Base(project.Root)}
	if !project.Enabled || !project.Git || !info.Available {
		return info, nil
	}
	if c.scope, err = c.server.registry.Snapshot().Scope(project.ID, ""); err != nil {
		return nil, err
	}
	info.GitSummary, err = summarize(ctx, c)
	return info, err
}

// summarize gives the Git part of a project's description; nil when its repository cannot be looked at, for which
// git_status gives the reason.
func summarize(ctx context.Context, c *call) (*gitview.Summary, error) {
	git, repository, err := c.repository()
	if err != nil {
		return nil, nil
	}
	summary, err := git.Summarize(ctx, repository)
	if pathguard.CodeOf(err) == pathguard.Cancelled {
		return nil, err
	}
	return summary, nil
}

type grantEntry struct {
	GrantID   string               `json:"grant_id"`
	Name      string               `json:"name"`
	Status    registry.GrantStatus `json:"status"`
	Permanent bool                 `json:"permanent"`
	ExpiresAt *string              `json:"expires_at"` // nil for a permanent one
}

type listGrantsResult struct {
	Grants     []grantEntry `json:"grants"`
	TotalCount int          `json:"total_count"`
	Complete   bool         `json:"complete"`
}

var (
	listGrantsFixed = page.Bound(listGrantsResult{TotalCount: 1 << 20})
	grantEntryFixed = page.Bound(grantEntry{Status: registry.Unavailable, ExpiresAt: new(time.RFC3339)}) + len("+00:00")
)

func runListGrants(_ context.Context, c *call) (any, error) {
	snapshot := c.server.registry.Snapshot()
	grants, err := snapshot.Grants()
	if err != nil {
		return nil, err
	}
	list := &listGrantsResult{Grants: []grantEntry{}, TotalCount: len(grants)}
	room := page.NewMeter(c.server.limits.Files.ResultBytes, listGrantsFixed)
	for _, g := range grants {
		if !room.Take(grantEntryFixed + page.StringSize(g.ID) + page.StringSize(g.Name)) {
			break
		}
		entry := grantEntry{GrantID: g.ID, Name: g.Name, Status: snapshot.Status(g), Permanent: g.Permanent}
		if !g.Permanent {
			expires := g.ExpiresAt.UTC().Format(time.RFC3339)
			entry.ExpiresAt = &expires
		}
		list.Grants = append(list.Grants, entry)
	}
	list.Complete = len(list.Grants) == list.TotalCount
	return list, nil
}
