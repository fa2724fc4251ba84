package main

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp"
	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// mcpFlags are the flags of the MCP server.
type mcpFlags struct {
	stdio          bool
	configDir      string
	root           string
	projectID      string
	writeDirectory string
}

func newMCP(c *console) *cobra.Command {
	var flags mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve projects and grants to MCP clients, over HTTP on this machine or on stdin and stdout",
		Long: `mcp serves the registered projects and grants to clients of the Model Context Protocol: at
http://127.0.0.1:8765/mcp, with /healthz for monitors, or with --stdio to one client on stdin and stdout.

With --root and --project-id it serves that one directory and reads no registry. Limits come from the environment
(PROJECT_MCP_...); a value out of its range ends the command with exit code 2.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return serveMCP(cmd, c, &flags) },
	}
	cmd.Flags().BoolVar(&flags.stdio, "stdio", false, "serve one client on stdin and stdout")
	cmd.Flags().StringVar(&flags.configDir, "config-dir", "", "`DIR` of projects.yaml and grants.yaml (default: RESEARCH_FILES_CONFIG_DIR, then the user's configuration directory)")
	cmd.Flags().StringVar(&flags.root, "root", "", "serve this `DIR` alone, without registries")
	cmd.Flags().StringVar(&flags.projectID, "project-id", "", "`ID` of the project in --root")
	cmd.Flags().StringVar(&flags.writeDirectory, "write-directory", "", "`DIR` below --root in which documents may be created (default: none)")
	return cmd
}

func serveMCP(cmd *cobra.Command, c *console, flags *mcpFlags) error {
	if err := flags.check(); err != nil {
		return &usageError{err}
	}
	limits, err := mcp.LimitsFrom(os.Getenv)
	if err != nil {
		return &usageError{err}
	}
	places, err := mcp.Locate(flags.configDir, os.Getenv)
	if err != nil {
		return &usageError{err}
	}
	served, err := flags.registry(places)
	if err != nil {
		return err
	}
	server, err := mcp.New(mcp.Options{Registry: served, Limits: limits, Staging: places.Staging, Version: currentVersion().Version, Log: c.err})
	if err != nil {
		return asUsage(err)
	}
	// A client that goes away while an answer is written is the end of its session and not of the process's tidying up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if flags.stdio {
		err = server.ServeStdio(cmd.Context(), c.in, c.out)
	} else {
		err = server.ServeHTTP(cmd.Context())
	}
	return errors.Join(err, server.Close())
}

// check refuses flags that say something only together.
func (f *mcpFlags) check() error {
	switch {
	case (f.root == "") != (f.projectID == ""):
		return errors.New("--root and --project-id go together")
	case f.writeDirectory != "" && f.root == "":
		return errors.New("--write-directory goes with --root; a registered project has its own")
	}
	return nil
}

// registry gives what is served: one directory, or what the registries name.
func (f *mcpFlags) registry(places pathguard.Places) (*registry.Registry, error) {
	if f.root == "" {
		return registry.New(places.Config, places), nil
	}
	root, err := filepath.Abs(f.root)
	if err != nil {
		return nil, err
	}
	return registry.Single(root, f.projectID, f.writeDirectory, places)
}

// asUsage makes the error of a setting one of the command line (M-63).
func asUsage(err error) error {
	var setting *mcp.SettingError
	if errors.As(err, &setting) {
		return &usageError{err}
	}
	return err
}
