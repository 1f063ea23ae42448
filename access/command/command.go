// Package command implements the commands for accounts, grants, tokens, dashboards and all of them. They work on the databases of an
// installation, also while the service runs.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Commands returns the commands user, grant, token, dashboards and database.
func Commands(now func() time.Time) []*cobra.Command {
	c := &commands{now: now}
	return []*cobra.Command{c.user(), c.grant(), c.token(), c.dashboards(), c.copying()}
}

// commands holds the flags of the commands.
type commands struct {
	now func() time.Time

	data, probes      string
	database          string // address of PostgreSQL; empty: SQLite
	storage           string // URL of all roots
	roots             site.Roots
	glean             []string
	email             string
	service           bool
	rights, grants    []string
	take              bool
	url, listen, cert string
	usual             string // the default of listen
	scopes            []string
	days              int
	overwrite         bool
}

// on adds to a command the flags of an installation and a RunE that opens its accounts.
func (c *commands) on(cmd *cobra.Command,
	run func(ctx context.Context, s *access.Store, args []string, out io.Writer) error) *cobra.Command {
	config.Flag(cmd.Flags(), "data", &c.data)
	config.Flag(cmd.Flags(), "web.database", &c.database)
	config.Flag(cmd.Flags(), "probes", &c.probes)
	config.Flag(cmd.Flags(), "glean.definitions", &c.glean)
	config.Flag(cmd.Flags(), "storage.url", &c.storage)
	config.Flag(cmd.Flags(), "storage.lake", &c.roots.Lake)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		is, err := site.Exists(c.data)
		if err == nil && !is && c.database == "" {
			err = fmt.Errorf("open installation %s: there is none: start it first (%s)", c.data, cli.CommandLine(cmd, "serve"))
		}
		if err != nil {
			return err
		}
		s, err := access.Open(cmd.Context(), c.place(), c.now)
		if err != nil {
			return err
		}
		defer s.Close()
		return run(cmd.Context(), s, args, cmd.OutOrStdout())
	}
	return cmd
}

// place returns the place of the databases.
func (c *commands) place() access.Place {
	return access.Place{Dir: filepath.Join(c.data, "web"), URL: c.database}
}

// group returns a command with subcommands.
func group(use, short, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// named returns the account with a name.
func named(ctx context.Context, s *access.Store, name string) (*access.Account, error) {
	a, err := s.Account(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", name, err)
	}
	return a, nil
}

// record writes a change to the audit log.
func record(ctx context.Context, s *access.Store, what string, a *access.Account) error {
	return s.Record(ctx, access.Entry{Name: "command line", Event: access.Changed, Outcome: access.Done, About: what + ": " + a.Name})
}

// edit changes an account and records the change in the audit log.
func edit(ctx context.Context, s *access.Store, name, what string, change func(*access.Account)) (*access.Account, error) {
	a, err := named(ctx, s, name)
	if err != nil {
		return nil, err
	}
	a, err = s.Edit(ctx, a.ID, func(a *access.Account) error {
		change(a)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", name, err)
	}
	return a, record(ctx, s, what, a)
}

// tables returns the tables of the installation.
func (c *commands) tables(ctx context.Context) ([]*schema.Table, error) {
	probes, err := schema.LoadProbes(c.probes)
	if err != nil {
		return nil, cli.Usage(err)
	}
	given, err := glean.ReadAll(c.glean, nil)
	if err != nil {
		return nil, cli.Usage(err)
	}
	stored, err := c.storedDefinitions(ctx)
	if err != nil {
		return nil, err
	}
	return schema.NewSet(probes, glean.Union(stored, given).Tables()...).Tables, nil
}

// granted parses grants and checks that their tables and columns exist.
func (c *commands) granted(ctx context.Context, texts []string) ([]access.Grant, error) {
	grants, err := access.ParseGrants(texts)
	if err != nil {
		return nil, cli.Usage(err)
	}
	tables, err := c.tables(ctx)
	if err != nil {
		return nil, err
	}
	return grants, cli.Usage(access.CheckGrants(tables, grants))
}

// storedDefinitions returns the Glean definitions in the lake.
func (c *commands) storedDefinitions(ctx context.Context) (glean.Definitions, error) {
	roots, err := c.roots.Below(c.storage)
	if err == nil {
		roots, err = roots.Below(c.data)
	}
	if err != nil {
		return nil, cli.Usage(err)
	}
	lake, err := site.OpenRoot(ctx, roots.Lake)
	if err != nil {
		return nil, err
	}
	defs, err := glean.Stored(ctx, lake)
	if c, ok := lake.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return defs, err
}

func rightsOf(texts []string) (rights []access.Right) {
	for _, t := range texts {
		rights = append(rights, access.Right(t))
	}
	return rights
}
