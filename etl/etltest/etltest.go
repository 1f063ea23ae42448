// Package etltest runs, schedules and looks at the partitions of the tests' installations.
package etltest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// Run makes tables, of sitetest.Day unless days are given.
func Run(t testing.TB, s *site.Site, o etl.RunOptions) job.Report {
	t.Helper()
	if o.Days == nil {
		o.Days = []string{sitetest.Day}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r, err := etl.Run(context.Background(), s, o)
	require.NoError(t, err)
	return r
}

// States returns the state of every partition of the days, as "table day", with its first reason.
func States(t testing.TB, s *site.Site, now time.Time, days ...string) (at map[string]status.State, why map[string]string,
	st *status.Status) {
	t.Helper()
	st, err := status.Read(context.Background(), s, status.Options{Days: days, Now: now})
	require.NoError(t, err)
	at, why = map[string]status.State{}, map[string]string{}
	for _, p := range st.Partitions {
		at[p.Unit.String()] = p.State
		if len(p.Reasons) > 0 {
			why[p.Unit.String()] = p.Reasons[0]
		}
	}
	return at, why, st
}

// errEnough ends a schedule.
var errEnough = errors.New("enough rounds")

// Rounds lets a schedule go round a number of times, and gives the warnings and errors that it logs. A round that
// fails as a whole fails the test.
func Rounds(t testing.TB, s *site.Site, o etl.ScheduleOptions, rounds int) string {
	t.Helper()
	var log bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o.Wait = func(context.Context, time.Duration) error {
		if rounds--; rounds > 0 {
			return nil
		}
		return errEnough
	}
	require.NoError(t, etl.Schedule(context.Background(), s, o))
	if strings.Contains(log.String(), "daily jobs:") {
		t.Errorf("a round failed: %s", &log)
	}
	return log.String()
}
