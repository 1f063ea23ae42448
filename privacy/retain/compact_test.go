package retain

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/compaction"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func compactAt(now time.Time) CompactOptions {
	return CompactOptions{After: 2, Clock: clock.Clock{Now: func() time.Time { return now }}, Log: slog.New(slog.DiscardHandler)}
}

// TestCompact compacts days of which there are tables: these stay current, and tables that are made of
// the compact days are the same byte for byte.
func TestCompact(t *testing.T) {
	pings := store.NewMemory()
	days := sitetest.DayRange(t, "20180301", "20180303")
	for n := range uint64(3) {
		sitetest.DayPings(t, pings, 1+n, 20, days...)
	}
	s := sitetest.Memory(t, pings)
	o := etl.RunOptions{Tables: []string{"main_summary", "clients_daily", "crash_summary"}, Days: days}
	etltest.Run(t, s, o)
	rows, tables := sitetest.PingsOf(t, pings), sitetest.Contents(t, s)
	require.NoError(t, Compact(t.Context(), s, compactAt(sitetest.At(5))))
	infos, err := archive.Days(t.Context(), pings)
	require.NoError(t, err)
	for _, d := range infos {
		if past := d.Day <= "20180302"; past != (d.Compact == d.Files) || past && d.Files != 1 {
			t.Errorf("%+v", d)
		}
	}
	require.Equal(t, rows, sitetest.PingsOf(t, pings))
	plan, err := etl.PlanRun(t.Context(), s, o)
	require.NoError(t, err)
	for _, u := range plan.Units {
		if u.Action != etl.Keep {
			t.Errorf("%+v", u)
		}
	}
	other := sitetest.Memory(t, pings)
	etltest.Run(t, other, o)
	sitetest.SameContents(t, sitetest.Contents(t, other), tables)

	state, err := compaction.Read(t.Context(), pings)
	require.NoError(t, err)
	if state.Through != "20180302" || state.Partitions == 0 || state.After == 0 || state.Before <= state.After || len(state.Notes()) != 1 {
		t.Errorf("%+v", state)
	}
	st, err := status.Read(t.Context(), s, status.Options{Days: days, Now: sitetest.At(5)})
	require.NoError(t, err)
	require.Contains(t, st.Notes, state.Notes()[0])
	require.NoError(t, Compact(t.Context(), s, compactAt(sitetest.At(5))))
	again, err := compaction.Read(t.Context(), pings)
	require.NoError(t, err)
	require.Equal(t, state, again)
}

// TestCompactBeside waits for who rewrites the archive, and goes on with the other days where one cannot be compacted.
func TestCompactBeside(t *testing.T) {
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 20, "20180301", "20180302")
	s := sitetest.Local(t)
	s.Archive = pings
	lock, err := s.LockRewriting(t.Context())
	require.NoError(t, err)
	err = Compact(t.Context(), s, compactAt(sitetest.At(9)))
	if !errors.Is(err, site.ErrLocked) {
		t.Errorf("while somebody rewrites: %v", err)
	}
	lock.Release()
	d, err := archive.OpenDay(t.Context(), pings, "20180301", "main")
	require.NoError(t, err)
	data, err := store.ReadFile(t.Context(), pings, d.Names()[0])
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, store.WriteFile(t.Context(), pings, d.Names()[0], data))
	err = Compact(t.Context(), s, compactAt(sitetest.At(9)))
	if !archive.IsDamage(err) {
		t.Errorf("with damage: %v", err)
	}
	after, err := archive.OpenDay(t.Context(), pings, "20180302", "main")
	require.NoError(t, err)
	if !after.Compact() {
		t.Error("another day waits for the damaged one")
	}
	state, err := compaction.Read(t.Context(), pings)
	require.NoError(t, err)
	if state.Failed == "" || state.Through != "" {
		t.Errorf("%+v", state)
	}
	rounds := 0
	ctx, cancel := context.WithCancel(t.Context())
	o := compactAt(sitetest.At(9))
	o.Wait = func(_ context.Context, pause time.Duration) error {
		if rounds++; rounds == 2 {
			cancel()
		}
		require.Equal(t, compactPause, pause)
		return nil
	}
	require.NoError(t, KeepCompact(ctx, s, o))
}
