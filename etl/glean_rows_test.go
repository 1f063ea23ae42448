package etl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestEventsOfAllPings makes rows of the events of pings of every type, in the order of the tables of pings.
func TestEventsOfAllPings(t *testing.T) {
	s := sitetest.Glean(t)
	const events, day = sitetest.GleanTables + "events_stream", "20180301"
	event := `[{"category":"page","name":"click","timestamp":0,"extra":{"button":"%d"}},{"category":"page","name":"click","timestamp":7}]`
	var pings []sitetest.GleanPing
	for n := range 30 {
		p := use(day, n, "1", 1400-n)
		if p.Type = "events"; n%3 == 0 {
			p.Type = "unknown-ping"
		}
		p.Metrics = ""
		if n%5 > 0 {
			p.Events = fmt.Sprintf(event, n)
		}
		pings = append(pings, p, use(day, n, "2", 3))
	}
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	o := etl.RunOptions{Tables: []string{events}, Days: []string{day}}
	etltest.Run(t, s, o)
	rows := sitetest.RowsOf(t, s, events, day)
	require.Len(t, rows, 48)
	types, before := map[any]int{}, ""
	for i, row := range rows {
		types[row["document_type"]]++
		require.Equal(t, fmt.Sprint(1+i%2), fmt.Sprint(row["document_event_number"]))
		place := fmt.Sprintf("%3v %v %v", row["sample_id"], row["submission_timestamp"], row["document_id"])
		require.LessOrEqual(t, before, place)
		before = place
	}
	require.Equal(t, map[any]int{"events": 32, "unknown-ping": 16}, types)
	require.Empty(t, madeBy(etltest.Run(t, s, o)))

	sitetest.GleanPings(t, s.Archive, "load2", []sitetest.GleanPing{{Day: day, Type: "another", ID: "x", Client: gleanClient(1)}})
	_, why, _ := etltest.States(t, s, sitetest.Later, day)
	require.Equal(t, "the archive's "+sitetest.GleanApp+"/another pings of the day changed", why[events+" "+day])
}

// crash returns a crash ping with a minidump.
func crash(day string, n int, hash string) sitetest.GleanPing {
	p := use(day, n, hash, n)
	p.Type, p.Metrics = "crash", `{}`
	if hash != "" {
		p.Metrics = fmt.Sprintf(`{"string":{"crash.minidump_sha256_hash":%q},"datetime":{"crash.time":"2018-02-27T10:00:00.000+00:00"}}`, hash)
	}
	return p
}

// TestCrashes has one row for each minidump, of this day or of the 365 days before.
func TestCrashes(t *testing.T) {
	s := sitetest.Glean(t)
	const crashes = sitetest.GleanTables + "crashes"
	days := []string{"20180301", "20180303", "20190301", "20190302", "20200302"}
	sitetest.GleanPings(t, s.Archive, "load1", []sitetest.GleanPing{
		crash(days[0], 7, "a"), crash(days[0], 3, "a"), crash(days[0], 5, "b"), crash(days[0], 1, ""), crash(days[0], 2, ""),
		crash(days[1], 1, "c"), crash(days[1], 2, "a"),
		crash(days[2], 1, "b"), // after 365 days
		crash(days[3], 1, "a"), // after 364 days: of the second day
		crash(days[4], 1, "b"), // after 366 days
	})
	etltest.Run(t, s, etl.RunOptions{Tables: []string{crashes}, Days: days})
	for i, want := range [][]string{
		{"20180301-1-", "20180301-2-", "20180301-3-a", "20180301-5-b"}, {"20180303-1-c"}, nil, nil, {"20200302-1-b"},
	} {
		var got []string
		for _, row := range sitetest.RowsOf(t, s, crashes, days[i]) {
			got = append(got, row["document_id"].(string))
		}
		require.ElementsMatch(t, want, got, days[i])
	}
	rows := sitetest.RowsOf(t, s, crashes, days[4])
	require.Equal(t, "2018-02-27", rows[0]["crash_date"])

	sitetest.GleanPings(t, s.Archive, "load2", []sitetest.GleanPing{crash("20180302", 1, "c")})
	days = append(days, "20180302")
	etltest.Run(t, s, etl.RunOptions{Tables: []string{crashes}, Days: days})
	require.Empty(t, sitetest.RowsOf(t, s, crashes, days[1]), "the minidump came the day before")
	require.Len(t, sitetest.RowsOf(t, s, crashes, "20180302"), 1)
}

// TestUsage makes the tables of profiles, whose pings have no client id.
func TestUsage(t *testing.T) {
	s := sitetest.Glean(t)
	const prefix = sitetest.GleanTables + "usage_reporting_clients_"
	days := sitetest.DayRange(t, "20180301", "20180303")
	var pings []sitetest.GleanPing
	for i, day := range days {
		for n := range 40 {
			if n%(i+2) == 0 {
				continue
			}
			pings = append(pings, sitetest.GleanPing{Day: day, Type: "usage-reporting", ID: fmt.Sprint(day, n), Minute: n, NoInfo: true,
				Metrics: fmt.Sprintf(
					`{"uuid":{"usage.profile_id":%q},"counter":{"browser.engagement.uri_count":1,"browser.engagement.active_ticks":%d}}`, gleanClient(n),
					n%3)})
		}
	}
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{prefix + "last_seen", prefix + "first_seen"}, Days: days})
	for i, want := range [][3]int{{20, 20, 20}, {26, 13, 33}, {30, 3, 36}} {
		got := [3]int{}
		for k, table := range []string{"daily", "first_seen", "last_seen"} {
			got[k] = len(sitetest.RowsOf(t, s, prefix+table, days[i]))
		}
		require.Equal(t, want, got, days[i])
	}
	for _, row := range sitetest.RowsOf(t, s, prefix+"last_seen", days[2]) {
		n := -1
		for k := range 40 {
			if gleanClient(k) == row["usage_profile_id"] {
				n = k
			}
		}
		bits, active := 0, 0
		for i := range days {
			if n%(i+2) != 0 {
				bits |= 1 << (2 - i)
				if n%3 > 0 {
					active |= 1 << (2 - i)
				}
			}
		}
		require.Equal(t, fmt.Sprintf("%v %v", bits, active), fmt.Sprintf("%v %v", row["days_seen_bits"], row["days_active_bits"]), n)
	}
}

// TestOddClients: a client id that is no UUID is none, in any table.
func TestOddClients(t *testing.T) {
	s := sitetest.Glean(t)
	odd, plain, upper := use("20180301", 1, "1", 1), use("20180301", 2, "1", 1), use("20180301", 2, "2", 2)
	odd.Client, upper.Client = "nobody", strings.ToUpper(gleanClient(2))
	sitetest.GleanPings(t, s.Archive, "load1", []sitetest.GleanPing{odd, plain, upper})
	etltest.Run(t, s, etl.RunOptions{Tables: []string{last}})
	for _, table := range []string{first, daily, last} {
		require.Equal(t, []string{gleanClient(2)}, idsOf(t, s, table, "20180301"), table)
	}
	require.Equal(t, "2", fmt.Sprint(sitetest.RowsOf(t, s, daily, "20180301")[0]["browser_engagement_uri_count"]))
}
