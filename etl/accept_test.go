package etl

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// asOlder makes the published partitions of a day those of an earlier version of the program: the work of their parts has its name.
func asOlder(t *testing.T, s *site.Site, day string, version int, tables ...string) {
	t.Helper()
	st := newSteps(&s.Data)
	for _, name := range tables {
		a, err := st.assess(t.Context(), job.Unit{Table: name, Day: day})
		require.NoError(t, err)
		require.NotNil(t, a.base)
		for i := range a.base.Parts {
			a.base.Parts[i].Work = st.workWith(a.table, version, lake.Fingerprint(a.table.Fixed()), a.source.inputs)
		}
		b, err := json.MarshalIndent(a.base, "", " ")
		require.NoError(t, err)
		root, _ := store.LocalDir(s.TableOf(a.table).Bucket())
		rewrite(t, filepath.Join(root, filepath.FromSlash(s.TableOf(a.table).Path(day, "_manifest.json"))), append(b, '\n'))
	}
}

func statesOf(t *testing.T, s *site.Site, days ...string) map[string]partitionState {
	t.Helper()
	all := map[string]partitionState{}
	for _, p := range readStates(t, s, sitetest.At(20), nil, days...).Partitions {
		all[p.Table+" "+p.Day] = p
	}
	return all
}

func runAll(t *testing.T, s *site.Site, day string) job.Report {
	t.Helper()
	r, err := Run(t.Context(), s, RunOptions{Tables: sitetest.AllTables, Days: []string{day}, Now: time.Now})
	require.NoError(t, err)
	return r
}

// TestAccept goes through an upgrade: status names version and columns, an operator accepts, revokes, and new pings end it.
func TestAccept(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 20, sitetest.Day)
	runAll(t, s, sitetest.Day)
	asOlder(t, s, sitetest.Day, 2, "main_summary", "crash_summary")
	p := statesOf(t, s, sitetest.Day)["main_summary "+sitetest.Day]
	assert.Equal(t, stateStale, p.State)
	why := strings.Join(p.Reasons, "; ")
	assert.Contains(t, why, "made by version 2 of the transforms, this program has 3")
	assert.Contains(t, why, "flash_version")

	o := AcceptOptions{Tables: []string{"main_summary", "crash_summary", "addons"}, Days: []string{sitetest.Day}, Reason: "not used",
		Now: sitetest.At(20)}
	all, err := Accept(t.Context(), s, o)
	require.NoError(t, err)
	require.Len(t, all, 2)
	states := statesOf(t, s, sitetest.Day)
	p = states["main_summary "+sitetest.Day]
	assert.Equal(t, stateAccepted, p.State)
	assert.Contains(t, strings.Join(p.Reasons, ""), "not used")
	for name, p := range states {
		assert.False(t, p.Wrong, "%s is %s: %v", name, p.State, p.Reasons)
	}
	assert.Zero(t, runAll(t, s, sitetest.Day).Count(job.Committed), "an accepted partition was made again")

	o.Revoke = true
	all, err = Accept(t.Context(), s, o)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, stateStale, statesOf(t, s, sitetest.Day)["main_summary "+sitetest.Day].State)

	o.Revoke = false
	_, err = Accept(t.Context(), s, o)
	require.NoError(t, err)
	sitetest.DayPings(t, s.Archive, 2, 5, sitetest.Day) // the archive has more than what was accepted
	assert.Equal(t, stateStale, statesOf(t, s, sitetest.Day)["main_summary "+sitetest.Day].State)
	assert.Positive(t, runAll(t, s, sitetest.Day).Count(job.Committed))
	assert.Equal(t, statePublished, statesOf(t, s, sitetest.Day)["main_summary "+sitetest.Day].State)
}

// TestCausesOfColumns: where columns changed, too, status names them.
func TestCausesOfColumns(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 20, sitetest.Day)
	runAll(t, s, sitetest.Day)
	st := newSteps(&s.Data)
	a, err := st.assess(t.Context(), job.Unit{Table: "main_summary", Day: sitetest.Day})
	require.NoError(t, err)
	require.NotEmpty(t, a.base.Files)
	table := *a.table
	table.Columns = append(table.Columns[:2:2], table.Columns[3:]...) // the present program has one column less
	a.table = &table
	a.work = st.work(a.table, a.source.inputs)
	why := strings.Join(st.codeCauses(t.Context(), &a), "; ")
	assert.Contains(t, why, "its columns are others: - ")
}

// TestRemake: stale partitions from before the lookback are made again, the newest day first, no more of them than the rate allows.
func TestRemake(t *testing.T) {
	s := sitetest.Local(t)
	days := []string{"20180301", "20180302", "20180303"}
	sitetest.DayPings(t, s.Archive, 1, 10, days...)
	for _, day := range days {
		runAll(t, s, day)
		asOlder(t, s, day, 2, "crash_summary", "telemetry_update_parquet")
	}
	c := &sitetest.Clock{}
	c.Set(sitetest.At(28).UnixNano())
	rounds := 0
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stale := func() (left []string) {
		states := statesOf(t, s, days...)
		for _, day := range days {
			if states["crash_summary "+day].State == stateStale {
				left = append(left, day)
			}
		}
		return left
	}
	var seen [][]string
	require.NoError(t, Schedule(ctx, s, ScheduleOptions{
		Lookback: 3, Remake: 2, Clock: clock.Clock{Now: c.Now, Wait: func(ctx context.Context, _ time.Duration) error { // a round each six hours
			seen = append(seen, stale())
			c.Set(c.Ns.Load() + int64(6*time.Hour))
			if rounds++; rounds == 14 {
				stop()
			}
			return ctx.Err()
		}},
	}))
	assert.Equal(t, []string{"20180301", "20180302"}, seen[0], "the newest day comes first, alone")
	assert.Equal(t, seen[0], seen[3], "two partitions take a day at this rate")
	assert.Equal(t, []string{"20180301"}, seen[4])
	assert.Empty(t, seen[13])
}
