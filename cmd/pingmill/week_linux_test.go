package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/tools/generate"
)

// weekTables are the tables in an order in which they can be made.
var weekTables = []string{
	"main_summary", "addons", "clients_daily", "search_clients_daily", "search_aggregates", "crash_summary", "event_events",
	"longitudinal_pings",
	"telemetry_new_profile_parquet", "telemetry_update_parquet",
}

// dailyTables are the tables that only a daily job publishes.
var dailyTables = weekTables[:8]

// weekSubmission is a submission of a client.
type weekSubmission struct {
	uri     string
	body    []byte
	headers []generate.Header
	at      time.Time
}

// TestWeek lets two servers, each with an edge of its own, work on one lake for seven days of a clock that the test
// controls: with a table that fails, a server that is killed while it publishes at midnight and one that is down for
// more than a day, an archive that cannot be reached for hours, and slow disks. Every partition is published once, in
// order, with the bytes that an undisturbed run makes of the archive; and status and metrics are right.
func TestWeek(t *testing.T) {
	t.Parallel()
	w := newWeek(t)
	a, b := w.servers[0], w.servers[1]
	w.now = weekTime(1, 0, 0)
	for _, s := range w.servers {
		s.start()
	}
	w.ordinaryDay(1)
	w.failingTask(2)
	w.midnightCrash(3, a, b)
	w.longOutage(4, a, b)
	w.lostArchive(6, a, b)
	w.slowDisk(7)
	w.checkCounts(b)
	for _, s := range w.servers {
		s.stop()
	}
	w.checkJournal()
	w.checkBytes()
	w.checkProfiles()
	w.checkArchive()
}

// weekTime returns a time of the week, whose first day is 1.
func weekTime(day, hour, minute int) time.Time {
	return time.Date(2018, 3, day, hour, minute, 0, 0, time.UTC)
}

func weekDay(day int) string { return job.FormatDay(weekTime(day, 0, 0)) }

// newWeek makes an installation for each of two servers, which have archive and
// tables in common, as on a disk that both have mounted.
func newWeek(t *testing.T) *week {
	t.Helper()
	w := &week{t: t, dir: t.TempDir(), began: time.Now(), changed: make(chan struct{}), submissions: weekPopulation(t)}
	for _, name := range []string{"a", "b"} {
		data := filepath.Join(w.dir, name)
		for _, shared := range []string{"archive", "lake", "pipeline", "restricted"} {
			target := filepath.Join(w.dir, "shared", shared)
			for _, dir := range []string{target, data} {
				require.NoError(t, os.MkdirAll(dir, 0o700))
			}
			require.NoError(t, os.Symlink(target, filepath.Join(data, shared)))
		}
		w.servers = append(w.servers, newWeekly(t, w, name, data))
	}
	return w
}

// weekPopulation holds the submissions of the week without damaged ones and duplicates.
func weekPopulation(t *testing.T) (all []*weekSubmission) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 11, Clients: 60, Days: 7, MeanBytes: 16_000, Gzip: true, Damaged: -1, Duplicates: -1})
	require.NoError(t, err)
	for s := range g.Submissions() {
		all = append(all, &weekSubmission{
			uri: string(s.URI), body: bytes.Clone(s.Body), headers: slices.Clone(s.Headers), at: time.Unix(0, s.Timestamp).UTC(),
		})
	}
	return all
}

// up returns the servers that run.
func (w *week) up() (up []*weekly) {
	for _, s := range w.servers {
		if s.cmd != nil {
			up = append(up, s)
		}
	}
	return up
}

// step moves the clocks of servers, of all that run unless some are named, and
// waits until their schedulers have done what was due.
func (w *week) step(to time.Time, servers ...*weekly) {
	w.t.Helper()
	if len(servers) == 0 {
		servers = w.up()
	}
	w.set(to, servers...)
	for _, s := range servers {
		w.await(fmt.Sprintf("the scheduler of server %s has done its work of %v", s.name, to), func() bool { return s.idle.Equal(to) }, s)
	}
}

// set moves the clocks of servers.
func (w *week) set(to time.Time, servers ...*weekly) {
	w.t.Helper()
	w.mu.Lock()
	w.now = to
	w.mu.Unlock()
	for _, s := range servers {
		s.write("now %d", to.UnixNano())
	}
}

// decoded waits until servers have taken all until now into the archive.
func (w *week) decoded(servers ...*weekly) {
	w.t.Helper()
	for _, s := range servers {
		w.await(fmt.Sprintf("server %s has decoded up to %v", s.name, w.now), func() bool { return !s.progress.Before(w.now) }, s)
	}
}

// arrive moves the clocks to a time and lets arrive what is due by then, at
// the edges that are there.
func (w *week) arrive(until time.Time) {
	w.t.Helper()
	w.step(until)
	var group errgroup.Group
	group.SetLimit(8)
	up := w.up()
	for w.sent < len(w.submissions) && w.submissions[w.sent].at.Before(until) {
		s, sub := up[w.sent%len(up)], w.submissions[w.sent]
		w.sent++
		group.Go(func() error { return s.post(sub) })
	}
	require.NoError(w.t, group.Wait())
}

// live lets the rest of a day arrive, from an hour on, and ends right after
// midnight, when all edges that are there have decoded it.
func (w *week) live(day, hour int) {
	w.t.Helper()
	for ; hour < 24; hour += 8 {
		w.arrive(weekTime(day, hour, 0))
		w.decoded(w.up()...)
	}
	w.arrive(weekTime(day, 23, 59).Add(59 * time.Second))
	w.step(weekTime(day+1, 0, 0).Add(30 * time.Second))
	w.decoded(w.up()...)
}
