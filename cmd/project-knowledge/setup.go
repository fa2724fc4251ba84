package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp"
	"projectknowledge/protocol/mcp/registry"
	"projectknowledge/protocol/mcp/setup"
)

// setupFlags are the flags of every topic of setup.
type setupFlags struct {
	configDir    string
	print, write bool
}

func newSetup(c *console) *cobra.Command {
	flags := &setupFlags{}
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Show or write the files around the MCP server: systemd units, tunnel, examples, clients",
		Long: `setup fills in the paths of this installation. It shows what it would write, with the place and the mode of each file;
--write writes it. A file that exists is never changed.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&flags.configDir, "config-dir", "", "configuration `DIR` of the registries")
	cmd.PersistentFlags().BoolVar(&flags.print, "print", false, "show the files (default)")
	cmd.PersistentFlags().BoolVar(&flags.write, "write", false, "write those that do not exist")
	cmd.AddCommand(
		newSetupTopic(c, flags, "systemd", "A user unit of the server, and a drop-in that opens write directories", setup.Systemd),
		newSetupTopic(c, flags, "tunnel", "A user unit of the tunnel client for ChatGPT, and its profile", setup.Tunnel),
		newSetupTopic(c, flags, "config", "Examples of the registries, and the ignore list", setup.Config),
		newSetupClient(c, flags),
	)
	return cmd
}

func newSetupTopic(c *console, flags *setupFlags, name, short string, files func(setup.Installation) ([]setup.File, error)) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			installation, err := flags.installation()
			if err != nil {
				return err
			}
			made, err := files(installation)
			if err != nil {
				return err
			}
			if flags.write {
				return c.writeFiles(made)
			}
			return c.showFiles(made)
		},
	}
}

func newSetupClient(c *console, flags *setupFlags) *cobra.Command {
	var target setup.Target
	cmd := &cobra.Command{
		Use:   "client NAME",
		Short: "The block for a client: " + strings.Join(setup.Clients(), ", "),
		Long: `client gives the block with which a client is told of the server, alone on standard output; the place where it goes is
told on standard error. Without --root the client gets every registered project.`,
		Args:      usageArgs(cobra.ExactArgs(1)),
		ValidArgs: setup.Clients(),
		RunE: func(_ *cobra.Command, args []string) error {
			installation, err := flags.installation()
			if err != nil {
				return err
			}
			if target, err = checkedTarget(target, args[0]); err != nil {
				return err
			}
			file, err := setup.Client(installation, args[0], target)
			if err != nil {
				return &usageError{err}
			}
			return c.offerBlock(flags, file)
		},
	}
	cmd.Flags().StringVar(&target.Root, "root", "", "serve this `DIR` alone")
	cmd.Flags().StringVar(&target.ProjectID, "project-id", "", "`ID` of the project in --root")
	cmd.Flags().BoolVar(&target.HTTP, "http", false, "use the running service instead of a process of the client's own")
	return cmd
}

// runnerClient is the client that has one project always, and no ID for it.
const runnerClient = "runner"

// checkedTarget fills in where a client works and refuses what does not go together.
func checkedTarget(t setup.Target, client string) (setup.Target, error) {
	switch {
	case client == runnerClient && t.ProjectID != "":
		return t, &usageError{errors.New("the Runner knows its projects itself; leave --project-id out")}
	case client != runnerClient && (t.Root == "") != (t.ProjectID == ""):
		return t, &usageError{errors.New("--root and --project-id go together")}
	case t.HTTP && t.Root != "":
		return t, &usageError{errors.New("--http joins the running service, which has its own projects; leave --root out")}
	}
	var err error
	switch {
	case t.Root != "":
		t.Root, err = filepath.Abs(t.Root)
	case client == runnerClient:
		t.Root, err = new(projectFlags).directory()
	}
	if err != nil {
		return t, err
	}
	t.Working, err = os.Getwd()
	return t, err
}

// offerBlock shows the block of a client, or writes it where the client has no file yet.
func (c *console) offerBlock(flags *setupFlags, file setup.File) error {
	switch {
	case flags.write && file.Path == "":
		return &usageError{errors.New("the place of this file is not known; add the block to it by hand")}
	case flags.write:
		return c.writeFiles([]setup.File{file})
	case file.Path != "":
		fmt.Fprintf(c.err, "goes into %s\n", plainLine(file.Path))
	}
	_, err := fmt.Fprint(c.out, file.Text)
	return err
}

// installation finds where this program and its directories are.
func (f *setupFlags) installation() (setup.Installation, error) {
	if f.print && f.write {
		return setup.Installation{}, &usageError{errors.New("--print and --write exclude each other")}
	}
	places, err := mcp.Locate(f.configDir, os.Getenv)
	if err != nil {
		return setup.Installation{}, err
	}
	limits, err := mcp.LimitsFrom(os.Getenv)
	if err != nil {
		return setup.Installation{}, &usageError{err}
	}
	program, err := os.Executable()
	if err != nil {
		return setup.Installation{}, fmt.Errorf("find this program: %w", err)
	}
	configHome, err := os.UserConfigDir()
	if err != nil {
		configHome = filepath.Join(places.Home, ".config")
	}
	installation := setup.Installation{
		Program: program, Home: places.Home, ConfigHome: configHome,
		Config: places.Config, State: filepath.Dir(places.Staging), Cache: places.Cache,
		Port: limits.Port, Writable: writeDirectories(registry.New(places.Config, places)),
	}
	if installation.Port == 0 {
		installation.Port = setup.DefaultPort // a service needs a port that its clients know
	}
	return installation, nil
}

// writeDirectories gives those of the registered projects; none when the registry does not tell.
func writeDirectories(r *registry.Registry) []string {
	projects, err := r.Snapshot().Projects()
	if err != nil {
		return nil
	}
	var dirs []string
	for _, p := range projects {
		dirs = append(dirs, filepath.Join(p.Root, filepath.FromSlash(p.WriteDirectory)))
	}
	return dirs
}

// showFiles prints files with their places and modes.
func (c *console) showFiles(files []setup.File) error {
	for _, file := range files {
		if _, err := fmt.Fprintf(c.out, "==> %s (%v)\n%s", plainLine(file.Path), file.Mode, file.Text); err != nil {
			return err
		}
	}
	return nil
}

// writeFiles writes files and tells what became of each.
func (c *console) writeFiles(files []setup.File) error {
	outcomes, err := setup.Write(files)
	for _, outcome := range outcomes {
		fmt.Fprintf(c.out, "%s  %s\n", outcome.Done, plainLine(outcome.Path))
	}
	return err
}
