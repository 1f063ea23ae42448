package etl

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestLeftToNewer: neither a run nor the schedule makes what a newer version made, and both say so. Tables that it did not make
// go on; --force makes it with this version.
func TestLeftToNewer(t *testing.T) {
	s := diskSite(t)
	sitetest.MadeByNewer(t, s, "main_summary", sitetest.Day)
	sitetest.MadeByNewer(t, s, "crash_summary", sitetest.Day)
	before := sitetest.Contents(t, s)

	report := mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	require.True(t, report.Unchanged(), report.String())
	var staying []string
	for _, u := range report.Units {
		if u.Reason != "" {
			require.Contains(t, u.Reason, "a newer version of pingmill made it: with version 4 of the transforms, this program has 3: "+
				"it is left as it is")
			staying = append(staying, u.Table)
		}
	}
	require.ElementsMatch(t, []string{"main_summary", "crash_summary"}, staying)

	var log bytes.Buffer
	c := &sitetest.Clock{}
	c.Set(sitetest.At(7).UnixNano())
	sc, err := newScheduler(s, ScheduleOptions{Clock: clock.Clock{Now: c.Now}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	for range 3 {
		clear(sc.done)
		require.NoError(t, sc.round(t.Context()))
	}
	require.Equal(t, 1, strings.Count(log.String(), "partitions stay that a newer version of pingmill made"), log.String())
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
	at, why, st := states(t, s, sitetest.Later, sitetest.Day)
	require.Equal(t, "newer", at["main_summary "+sitetest.Day])
	require.Equal(t, "published", at["addons "+sitetest.Day])
	require.Contains(t, why["crash_summary "+sitetest.Day], "version 4")
	require.Zero(t, st.Wrong)

	// More pings of the day: only the newer version can finish it.
	sitetest.Pings(t, s.Archive, 11, 50)
	o := RunOptions{Tables: []string{"addons", "telemetry_new_profile_parquet"}, Days: []string{sitetest.Day}, Now: time.Now}
	report, err = Run(t.Context(), s, o)
	require.NoError(t, err)
	skipped := map[string]job.Outcome{}
	for _, u := range report.Units {
		skipped[u.Table] = u.Outcome
	}
	require.Equal(t, map[string]job.Outcome{
		"main_summary": job.Skipped, "addons": job.Skipped, "telemetry_new_profile_parquet": job.Current,
	}, skipped)
	at, why, _ = states(t, s, sitetest.Later, sitetest.Day)
	require.Equal(t, "stale", at["main_summary "+sitetest.Day])
	require.Contains(t, why["main_summary "+sitetest.Day], "the archive's main pings of the day changed; a newer version")

	report = mustRun(t, s, RunOptions{Tables: []string{"addons"}, Force: true})
	require.Equal(t, 2, report.Count(job.Committed), report.String())
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	require.False(t, m.ByNewer(lt.Schema))
	require.Equal(t, lt.Schema.Transforms(), m.Made.Transforms)
}

// TestNewerFormat: a manifest in a newer format is no damage, which a run would mend.
func TestNewerFormat(t *testing.T) {
	s := diskSite(t)
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	root, _ := store.LocalDir(lt.Bucket())
	name := filepath.Join(root, lt.Path(sitetest.Day, "_manifest.json"))
	rewrite(t, name, []byte(`{"format":7}`))
	before := sitetest.Contents(t, s)
	for _, force := range []bool{false, true} {
		_, err = Run(t.Context(), s, RunOptions{Tables: []string{"crash_summary"}, Days: []string{sitetest.Day}, Now: time.Now, Force: force})
		require.ErrorIs(t, err, lake.ErrNewer)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
}
