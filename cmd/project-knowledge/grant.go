package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"projectknowledge/protocol/mcp/pathguard"
	"projectknowledge/protocol/mcp/registry"
)

// grantRecord is a grant as the command line tells it (M-65). A time that the registry does not have is null.
type grantRecord struct {
	ID        string               `json:"grant_id"`
	Name      string               `json:"name"`
	Root      string               `json:"root"`
	CreatedAt *time.Time           `json:"created_at"`
	ExpiresAt *time.Time           `json:"expires_at"`
	Permanent bool                 `json:"permanent"`
	Disabled  bool                 `json:"disabled"`
	Revoked   bool                 `json:"revoked"`
	RevokedAt *time.Time           `json:"revoked_at"`
	Status    registry.GrantStatus `json:"status"`
	Available bool                 `json:"available"`
}

func describeGrant(g registry.Grant, now time.Time) grantRecord {
	return grantRecord{
		ID: g.ID, Name: g.Name, Root: g.Root,
		CreatedAt: known(g.CreatedAt), ExpiresAt: known(g.ExpiresAt), RevokedAt: known(g.RevokedAt),
		Permanent: g.Permanent, Disabled: g.Disabled, Revoked: g.Revoked,
		Status: g.StatusAt(now), Available: pathguard.Available(g.Root),
	}
}

// known gives a time for JSON; nil for one that is absent.
func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// shown gives a time for a table.
func shown(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.Format(time.RFC3339)
}

// ends is the end of a grant in a table.
func (g grantRecord) ends() string {
	if g.Permanent {
		return "never"
	}
	return shown(g.ExpiresAt)
}

func newGrant(c *console) *cobra.Command {
	flags := &registryFlags{}
	cmd := &cobra.Command{
		Use:   "grant",
		Short: "Let the MCP server read a directory, for a time or for good",
		Long: `grant changes and shows grants.yaml of the configuration directory. A grant gives the file tools read access to one
directory: no Git, no documents, no search. It ends by the clock, and a running server notices every change at its
next call. A grant that was revoked or has expired stays listed, and its ID is not used again.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags.add(cmd)
	cmd.AddCommand(
		newGrantAdd(c, flags), newGrantList(c, flags), newGrantShow(c, flags),
		newGrantSwitch(c, flags, "enable", "End the disablement of a grant", (*registry.Registry).EnableGrant),
		newGrantSwitch(c, flags, "disable", "Keep a grant from serving; its root stays reserved", (*registry.Registry).DisableGrant),
		newGrantSwitch(c, flags, "revoke", "End a grant for good", (*registry.Registry).RevokeGrant),
	)
	return cmd
}

func newGrantAdd(c *console, flags *registryFlags) *cobra.Command {
	var (
		id, name, root, ttl string
		permanent           bool
	)
	cmd := &cobra.Command{
		Use:   "add --id ID --name NAME --root DIR (--ttl TIME | --permanent)",
		Short: "Give read access to a directory",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needFlags(cmd, "id", "name", "root"); err != nil {
				return err
			}
			if cmd.Flags().Changed("ttl") == permanent {
				return &usageError{errors.New("give exactly one of --ttl and --permanent")}
			}
			lifetime := time.Duration(0) // for good
			if !permanent {
				var err error
				if lifetime, err = registry.ParseTTL(ttl); err != nil {
					return err
				}
			}
			return c.changeGrant(flags, "added", func(r *registry.Registry) (registry.Grant, error) {
				return r.AddGrant(cmd.Context(), id, name, root, lifetime)
			})
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "`ID` out of a-z, 0-9, '_' and '-', at most 64")
	cmd.Flags().StringVar(&name, "name", "", "`NAME` for people")
	cmd.Flags().StringVar(&root, "root", "", "absolute `DIR` to serve")
	cmd.Flags().StringVar(&ttl, "ttl", "", "`TIME` until it ends: a whole number and m, h or d, at most 365d")
	cmd.Flags().BoolVar(&permanent, "permanent", false, "let it never end by itself")
	return cmd
}

func newGrantSwitch(c *console, flags *registryFlags, verb, short string, change func(*registry.Registry, context.Context, string) (registry.Grant, error)) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " ID",
		Short: short,
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.changeGrant(flags, verb+"d", func(r *registry.Registry) (registry.Grant, error) {
				return change(r, cmd.Context(), args[0])
			})
		},
	}
}

// changeGrant carries out a change and tells the record that came of it.
func (c *console) changeGrant(flags *registryFlags, done string, change func(*registry.Registry) (registry.Grant, error)) error {
	r, err := flags.open()
	if err != nil {
		return err
	}
	grant, err := change(r)
	if err != nil {
		return err
	}
	record := describeGrant(grant, time.Now())
	if flags.json {
		return c.printJSON(record)
	}
	return c.printTable([][]string{{done, record.ID, record.Root, "ends: " + record.ends()}})
}

func newGrantList(c *console, flags *registryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List every grant, also those that have ended",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			records, err := flags.grants()
			if err != nil {
				return err
			}
			if flags.json {
				return c.printJSON(struct {
					Grants []grantRecord `json:"grants"`
				}{records})
			}
			rows := [][]string{{"ID", "STATUS", "ENDS", "NAME", "ROOT"}}
			for _, g := range records {
				rows = append(rows, []string{g.ID, string(g.Status), g.ends(), g.Name, g.Root})
			}
			return c.printTable(rows)
		},
	}
}

// grants gives every grant as it is now, in ascending order of IDs.
func (f *registryFlags) grants() ([]grantRecord, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	snapshot := r.Snapshot()
	if err := whyInvalid(snapshot.GrantsState); err != nil {
		return nil, err
	}
	grants, err := snapshot.Grants()
	if err != nil {
		return nil, err
	}
	records := make([]grantRecord, 0, len(grants))
	for _, g := range grants {
		records = append(records, describeGrant(g, time.Now()))
	}
	return records, nil
}

func newGrantShow(c *console, flags *registryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one grant",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			records, err := flags.grants()
			if err != nil {
				return err
			}
			at := slices.IndexFunc(records, func(g grantRecord) bool { return g.ID == args[0] })
			if at < 0 {
				return pathguard.Fault(pathguard.GrantNotFound)
			}
			record := records[at]
			if flags.json {
				return c.printJSON(record)
			}
			return c.printTable([][]string{
				{"grant_id", record.ID}, {"name", record.Name}, {"root", record.Root}, {"status", string(record.Status)},
				{"created_at", shown(record.CreatedAt)}, {"expires_at", record.ends()}, {"revoked_at", shown(record.RevokedAt)},
				{"disabled", yesNo(record.Disabled)}, {"available", yesNo(record.Available)},
			})
		},
	}
}
