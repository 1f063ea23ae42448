package job_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// TestRunsAndLines: runs are listed with their units, newest first, and keep what they had to say until it expires.
func TestRunsAndLines(t *testing.T) {
	f, l, units := setup(t, "20180101", "20180102")
	o := options()
	var numbers []int64
	o.Begun = func(run int64) { numbers = append(numbers, run) }
	mustRun(t, f, l, units, o)
	o.Force = true
	mustRun(t, f, l, units[:1], o)
	require.Equal(t, []int64{1, 2}, numbers)
	at := time.Date(2018, 1, 3, 0, 0, 0, 0, time.UTC)
	long := strings.Repeat("é", 3000)
	require.NoError(t, l.AddLine(1,
		job.Line{Time: at, Level: "WARN", Unit: units[0], Text: "of client 17", Attrs: map[string]string{"row": "client 17", "long": long}}))
	require.NoError(t, l.AddLine(1, job.Line{Time: at, Level: "INFO", Text: "the end"}))
	require.Error(t, l.AddLine(9, job.Line{Text: "of no run"}))

	runs, err := l.Runs(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.EqualValues(t, 2, runs[0].ID)
	require.True(t, runs[0].Force)
	require.Len(t, runs[0].Units, 1)
	require.Len(t, runs[1].Units, len(units))
	require.Equal(t, job.Done, runs[1].Outcome)
	older, err := l.Runs(t.Context(), 2, 10)
	require.NoError(t, err)
	require.Equal(t, runs[1:], older)
	one, ok, err := l.OneRun(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, runs[1], one)
	_, ok, err = l.OneRun(t.Context(), 3)
	require.NoError(t, err)
	require.False(t, ok)
	attempts, err := l.AttemptsOf(t.Context(), 1, units[0])
	require.NoError(t, err)
	ended, err := l.TasksEnded(t.Context(), 1)
	require.NoError(t, err)
	require.NotEmpty(t, attempts)
	require.Equal(t, len(attempts), ended[units[0]])

	require.NoError(t, l.Redact(t.Context(), func(s string) string { return strings.ReplaceAll(s, "client 17", "(forgotten)") }))
	lines, err := l.Lines(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, "of (forgotten)", lines[0].Text)
	require.Equal(t, units[0], lines[0].Unit)
	require.Equal(t, at, lines[0].Time)
	require.Equal(t, "(forgotten)", lines[0].Attrs["row"])
	require.True(t, strings.HasSuffix(lines[0].Attrs["long"], "é…"))
	require.Less(t, len(lines[0].Attrs["long"]), 4100)
	_, err = l.Expire(t.Context(), time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	lines, err = l.Lines(t.Context(), 1)
	require.NoError(t, err)
	require.Empty(t, lines)
}
