package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/builtin"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/dashboard/folder"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/examples"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (c *commands) dashboards() *cobra.Command {
	return group("dashboards", "export dashboards and their queries to files, and import them",
		`Exports the dashboards that people have made, with the saved queries that they use,
to a folder of YAML and SQL, and imports them again. web.dashboards keeps a folder
and what is stored equal all the time.`, c.exportDashboards(), c.importDashboards())
}

func (c *commands) exportDashboards() *cobra.Command {
	cmd := c.onFolder(&cobra.Command{
		Use: "export DIR", Short: "write dashboards and their queries to a folder",
		Long: `Writes dashboards/ID.yaml and queries/ID.sql. A file that differs is named and stays,
unless --overwrite is set.`,
		Example: "  pingmill dashboards export ./dashboards",
	}, func(ctx context.Context, f *folder.Folder, out io.Writer) (folder.Done, error) {
		return f.Export(ctx, c.overwrite)
	})
	cmd.Flags().BoolVar(&c.overwrite, "overwrite", false, "replace files that differ")
	return cmd
}

func (c *commands) importDashboards() *cobra.Command {
	cmd := c.onFolder(&cobra.Command{
		Use: "import DIR", Short: "store dashboards and queries of a folder",
		Long: `Stores dashboards/*.yaml and queries/*.sql of a folder under the ids that are their names,
and the queries and dashboards of Redash in *.json, as its API returns them
(/api/queries/ID, /api/dashboards/SLUG). What cannot be converted is printed. What differs
from what is stored is named and stays, unless --overwrite is set.`,
		Example: "  pingmill dashboards import ./dashboards",
	}, func(ctx context.Context, f *folder.Folder, out io.Writer) (folder.Done, error) {
		done, left, err := f.Import(ctx, c.overwrite)
		for _, l := range left {
			fmt.Fprintf(out, "not converted: %s: %s\n", l.Path, l.Message)
		}
		return done, err
	})
	cmd.Flags().BoolVar(&c.overwrite, "overwrite", false, "change what is stored under the ids of the files")
	return cmd
}

// onFolder adds to a command a RunE that opens the dashboards of the installation, and prints what was done with a folder.
func (c *commands) onFolder(cmd *cobra.Command,
	run func(ctx context.Context, f *folder.Folder, out io.Writer) (folder.Done, error)) *cobra.Command {
	cmd.Args = cli.Args(cobra.ExactArgs(1))
	return c.on(cmd, func(ctx context.Context, s *access.Store, args []string, out io.Writer) (err error) {
		boards, closeAll, err := c.boards(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeAll()) }()
		done, err := run(ctx, &folder.Folder{Dir: args[0], Boards: boards, Accounts: s}, out)
		for _, l := range []struct {
			what  string
			paths []string
		}{{"imported", done.Read}, {"exported", done.Written}} {
			for _, path := range l.paths {
				fmt.Fprintf(out, "%s %s\n", l.what, path)
			}
		}
		return errors.Join(err, conflicts(done.Conflicts))
	})
}

// conflicts returns an error that names files, nil if there are none.
func conflicts(all []files.Problem) error {
	var list []error
	for _, p := range all {
		list = append(list, fmt.Errorf("%s: %s", p.Path, p.Message))
	}
	return errors.Join(list...)
}

// boards opens the dashboards and saved queries of the installation.
func (c *commands) boards(ctx context.Context) (boards *dashboard.Store, closeAll func() error, err error) {
	tables, err := c.tables(ctx)
	if err != nil {
		return nil, nil, err
	}
	queries, err := saved.Open(ctx, c.place(), c.now, tables, examples.Saved(tables))
	if err != nil {
		return nil, nil, err
	}
	all, err := builtin.All()
	if err == nil {
		boards, err = dashboard.Open(ctx, c.place(), c.now, tables, queries, all)
	}
	if err != nil {
		return nil, nil, errors.Join(err, queries.Close())
	}
	return boards, func() error { return errors.Join(boards.Close(), queries.Close()) }, nil
}
