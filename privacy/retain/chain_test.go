package retain

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestRetentionOfChains: a retention of all tables leaves what later days are made from.
func TestRetentionOfChains(t *testing.T) {
	const first, last = sitetest.GleanTables + "baseline_clients_first_seen", sitetest.GleanTables + "baseline_clients_last_seen"
	s := sitetest.Glean(t)
	days := sitetest.DayRange(t, "20180301", "20180305")
	use := func(day string, n int) sitetest.GleanPing {
		return sitetest.GleanPing{Day: day, Type: "baseline", ID: fmt.Sprint(day, n), Client: fmt.Sprintf("00000000-0000-4000-8000-%012x", n)}
	}
	var pings []sitetest.GleanPing
	for i, day := range days {
		pings = append(pings, use(day, i), use(day, 100))
	}
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	runAt(t, s, sitetest.At(6), etl.RunOptions{Tables: []string{last}, Days: days})

	s.Keep = site.Retention{Tables: 3}
	removed, waits := mustRetain(t, s, sitetest.At(20))
	require.Empty(t, waits)
	require.Contains(t, removed, last+" 20180304")
	require.NotContains(t, removed, last+" 20180305")
	require.NotContains(t, removed, first+" 20180301")

	sitetest.GleanPings(t, s.Archive, "load2", []sitetest.GleanPing{use("20180320", 0), use("20180320", 7)})
	runAt(t, s, sitetest.At(21), etl.RunOptions{Tables: []string{last}, Days: []string{"20180320"}})
	bits := map[any]string{}
	for _, row := range sitetest.RowsOf(t, s, last, "20180320") {
		bits[row["client_id"]] = fmt.Sprint(row["days_seen_bits"], " ", row["first_seen_date"])
	}
	require.Equal(t, fmt.Sprint(1<<19|1, " 2018-03-01"), bits[use("", 0).Client])
	require.Equal(t, "1 2018-03-20", bits[use("", 7).Client])
	require.Len(t, bits, 7)

	sitetest.GleanPings(t, s.Archive, "load3", []sitetest.GleanPing{use("20180210", 1)})
	s.Keep = site.Retention{Archive: 10, Tables: 3}
	removed, waits = mustRetain(t, s, sitetest.At(25))
	require.Empty(t, waits, "a day before the first one that was made")
	require.Contains(t, removed, "archive 20180210")

	s.Keep = site.Retention{Tables: 3, Table: map[string]int{first: 10}}
	removed, _ = mustRetain(t, s, sitetest.At(25))
	require.Contains(t, removed, first+" 20180301")
	require.NotContains(t, removed, first+" 20180320")
}
