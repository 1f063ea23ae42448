package check

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSortHashes compares with package slices.
func TestSortHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 15, 16, 100, 5000, 700_000} {
		all := make([]uint64, n)
		for i := range all {
			if all[i] = r.Uint64(); i > 0 && r.IntN(3) == 0 {
				all[i] = all[r.IntN(i)]
			}
		}
		want := slices.Clone(all)
		slices.Sort(want)
		sortHashes(all)
		require.True(t, slices.Equal(want, all), n)
	}
}
