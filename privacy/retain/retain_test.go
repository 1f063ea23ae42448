package retain

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func TestFirstKept(t *testing.T) {
	now := time.Date(2018, 3, 10, 23, 59, 0, 0, time.UTC)
	for days, want := range map[int]ping.Day{0: "", 1: "20180309", 2: "20180308", 10: "20180228"} {
		if got := site.FirstRetained(days, now); got != want {
			t.Errorf("%d days: %s, want %s", days, got, want)
		}
	}
	r := site.Retention{Tables: 5, Table: map[string]int{"addons": 0}}
	if r.ForTable(&schema.Table{Name: "addons"}) != 0 || r.ForTable(&schema.Table{Name: "main_summary"}) != 5 || !r.Any() ||
		(&site.Retention{}).Any() || !(&site.Retention{Table: map[string]int{"a": 1}}).Any() {
		t.Errorf("%+v", r)
	}
}

// mustRetain removes at a time and lists what went and what waits, as "name day".
func mustRetain(t *testing.T, s *site.Site, now time.Time) (removed, waits []string) {
	t.Helper()
	r, err := Apply(t.Context(), s, Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	for _, i := range r.Removed {
		removed = append(removed, i.Name()+" "+i.Day)
	}
	for _, i := range r.Waiting {
		waits = append(waits, i.Name()+" "+i.Day+": "+i.Waits)
	}
	return removed, waits
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// runAt runs at a time and wants no errors.
func runAt(t *testing.T, s *site.Site, now time.Time, o etl.RunOptions) {
	t.Helper()
	o.Now = func() time.Time { return now }
	if _, err := etl.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
}

// TestRetentionWaits: nothing goes that is still needed.
func TestRetentionWaits(t *testing.T) {
	pings := store.NewMemory()
	days := sitetest.DayRange(t, "20180301", "20180303")
	sitetest.DayPings(t, pings, 1, 6, days...)
	s := sitetest.Memory(t, pings)
	removed, waits := mustRetain(t, s, sitetest.At(20))
	same(t, "without keys", append(removed, waits...))
	s.Keep = site.Retention{Archive: 5, Table: map[string]int{"crash_summary": 3, "telemetry_update_parquet": 3}}
	_, waits = mustRetain(t, s, sitetest.At(8))
	same(t, "no table is made", waits, "archive 20180301: main_summary of the day is not made yet",
		"archive 20180302: main_summary of the day is not made yet")
	runAt(t, s, sitetest.At(4), etl.RunOptions{Tables: sitetest.AllTables, Days: days})
	sitetest.DayPings(t, pings, 2, 3, days[0])
	require.NoError(t, edgestate.SetProgress(t.Context(), pings, "e", sitetest.At(2).UnixNano(), time.Time{}))
	removed, waits = mustRetain(t, s, sitetest.At(8))
	same(t, "a table is stale, an edge is behind", waits, "archive 20180301: main_summary of the day is to be made again",
		"archive 20180302: edge e is decoded up to 2018-03-02 12:00", "crash_summary 20180302: edge e is decoded up to 2018-03-02 12:00",
		"crash_summary 20180303: edge e is decoded up to 2018-03-02 12:00",
		"telemetry_update_parquet 20180302: edge e is decoded up to 2018-03-02 12:00",
		"telemetry_update_parquet 20180303: edge e is decoded up to 2018-03-02 12:00")
	same(t, "gone", removed, "crash_summary 20180301", "telemetry_update_parquet 20180301")
	past, err := Plan(t.Context(), s, sitetest.At(8))
	if err != nil || len(past) != 6 || past[0].Waits == "" {
		t.Errorf("what is past: %+v, %v", past, err)
	}
	require.NoError(t, edgestate.SetProgress(t.Context(), pings, "e", sitetest.At(8).UnixNano(), time.Time{}))
	runAt(t, s, sitetest.At(4), etl.RunOptions{Tables: []string{"clients_daily"}, Days: days})
	_, waits = mustRetain(t, s, sitetest.At(8))
	same(t, "only clients_daily was made again", waits, "archive 20180301: addons of the day is to be made again")
	runAt(t, s, sitetest.At(4), etl.RunOptions{Tables: []string{"addons", "search_clients_daily"}, Days: days})
	removed, waits = mustRetain(t, s, sitetest.At(8))
	same(t, "in the end", append(removed, waits...), "archive 20180301")
}

// TestRetentionOfTables: main_summary waits for what is made from it, other
// versions go by their age alone, and a manifest that cannot be read stays.
func TestRetentionOfTables(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301", "20180302")
	s := sitetest.Memory(t, pings)
	s.Keep = site.Retention{Tables: 5, Table: map[string]int{"clients_daily": 0}}
	old := *s.Tables[slices.IndexFunc(s.Tables, func(t *schema.Table) bool { return t.Name == "main_summary" })]
	old.Version = "v3"
	other := *s
	other.Tables = []*schema.Table{&old}
	runAt(t, &other, sitetest.At(4), etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"}})
	runAt(t, s, sitetest.At(4), etl.RunOptions{Tables: []string{"main_summary", "addons"}, Days: []string{"20180301", "20180302"}})
	removed, waits := mustRetain(t, s, sitetest.At(7))
	same(t, "clients_daily is not made", removed, "addons 20180301", "main_summary/v3 20180301")
	same(t, "it waits", waits, "main_summary 20180301: clients_daily of the day is not made yet")
	runAt(t, s, sitetest.At(4), etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{"20180301"}})
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	if err := store.WriteFile(t.Context(), lt.Bucket(), lt.Path("20180301", "_manifest.json"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	removed, waits = mustRetain(t, s, sitetest.At(7))
	same(t, "clients_daily is made", removed, "main_summary 20180301")
	if len(waits) != 1 || !strings.HasPrefix(waits[0], "crash_summary : ") {
		t.Errorf("a damaged manifest: %q", waits)
	}
	require.NoError(t, lt.Bucket().Delete(t.Context(), lt.Path("20180301", "_manifest.json")))
	want := map[string]status.State{
		"main_summary 20180301": status.Expired, "addons 20180301": status.Expired, "clients_daily 20180301": status.Published,
		"search_clients_daily 20180301": status.Expired, "crash_summary 20180301": status.Expired, "main_summary 20180302": status.Published,
	}
	got, why, _ := etltest.States(t, s, sitetest.At(7), "20180301", "20180302")
	for u, w := range want {
		if got[u] != w {
			t.Errorf("%s is %s (%s), want %s", u, got[u], why[u], w)
		}
	}
	// Nothing is made again unless forced, neither by a run nor by the schedule.
	o := etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{"20180301"}, Now: func() time.Time { return sitetest.At(7) }}
	r, err := etl.Run(t.Context(), s, o)
	if err != nil || r.Count(job.Skipped) != 2 ||
		!strings.Contains(r.Units[0].Reason, "main_summary is kept for 5 days and the time of this day is over") {
		t.Errorf("a run: %+v, %v", r.Units, err)
	}
	before := sitetest.Contents(t, s)
	c := &sitetest.Clock{}
	c.Set(sitetest.At(7).UnixNano())
	etltest.Rounds(t, s, etl.ScheduleOptions{Clock: clock.Clock{Now: c.Now}}, 2)
	sameDay := func(all map[string]string) map[string]string {
		one := maps.Clone(all)
		maps.DeleteFunc(one, func(name, _ string) bool {
			return !strings.Contains(name, "20180301") && !strings.Contains(name, "2018-03-01")
		})
		return one
	}
	sitetest.SameContents(t, sameDay(sitetest.Contents(t, s)), sameDay(before))
	o.Force = true
	if r, err = etl.Run(t.Context(), s, o); err != nil || r.Count(job.Committed) != 2 {
		t.Errorf("a forced run: %+v, %v", r.Units, err)
	}
	removed, _ = mustRetain(t, s, sitetest.At(7))
	same(t, "it goes again", removed, "main_summary 20180301")
	overdue, err := etl.Overdue(t.Context(), s, 30, sitetest.At(7), map[job.Unit]bool{})
	if err != nil || overdue["main_summary"] != "" || overdue["search_clients_daily"] != "" {
		t.Errorf("overdue: %v, %v", overdue, err)
	}
	s.Keep = site.Retention{}
	if overdue, err = etl.Overdue(t.Context(), s, 30, sitetest.At(7), map[job.Unit]bool{}); err != nil ||
		overdue["main_summary"] != "20180301" {
		t.Errorf("overdue when all is kept: %v, %v", overdue, err)
	}
}

// TestRetentionOfTheArchive: partitions of a removed day stay, and later pings do not replace them.
func TestRetentionOfTheArchive(t *testing.T) {
	ctx := t.Context()
	pings := store.NewMemory()
	days := sitetest.DayRange(t, "20180301", "20180303")
	sitetest.DayPings(t, pings, 1, 6, days...)
	s := sitetest.Memory(t, pings)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days})
	s.Keep = site.Retention{Archive: 5, Ledger: 1}
	removed, waits := mustRetain(t, s, sitetest.At(8))
	same(t, "gone", append(removed, waits...), "archive 20180301", "archive 20180302")
	before := sitetest.Contents(t, s)
	now := func() time.Time { return sitetest.At(8) }
	skips := func(what string, o etl.RunOptions, reason string, current int) {
		t.Helper()
		o.Now = now
		p, err := etl.PlanRun(ctx, s, o)
		require.NoError(t, err)
		r, err := etl.Run(ctx, s, o)
		require.NoError(t, err)
		skipped := r.Count(job.Skipped)
		if (reason == "") != (skipped == 0) || r.Count(job.Current) != current {
			t.Errorf("%s: %+v", what, r.Units)
		}
		for _, u := range r.Units {
			if u.Outcome == job.Skipped && !strings.Contains(u.Reason, reason) && !strings.Contains(u.Reason, "need") {
				t.Errorf("%s: %s", what, u.Reason)
			}
		}
		planned := 0
		for _, u := range p.Units {
			if u.Action == etl.Skip {
				planned++
			}
		}
		if planned != skipped {
			t.Errorf("%s: the plan skips %d, the run %d", what, planned, skipped)
		}
	}
	one := []string{"20180301"}
	skips("a run", etl.RunOptions{Tables: sitetest.AllTables, Days: one}, "", 7)
	skips("a forced run", etl.RunOptions{Tables: []string{"main_summary"}, Days: one, Force: true},
		"the archive kept its pings for 5 days: they were removed on 2018-03-08; what is published stays", 0)
	skips("of what is made from it", etl.RunOptions{Tables: []string{"clients_daily"}, Days: one, Force: true}, "", 0)
	at1, why, st := etltest.States(t, s, sitetest.At(8), one...)
	if st.Wrong() != 0 || at1["main_summary 20180301"] != status.Published ||
		!strings.Contains(why["main_summary 20180301"], "it cannot be made again: the archive kept") {
		t.Errorf("states: %v, %v", at1, why)
	}
	sitetest.DayPings(t, pings, 2, 3, "20180301") // an old file
	skips("with other pings", etl.RunOptions{Tables: []string{"main_summary"}, Days: one}, "only --force makes it", 0)
	skips("with other pings, forced", etl.RunOptions{Tables: []string{"main_summary"}, Days: one, Force: true}, "are fewer than its 5 rows", 0)
	c := &sitetest.Clock{}
	c.Set(sitetest.At(8).UnixNano())
	if log := etltest.Rounds(t, s, etl.ScheduleOptions{Clock: clock.Clock{Now: c.Now}}, 1); log != "" {
		t.Errorf("the schedule: %s", log)
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), before)
	removed, waits = mustRetain(t, s, sitetest.At(8))
	same(t, "the retention applies again", append(removed, waits...), "archive 20180301")
	// All of its pings come back: then it is made, if forced.
	sitetest.DayPings(t, pings, 3, 6, "20180301")
	if r, err := etl.Run(ctx, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: one, Force: true, Now: now}); err != nil ||
		r.Count(job.Committed) != 1 {
		t.Errorf("with all pings, forced: %v, %v", r, err)
	}
	lt, err := s.Table("addons")
	require.NoError(t, err)
	require.NoError(t, lt.Expire(ctx, "20180302"))
	require.NoError(t, lt.Expire(ctx, "20180302"))
	main, err := s.Table("main_summary")
	require.NoError(t, err)
	require.NoError(t, main.Expire(ctx, "20180302"))
	at1, why, st = etltest.States(t, s, sitetest.At(8), "20180302")
	if st.Wrong() != 0 || at1["main_summary 20180302"] != status.Expired || at1["addons 20180302"] != status.Expired {
		t.Errorf("removed altogether: %v, %v", at1, why)
	}
}
