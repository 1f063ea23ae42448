package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

// polarsPart compares main_summary → clients_daily with polars.
func polarsPart(ctx context.Context, o *options, p *page) error {
	if o.python == "" {
		return errNoPython
	}
	dir := filepath.Join(o.dir, "daily")
	defer os.RemoveAll(dir)
	clients, err := makeRows(ctx, dir, o.rows)
	if err != nil {
		return err
	}
	t := schema.ClientsDaily()
	var columns []map[string]string
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Rule != schema.RuleKey {
			source := c.Source
			if c.Rule == schema.RulePartition {
				source = "submission_date_obj"
			}
			columns = append(columns, map[string]string{"name": c.Name, "rule": polarsRules[c.Rule], "source": source, "arg": c.Arg})
		}
	}
	output := filepath.Join(o.dir, "polars")
	defer os.RemoveAll(output)
	m, theirs, err := alternateBeside(ctx, o, []trial{{"pingmill-daily", dir}, {"duckdb-daily", dir}}, output,
		map[string]any{"tool": "polars", "input": dir, "output": output, "columns": columns})
	if err != nil {
		return err
	}
	other, err := otherColumns(ctx, t, filepath.Join(o.dir, "pingmill-daily"), output)
	if err != nil {
		return err
	}
	p.printf("\n## main_summary to clients_daily, beside polars\n\n%d rows of %d clients in 100 files, one a sample, which polars (lazy, one "+
		"thread) reads, groups and writes one after the other. Load of the machine: %s. The rows of pingmill and polars are the same in "+
		"all of %d columns but%s.\n\n"+
		"| what | rows/s | ÷ polars | wall s | peak MB |\n|---|---|---|---|---|\n", o.rows, clients, machineLoad(), len(t.Columns), other)
	for _, l := range []struct {
		what string
		r    result
	}{{"pingmill", m["pingmill-daily"]}, {"DuckDB SQL, one query a sample", m["duckdb-daily"]}, {"polars", theirs.result()}} {
		p.printf("| %s | %.0f | %.2f | %.2f | %.0f |\n", l.what, float64(o.rows)/l.r.Seconds, theirs.Seconds/l.r.Seconds, l.r.Wall,
			float64(l.r.Peak)/1e6)
	}
	p.printf("\npolars and DuckDB take the first experiments of a client, pingmill merges those of all its pings.\n")
	return nil
}

// polarsRules names the rules of the program in Python.
var polarsRules = map[schema.Rule]string{
	schema.RuleFirst: "first", schema.RulePartition: "partition", schema.RuleTotal: "total", schema.RuleMean: "mean", schema.RuleMax: "max",
	schema.RuleHours: "hours", schema.RuleCombined: "combined", schema.RulePlace: "place", schema.RuleSearches: "searches",
}

// otherColumns compares two folders with the same clients, column by column. It returns the columns that differ as text.
func otherColumns(ctx context.Context, t *schema.Table, ours, theirs string) (string, error) {
	var counts []string
	for i := range t.Columns {
		c := &t.Columns[i]
		a, b := fmt.Sprintf("a.%q", c.Name), fmt.Sprintf("b.%q", c.Name)
		other := a + "::VARCHAR IS DISTINCT FROM " + b + "::VARCHAR"
		if typ, _ := schema.TypeIn("duckdb", c.Type); strings.HasPrefix(typ, "DOUBLE") || strings.HasPrefix(typ, "DECIMAL") {
			other = fmt.Sprintf("coalesce(abs(%[1]s - %[2]s) > 1e-6, %[1]s IS DISTINCT FROM %[2]s)", a, b)
		}
		counts = append(counts, "count(*) FILTER ("+other+")")
	}
	from := func(dir string) string { return "read_parquet(" + duckdb.Text(filepath.Join(dir, "*.parquet")) + ")" }
	csv, err := duckCSV(ctx, "SELECT "+strings.Join(counts, ", ")+" FROM "+from(ours)+" a FULL JOIN "+from(theirs)+" b USING (client_id)")
	if err != nil {
		return "", err
	}
	var others []string
	for i, n := range strings.Split(strings.TrimSpace(csv), ",") {
		if n != "0" {
			others = append(others, fmt.Sprintf("`%s` (%s rows)", t.Columns[i].Name, n))
		}
	}
	if len(others) == 0 {
		return " none", nil
	}
	return " " + strings.Join(others, ", "), nil
}
