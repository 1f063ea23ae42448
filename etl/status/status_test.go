package status_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// mustRun makes tables, of sitetest.Day unless days are given.
func mustRun(t *testing.T, s *site.Site, o etl.RunOptions) job.Report {
	t.Helper()
	if o.Days == nil {
		o.Days = []string{sitetest.Day}
	}
	o.Now = time.Now
	r, err := etl.Run(t.Context(), s, o)
	require.NoError(t, err)
	return r
}

// states returns the state of every partition of the days, as "table day" with its first reason.
func states(t *testing.T, s *site.Site, now time.Time, days ...string) (at map[string]status.State, why map[string]string,
	st *status.Status) {
	t.Helper()
	st, err := status.Read(t.Context(), s, status.Options{Days: days, Now: now})
	require.NoError(t, err)
	at, why = map[string]status.State{}, map[string]string{}
	for _, p := range st.Partitions {
		at[p.Unit.String()] = p.State
		if len(p.Reasons) > 0 {
			why[p.Unit.String()] = p.Reasons[0]
		}
	}
	return at, why, st
}

func TestStatusStates(t *testing.T) {
	days := sitetest.DayRange(t, "20180301", "20180304")
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, days[:3]...)
	s := sitetest.Memory(t, pings)
	expect := func(what string, now time.Time, unit string, want status.State, reason string) {
		t.Helper()
		at, why, _ := states(t, s, now, days...)
		if at[unit] != want || !strings.Contains(why[unit], reason) {
			t.Errorf("%s: %s is %s (%s), want %s (%s)", what, unit, at[unit], why[unit], want, reason)
		}
	}
	expect("at first", sitetest.Later, "main_summary 20180301", status.Missing, "not made yet")
	expect("at first", sitetest.Later, "addons 20180301", status.Missing, "main_summary of the day is not published")
	expect("at first", sitetest.Later, "addons 20180304", status.Empty, "")
	expect("on the day", time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC), "addons 20180301", status.Incomplete, "the day is not over")

	running := map[status.State]int{}
	o := etl.RunOptions{Tables: sitetest.AllTables, Days: days[:2], Progress: func(e job.Event) {
		if e.Kind == job.TaskStarted {
			at, _, _ := states(t, s, sitetest.Later, days...)
			running[at[e.Unit.String()]]++
		}
	}}
	mustRun(t, s, o)
	if running[status.Running] == 0 || len(running) > 1 {
		t.Errorf("while they run: %v", running)
	}
	at, _, st := states(t, s, sitetest.Later, days[:2]...)
	for u, state := range at {
		if state != status.Published {
			t.Errorf("after the run %s is %s", u, state)
		}
	}
	if st.Wrong() != 0 || len(st.Partitions) != 14 || st.Partitions[0].Rows != 5 || st.Partitions[0].Bytes == 0 || st.Partitions[0].Run != 1 {
		t.Errorf("after the run: %d wrong, %+v", st.Wrong(), st.Partitions[0])
	}
	sitetest.DayPings(t, pings, 2, 3, days[0])
	expect("with more pings", sitetest.Later, "main_summary 20180301", status.Stale, "the archive's main pings of the day changed")
	expect("with more pings", sitetest.Later, "clients_daily 20180301", status.Stale, "main_summary is to be made again")
	expect("with more pings", sitetest.Later, "main_summary 20180302", status.Published, "")
	mustRun(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: days[:1]})
	expect("main_summary made again", sitetest.Later, "addons 20180301", status.Stale, "main_summary was made again")

	s.SetApps([]string{"Other"})
	expect("for another application", sitetest.Later, "main_summary 20180302", status.Stale, "other applications")
	s.SetApps(schema.DesktopApps)
	s.Archive = store.NewMemory()
	expect("without the archive", sitetest.Later, "main_summary 20180302", status.Published, "it cannot be made again: ")
	expect("without the archive", sitetest.Later, "main_summary 20180303", status.Empty, "")
}

// brokenBucket cannot be written to.
type brokenBucket struct{ store.Bucket }

func (brokenBucket) Create(context.Context, string) (store.Writer, error) {
	return nil, errors.New("a broken disk\nwith two lines")
}

// TestStatusOfFailures: a failed, a stopped and a killed attempt, each until the
// partition is made.
func TestStatusOfFailures(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301")
	s := sitetest.Memory(t, pings)
	const unit = "main_summary 20180301"
	working := s.Roots[schema.StorageRoot]
	s.Roots[schema.StorageRoot] = brokenBucket{working}
	o := etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"}, Now: time.Now}
	if _, err := etl.Run(t.Context(), s, o); err == nil {
		t.Fatal("a broken disk is no error")
	}
	for _, broken := range []bool{true, false} {
		if !broken {
			s.Roots[schema.StorageRoot] = working
		}
		at, why, st := states(t, s, sitetest.Later, "20180301")
		if at[unit] != status.Failed || !strings.Contains(why[unit], "broken disk") || strings.Contains(why[unit], "\n") || st.Wrong() != 7 {
			t.Errorf("broken %v: %s, %s, %d wrong", broken, at[unit], why[unit], st.Wrong())
		}
	}
	for outcome, want := range map[string]struct {
		state  status.State
		reason string
	}{
		"planned":   {status.Failed, "its last run ended without a record: its process was killed, or the disk of the ledger was full"},
		"lost":      {status.Failed, "its last run ended without a record: its process was killed, or the disk of the ledger was full"},
		"cancelled": {status.Missing, "the last run of it was stopped"},
	} {
		setOutcomes(t, s, outcome)
		_, _, st := states(t, s, sitetest.Later, "20180301")
		if p := st.Partitions[0]; p.State != want.state || !slices.Contains(p.Reasons, want.reason) {
			t.Errorf("%s: %s, %v", outcome, p.State, p.Reasons)
		}
	}
	mustRun(t, s, o)
	if at, _, _ := states(t, s, sitetest.Later, "20180301"); at[unit] != status.Published {
		t.Errorf("in the end: %s", at[unit])
	}
}

// TestStatusOfEdges: a day waits for the edges that are inside it, and the spool
// is counted.
func TestStatusOfEdges(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301", "20180302")
	s := sitetest.Memory(t, pings)
	noon := time.Date(2018, 3, 2, 12, 0, 0, 0, time.UTC)
	require.NoError(t, edgestate.SetProgress(t.Context(), pings, "e1", noon.UnixNano(), time.Time{}))
	at, why, st := states(t, s, noon.Add(30*time.Hour), "20180301", "20180302")
	if at["crash_summary 20180301"] != status.Missing || at["crash_summary 20180302"] != status.Incomplete ||
		why["crash_summary 20180302"] != "edge e1 is decoded up to 2018-03-02 12:00" {
		t.Errorf("%v %v", at, why)
	}
	if len(st.Edges) != 1 || st.Edges[0].Lag != 30*time.Hour || st.Spool != nil {
		t.Errorf("edges: %+v, spool %v", st.Edges, st.Spool)
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := status.Read(t.Context(), s, status.Options{Days: []string{"20180301"}, Now: noon, Spool: dir}); err != nil {
			t.Errorf("spool %s: %v", dir, err)
		}
	}
	if _, err := status.Read(t.Context(), s, status.Options{Tables: []string{"nothing"}, Days: []string{"20180301"}}); err == nil {
		t.Error("the status of an unknown table")
	}
}

// TestStalledTopics: a topic that nobody decodes is trouble after a time, and an edge that was stopped is none.
func TestStalledTopics(t *testing.T) {
	pings := store.NewMemory()
	s := sitetest.Memory(t, pings)
	noon := time.Date(2018, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, edge := range []string{"e1", "kafka.pings.00000"} {
		require.NoError(t, edgestate.SetProgress(t.Context(), pings, edge, noon.UnixNano(), noon))
	}
	trouble := func(after time.Duration) []string {
		st, err := status.Read(t.Context(), s, status.Options{Days: []string{"20180301"}, Now: noon.Add(20 * time.Minute), StalledAfter: after})
		require.NoError(t, err)
		return st.Trouble
	}
	require.Empty(t, trouble(0))
	require.Empty(t, trouble(30*time.Minute))
	got := trouble(15 * time.Minute)
	require.Len(t, got, 1)
	require.Contains(t, got[0], "kafka.pings.00000 are decoded up to 2018-03-02 12:00:00: decoding stands still")
}

// TestOlderColumns: other probe definitions leave published days alone, also
// samples of them, unless forced; a partition names the program and inputs that made it.
func TestOlderColumns(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 9, 200)
	s := sitetest.Memory(t, pings)
	mustRun(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	before := sitetest.Contents(t, s)
	fewer := *s.Probes
	fewer.UserPrefs = fewer.UserPrefs[1:]
	s.Probes, s.Tables = &fewer, sitetest.Tables(&fewer)
	if r := mustRun(t, s, etl.RunOptions{Tables: sitetest.AllTables}); !r.Unchanged() {
		t.Errorf("with fewer preferences: %v", r)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
	at, _, st := states(t, s, sitetest.Later, sitetest.Day)
	if at["main_summary "+sitetest.Day] != status.Older || at["addons "+sitetest.Day] != status.Published || st.Wrong() != 0 {
		t.Errorf("states: %v", at)
	}
	records, err := s.Ledger.Committed(t.Context(), job.Filter{Table: "main_summary"})
	if err != nil || len(records) != 1 || records[0].Run != 1 {
		t.Errorf("the ledger: %+v, %v", records, err)
	}
	some := []job.Samples{{Lo: 0, Hi: 10}}
	if r := mustRun(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Samples: some}); !r.Unchanged() {
		t.Errorf("some samples: %v", r)
	}
	r, err := etl.Run(t.Context(), s,
		etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{sitetest.Day}, Samples: some, Force: true, Now: time.Now})
	if err != nil || r.Count(job.Skipped) != 1 || !strings.Contains(r.Units[0].Reason, "other probe definitions") {
		t.Errorf("some samples, forced: %v %v", r, err)
	}
	if r := mustRun(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Force: true, Downstream: true}); r.Count(job.Committed) != 4 {
		t.Errorf("forced: %v", r)
	}
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	if at, _, _ := states(t, s, sitetest.Later, sitetest.Day); at["main_summary "+sitetest.Day] != status.Published ||
		m.Probes != fewer.Hash() {
		t.Errorf("after forcing: %v, probes %s", at, m.Probes)
	}
}

// setOutcomes changes the outcome of all units in the ledger.
func setOutcomes(t *testing.T, s *site.Site, outcome string) {
	t.Helper()
	db, err := sql.Open("sqlite", job.DSN(filepath.Join(s.Dir, "ledger.db")))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "PRAGMA foreign_keys = 0; UPDATE units SET outcome = ?", outcome)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}
