package registry

import (
	"context"
	"slices"
	"strings"

	"projectknowledge/protocol/mcp/pathguard"
)

// The commands of the administrator on projects (M-64, M-66). Their errors are *pathguard.Error for the local command line.

// AddProject registers p.Root, in its canonical form, under a new ID.
// Errors: id_invalid, id_exists, invalid_arguments for the name, root_invalid, root_forbidden, root_overlap,
// write_directory_invalid, registry_invalid, busy, write_failed.
func (r *Registry) AddProject(ctx context.Context, p Project) (Project, error) {
	if err := checkID(p.ID); err != nil {
		return Project{}, err
	}
	p, err := r.checkedProject(p, true)
	if err != nil {
		return Project{}, err
	}
	err = r.edit(ctx, change{reserves: true, apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.projects, p.ID, byProjectID)
		if exists {
			return pathguard.Fault(pathguard.IDExists)
		}
		d.projects = slices.Insert(d.projects, at, p)
		return nil
	}})
	if err != nil {
		return Project{}, err
	}
	return p, nil
}

// A ProjectChange has the fields that an update sets; nil leaves one as it is.
type ProjectChange struct {
	Name, Root, WriteDirectory *string
	Git                        *bool
}

// UpdateProject changes fields of a record. Errors: project_not_found and those of AddProject.
func (r *Registry) UpdateProject(ctx context.Context, id string, set ProjectChange) (Project, error) {
	var updated Project
	err := r.edit(ctx, change{reserves: true, apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.projects, id, byProjectID)
		if !exists {
			return pathguard.Fault(pathguard.ProjectNotFound)
		}
		p := d.projects[at]
		assign(&p.Name, set.Name)
		assign(&p.Root, set.Root)
		assign(&p.Git, set.Git)
		assign(&p.WriteDirectory, set.WriteDirectory)
		var err error
		if updated, err = r.checkedProject(p, p.Root != d.projects[at].Root || p.Git && !d.projects[at].Git); err != nil {
			return err
		}
		d.projects[at] = updated
		return nil
	}})
	if err != nil {
		return Project{}, err
	}
	return updated, nil
}

func assign[V any](field *V, value *V) {
	if value != nil {
		*field = *value
	}
}

// checkedProject checks the fields of a record that is to be written; rooted says that the root is looked at as well.
func (r *Registry) checkedProject(p Project, rooted bool) (Project, error) {
	if !validRecordName(p.Name) {
		return Project{}, nameFault()
	}
	var err error
	if p.WriteDirectory, err = CheckWriteDirectory(p.WriteDirectory); err != nil {
		return Project{}, err
	}
	if !rooted {
		return p, nil
	}
	if p.Root, err = pathguard.CheckRoot(p.Root, r.places); err != nil {
		return Project{}, err
	}
	if p.Git && !WorkTreeTop(p.Root) {
		return Project{}, pathguard.Errorf(pathguard.RootInvalid, "The root is not the top of a Git work tree; leave Git off or give the top.")
	}
	return p, nil
}

func nameFault() error {
	return pathguard.Errorf(pathguard.InvalidArguments, "The name must have 1 to %d characters and no control characters.", maxNameRunes)
}

// EnableProject lets a project serve. Errors: project_not_found, registry_invalid, busy, write_failed.
func (r *Registry) EnableProject(ctx context.Context, id string) (Project, error) {
	return r.setEnabled(ctx, id, true)
}

// DisableProject keeps a project from serving; its root stays reserved (M-23).
func (r *Registry) DisableProject(ctx context.Context, id string) (Project, error) {
	return r.setEnabled(ctx, id, false)
}

func (r *Registry) setEnabled(ctx context.Context, id string, enabled bool) (Project, error) {
	var updated Project
	err := r.edit(ctx, change{reserves: enabled, apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.projects, id, byProjectID)
		if !exists {
			return pathguard.Fault(pathguard.ProjectNotFound)
		}
		d.projects[at].Enabled = enabled
		updated = d.projects[at]
		return nil
	}})
	if err != nil {
		return Project{}, err
	}
	return updated, nil
}

// RemoveProject forgets a project; its ID and its root are free again. Its files are not touched.
func (r *Registry) RemoveProject(ctx context.Context, id string) error {
	return r.edit(ctx, change{apply: func(d *draft) error {
		at, exists := slices.BinarySearchFunc(d.projects, id, byProjectID)
		if !exists {
			return pathguard.Fault(pathguard.ProjectNotFound)
		}
		d.projects = slices.Delete(d.projects, at, at+1)
		return nil
	}})
}

func byProjectID(p Project, id string) int { return strings.Compare(p.ID, id) }
