package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// removalTable reports the runs.
func removalTable(p *page, c *removal, base string, before lakeRows, shown *idSearch, runs []*removalRun) error {
	all, err := treeBytes(base)
	if err != nil {
		return err
	}
	pings := before.rows("pings")
	p.printf("\n## Removing clients from a lake\n\n%d clients that come on one or two of %d days each: %d submissions in the archive, with "+
		"all tables %.2f GB. %d clients ask to be forgotten (`delete --file`), and `delete --now` removes them. Each program has a copy "+
		"of the same lake. Bytes are counted at system calls.\n\n", c.clients, c.days, pings, float64(all)/1e9, c.removed)
	p.printf("| |")
	for _, r := range runs {
		p.printf(" %s |", map[string]string{"earlier": "earlier program", "this": "this program"}[r.name])
	}
	p.printf("\n|---|%s\n", strings.Repeat("---|", len(runs)))
	for _, row := range []struct {
		name string
		text func(*removalRun) string
	}{
		{"processor time of the requests, s", func(r *removalRun) string { return fmt.Sprintf("%.1f", r.spent.Register.CPU) }},
		{"processor time of the removal, s", func(r *removalRun) string { return fmt.Sprintf("%.0f", r.spent.Remove.CPU) }},
		{"the same for a submission, ms", func(r *removalRun) string {
			return fmt.Sprintf("%.3f", 1e3*r.spent.Remove.CPU/float64(before.rows("pings")))
		}},
		{"elapsed, s", func(r *removalRun) string { return fmt.Sprintf("%.0f", r.spent.Remove.Wall) }},
		{"read, GB", func(r *removalRun) string { return fmt.Sprintf("%.2f", float64(r.spent.Remove.Read)/1e9) }},
		{"written, GB", func(r *removalRun) string { return fmt.Sprintf("%.2f", float64(r.spent.Remove.Written)/1e9) }},
		{"of it left in files, GB", func(r *removalRun) string { return fmt.Sprintf("%.2f", float64(r.spent.Added)/1e9) }},
		{"most memory, MB", func(r *removalRun) string { return fmt.Sprintf("%.0f", r.spent.Remove.Peak/1e6) }},
		{"files searched afterwards", func(r *removalRun) string { return fmt.Sprint(r.search.Files) }},
		{"bytes searched, unpacked, GB", func(r *removalRun) string { return fmt.Sprintf("%.1f", float64(r.search.Bytes)/1e9) }},
		{"mentions of the clients", func(r *removalRun) string { return fmt.Sprint(r.search.Mentions) }},
		{"partitions with other rows of other clients", func(r *removalRun) string { return fmt.Sprint(len(r.changed)) }},
	} {
		p.printf("| %s |", row.name)
		for _, r := range runs {
			p.printf(" %s |", row.text(r))
		}
		p.printf("\n")
	}
	p.printf("\nBefore, %d of %d files had %d mentions of %d clients. Searched are the bytes of every file, and every page of parquet files, "+
		"which arrow-go unpacks, for ids as text in both cases, with and without hyphens, and as 16 bytes. Rows of other clients are "+
		"counted by DuckDB, with a hash of their first %d columns, by table and day, before and after: %d partitions, %d rows of the "+
		"clients before.\n", len(shown.Found), shown.Files, shown.Mentions, shown.Clients, comparedColumns, len(before), before.removed())
	var failed error
	for _, r := range runs {
		if r.search.Mentions > 0 || len(r.changed) > 0 {
			failed = errors.Join(failed, fmt.Errorf("the %s program left the clients in %v, and changed %v", r.name,
				slices.Sorted(maps.Keys(r.search.Found)), r.changed))
		}
	}
	return failed
}
