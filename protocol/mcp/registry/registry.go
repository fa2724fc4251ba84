package registry

import (
	"path/filepath"
	"sync"
	"time"

	"projectknowledge/protocol/mcp/pathguard"
)

// A Registry is a configuration directory with its two registries. Safe for concurrent use; several processes may use the
// same directory at once.
type Registry struct {
	configDir string
	places    pathguard.Places
	clock     func() time.Time
	rules     *pathguard.RuleBook
	fixed     *Snapshot // of a server for one project (M-3)

	mu       sync.Mutex
	projects watched[Project]
	grants   watched[Grant]
	judged   time.Time // when the overlap of both was judged last
	clashing bool      // and what came of it
	current  *Snapshot
}

// New gives the registry of a configuration directory, which need not exist. Nothing is read yet. places are the
// directories that no root may touch; its Config is replaced by configDir.
func New(configDir string, places pathguard.Places) *Registry {
	if absolute, err := filepath.Abs(configDir); err == nil {
		configDir = absolute
	}
	return newRegistry(configDir, places, time.Now)
}

func newRegistry(configDir string, places pathguard.Places, clock func() time.Time) *Registry {
	places.Config = configDir
	r := &Registry{
		configDir: configDir,
		places:    places,
		clock:     clock,
		rules:     pathguard.NewRuleBook(configDir),
	}
	r.projects = watched[Project]{path: filepath.Join(configDir, ProjectsFile), parse: r.parseProjects}
	r.grants = watched[Grant]{path: filepath.Join(configDir, GrantsFile), parse: r.parseGrants}
	return r
}

// Single gives a registry that serves one project and reads no registry file (M-3); the ignore files of places.Config hold. root must be absolute; writeDirectory "" means
// that nothing can be written. Git is on when the root is the top of a work tree.
// Errors: id_invalid, root_invalid, root_forbidden, write_directory_invalid.
func Single(root, id, writeDirectory string, places pathguard.Places) (*Registry, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	canonical, err := pathguard.CheckRoot(root, places)
	if err != nil {
		return nil, err
	}
	if writeDirectory != "" {
		if writeDirectory, err = CheckWriteDirectory(writeDirectory); err != nil {
			return nil, err
		}
	}
	project := Project{
		ID: id, Name: id, Root: canonical, Enabled: true,
		Git: WorkTreeTop(canonical), WriteDirectory: writeDirectory,
	}
	served := State{Status: OK, Generation: 1}
	fixed := &Snapshot{
		ProjectsState: served, GrantsState: served,
		projects: []Project{project},
		clock:    time.Now,
		rules:    pathguard.NewRuleBook(places.Config),
	}
	return &Registry{places: places, clock: time.Now, rules: fixed.rules, fixed: fixed}, nil
}

// Snapshot gives both registries as they are now. The files are read only when their signatures have changed (M-21);
// what is wrong with them is in the snapshot's states.
func (r *Registry) Snapshot() *Snapshot {
	if r.fixed != nil {
		return r.fixed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := r.projects.refresh()
	changed = r.grants.refresh() || changed
	if now := r.clock().Round(0); changed || r.clashing || now.Before(r.judged) {
		r.judge(now) // by the clock on the wall, which may be set back
	}
	return r.current
}

// judge makes the snapshot out of both files. Roots that overlap make the file of either invalid (M-22).
func (r *Registry) judge(now time.Time) {
	projects, grants := r.projects.state, r.grants.state
	r.clashing = false
	for _, found := range clashes(r.projects.records, r.grants.records, now, r.canonical) {
		r.clashing = true
		for _, pair := range [...]clash{found, {a: found.b, b: found.a}} {
			state, problem := &projects, r.clashProblem(pair)
			if pair.a.grant {
				state = &grants
			}
			if state.Status == OK {
				state.Status, state.Problem = Invalid, problem
			}
		}
	}
	r.judged = now
	r.current = &Snapshot{
		ProjectsState: projects, GrantsState: grants,
		projects: valid(projects, r.projects.records), grants: valid(grants, r.grants.records),
		clock: r.clock, rules: r.rules,
	}
}

func valid[R any](state State, records []R) []R {
	if state.Status != OK {
		return nil
	}
	return records
}
