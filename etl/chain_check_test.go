package etl_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestChecksOfClients finds rows that are missing, twice, or of nobody.
func TestChecksOfClients(t *testing.T) {
	s := sitetest.Glean(t)
	const day = "20180301"
	sitetest.GleanPings(t, s.Archive, "load1", []sitetest.GleanPing{use(day, 1, "1", 1), use(day, 2, "1", 1), use(day, 3, "1", 1)})
	etltest.Run(t, s, etl.RunOptions{Tables: []string{last}})
	row := func(n, bits int) map[string]any {
		return map[string]any{"client_id": gleanClient(n), "days_seen_bits": json.Number([]string{"0", "1", "2", "3"}[bits])}
	}
	for _, c := range []struct {
		table, check string
		rows         []map[string]any
		bad          int
	}{
		{last, "_cover", []map[string]any{row(1, 1), row(2, 3), row(3, 1), row(9, 2)}, 0},
		{last, "_cover", []map[string]any{row(1, 1), row(2, 2), row(3, 1), row(9, 1)}, 2},
		{last, "_grain", []map[string]any{row(1, 1), row(1, 1)}, 1},
		{first, "_cover", []map[string]any{row(1, 0)}, 0},
		{first, "_cover", []map[string]any{row(1, 0), row(1, 0), row(9, 0)}, 2},
		{daily, "_cover", []map[string]any{row(1, 0), row(2, 0), row(9, 0)}, 2},
		{daily, "_grain", []map[string]any{row(2, 0), row(2, 0)}, 1},
	} {
		lt, err := s.Table(c.table)
		require.NoError(t, err)
		for i := range c.rows {
			if c.table != last {
				delete(c.rows[i], "days_seen_bits")
			}
		}
		base, err := lt.Partition(t.Context(), day)
		require.NoError(t, err)
		made := sitetest.Publish(t, lt, day, "bad", "p", c.rows)
		p := &check.Partition{Data: &s.Data, Table: lt, Day: day, Files: made.Files, Inputs: base.Inputs, Path: lt.Paths(t.Context(), made)}
		for _, part := range base.Parts {
			p.Parts = append(p.Parts, job.Samples{Lo: part.Lo, Hi: part.Hi})
		}
		for i := range p.Files {
			p.Files[i].Lo = 0
		}
		results, err := check.Run(t.Context(), p, check.All([]*schema.Table{lt.Schema}), nil)
		require.NoError(t, err)
		for _, r := range results {
			if r.Check.Name == c.table+c.check {
				require.Equal(t, c.bad, r.Total, "%s: %s", r.Check.Name, r.Finding)
				require.NotEqual(t, check.NotRun, r.Verdict, "%s: %s", r.Check.Name, r.Finding)
			}
		}
		etltest.Run(t, s, etl.RunOptions{Tables: []string{last}})
	}
}
