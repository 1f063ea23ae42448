package parquet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkDict checks that indices give the values again and values are distinct
// and in the order of their first appearance.
func checkDict[T any](t *testing.T, v, values []T, indices []uint32, key func(T) string) {
	t.Helper()
	if len(indices) != len(v) {
		t.Fatalf("%d indices of %d values", len(indices), len(v))
	}
	seen := uint32(0)
	for i, x := range v {
		if key(values[indices[i]]) != key(x) {
			t.Fatalf("value %d is %v, not %v", i, values[indices[i]], x)
		}
		if indices[i] > seen {
			t.Fatalf("value %d has index %d after %d entries", i, indices[i], seen)
		}
		if indices[i] == seen {
			seen++
		}
	}
	if int(seen) != len(values) {
		t.Errorf("%d entries, %d used", len(values), seen)
	}
	distinct := map[string]bool{}
	for _, x := range values {
		distinct[key(x)] = true
	}
	if len(distinct) != len(values) {
		t.Errorf("%d entries, %d distinct", len(values), len(distinct))
	}
}

func numbers(n, kinds int, spread int64, rng *rand.Rand) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = (rng.Int64N(int64(kinds)) - int64(kinds)/4) * spread
	}
	return v
}

// A dictionary is used again and again, also after it has given up.
func TestNumberDict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var longs numberDict[int64]
	var ints numberDict[int32]
	key := func(x int64) string { return fmt.Sprint(x) }
	for range 3 {
		for _, test := range []struct {
			n, kinds int
			spread   int64
			good     bool
		}{
			{0, 1, 1, true}, {1, 1, 1, true}, {5000, 3, 1, true}, {5000, 2000, 1, true}, {20_000, 9000, 1, true},
			{20_000, 9000, 1 << 40, true}, {3000, 1 << 30, 1, false}, {3000, 1 << 30, 1 << 20, false}, {60, 1 << 30, 1, true},
		} {
			v := numbers(test.n, test.kinds, test.spread, rng)
			if test.good && test.n > 100 { // repeat the kinds so that they pay from the start
				v = append(slices.Repeat(v[:50], 400), v...)
			}
			if good := longs.build(v); good != test.good {
				t.Errorf("%+v: %v", test, good)
			} else if good {
				checkDict(t, v, longs.values, longs.indices, key)
			}
			small := make([]int32, len(v))
			for i := range v {
				small[i] = int32(v[i])
			}
			if ints.build(small) {
				checkDict(t, small, ints.values, ints.indices, func(x int32) string { return fmt.Sprint(x) })
			} else if test.good {
				t.Errorf("%+v: no dictionary of ints", test)
			}
		}
	}
	extremes := slices.Repeat([]int64{0, -1, math.MinInt64, math.MaxInt64, 4095, 4096, -4096}, 20)
	if !longs.build(extremes) {
		t.Error("no dictionary of extremes")
	}
	checkDict(t, extremes, longs.values, longs.indices, key)
}

func TestTextDict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var d textDict
	key := func(x []byte) string { return string(x) }
	for range 3 {
		for _, kinds := range []int{1, 2, 100, 5000, 1 << 30} {
			var v [][]byte
			for range 10_000 {
				v = append(v, fmt.Appendf(nil, "%d", rng.IntN(kinds)))
				if kinds < 1<<30 && rng.IntN(3) == 0 {
					v = append(v, v[len(v)-1], []byte{})
				}
			}
			if good := d.build(v); good != (kinds < 1<<30) {
				t.Errorf("%d kinds: %v", kinds, good)
			} else if good {
				checkDict(t, v, d.values, d.indices, key)
			}
		}
	}
}

func TestDictPays(t *testing.T) {
	for _, test := range []struct {
		entries, entryBytes, values, plain int
		want                               bool
	}{
		{1, 4, 1000, 4000, true}, {1, 4, 1, 4, false}, {500, 2000, 1000, 4000, true}, {900, 3600, 1000, 4000, false},
		{10, maxDictBytes + 1, 1 << 20, 1 << 30, false},
	} {
		if got := dictPays(test.entries, test.entryBytes, test.values, test.plain); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
