package timing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// times returns the next ones, in the zone.
func times(t *testing.T, every, zone, from string, n int) []string {
	s, err := Parse(every, zone)
	require.NoError(t, err)
	at, err := time.ParseInLocation("2006-01-02 15:04 -0700", from, s.zone)
	require.NoError(t, err)
	var all []string
	for range n {
		at = s.Next(at)
		all = append(all, at.In(s.zone).Format("01-02 15:04 -0700"))
	}
	return all
}

// TestNext: also on the days when clocks are set.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		every, zone, from string
		want              []string
	}{
		{"0 7 * * 1-5", "", "2018-03-02 06:59 +0000", []string{"03-02 07:00 +0000", "03-05 07:00 +0000"}},
		{"@daily", "Asia/Kolkata", "2018-03-02 00:00 +0530", []string{"03-03 00:00 +0530"}},
		{"90m", "Europe/Berlin", "2018-03-25 01:00 +0100", []string{"03-25 03:30 +0200", "03-25 05:00 +0200"}},
		// clocks go from 2 to 3 on the 25th of March 2018
		{"30 2 * * *", "Europe/Berlin", "2018-03-24 02:30 +0100", []string{"03-25 03:30 +0200", "03-26 02:30 +0200"}},
		{"0 2,3 * * *", "Europe/Berlin", "2018-03-25 00:00 +0100", []string{"03-25 03:00 +0200", "03-26 02:00 +0200"}},
		{"0 * * * *", "Europe/Berlin", "2018-03-25 00:00 +0100", []string{"03-25 01:00 +0100", "03-25 03:00 +0200", "03-25 04:00 +0200"}},
		// and from 3 to 2 on the 28th of October
		{"30 2 * * *", "Europe/Berlin", "2018-10-27 02:30 +0200", []string{"10-28 02:30 +0200", "10-29 02:30 +0100"}},
		{"30 2 * * *", "Europe/Berlin", "2018-10-28 02:30 +0100", []string{"10-29 02:30 +0100"}},
		{"0 * * * *", "Europe/Berlin", "2018-10-28 01:00 +0200", []string{"10-28 02:00 +0200", "10-28 02:00 +0100", "10-28 03:00 +0100"}},
		// half an hour, and before midnight
		{"45 1 * * *", "Australia/Lord_Howe", "2018-04-01 00:00 +1100", []string{"04-01 01:45 +1100", "04-02 01:45 +1030"}},
		{"30 0 * * *", "America/Sao_Paulo", "2018-11-03 12:00 -0300", []string{"11-04 01:30 -0200", "11-05 00:30 -0200"}},
		// one of two days is enough, and steps begin at the first value
		{"0 0 13 * fri", "", "2018-04-07 00:00 +0000", []string{"04-13 00:00 +0000", "04-20 00:00 +0000"}},
		{"5,50-59/5 8/12 1-7 JAN,mar ?", "", "2018-01-07 20:05 +0000", []string{"01-07 20:50 +0000", "01-07 20:55 +0000", "03-01 08:05 +0000"}},
		{"@weekly", "", "2018-03-10 00:00 +0000", []string{"03-11 00:00 +0000"}},
		{"0 0 29 2 *", "", "2018-03-01 00:00 +0000", []string{"02-29 00:00 +0000"}},
	} {
		require.Equal(t, c.want, times(t, c.every, c.zone, c.from, len(c.want)), "%s in %s", c.every, c.zone)
	}
}

// TestRefused: what is never due, too often, or nothing.
func TestRefused(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"* * * * *", ""}, {"*/4 * * * *", ""}, {"0,1 7 * * *", ""}, {"1m", ""}, {"-1h", ""},
		{"9000h", ""}, {"0 0 30 2 *", ""}, {"0 7 * * *", "Mars/Base"}, {"0 7 * * *", "Local"},
		{"TZ=UTC 0 7 * * *", ""}, {"CRON_TZ=", ""}, {"@every 1s", ""}, {"0 7 * *", ""}, {"0 7 * * * *", ""}, {"61 * * * *", ""},
		{"0 5-3 * * *", ""}, {"0 */0 * * *", ""}, {"0 0 0 * *", ""}, {"0 0 * * 7", ""}, {"0 0 * janu *", ""}} {
		_, err := Parse(c[0], c[1])
		require.Error(t, err, c)
	}
}

// FuzzParse: whatever is written, times that come are later ones.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"0 7 * * *", "*/5 0-3 1,15 JAN-MAR mon", "@weekly", "1h", "TZ=", "0 0 29 2 *", "? ? ? ? ?", "1-9/0 * * * *"} {
		f.Add(s, "Europe/Berlin", int64(1521939600))
	}
	f.Fuzz(func(t *testing.T, every, zone string, from int64) {
		s, err := Parse(every, zone)
		if err != nil {
			return
		}
		at := time.Unix(from%4e9, 0)
		for range 5 {
			next := s.Next(at)
			if next.IsZero() {
				return
			}
			require.True(t, next.After(at), "%s after %s", next, at)
			at = next
		}
	})
}
