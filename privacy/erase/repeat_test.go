package erase

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestRepeat removes rows again and again, also after a failure.
func TestRepeat(t *testing.T) {
	dir := t.TempDir()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	mustLoad(t, s, sitetest.Lines(t, sitetest.FromClients(4)))
	sitetest.AskToForget(t, s, "a", time.Now(), sitetest.ClientOf(1))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lock, err := s.LockRewriting(ctx) // so that the first one cannot begin
	require.NoError(t, err)
	o := forgetOptions()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	var pauses []time.Duration
	damaged := filepath.Join(dir, "archive", "forget", "requests", "v1", "damaged.json")
	o.Wait = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		switch len(pauses) {
		case 1:
			lock.Release()
			if err := os.WriteFile(damaged, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		case 3:
			require.NoError(t, os.Remove(damaged))
		case 4:
			if due, err := Due(ctx, s, Timing{Every: time.Hour}, time.Now()); err != nil || due {
				t.Errorf("due again at once: %v, %v", due, err)
			}
			if n := sitetest.Mentioned(t, s, sitetest.ClientOf(1)); n != 0 {
				t.Errorf("%d pings are left", n)
			}
			sitetest.AskToForget(t, s, "b", time.Now(), sitetest.ClientOf(2))
			if due, err := Due(ctx, s, Timing{Every: time.Hour}, time.Now()); err != nil || due {
				t.Errorf("due within the hour: %v, %v", due, err)
			}
			if due, err := Due(ctx, s, Timing{Every: time.Hour}, time.Now().Add(2*time.Hour)); err != nil || !due {
				t.Errorf("not due after an hour: %v, %v", due, err)
			}
		case 5:
			cancel()
		}
		return ctx.Err()
	}
	require.NoError(t, Repeat(ctx, s, Timing{Every: time.Nanosecond}, o))
	if want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, time.Minute, time.Minute}; !slices.Equal(pauses, want) {
		t.Errorf("pauses %v, want %v", pauses, want)
	}
	if n := sitetest.Mentioned(t, s, sitetest.ClientOf(2)) + sitetest.Pending(t, s); n != 0 {
		t.Errorf("the second request left %d", n)
	}
}

// TestDueBeforeDeadline: a request that a cycle has left waits for the interval, but at most a day if its deadline is near.
func TestDueBeforeDeadline(t *testing.T) {
	s := sitetest.Local(t)
	began := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	sitetest.AskToForget(t, s, "a", began.Add(-time.Hour), sitetest.ClientOf(1))
	require.NoError(t, s.Forgotten.End(t.Context(), &forget.Cycle{Began: began, Ended: began.Add(time.Minute), Days: []string{}}, nil))
	timing := Timing{Every: 20 * 24 * time.Hour, Deadline: forget.Deadline(24 * 24 * time.Hour)}
	for _, c := range []struct {
		days int
		due  bool
	}{{1, false}, {17, false}, {18, true}, {19, true}} {
		due, err := Due(t.Context(), s, timing, began.AddDate(0, 0, c.days))
		require.NoError(t, err)
		require.Equal(t, c.due, due, "after %d days", c.days)
	}
	last := began.AddDate(0, 0, 19)
	require.NoError(t, s.Forgotten.End(t.Context(), &forget.Cycle{Began: last, Ended: last.Add(time.Minute), Days: []string{}}, nil))
	for hours, want := range map[int]bool{23: false, 24: true} {
		due, err := Due(t.Context(), s, timing, last.Add(time.Duration(hours)*time.Hour))
		require.NoError(t, err)
		require.Equal(t, want, due, "after %d hours", hours)
	}

	lines, err := s.Forgotten.Trouble(t.Context(), timing.Deadline, began.AddDate(0, 0, 21))
	require.NoError(t, err)
	require.Empty(t, lines)
	lines, err = s.Forgotten.Trouble(t.Context(), timing.Deadline, began.AddDate(0, 0, 22))
	require.NoError(t, err)
	require.Len(t, lines, 1)
	require.Contains(t, lines[0], "must be removed by 2026-03-24")
	mustForget(t, s)
	lines, err = s.Forgotten.Trouble(t.Context(), timing.Deadline, began.AddDate(1, 0, 0))
	require.NoError(t, err)
	require.Empty(t, lines)
}
