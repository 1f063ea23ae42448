package etl

import "testing"

func TestWorkersWithin(t *testing.T) {
	for _, c := range []struct {
		limit           uint64
		wanted, workers int
	}{
		{1e12, 5, 5}, {160e6, 5, 2}, {160e6, 1, 1}, {128e6, 0, 1}, {100e6, 1, 0}, {9e18, 1, 0},
	} {
		workers, err := WorkersWithin(c.limit, c.wanted)
		if workers != c.workers || (err == nil) != (c.workers > 0) {
			t.Errorf("%d bytes for %d: %d workers, %v", c.limit, c.wanted, workers, err)
		}
	}
}
