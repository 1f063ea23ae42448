package start

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDone: the collector works again as it did.
func TestDone(t *testing.T) {
	Done()
	require.Equal(t, percent, debug.SetGCPercent(percent))
	require.NotEqual(t, -1, percent)
}
