package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newSchema() *cobra.Command {
	var format, diff, root string
	var from flags.Definitions
	cmd := &cobra.Command{
		Use:   "schema TABLE",
		Short: "print the columns of a table, or what other probe definitions change",
		Long: `Prints the columns of a table with their types, docs and sources, or the statements
with which an engine reads it. --root says where the engine finds the
installation's folder. A table of snapshots is named with the day of one:
longitudinal_v20180630.

With --diff DIR it prints what the probe definitions in that folder would change,
compared with those in use, for one table or all. The exit status is 1 when a
column would get another type, which is not possible within a version of a table.`,
		Example: "  pingmill schema clients_daily --format trino --root s3://bucket/data\n  pingmill schema --diff new-probes",
		Args:    cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff != "" {
				return schemaDiff(cmd.OutOrStdout(), &from, diff, strings.Join(args, ""))
			}
			if len(args) == 0 {
				return cli.Usagef("%s: name a table", cmd.CommandPath())
			}
			t, set, err := findTable(args[0], &from)
			if err != nil {
				return err
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
	cmd.Flags().StringVar(&diff, "diff", "", "folder of probe definitions to compare with those in use")
	from.Add(cmd.Flags())
	return cmd
}

// findTable returns the table with a name, and all tables by the definitions.
func findTable(name string, from *flags.Definitions) (*schema.Table, *schema.Set, error) {
	set, err := from.Load()
	if err != nil {
		return nil, nil, err
	}
	t, err := set.FindSnapshot(name)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	return t, set, nil
}

// schemaDDL prints DDL, and on errs the columns that it omits.
func schemaDDL(out, errs io.Writer, t *schema.Table, engine, root string) error {
	if strings.ContainsAny(root, "'\n") {
		return cli.Usagef("--root %q has a quote or a line break", root)
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

// schemaDiff prints the changes that the definitions in dir would make to those in use.
func schemaDiff(out io.Writer, inUse *flags.Definitions, dir, only string) error {
	before, err := inUse.Load()
	if err != nil {
		return err
	}
	other := *inUse
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
	return report.SchemaDiff(out, before, after, only)
}
