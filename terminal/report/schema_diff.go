package report

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"text/tabwriter"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
)

// SchemaDiff prints the changes by other probe definitions, in one table or, with "", in all. It returns an error if
// the type of a column changes.
func SchemaDiff(out io.Writer, before, after *schema.Set, only string) error {
	var retyped []schema.Change
	count := 0
	for i, t := range before.Tables {
		if only != "" && t.Name != only {
			continue
		}
		changes := schema.Diff(t.Columns, after.Tables[i].Columns)
		if t.Made == schema.FromProbes {
			changes = append(changes, schema.DiffAddonScalars(before.Probes, after.Probes)...)
		}
		if t.Version != after.Tables[i].Version {
			fmt.Fprintf(out, "%s %s becomes %s: it lies beside the old one, in %s\n", t.Name, t.Version, after.Tables[i].Version,
				after.Tables[i].Location())
		} else {
			retyped = append(retyped, schema.Retypings(changes)...)
		}
		if len(changes) > 0 {
			fmt.Fprintf(out, "%s %s:\n", t.Name, after.Tables[i].Version)
		}
		for _, c := range changes {
			fmt.Fprintln(out, "  "+c.String())
		}
		count += len(changes)
	}
	if !slices.Equal(before.Probes.Columnless, after.Probes.Columnless) {
		Columnless(out, after.Probes)
	}
	if count == 0 {
		_, err := fmt.Fprintln(out, "no column changes")
		return err
	}
	fmt.Fprint(out, `
+ added: null in partitions made before
- removed: not in new partitions; those made before keep it in their files, but the table does not list it
~ made in another way: partitions made before keep their values
! another type: not possible within a version of the table
`)
	if len(retyped) > 0 {
		return fmt.Errorf("schema: column %s would become %s, but is %s: %w: give what is measured now another name, or the table another "+
			"version (table_version in main_summary.yaml)",
			retyped[0].Column, retyped[0].New, retyped[0].Old, etl.ErrRetyped)
	}
	return nil
}

// Columnless prints the probes without a column.
func Columnless(out io.Writer, p *schema.Probes) {
	if len(p.Columnless) == 0 {
		return
	}
	fmt.Fprintln(out, "probes without a column:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range p.Columnless {
		fmt.Fprintf(w, "  %s\t%s\n", c.Name, c.Why)
	}
	_ = w.Flush() // as the lines before
}

// WarnColumnless logs that there are probes without a column, and names the first.
func WarnColumnless(log *slog.Logger, p *schema.Probes) {
	if c := p.Columnless; len(c) > 0 {
		log.Warn("probes without a column: pingmill schema main_summary names them", "probes", len(c), "first", c[0].Name, "why", c[0].Why)
	}
}
