package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatchMemory: a worker that uses more memory than the limit ends its query, whatever the system's limit is.
func TestWatchMemory(t *testing.T) {
	w, err := startWorker(setup{})
	require.NoError(t, err)
	defer w.wait()
	defer w.kill()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	used, done := resident(w.process.Pid)
	defer done()
	require.Positive(t, used())
	go watchMemory(ctx, w, -ownMemory, cancel)
	select {
	case <-ctx.Done():
		require.ErrorContains(t, context.Cause(ctx), "out of memory")
	case <-time.After(time.Minute):
		t.Fatal("not ended")
	}
}
