package etl_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestScheduleOfChains: the schedule makes the days in order, and later days again when an earlier one changes, also by a run
// beside it.
func TestScheduleOfChains(t *testing.T) {
	s := sitetest.Glean(t)
	days := sitetest.DayRange(t, "20180301", "20180306")
	pings, used := gleanDays(6, 20, days)
	sitetest.GleanPings(t, s.Archive, "load1", pings)
	round := 0
	log := etltest.Rounds(t, s, etl.ScheduleOptions{Clock: clock.Clock{Now: func() time.Time { return sitetest.At(10) }},
		After: func(context.Context) {
			if round++; round != 1 {
				return
			}
			wantSeen(t, s, days, used)
			sitetest.GleanPings(t, s.Archive, "load2", []sitetest.GleanPing{use(days[1], 77, "late", 5)})
			used[days[1]][gleanClient(77)] = true
			_, err := etl.Run(context.Background(), s, etl.RunOptions{Tables: []string{daily}, Days: days[1:2], Now: time.Now})
			require.NoError(t, err)
		}}, 2)
	require.Empty(t, log)
	wantSeen(t, s, days, used)
	require.Empty(t, madeBy(etltest.Run(t, s, etl.RunOptions{Tables: []string{last}, Days: days})))
}
