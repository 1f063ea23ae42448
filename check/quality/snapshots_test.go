package quality

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestSnapshots: each snapshot has a profile, which is compared with those of the weeks before. The table that it is made from has
// none, and days are no value of an array.
func TestSnapshots(t *testing.T) {
	days := []string{"20180303", "20180310"}
	s := sitetest.Snapshots(t, 400, days...)
	var samples []int
	for i := range 100 {
		samples = append(samples, i)
	}
	s.SetSnapshots(samples, 0)
	for _, day := range days {
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"longitudinal"}, Days: []string{day}})
	}
	made := 0
	c := &sitetest.Clock{}
	c.Set(sitetest.At(12).UnixNano())
	k := newKeeper(s, KeepOptions{Clock: clock.Clock{Now: c.Now, Wait: sitetest.NoWait}, Made: func(table string, _ time.Duration, err error) {
		require.NoError(t, err)
		require.Equal(t, "longitudinal", table)
		made++
	}})
	require.NoError(t, k.round(t.Context()))
	require.Equal(t, 2, made)

	lt := tableOf(t, s, "longitudinal")
	p, err := Read(t.Context(), lt, days[1])
	require.NoError(t, err)
	require.Positive(t, p.Rows)
	require.Equal(t, p.Rows, p.Clients)
	require.Empty(t, columnOf(t, p, "submission_date").Top)
	require.NotEmpty(t, columnOf(t, p, "reason").Top)
	changes, err := NewBook().Changes(t.Context(), lt, days[1], func(string) bool { return true })
	require.NoError(t, err)
	require.Equal(t, days[:1], changes.Weeks)
	require.NotEmpty(t, changes.Findings, "all clients have twice as many pings")
	require.Contains(t, changes.Findings[0].SQL, "\nFROM longitudinal_v20180310\n")
}
