package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newSchema() *cobra.Command {
	var format, diff, root string
	var from flags.Site
	cmd := &cobra.Command{
		Use:   "schema TABLE",
		Short: "print the columns of a table, or what other definitions change",
		Long: `Prints the columns of a table with their types, docs and sources, or the statements
with which an engine reads it. --root says where the engine finds the
installation's folder. A table of snapshots is named with the day of one:
longitudinal_v20180630.

With --diff DIR it prints what the definitions in that folder would change,
compared with those in use, for one table or all: probe definitions, or those of
Glean applications. With probe definitions the exit status is 1 when a column would
get another type, which is not possible within a version of a table; a metric of
Glean gets a second column.`,
		Example: "  pingmill schema clients_daily --format trino --root s3://bucket/data\n  pingmill schema --diff new-probes\n  pingmill " +
			"schema --diff new-definitions --format json",
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff != "" {
				return schemaDiff(cmd, &from, diff, strings.Join(args, ""), format)
			}
			if len(args) == 0 {
				return cli.Usagef("%s: name a table", cmd.CommandPath())
			}
			set, err := knownTables(cmd.Context(), &from)
			if err != nil {
				return err
			}
			t, err := set.FindSnapshot(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			switch format {
			case "text":
				if t.Made == schema.FromProbes {
					report.Columnless(cmd.ErrOrStderr(), set.Probes)
				}
				return report.Schema(cmd.OutOrStdout(), t, root)
			case "json":
				return report.SchemaJSON(cmd.OutOrStdout(), t, root)
			}
			return schemaDDL(cmd.OutOrStdout(), cmd.ErrOrStderr(), t, format, root)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, or DDL for spark, trino, presto, athena, hive or duckdb")
	cmd.Flags().StringVar(&root, "root", "", "path or URL of the installation's folder, or storage.url, for the location")
	cmd.Flags().StringVar(&diff, "diff", "",
		"folder of definitions to compare with those in use; firefox: the built-in ones, those of probes with a table such as main_summary")
	from.Add(cmd, time.Now)
	return cmd
}

// findTable returns the table with a name, and all tables by the definitions.
func findTable(name string, from *flags.Definitions) (*schema.Table, *schema.Set, error) {
	set, err := from.Load()
	if err != nil {
		return nil, nil, err
	}
	t, err := set.Find(name)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	return t, set, nil
}

// knownTables returns the tables by the given definitions and by those that the lake keeps.
func knownTables(ctx context.Context, from *flags.Site) (*schema.Set, error) {
	p, err := flags.LoadProbes(from.Probes)
	if err != nil {
		return nil, err
	}
	defs, err := from.Known(ctx)
	return schema.NewSet(p, defs.Tables()...), err
}

// schemaDDL prints DDL, and on errs the columns that it omits.
func schemaDDL(out, errs io.Writer, t *schema.Table, engine, root string) error {
	if strings.ContainsAny(root, "'\n") {
		return cli.Usagef("--root %q has a quote or a line break", root)
	}
	if t.View {
		return cli.Usagef("%s is a view of pingmill: engines read %s, of which `pingmill schema %[1]s` says how the columns are computed", t.Name,
			t.Needs[0])
	}
	ddl, err := schema.DDL(t, engine, report.LocationIn(t, root))
	if err != nil {
		return cli.Usage(err)
	}
	if names := schema.Unnamable(t, engine); len(names) > 0 {
		fmt.Fprintf(errs, "left out, as %s supports only letters, digits and _ in names: %s\n", engine, strings.Join(names, ", "))
	}
	_, err = fmt.Fprintln(out, ddl)
	return err
}

// ofProbes reports whether built-in definitions are to be compared for a table that probe definitions determine.
func ofProbes(inUse *flags.Site, dir, only string) bool {
	if dir != schema.FirefoxProbes || only == "" {
		return false
	}
	set, err := inUse.Load()
	if err != nil {
		return false // it is the error of the comparison
	}
	t, err := set.Find(only)
	return err == nil && t.Made == schema.FromProbes
}

// schemaDiff prints the changes that the definitions in dir would make to those in use.
func schemaDiff(cmd *cobra.Command, inUse *flags.Site, dir, only, format string) error {
	if format != "text" && format != "json" {
		return cli.Usagef("--format %s: differences are text or json", format)
	}
	changes, is, err := inUse.Changes(cmd.Context(), dir)
	if err != nil {
		return err
	}
	if is && !ofProbes(inUse, dir, only) {
		return report.DefinitionChanges(cmd.OutOrStdout(), changes, only, format)
	}
	if format != "text" {
		return cli.Usagef("--format %s is for definitions of Glean applications: --diff %s has none", format, dir)
	}
	before, err := inUse.Load()
	if err != nil {
		return err
	}
	other := inUse.Definitions
	other.Probes = dir
	after, err := other.Load()
	if err != nil {
		return err
	}
	if only != "" {
		if _, err := before.Find(only); err != nil {
			return cli.Usage(err)
		}
	}
	return report.SchemaDiff(cmd.OutOrStdout(), before, after, only)
}
