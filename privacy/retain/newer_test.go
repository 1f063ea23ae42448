package retain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestNewerPartitionsWait: what a newer version made does not expire, and neither do the pings that only it can finish a day
// with.
func TestNewerPartitionsWait(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	day := "20180301"
	sitetest.DayPings(t, s.Archive, 1, 6, day)
	runAt(t, s, sitetest.At(5), etl.RunOptions{Tables: []string{"crash_summary", "addons"}, Days: []string{day}})
	sitetest.MadeByNewer(t, s, "crash_summary", day)
	s.Keep.Table = map[string]int{"crash_summary": 3, "addons": 3}
	removed, waits := mustRetain(t, s, sitetest.At(9))
	same(t, "removed", removed, "addons "+day)
	require.Len(t, waits, 1)
	require.Contains(t, waits[0], "crash_summary "+day+": a newer version of pingmill made it: with version 4 of the transforms")

	o, err := etl.NewOutlook(t.Context(), &s.Data, sitetest.At(9))
	require.NoError(t, err)
	why, err := o.Unfinished(t.Context(), "crash_summary", day)
	require.NoError(t, err)
	require.Empty(t, why)
	sitetest.DayPings(t, s.Archive, 2, 6, day)
	why, err = o.Unfinished(t.Context(), "crash_summary", day)
	require.NoError(t, err)
	require.Contains(t, why, "crash_summary of the day: the archive's crash pings of the day changed; a newer version")
}
