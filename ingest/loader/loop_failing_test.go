package loader

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFailing: after Stop, attempts that go on failing get a time of patience, which begins with the first failure and ends with one that
// reaches the archive.
func TestFailing(t *testing.T) {
	first, last := errors.New("the first failure"), errors.New("the last failure")
	for name, c := range map[string]struct {
		do   func(f *failing, stop chan struct{})
		left time.Duration // of the patience after do; 0: attempts may go on
	}{
		"failed before Stop": {func(f *failing, stop chan struct{}) { f.failed(last); close(stop) }, stopPatience},
		"fails after Stop":   {func(f *failing, stop chan struct{}) { close(stop); time.Sleep(time.Hour); f.failed(last) }, stopPatience},
		"fails again": {func(f *failing, stop chan struct{}) {
			close(stop)
			f.failed(first)
			time.Sleep(time.Second)
			f.failed(last)
		}, stopPatience - time.Second},
		"fails without Stop":              {func(f *failing, _ chan struct{}) { f.failed(last) }, 0},
		"stopped without a failure":       {func(_ *failing, stop chan struct{}) { close(stop) }, 0},
		"reached the archive before Stop": {func(f *failing, stop chan struct{}) { f.failed(last); f.reached(); close(stop) }, 0},
		"reached the archive after Stop": {func(f *failing, stop chan struct{}) {
			close(stop)
			f.failed(last)
			time.Sleep(time.Second)
			f.reached()
		}, 0},
		"reached the archive and fails again": {func(f *failing, stop chan struct{}) {
			close(stop)
			f.failed(first)
			time.Sleep(time.Second)
			f.reached()
			f.failed(last)
		}, stopPatience},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop := make(chan struct{})
				ctx, f, release := newFailing(t.Context(), stop)
				defer release()
				c.do(f, stop)
				synctest.Wait()
				if c.left == 0 {
					time.Sleep(time.Hour)
					require.NoError(t, ctx.Err())
					return
				}
				time.Sleep(c.left - time.Nanosecond)
				require.NoError(t, ctx.Err())
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				require.ErrorIs(t, context.Cause(ctx), errFailing)
				require.True(t, f.ended(ctx))
				require.Equal(t, last, f.cause())
			})
		})
	}
}

// TestFailingReleased: neither a release nor the end of the caller's context is taken for a failure, and neither leaves a timer.
func TestFailingReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancel(t.Context())
		stop := make(chan struct{})
		close(stop)
		ctx, f, release := newFailing(parent, stop)
		f.failed(errors.New("a failure"))
		release()
		synctest.Wait()
		require.Nil(t, f.timer)
		require.Error(t, ctx.Err())
		require.False(t, f.ended(ctx))

		ctx, f, release = newFailing(parent, make(chan struct{}))
		defer release()
		cancel()
		synctest.Wait()
		require.ErrorIs(t, context.Cause(ctx), context.Canceled)
		require.False(t, f.ended(ctx))
	})
}
