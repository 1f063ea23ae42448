package tasks

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestChainedTasks does the tasks of tables that go on from day to day elsewhere: each plan has those of one day more, and in
// the end there are the files of a run.
func TestChainedTasks(t *testing.T) {
	const last = sitetest.GleanTables + "baseline_clients_last_seen"
	days := sitetest.DayRange(t, "20180301", "20180304")
	o := etl.RunOptions{Tables: []string{last}, Days: days, Now: time.Now}
	alone, s := sitetest.Glean(t), sitetest.Glean(t)
	for _, one := range []*site.Site{alone, s} {
		var pings []sitetest.GleanPing
		for i, day := range days {
			for n := range 10 + i {
				pings = append(pings, sitetest.GleanPing{Day: day, Type: "baseline", ID: fmt.Sprint(day, n),
					Client: fmt.Sprintf("00000000-0000-4000-8000-%012x", n)})
			}
		}
		sitetest.GleanPings(t, one.Archive, "load1", pings)
	}
	_, err := etl.Run(t.Context(), alone, o)
	require.NoError(t, err)
	rounds := 0
	for ; ; rounds++ {
		p, err := New(t.Context(), s, o, Share{0, 1})
		require.NoError(t, err)
		if len(p.Now) == 0 {
			require.Empty(t, p.Later)
			break
		}
		lines := text(t, &p)
		r := &Runner{Set: &schema.Set{Probes: s.Probes, Tables: s.Tables}, Workers: 2, Now: time.Now}
		require.NoError(t, r.Lines(t.Context(), strings.NewReader(lines), &bytes.Buffer{}))
		r.Close()
		report := commit(t, s, lines)
		require.Equal(t, len(p.Planned()), report.Count(job.Committed))
		require.Zero(t, report.Count(job.Skipped))
	}
	require.Equal(t, 7, rounds)
	sitetest.SameContents(t, contents(t, s), contents(t, alone))
}
