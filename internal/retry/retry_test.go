package retry

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPause(t *testing.T) {
	p := Policy{First: time.Second, Max: 10 * time.Second}
	var got []time.Duration
	for n := range 6 {
		got = append(got, p.Pause(n+1)/time.Second)
	}
	require.Equal(t, []time.Duration{1, 2, 4, 8, 10, 10}, got)
	require.Equal(t, p.Max, p.Pause(1000))
}

// TestLoop: a loop ends after its last attempt with the cause, waits between two, and warns when it goes on.
func TestLoop(t *testing.T) {
	var log bytes.Buffer
	var waited time.Duration
	cause := errors.New("it has changed")
	l := Loop{Policy: Swap, What: "swap x", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Wait: func(_ context.Context, d time.Duration) error { waited += d; return nil }}
	var err error
	for n := 1; err == nil; n++ {
		require.LessOrEqual(t, n, Swap.Tries)
		err = l.Again(t.Context(), cause)
	}
	require.ErrorIs(t, err, cause)
	require.ErrorContains(t, err, "swap x: 14 attempts failed")
	require.Equal(t, Swap.Tries, l.Failures())
	require.Equal(t, Swap.Tries-warnFrom, strings.Count(log.String(), "swap x failed"))
	require.Greater(t, waited, 4*time.Second)
	l.Done()
	require.NoError(t, l.Again(t.Context(), cause))
}

func TestLoopEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := Loop{Policy: Policy{First: time.Hour, Max: time.Hour}}
	require.ErrorIs(t, l.Again(ctx, errors.New("x")), context.Canceled)
}
