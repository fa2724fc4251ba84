package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp/registry"
)

// projectRecord is a project as the command line tells it (M-65). Roots are shown here and nowhere else (M-29).
type projectRecord struct {
	ID             string `json:"project_id"`
	Name           string `json:"name"`
	Root           string `json:"root"`
	Enabled        bool   `json:"enabled"`
	Git            bool   `json:"git"`
	WriteDirectory string `json:"write_directory"`
	Available      bool   `json:"available"`
}

func describeProject(p registry.Project) projectRecord {
	return projectRecord{p.ID, p.Name, p.Root, p.Enabled, p.Git, p.WriteDirectory, p.Available()}
}

func newProject(c *console) *cobra.Command {
	flags := &registryFlags{}
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Register the directories that the MCP server serves as projects",
		Long: `project changes and shows projects.yaml of the configuration directory. A running server notices every change at its
next call. Roots must not overlap: neither with those of other projects, also disabled ones, nor with those of grants.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags.add(cmd)
	cmd.AddCommand(
		newProjectAdd(c, flags), newProjectList(c, flags), newProjectShow(c, flags), newProjectUpdate(c, flags),
		newProjectSwitch(c, flags, "enable", "Let a project serve", (*registry.Registry).EnableProject),
		newProjectSwitch(c, flags, "disable", "Keep a project from serving; its root stays reserved", (*registry.Registry).DisableProject),
		newProjectRemove(c, flags),
	)
	return cmd
}

// recordFlags are the fields of a project on the command line.
type recordFlags struct {
	name, root, writeDirectory string
	git, noGit                 bool
}

func (f *recordFlags) add(cmd *cobra.Command, writeDirectory string) {
	cmd.Flags().StringVar(&f.name, "name", "", "`NAME` for people")
	cmd.Flags().StringVar(&f.root, "root", "", "absolute `DIR` to serve")
	cmd.Flags().StringVar(&f.writeDirectory, "write-directory", writeDirectory, "`DIR` below the root where documents may be created")
	cmd.Flags().BoolVar(&f.git, "git", false, "offer git_status and git_diff; the root must be the top of a work tree")
	cmd.Flags().BoolVar(&f.noGit, "no-git", false, "do not offer them")
}

// gitChoice is what the command line says of Git; nil when it says nothing.
func (f *recordFlags) gitChoice(cmd *cobra.Command) (*bool, error) {
	switch with, without := cmd.Flags().Changed("git"), cmd.Flags().Changed("no-git"); {
	case with && without:
		return nil, &usageError{errors.New("--git and --no-git exclude each other")}
	case with:
		return &f.git, nil
	case without:
		on := !f.noGit
		return &on, nil
	}
	return nil, nil
}

func newProjectAdd(c *console, flags *registryFlags) *cobra.Command {
	var (
		fields   recordFlags
		id       string
		disabled bool
	)
	cmd := &cobra.Command{
		Use:   "add --id ID --name NAME --root DIR",
		Short: "Register a directory as a project",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needFlags(cmd, "id", "name", "root"); err != nil {
				return err
			}
			git, err := fields.gitChoice(cmd)
			if err != nil {
				return err
			}
			return c.changeProject(flags, "added", func(r *registry.Registry) (registry.Project, error) {
				return r.AddProject(cmd.Context(), registry.Project{
					ID: id, Name: fields.name, Root: fields.root,
					Enabled: !disabled, Git: git != nil && *git, WriteDirectory: fields.writeDirectory,
				})
			})
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "`ID` out of a-z, 0-9, '_' and '-', at most 64")
	cmd.Flags().BoolVar(&disabled, "disabled", false, "register it without serving it")
	fields.add(cmd, registry.DefaultWriteDirectory)
	return cmd
}

func newProjectUpdate(c *console, flags *registryFlags) *cobra.Command {
	var fields recordFlags
	cmd := &cobra.Command{
		Use:   "update ID",
		Short: "Change fields of a project; what is not named stays",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			git, err := fields.gitChoice(cmd)
			if err != nil {
				return err
			}
			return c.changeProject(flags, "updated", func(r *registry.Registry) (registry.Project, error) {
				return r.UpdateProject(cmd.Context(), args[0], registry.ProjectChange{
					Name: given(cmd, "name", &fields.name), Root: given(cmd, "root", &fields.root),
					WriteDirectory: given(cmd, "write-directory", &fields.writeDirectory), Git: git,
				})
			})
		},
	}
	fields.add(cmd, "")
	return cmd
}

func newProjectSwitch(c *console, flags *registryFlags, verb, short string, change func(*registry.Registry, context.Context, string) (registry.Project, error)) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " ID",
		Short: short,
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.changeProject(flags, verb+"d", func(r *registry.Registry) (registry.Project, error) {
				return change(r, cmd.Context(), args[0])
			})
		},
	}
}

// changeProject carries out a change and tells the record that came of it.
func (c *console) changeProject(flags *registryFlags, done string, change func(*registry.Registry) (registry.Project, error)) error {
	r, err := flags.open()
	if err != nil {
		return err
	}
	project, err := change(r)
	if err != nil {
		return err
	}
	record := describeProject(project)
	if flags.json {
		return c.printJSON(record)
	}
	return c.printTable([][]string{{done, record.ID, record.Root}})
}

func newProjectRemove(c *console, flags *registryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Forget a project; its files stay as they are",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := flags.open()
			if err != nil {
				return err
			}
			if err := r.RemoveProject(cmd.Context(), args[0]); err != nil {
				return err
			}
			if flags.json {
				return c.printJSON(struct {
					ID      string `json:"project_id"`
					Removed bool   `json:"removed"`
				}{args[0], true})
			}
			return c.printTable([][]string{{"removed", args[0]}})
		},
	}
}

func newProjectList(c *console, flags *registryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List every project with its root",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			r, err := flags.open()
			if err != nil {
				return err
			}
			snapshot := r.Snapshot()
			if err := whyInvalid(snapshot.ProjectsState); err != nil {
				return err
			}
			projects, err := snapshot.Projects()
			if err != nil {
				return err
			}
			records := make([]projectRecord, 0, len(projects))
			for _, p := range projects {
				records = append(records, describeProject(p))
			}
			if flags.json {
				return c.printJSON(struct {
					Projects []projectRecord `json:"projects"`
				}{records})
			}
			return c.printProjects(records)
		},
	}
}

func (c *console) printProjects(records []projectRecord) error {
	rows := [][]string{{"ID", "STATE", "GIT", "WRITES", "NAME", "ROOT"}}
	for _, p := range records {
		rows = append(rows, []string{p.ID, p.state(), yesNo(p.Git), p.WriteDirectory, p.Name, p.Root})
	}
	return c.printTable(rows)
}

// state is the one word of a table: what keeps the project from serving, if anything.
func (p projectRecord) state() string {
	switch {
	case !p.Enabled:
		return "disabled"
	case !p.Available:
		return "unavailable"
	}
	return "enabled"
}

func newProjectShow(c *console, flags *registryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one project",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := flags.open()
			if err != nil {
				return err
			}
			snapshot := r.Snapshot()
			if err := whyInvalid(snapshot.ProjectsState); err != nil {
				return err
			}
			project, err := snapshot.DescribedProject(args[0])
			if err != nil {
				return err
			}
			record := describeProject(project)
			if flags.json {
				return c.printJSON(record)
			}
			return c.printTable([][]string{
				{"project_id", record.ID}, {"name", record.Name}, {"root", record.Root}, {"enabled", yesNo(record.Enabled)},
				{"git", yesNo(record.Git)}, {"write_directory", record.WriteDirectory}, {"available", yesNo(record.Available)},
			})
		},
	}
}
