package clock

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, Wait(ctx, time.Nanosecond))
	cancel()
	require.ErrorIs(t, Wait(ctx, time.Hour), context.Canceled)
	woken := make(chan struct{})
	close(woken)
	require.NoError(t, WaitOr(t.Context(), time.Hour, woken))
}
