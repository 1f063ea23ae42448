package etl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// states gives the state of every partition of the days, as "table day" with its
// first reason.
func states(t *testing.T, s *site.Site, now time.Time, days ...string) (map[string]State, map[string]string, *Status) {
	t.Helper()
	st, err := ReadStatus(context.Background(), s, StatusOptions{Days: days, Now: now})
	require.NoError(t, err)
	at, why := map[string]State{}, map[string]string{}
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
	expect := func(what string, now time.Time, unit string, want State, reason string) {
		t.Helper()
		at, why, _ := states(t, s, now, days...)
		if at[unit] != want || !strings.Contains(why[unit], reason) {
			t.Errorf("%s: %s is %s (%s), want %s (%s)", what, unit, at[unit], why[unit], want, reason)
		}
	}
	expect("at first", sitetest.Later, "main_summary 20180301", Missing, "not made yet")
	expect("at first", sitetest.Later, "addons 20180301", Missing, "main_summary of the day is not published")
	expect("at first", sitetest.Later, "addons 20180304", Empty, "")
	expect("on the day", time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC), "addons 20180301", Incomplete, "the day is not over")

	running := map[State]int{}
	o := RunOptions{Tables: sitetest.AllTables, Days: days[:2], Progress: func(e job.Event) {
		if e.Kind == job.TaskStarted {
			at, _, _ := states(t, s, sitetest.Later, days...)
			running[at[e.Unit.String()]]++
		}
	}}
	mustRun(t, s, o)
	if running[Running] == 0 || len(running) > 1 {
		t.Errorf("while they run: %v", running)
	}
	at, _, st := states(t, s, sitetest.Later, days[:2]...)
	for u, state := range at {
		if state != Published {
			t.Errorf("after the run %s is %s", u, state)
		}
	}
	if st.Wrong() != 0 || len(st.Partitions) != 14 || st.Partitions[0].Rows != 5 || st.Partitions[0].Bytes == 0 || st.Partitions[0].Run != 1 {
		t.Errorf("after the run: %d wrong, %+v", st.Wrong(), st.Partitions[0])
	}
	sitetest.DayPings(t, pings, 2, 3, days[0])
	expect("with more pings", sitetest.Later, "main_summary 20180301", Stale, "the archive's main pings of the day changed")
	expect("with more pings", sitetest.Later, "clients_daily 20180301", Stale, "main_summary is to be made again")
	expect("with more pings", sitetest.Later, "main_summary 20180302", Published, "")
	mustRun(t, s, RunOptions{Tables: []string{"main_summary"}, Days: days[:1]})
	expect("main_summary made again", sitetest.Later, "addons 20180301", Stale, "main_summary was made again")

	s.SetApps([]string{"Other"})
	expect("for another application", sitetest.Later, "main_summary 20180302", Stale, "other applications")
	s.SetApps(schema.DesktopApps)
	s.Archive = store.NewMemory()
	expect("without the archive", sitetest.Later, "main_summary 20180302", Published, "it cannot be made again: ")
	expect("without the archive", sitetest.Later, "main_summary 20180303", Empty, "")
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
	o := RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"}, Now: time.Now}
	if _, err := Run(t.Context(), s, o); err == nil {
		t.Fatal("a broken disk is no error")
	}
	for _, broken := range []bool{true, false} {
		if !broken {
			s.Roots[schema.StorageRoot] = working
		}
		at, why, st := states(t, s, sitetest.Later, "20180301")
		if at[unit] != Failed || !strings.Contains(why[unit], "broken disk") || strings.Contains(why[unit], "\n") || st.Wrong() != 7 {
			t.Errorf("broken %v: %s, %s, %d wrong", broken, at[unit], why[unit], st.Wrong())
		}
	}
	for outcome, want := range map[string]struct {
		state  State
		reason string
	}{
		"planned": {Failed, "its last run ended without a record: its process was killed, or the disk of the ledger was full"}, "lost": {Failed, "its last run ended without a record: its process was killed, or the disk of the ledger was full"},
		"cancelled": {Missing, "the last run of it was stopped"},
	} {
		sqlLedger("UPDATE units SET outcome = '"+outcome+"'")(t, ledgerOf(s))
		_, _, st := states(t, s, sitetest.Later, "20180301")
		if p := st.Partitions[0]; p.State != want.state || !slices.Contains(p.Reasons, want.reason) {
			t.Errorf("%s: %s, %v", outcome, p.State, p.Reasons)
		}
	}
	mustRun(t, s, o)
	if at, _, _ := states(t, s, sitetest.Later, "20180301"); at[unit] != Published {
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
	if at["crash_summary 20180301"] != Missing || at["crash_summary 20180302"] != Incomplete || why["crash_summary 20180302"] != "edge e1 is decoded up to 2018-03-02 12:00" {
		t.Errorf("%v %v", at, why)
	}
	if len(st.Edges) != 1 || st.Edges[0].Lag != 30*time.Hour || st.Spool != nil {
		t.Errorf("edges: %+v, spool %v", st.Edges, st.Spool)
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := ReadStatus(t.Context(), s, StatusOptions{Days: []string{"20180301"}, Now: noon, Spool: dir}); err != nil {
			t.Errorf("spool %s: %v", dir, err)
		}
	}
	if _, err := ReadStatus(t.Context(), s, StatusOptions{Tables: []string{"nothing"}, Days: []string{"20180301"}}); err == nil {
		t.Error("the status of an unknown table")
	}
}

// TestOlderColumns: other probe definitions leave published days alone, also
// samples of them, unless forced; a partition names the program and inputs that made it.
func TestOlderColumns(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 9, 200)
	s := sitetest.Memory(t, pings)
	mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	before := sitetest.Contents(t, s)
	fewer := *s.Probes
	fewer.UserPrefs = fewer.UserPrefs[1:]
	s.Probes, s.Tables = &fewer, sitetest.Tables(&fewer)
	if r := mustRun(t, s, RunOptions{Tables: sitetest.AllTables}); !r.Unchanged() {
		t.Errorf("with fewer preferences: %v", r)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
	at, _, st := states(t, s, sitetest.Later, sitetest.Day)
	if at["main_summary "+sitetest.Day] != Older || at["addons "+sitetest.Day] != Published || st.Wrong() != 0 {
		t.Errorf("states: %v", at)
	}
	records, err := s.Ledger.Committed(t.Context(), job.Filter{Table: "main_summary"})
	if err != nil || len(records) != 1 || records[0].Run != 1 {
		t.Errorf("the ledger: %+v, %v", records, err)
	}
	some := []job.Samples{{Lo: 0, Hi: 10}}
	if r := mustRun(t, s, RunOptions{Tables: []string{"main_summary"}, Samples: some}); !r.Unchanged() {
		t.Errorf("some samples: %v", r)
	}
	r, err := Run(t.Context(), s, RunOptions{Tables: []string{"main_summary"}, Days: []string{sitetest.Day}, Samples: some, Force: true, Now: time.Now})
	if err != nil || r.Count(job.Skipped) != 1 || !strings.Contains(r.Units[0].Reason, "other probe definitions") {
		t.Errorf("some samples, forced: %v %v", r, err)
	}
	if r := mustRun(t, s, RunOptions{Tables: []string{"main_summary"}, Force: true, Downstream: true}); r.Count(job.Committed) != 4 {
		t.Errorf("forced: %v", r)
	}
	m := manifestOf(t, s, "main_summary")
	if at, _, _ := states(t, s, sitetest.Later, sitetest.Day); at["main_summary "+sitetest.Day] != Published || m.Probes != fewer.Hash() {
		t.Errorf("after forcing: %v, probes %s", at, m.Probes)
	}
}

// TestReasons: what only the parts of a manifest tell.
func TestReasons(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 10, 100)
	s := sitetest.Memory(t, pings)
	mustRun(t, s, RunOptions{Tables: []string{"main_summary"}})
	st := newSteps(&s.Data)
	a, err := st.assess(t.Context(), job.Unit{Table: "main_summary", Day: sitetest.Day})
	if err != nil || !a.plan.Current {
		t.Fatal(err)
	}
	a.plan.Current = false
	for _, c := range []struct {
		want   string
		change func(*lake.Manifest)
	}{
		{"version 1 of the transforms", func(m *lake.Manifest) {
			m.Parts[1].Work = st.workWith(a.table, 1, lake.Fingerprint(a.table.Fixed()), a.source.inputs)
		}},
		{"another version of the program", func(m *lake.Manifest) { m.Parts[1].Work = "?" }},
		{"it lacks samples from 75 on", func(m *lake.Manifest) { m.Parts = m.Parts[:3] }},
		{"divided in another way", func(m *lake.Manifest) { m.Parts[0].Hi, m.Parts[1].Lo = 20, 21 }},
		{"as they arrived", func(m *lake.Manifest) { m.Parts = nil }},
	} {
		m := *a.base
		m.Parts = slices.Clone(m.Parts)
		c.change(&m)
		changed := a
		changed.base = &m
		if got := fmt.Sprint(st.reasons(t.Context(), &changed)); !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
