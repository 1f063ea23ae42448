package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (c *commands) copying() *cobra.Command {
	return group("database", "accounts, saved queries, dashboards, schedules and history as a whole",
		`Works on everything that people keep.`,
		&cobra.Command{
			Use: "copy FROM TO", Short: "copies all of it to an empty place",
			Long: `Copies accounts, sessions, tokens, the audit log, saved queries, dashboards,
schedules and the history of queries to a place that has none of them. A place is
a folder with files of SQLite, such as web/ of an installation, or the address of
a database of PostgreSQL, whose password is better in the environment (PGPASSWORD)
or in a file (PGPASSFILE). From the database to a folder it is a backup; from the
folder to an empty database it restores it. Results of queries are not copied. End
the servers of the target first, and those that use the files; a database that is
the source may be in use.`,
			Example: `  pingmill database copy data/web postgres://pingmill@db.example/pingmill
  pingmill database copy postgres://pingmill@db.example/pingmill backup`,
			Args: cli.Args(cobra.ExactArgs(2)),
			RunE: func(cmd *cobra.Command, args []string) error {
				from, to := placeOf(args[0]), placeOf(args[1])
				if !from.Shared() {
					if _, err := os.Stat(filepath.Join(from.Dir, "access.db")); errors.Is(err, fs.ErrNotExist) {
						return fmt.Errorf("copy from %s: it has no accounts: want web/ of an installation, or an earlier copy", from.Dir)
					}
				}
				if err := c.copyAll(cmd.Context(), from, to); err != nil {
					return fmt.Errorf("copy: %w", err)
				}
				fmt.Fprintln(cmd.OutOrStdout(), "copied accounts, saved queries, dashboards and history")
				return nil
			},
		})
}

// placeOf returns the place of an argument.
func placeOf(text string) access.Place {
	if strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://") {
		return access.Place{URL: text}
	}
	return access.Place{Dir: text}
}

// copyAll copies the accounts last: a target with accounts is complete.
func (c *commands) copyAll(ctx context.Context, from, to access.Place) (err error) {
	source, err := access.Open(ctx, from, c.now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := access.Open(ctx, to, c.now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	for _, part := range []func(context.Context, access.Place, access.Place) error{saved.Copy, dashboard.Copy, queryservice.Copy} {
		if err := part(ctx, from, to); err != nil {
			return err
		}
	}
	if err := source.CopyTo(ctx, target); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	return nil
}
