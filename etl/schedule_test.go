package etl

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// testScheduler returns a scheduler whose rounds the test runs.
func testScheduler(t *testing.T, s *site.Site, c *sitetest.Clock) *scheduler {
	t.Helper()
	sc, err := newScheduler(s, ScheduleOptions{
		Clock: clock.Clock{Now: c.Now}, Backoff: retry.Policy{First: time.Minute, Max: 10 * time.Minute},
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	require.NoError(t, err)
	return sc
}

// published lists which tables of the test's day are there.
func published(t *testing.T, s *site.Site) (tables []string) {
	t.Helper()
	for _, name := range sitetest.AllTables {
		lt, err := s.Table(name)
		require.NoError(t, err)
		if _, err := lt.Partition(context.Background(), sitetest.Day); err == nil {
			tables = append(tables, name)
		}
	}
	return tables
}

func TestScheduleWaitsForTheDay(t *testing.T) {
	ctx := context.Background()
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 100)
	s := sitetest.Memory(t, pings)
	c := &sitetest.Clock{}
	sc := testScheduler(t, s, c)
	midnight := time.Date(2018, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		name    string
		now     time.Duration // after midnight
		through time.Duration
		want    int
	}{
		{"during the day", -time.Hour, -time.Hour, 0},
		{"after midnight, the edge is behind", time.Minute, -time.Second, 0},
		{"the edge is through", 2 * time.Minute, time.Second, len(sitetest.AllTables)},
	} {
		c.Set(midnight.Add(step.now).UnixNano())
		require.NoError(t, edgestate.SetProgress(ctx, pings, "edge", midnight.Add(step.through).UnixNano(), time.Time{}))
		require.NoError(t, sc.round(ctx))
		if got := published(t, s); len(got) != step.want {
			t.Errorf("%s: published are %v, want %d tables", step.name, got, step.want)
		}
	}
	before := sitetest.Contents(t, s)
	if sc.done[sitetest.Day] == "" {
		t.Error("the day is not done")
	}
	// Pings that come for the day later, as by a replay.
	sitetest.Pings(t, pings, 2, 50)
	require.NoError(t, sc.round(ctx))
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	m, err := lt.Partition(ctx, sitetest.Day)
	require.NoError(t, err)
	if len(sitetest.Contents(t, s)) == len(before) || m.Rows < 130 {
		t.Errorf("the day was not made again: main_summary has %d rows", m.Rows)
	}
}

// A dead edge holds a day until its timeout. When it comes back the day waits until it
// has been decoded, and is made again.
func TestScheduleWithoutADeadEdge(t *testing.T) {
	ctx, pings := t.Context(), store.NewMemory()
	sitetest.Pings(t, pings, 1, 100)
	s := sitetest.Memory(t, pings)
	s.EdgeTimeout = 6 * time.Hour
	c := &sitetest.Clock{}
	sc := testScheduler(t, s, c)
	midnight := time.Date(2018, 3, 2, 0, 0, 0, 0, time.UTC)
	logs := func(edge string, watermark, reported time.Duration) {
		require.NoError(t, edgestate.SetProgress(ctx, pings, edge, midnight.Add(watermark).UnixNano(), midnight.Add(reported)))
	}
	rows := func(now time.Duration) int64 {
		c.Set(midnight.Add(now).UnixNano())
		logs("live", now, now)
		require.NoError(t, sc.round(ctx))
		lt, err := s.Table("main_summary")
		require.NoError(t, err)
		m, err := lt.Partition(ctx, sitetest.Day)
		if err != nil {
			return 0
		}
		return m.Rows
	}
	logs("dead", -4*time.Hour, -4*time.Hour)
	assert.Zero(t, rows(time.Hour))
	before := rows(3 * time.Hour)
	assert.NotZero(t, before)
	st := readStates(t, s, c.Now(), nil, sitetest.Day)
	require.Len(t, st.Trouble, 1)
	assert.Contains(t, st.Trouble[0], "edge dead has been silent since 2018-03-01 20:00:00")
	assert.True(t, st.Silent[1] && !st.Silent[0], "%+v", st.Silent)

	sitetest.Pings(t, pings, 2, 50) // it is back, and not through the day
	logs("dead", -2*time.Hour, 4*time.Hour)
	assert.Equal(t, before, rows(4*time.Hour))
	logs("dead", 4*time.Hour, 5*time.Hour)
	assert.Greater(t, rows(5*time.Hour), before)
	logs("dead", 6*time.Hour, 2000*time.Hour)
	st = readStates(t, s, c.Now(), nil, sitetest.Day)
	require.Len(t, st.Trouble, 1)
	assert.Contains(t, st.Trouble[0], "a clock is wrong")
}

// A table that fails does not hold up others and is tried again after a pause.
func TestScheduleRetries(t *testing.T) {
	ctx := context.Background()
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 100)
	s := sitetest.Memory(t, pings)
	restricted := storetest.NewFaults(store.NewMemory())
	s.Roots[schema.RestrictedRoot] = restricted
	restricted.FailAt(1, errors.New("injected"))
	c := &sitetest.Clock{}
	sc := testScheduler(t, s, c)
	now := time.Date(2018, 3, 2, 0, 1, 0, 0, time.UTC)
	tries := 0
	for minute := range 4 {
		c.Set(now.Add(time.Duration(minute) * 40 * time.Second).UnixNano())
		before := restricted.Ops()
		require.NoError(t, sc.round(ctx))
		if restricted.Ops() > before {
			tries++
		}
		if got := published(t, s); minute == 0 && len(got) != len(sitetest.AllTables)-1 {
			t.Errorf("published are %v, want all but one", got)
		}
	}
	if tries != 2 {
		t.Errorf("the table was tried %d times within two minutes, want 2", tries)
	}
	if got := published(t, s); len(got) != len(sitetest.AllTables) {
		t.Errorf("published are %v in the end", got)
	}
}

// Schedule goes on after errors and ends with the context.
func TestScheduleEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	pings := storetest.NewFaults(store.NewMemory())
	s := sitetest.Memory(t, pings)
	rounds := 0
	err := Schedule(ctx, s, ScheduleOptions{Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error {
		if rounds++; rounds == 3 {
			cancel()
		}
		return ctx.Err()
	}}})
	if err != nil || rounds != 3 {
		t.Errorf("%v after %d rounds", err, rounds)
	}
}
