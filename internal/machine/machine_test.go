package machine

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLimits: the smallest limit of a group and those above it counts, and only if it is less than the machine has.
func TestLimits(t *testing.T) {
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(below, 0o755))
	_, ok := limit(top, below, "memory.max")
	require.False(t, ok)
	for name, text := range map[string]string{"memory.max": "max\n", "a/memory.max": "1000\n", "a/b/memory.max": "2000\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(top), "memory.max"), []byte("1\n"), 0o644)) // above all groups
	most, ok := limit(top, below, "memory.max")
	require.True(t, ok)
	require.EqualValues(t, 1000, most)
	_, ok = limit(top, "", "memory.max") // no control groups
	require.False(t, ok)

	for all, want := range map[int64]int64{0: 1000, 999: 999, 1001: 1000} {
		bytes, group := least(all, top, below)
		require.Equal(t, want, bytes)
		require.Equal(t, want == 1000, group)
	}
	bytes, group := least(5000, top, filepath.Join(top, "other"))
	require.EqualValues(t, 5000, bytes)
	require.False(t, group)
}

func TestMemory(t *testing.T) {
	bytes, _ := Memory()
	if runtime.GOOS == "linux" {
		require.Greater(t, bytes, int64(64<<20))
	}
}
