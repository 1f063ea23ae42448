package etl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// gleanClient returns the id of a client.
func gleanClient(n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", n*2654435761&0xffffffff, n)
}

// gleanDays makes the pings of clients who use the application on some of the days, and returns which.
func gleanDays(seed uint64, clients int, days []string) (pings []sitetest.GleanPing, used map[string]map[string]bool) {
	r := rand.New(rand.NewPCG(seed, 7))
	used = map[string]map[string]bool{}
	for _, day := range days {
		used[day] = map[string]bool{}
		for n := range clients {
			if r.IntN(5) > 1 || n > clients/2 && r.IntN(20) > 0 {
				continue
			}
			for k := range 1 + r.IntN(3) {
				pings = append(pings, use(day, n, fmt.Sprint(seed, "-", k), r.IntN(1400)))
			}
			used[day][gleanClient(n)] = true
		}
	}
	return pings, used
}

// use returns a ping of a client.
func use(day string, n int, id string, minute int) sitetest.GleanPing {
	return sitetest.GleanPing{
		Day: day, Type: "baseline", ID: fmt.Sprint(day, "-", n, "-", id), Client: gleanClient(n), Minute: minute,
		Metrics: `{"counter":{"browser.engagement.uri_count":1,"browser.engagement.active_ticks":72}}`,
	}
}

const (
	first  = sitetest.GleanTables + "baseline_clients_first_seen"
	daily  = sitetest.GleanTables + "baseline_clients_daily"
	last   = sitetest.GleanTables + "baseline_clients_last_seen"
	source = sitetest.GleanTables + "baseline"
)

// wantSeen compares the tables of clients with the days on which they used the application.
func wantSeen(t *testing.T, s *site.Site, days []string, used map[string]map[string]bool) {
	t.Helper()
	firsts, bits := map[string]string{}, map[string]int64{}
	for _, day := range days {
		var fresh, seen []string
		for id := range bits {
			if bits[id] = bits[id] << 1 & (1<<28 - 1); bits[id] == 0 {
				delete(bits, id)
			}
		}
		if used[day] == nil { // no pings
			continue
		}
		for id := range used[day] {
			bits[id] |= 1
			if firsts[id] == "" {
				firsts[id] = day
				fresh = append(fresh, id)
			}
			seen = append(seen, id)
		}
		require.ElementsMatch(t, fresh, idsOf(t, s, first, day), "first seen %s", day)
		require.ElementsMatch(t, seen, idsOf(t, s, daily, day), "daily %s", day)
		got := map[string]int64{}
		for _, row := range sitetest.RowsOf(t, s, last, day) {
			n, err := row["days_seen_bits"].(interface{ Int64() (int64, error) }).Int64()
			require.NoError(t, err)
			id := row["client_id"].(string)
			got[id] = n
			require.Equal(t, firsts[id], job.FormatDay(dateOf(t, row["first_seen_date"])), "%s %s", day, id)
		}
		require.Equal(t, bits, got, "last seen %s", day)
	}
}

func dateOf(t *testing.T, v any) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, v.(string))
	require.NoError(t, err)
	return day
}

func idsOf(t *testing.T, s *site.Site, table, day string) (ids []string) {
	t.Helper()
	for _, row := range sitetest.RowsOf(t, s, table, day) {
		ids = append(ids, row["client_id"].(string))
	}
	return ids
}

// madeBy returns the units that a report has made, in order.
func madeBy(r job.Report) (units []string) {
	for _, u := range r.Units {
		if u.Outcome == job.Committed {
			units = append(units, u.Unit.String())
		}
	}
	return units
}

// TestClientTables makes the tables of clients of forty days, with days without pings among them.
func TestClientTables(t *testing.T) {
	s := sitetest.Glean(t)
	all := sitetest.DayRange(t, "20180301", "20180409")
	days := slices.DeleteFunc(slices.Clone(all), func(d string) bool { return d >= "20180311" && d <= "20180313" })
	pings, used := gleanDays(1, 60, days)
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	r, err := etl.Run(context.Background(), s, etl.RunOptions{Tables: []string{last}, Days: all, Now: time.Now})
	require.NoError(t, err)
	require.Len(t, madeBy(r), 4*len(days))
	wantSeen(t, s, all, used)

	again := etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: all})
	require.Empty(t, madeBy(again))
}

// TestClientBackfill adds pings to a day in the middle: exactly the later days that change are made again.
func TestClientBackfill(t *testing.T) {
	s := sitetest.Glean(t)
	days := sitetest.DayRange(t, "20180301", "20180409")
	pings, used := gleanDays(2, 40, days)
	const fresh = 99
	pings = append(pings, use("20180320", fresh, "first", 1))
	used["20180320"][gleanClient(fresh)] = true
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	o := etl.RunOptions{Tables: []string{last}, Days: days}
	etltest.Run(t, s, o)
	const middle = "20180305"
	known := 0 // a client that was seen before, and not on the day
	for n := range 40 {
		if used["20180301"][gleanClient(n)] && !used[middle][gleanClient(n)] {
			known = n
		}
	}
	sitetest.GleanPings(t, s.Archive, "load2", []sitetest.GleanPing{use(middle, known, "late", 5)})
	used[middle][gleanClient(known)] = true

	_, why, _ := etltest.States(t, s, sitetest.Later, days...)
	require.Equal(t, "the archive's "+sitetest.GleanApp+"/baseline pings of the day changed", why[source+" "+middle])
	require.Contains(t, why[last+" 20180306"], last+" "+middle+" is to be made again")
	plan, err := etl.PlanRun(context.Background(), s, o)
	require.NoError(t, err)
	for _, u := range plan.Units {
		if u.Table == last && u.Day == "20180307" {
			require.Equal(t, etl.Make, u.Action)
			require.Equal(t, []string{last + " 20180306 is made first"}, u.Reasons)
		}
	}

	made := madeBy(etltest.Run(t, s, etl.RunOptions{Tables: []string{source}, Days: []string{middle}, Downstream: true}))
	var want []string
	for _, table := range []string{source, first, daily} {
		want = append(want, table+" "+middle)
	}
	for _, day := range sitetest.DayRange(t, middle, "20180402") { // 28 days with the bit, and the one after them
		want = append(want, last+" "+day)
	}
	made = slices.DeleteFunc(made, func(u string) bool { return u == sitetest.GleanTables+"events_stream "+middle })
	require.Equal(t, want, made)
	wantSeen(t, s, days, used)
	require.Empty(t, madeBy(etltest.Run(t, s, o)))

	// A client is first seen on an earlier day than before.
	sitetest.GleanPings(t, s.Archive, "load3", []sitetest.GleanPing{use(middle, fresh, "later", 6)})
	used[middle][gleanClient(fresh)] = true
	etltest.Run(t, s, o)
	wantSeen(t, s, days, used)
}

// TestChainHole leaves a day out: the days after it wait, and name it.
func TestChainHole(t *testing.T) {
	s := sitetest.Glean(t)
	days := sitetest.DayRange(t, "20180301", "20180306")
	pings, used := gleanDays(3, 20, days)
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: days[:2]})
	o := etl.RunOptions{Tables: []string{last}, Days: days[4:]}
	r := etltest.Run(t, s, o)
	const why = "it waits for " + first + " of 20180303, which is not published: make that first, or start over with --restart"
	reasons := map[string]string{}
	for _, u := range r.Units {
		reasons[u.Unit.String()] = u.Reason
	}
	require.Equal(t, why, reasons[first+" 20180305"])
	require.Contains(t, reasons[last+" 20180306"], "it needs "+daily+" 20180306, which was skipped")
	_, seen, _ := etltest.States(t, s, sitetest.Later, "20180305")
	require.Equal(t, why, seen[first+" 20180305"])
	plan, err := etl.PlanRun(context.Background(), s, o)
	require.NoError(t, err)
	i := slices.IndexFunc(plan.Units, func(u etl.PlannedUnit) bool { return u.Unit == job.Unit{Table: first, Day: "20180305"} })
	require.Equal(t, []string{why}, plan.Units[i].Reasons)

	o.Restart = true
	etltest.Run(t, s, o)
	for _, row := range sitetest.RowsOf(t, s, last, "20180306") {
		n, err := row["days_seen_bits"].(interface{ Int64() (int64, error) }).Int64()
		require.NoError(t, err)
		require.Less(t, n, int64(4), "rows start over")
	}
	o.Restart = false
	require.Empty(t, madeBy(etltest.Run(t, s, o)))

	etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: days})
	wantSeen(t, s, days, used)
}

// TestChainPlan: the work of a day is known once the day that it goes on from is made.
func TestChainPlan(t *testing.T) {
	s := sitetest.Glean(t)
	days := sitetest.DayRange(t, "20180301", "20180303")
	pings, _ := gleanDays(5, 10, days)
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{daily}, Days: days})
	plan, err := etl.PlanRun(context.Background(), s, etl.RunOptions{Tables: []string{last}, Days: days})
	require.NoError(t, err)
	for _, u := range plan.Units {
		if u.Table == last {
			require.Equal(t, etl.Make, u.Action)
			require.Equal(t, u.Day > days[0], u.Guessed, u.Day)
			require.Equal(t, u.Day == days[0], len(u.Work) > 0, u.Day)
		}
	}
}

// TestChainCores makes the same bytes with any number of workers and in any order of days.
func TestChainCores(t *testing.T) {
	days := sitetest.DayRange(t, "20180301", "20180308")
	pings, _ := gleanDays(4, 300, days)
	var want map[string]string
	for _, workers := range []int{1, 7} {
		s := sitetest.Glean(t)
		sitetest.GleanPings(t, s.Archive, "load1", pings)
		if workers > 1 {
			etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: days[4:], Workers: workers})
		}
		etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: days, Workers: workers})
		got := sitetest.Contents(t, s)
		if want == nil {
			want = got
		}
		sitetest.SameContents(t, got, want)
	}
}
