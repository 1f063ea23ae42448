package start

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var used []byte // on the heap

// TestDone: the collector works again, first when the heap is as large as it may be, and as usual when more is in use.
func TestDone(t *testing.T) {
	t.Setenv("GOGC", "")
	before := percent
	t.Cleanup(func() { percent = before; debug.SetGCPercent(before) })
	percent = 100
	Done()
	goal := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	near := func(want uint64) func() bool {
		return func() bool {
			runtime.GC()
			return goal() > want*9/10 && goal() < want*5/4
		}
	}
	require.Eventually(t, near(least), time.Minute, time.Millisecond)
	used = make([]byte, least)
	require.Eventually(t, near(2*least), time.Minute, time.Millisecond)
	used = nil
	require.Eventually(t, near(least), time.Minute, time.Millisecond)
}

// TestDoneAsSet: GOGC wins.
func TestDoneAsSet(t *testing.T) {
	before := percent
	t.Cleanup(func() { percent = before; debug.SetGCPercent(before) })
	for _, set := range []int{100, 50, -1} {
		t.Setenv("GOGC", "set")
		percent = set
		Done()
		require.Equal(t, set, debug.SetGCPercent(100))
	}
}

func TestPercentAt(t *testing.T) {
	for _, c := range []struct {
		live, roots uint64
		want        int
	}{{0, 0, 1600}, {1 << 20, 0, 1600}, {4<<20 - 1, 0, 1500}, {16<<20 - 1, 0, 300}, {12<<20 - 1, 4 << 20, 325}, {31 << 20, 30 << 20, 100},
		{32 << 20, 0, 100}, {1 << 30, 1, 100}} {
		require.Equal(t, c.want, percentAt(c.live, c.roots), c)
	}
}
