package etl

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestLinesOfRuns: the ledger keeps what a run planned, checked and published, and why it did not; the log gets what it got before.
func TestLinesOfRuns(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301")
	s := sitetest.Memory(t, pings)
	var log bytes.Buffer
	o := RunOptions{
		Tables: []string{"addons"}, Days: []string{"20180301", "20180302"}, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Checks: check.Options{Skip: []string{"addons_cover"}},
	}
	mustRun(t, s, o)
	lines, err := s.Ledger.Lines(t.Context(), 1)
	require.NoError(t, err)
	var texts []string
	for _, l := range lines {
		texts = append(texts, fmt.Sprint(l.Level, " ", l.Unit, " ", l.Text, " ", l.Attrs["check"], l.Attrs["reason"]))
	}
	all := strings.Join(texts, "\n")
	require.Contains(t, all, "INFO main_summary 20180301 planned")
	require.Contains(t, all, "DEBUG main_summary 20180301 check passed main_summary_one_per_ping")
	require.Contains(t, all, "WARN addons 20180301 check skipped addons_cover")
	require.Contains(t, all, "INFO addons 20180301 published")
	require.Contains(t, all, "WARN main_summary 20180302 skipped "+NoPingsOfDay)
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), "check skipped")
}

// TestManyLines: the last stored line of a run reports that there were more.
func TestManyLines(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301")
	s := sitetest.Memory(t, pings)
	mustRun(t, s, RunOptions{Tables: []string{"crash_summary"}, Days: []string{"20180301"}})
	l := &runLines{ledger: s.Ledger, now: func() time.Time { return sitetest.Later }, run: 1}
	for range job.MaxLines + 10 {
		l.add(job.Line{Text: "again"})
	}
	lines, err := s.Ledger.Lines(t.Context(), 1)
	require.NoError(t, err)
	require.Contains(t, lines[len(lines)-1].Text, "not kept")
	again := 0
	for _, line := range lines {
		if line.Text == "again" {
			again++
		}
	}
	require.Equal(t, job.MaxLines-1, again)
}
