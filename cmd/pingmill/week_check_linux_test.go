package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/store"
)

// settled is the part of the journal that existed when all tables of a day were published.
type settled struct {
	day     string
	journal int
}

// states checks what servers say of tables of a day: that each state begins
// with the wanted one, and that a reason has the text.
func (w *week) states(servers []*weekly, day int, tables []string, want, why string) {
	w.t.Helper()
	for _, s := range servers {
		st := s.status()
		for _, t := range tables {
			p := st.partition(t, weekDay(day))
			if p.State != want || !strings.Contains(strings.Join(p.Reasons, "; "), why) {
				w.t.Errorf("%v: server %s says of %s of day %d: %s %v, want %s %q", w.now, s.name, t, day, p.State, p.Reasons, want, why)
			}
		}
	}
}

// gauge checks that a metric of a server is between two values.
func (w *week) gauge(s *weekly, name string, low, high float64) {
	w.t.Helper()
	if v, ok := s.metric(name); !ok || v < low || v > high {
		w.t.Errorf("%v: server %s has %s %v (%v), want %v to %v", w.now, s.name, name, v, ok, low, high)
	}
}

// lag checks the lag of an edge that a server reports: so much, or the minutes more after which decoding reports its
// progress, as no more arrived.
func (w *week) lag(s, edge *weekly, least time.Duration) {
	w.t.Helper()
	const usual = 10 * time.Minute
	least = max(0, least-time.Second)
	w.gauge(s, fmt.Sprintf("pingmill_edge_lag_seconds{edge=%q}", edge.name), least.Seconds(), (least + usual).Seconds())
	for _, e := range s.status().Edges {
		if e.Edge == edge.name && (e.LagSeconds < least.Seconds() || e.LagSeconds > (least+usual).Seconds()) {
			w.t.Errorf("%v: server %s says that edge %s is %v s behind, want %v", w.now, s.name, e.Edge, e.LagSeconds, least)
		}
	}
}

// inOrder checks status and metrics when all days up to one are published and
// the next has begun.
func (w *week) inOrder(day int) {
	w.t.Helper()
	since := w.now.Sub(weekTime(day+1, 0, 0)).Seconds()
	for _, s := range w.up() {
		st := s.status()
		for d := 1; d <= day; d++ {
			for _, t := range weekTables {
				if p := st.partition(t, weekDay(d)); p.State != "published" || p.Wrong || !p.Complete {
					w.t.Errorf("%v: server %s says of %s of day %d: %+v", w.now, s.name, t, d, p)
				}
			}
		}
		for _, t := range dailyTables {
			if p := st.partition(t, weekDay(day+1)); p.State != "incomplete" && p.State != "no pings" || p.Wrong {
				w.t.Errorf("%v: server %s says of %s of day %d, which has just begun: %+v", w.now, s.name, t, day+1, p)
			}
			w.gauge(s, fmt.Sprintf("pingmill_table_freshness_seconds{table=%q}", t), since, since)
		}
		for _, t := range weekTables {
			w.gauge(s, fmt.Sprintf("pingmill_table_overdue_seconds{table=%q}", t), 0, 0)
		}
		for _, e := range w.servers {
			w.lag(s, e, 0)
		}
		if code, text := s.page("/__heartbeat__"); code != 200 {
			w.t.Errorf("%v: server %s is not well: %s", w.now, s.name, text)
		}
	}
	w.t.Logf("day %d is settled at %v of the test's time", day, time.Since(w.began).Round(time.Millisecond))
	w.mu.Lock()
	w.settled = append(w.settled, settled{day: weekDay(day), journal: len(w.journal)})
	w.mu.Unlock()
	if w.t.Failed() {
		w.t.FailNow()
	}
}

// checkCounts compares what a server that was never down has counted with the
// journal.
func (w *week) checkCounts(s *weekly) {
	w.t.Helper()
	for _, t := range []string{"addons", "clients_daily", "search_clients_daily"} {
		var n, rows float64
		for _, p := range w.journal {
			if p.server == s.name && p.table == t {
				n, rows = n+1, rows+float64(p.rows)
			}
		}
		w.gauge(s, fmt.Sprintf(`pingmill_partitions_total{outcome="committed",table=%q}`, t), n, n)
		w.gauge(s, fmt.Sprintf("pingmill_rows_total{table=%q}", t), rows, rows)
	}
}

// checkJournal looks for what was published twice, or before its turn.
func (w *week) checkJournal() {
	count, by := map[job.Unit]int{}, map[string]int{}
	last := ""
	for i, p := range w.journal {
		for _, s := range w.settled {
			if p.day <= s.day && i >= s.journal {
				w.t.Errorf("%s of %s is published at %v, after the day was settled", p.table, p.day, p.at)
			}
		}
		if !slices.Contains(dailyTables, p.table) {
			continue
		}
		by[p.server]++
		if count[job.Unit{Table: p.table, Day: p.day}]++; count[job.Unit{Table: p.table, Day: p.day}] > 1 {
			w.t.Errorf("%s of %s is published again, by server %s at %v", p.table, p.day, p.server, p.at)
		}
		if p.day < last {
			w.t.Errorf("%s of %s is published after one of %s", p.table, p.day, last)
		}
		last = p.day
		needs := !slices.Contains([]string{"main_summary", "crash_summary", "event_events", "longitudinal_pings"}, p.table)
		if needs && count[job.Unit{Table: "main_summary", Day: p.day}] == 0 {
			w.t.Errorf("%s of %s is published before main_summary", p.table, p.day)
		}
	}
	if len(count) != 7*len(dailyTables) {
		w.t.Errorf("%d partitions of daily tables are published, want %d", len(count), 7*len(dailyTables))
	}
	w.t.Logf("publications of daily tables by server: %v; of all: %d", by, len(w.journal))
}

// checkBytes compares the lake with what an undisturbed run makes of the archive.
func (w *week) checkBytes() {
	w.t.Helper()
	dir := filepath.Join(w.dir, "reference")
	site := openSite(w.t, dir)
	var err error
	if site.Archive, err = store.OpenLocal(filepath.Join(w.dir, "shared", "archive")); err != nil {
		w.t.Fatal(err)
	}
	days, err := job.DayRange(weekDay(1), weekDay(7))
	require.NoError(w.t, err)
	if _, err := etl.Run(context.Background(), site, etl.RunOptions{Tables: weekTables, Days: days, Now: time.Now}); err != nil {
		w.t.Fatal(err)
	}
	_, err = etl.Run(context.Background(), site, etl.RunOptions{Tables: []string{"longitudinal"}, Days: []string{weekDay(3)}, Now: time.Now})
	require.NoError(w.t, err, "the snapshot of Saturday")
	for _, root := range []string{"lake", "pipeline", "restricted"} {
		got, want := w.tree(filepath.Join(w.dir, "shared", root)), w.tree(filepath.Join(dir, root))
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				w.t.Errorf("%s/%s differs from what an undisturbed run makes", root, name)
			}
			delete(got, name)
		}
		for name := range got {
			w.t.Errorf("%s/%s should not be there", root, name)
		}
	}
}

// checkProfiles checks that each published partition has its profile, whichever server published it.
func (w *week) checkProfiles() {
	w.t.Helper()
	site := openSite(w.t, filepath.Join(w.dir, "shared"))
	for _, name := range weekTables {
		lt, err := site.Table(name)
		require.NoError(w.t, err)
		if lt.Schema.Snapshots != nil {
			continue // snapshots and their parts have no profiles
		}
		manifests, err := lt.Partitions(context.Background())
		require.NoError(w.t, err)
		for _, m := range manifests {
			h, err := quality.ReadHead(context.Background(), lt, m.Day)
			if err != nil || !h.Growing && (h.Generation != m.Generation || h.Rows != m.Rows) {
				w.t.Errorf("the profile of %s %s: %+v, %v", name, m.Day, h, err)
			}
		}
	}
}

// tree returns the hash of every file below a folder, by name, without leases: one whose server was killed stays, and
// counts for nothing. Profiles have a check of their own.
func (w *week) tree(dir string) map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && (e.Name() == "_leases" || e.Name() == "_quality") {
			return filepath.SkipDir
		}
		if err != nil || e.IsDir() || e.Name() == ".swap.lock" {
			return err
		}
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir+"/")] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	require.NoError(w.t, err)
	return all
}

// checkArchive looks for each acknowledged submission once.
func (w *week) checkArchive() {
	w.t.Helper()
	b, err := store.OpenLocal(filepath.Join(w.dir, "shared", "archive"))
	require.NoError(w.t, err)
	days, err := archive.Days(context.Background(), b)
	require.NoError(w.t, err)
	rows := int64(0)
	for _, d := range days {
		rows += d.Rows
	}
	if rows != int64(w.sent) || w.sent != len(w.submissions) {
		w.t.Errorf("the archive has %d pings; %d of %d submissions were acknowledged", rows, w.sent, len(w.submissions))
	}
}
