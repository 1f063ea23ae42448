package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/schema"
)

func newSchema() *cobra.Command {
	var format, probesDir, diff, root string
	cmd := &cobra.Command{
		Use:   "schema TABLE",
		Short: "print the columns of a table, or what other probe definitions change",
		Long: `Prints the columns of a table with their types, docs and sources, or the statements
with which an engine reads it: the table, and what finds its partitions, which is
to be run again after every publication. --root says where the engine finds the
installation's folder.

With --diff DIR it prints what the probe definitions in that folder would change,
compared with those in use, for one table or all. The exit status is 1 when a
column would get another type, which is not possible within a version of a table.`,
		Example: "  pingmill schema clients_daily --format trino --root s3://bucket/data\n  pingmill schema --diff new-probes",
		Args:    cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff != "" {
				return schemaDiff(cmd.OutOrStdout(), probesDir, diff, strings.Join(args, ""))
			}
			if len(args) == 0 {
				return cli.Usagef("%s: name a table", cmd.CommandPath())
			}
			t, p, err := findTable(args[0], probesDir)
			if err != nil {
				return err
			}
			switch format {
			case "text":
				if t.FromProbes {
					printColumnless(cmd.ErrOrStderr(), p)
				}
				return schemaText(cmd.OutOrStdout(), t, root)
			case "json":
				return schemaJSON(cmd.OutOrStdout(), t, root)
			}
			return schemaDDL(cmd.OutOrStdout(), cmd.ErrOrStderr(), t, format, root)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, or DDL for spark, trino, athena, hive or duckdb")
	cmd.Flags().StringVar(&root, "root", "", "path or URL of the installation's folder, for the location")
	cmd.Flags().StringVar(&diff, "diff", "", "folder of probe definitions to compare with those in use")
	config.Flag(cmd.Flags(), "probes", &probesDir)
	return cmd
}

// findTable is the named table with the probe definitions of a folder.
func findTable(name, probesDir string) (*schema.Table, *schema.Probes, error) {
	p, err := loadProbes(probesDir)
	if err != nil {
		return nil, nil, err
	}
	t, err := schema.Find(schema.Tables(p), name)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	return t, p, nil
}

func schemaText(out io.Writer, t *schema.Table, root string) error {
	fmt.Fprintf(out, "%s %s: %s\nOne row per %s.\nMade from %s.\nRefreshed: %s.\nLocation: %s\nPartitioned by: %v\n\n",
		t.Name, t.Version, t.Doc, t.Grain, madeFrom(t), t.Refresh, locationIn(t, root), t.PartitionKeys)
	var long strings.Builder // types, behind the columns
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range t.Columns {
		null := ""
		if c.NotNull {
			null = " not null"
		}
		typ := c.Type.String()
		if len(typ) > longestType {
			fmt.Fprintf(&long, "\n%s is %s\n", c.Name, typ)
			typ, _, _ = strings.Cut(typ, "<")
			typ += "<…>"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\n", c.Name, typ, null, c.Doc, c.SourceText())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, long.String())
	return err
}

// longestType is how long a type may be to stand in a column.
const longestType = 40

// locationIn is where a table is, below the root if that is known.
func locationIn(t *schema.Table, root string) string {
	if root == "" {
		return t.Location()
	}
	return t.LocationIn(root)
}

// schemaDDL prints DDL, and on errs what it lacks.
func schemaDDL(out, errs io.Writer, t *schema.Table, engine, root string) error {
	if strings.ContainsAny(root, "'\n") {
		return cli.Usagef("--root %q has a quote or a line break", root)
	}
	ddl, err := schema.DDL(t, engine, locationIn(t, root))
	if err != nil {
		return cli.Usage(err)
	}
	if names := schema.Unnamable(t, engine); len(names) > 0 {
		fmt.Fprintf(errs, "left out, as %s supports only letters, digits and _ in names: %s\n", engine, strings.Join(names, ", "))
	}
	_, err = fmt.Fprintln(out, ddl)
	return err
}

// madeFrom says which pings or tables a table is made from.
func madeFrom(t *schema.Table) string {
	if t.DocType == "" {
		return strings.Join(t.Needs, ", ")
	}
	text := t.DocType + " pings of the namespace " + t.Namespace
	if t.DocVersion != "" {
		text += ", version " + t.DocVersion
	}
	if t.Apps != nil {
		text += ", of the configured applications (" + strings.Join(t.Apps, ", ") + ")"
	}
	return text
}

type columnJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
	Source   string `json:"source"`
}

func schemaJSON(out io.Writer, t *schema.Table, root string) error {
	cols := make([]columnJSON, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = columnJSON{c.Name, c.Type.String(), !c.NotNull, c.Doc, c.SourceText()}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{
		"table": t.Name, "version": t.Version, "location": locationIn(t, root), "partitionKeys": t.PartitionKeys,
		"doc": t.Doc, "grain": t.Grain, "refresh": t.Refresh, "columns": cols,
	})
}
