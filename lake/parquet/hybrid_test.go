package parquet

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// patterns returns sequences of values below a limit: all alike, alternating, in runs of every length around those that
// matter, random.
func patterns(rng *rand.Rand, limit uint64) map[string][]uint32 {
	value := func() uint32 { return uint32(rng.Uint64N(limit)) }
	p := map[string][]uint32{"none": nil, "one": {value()}, "zeros": make([]uint32, 1000)}
	for i := range 500 {
		p["alternating"] = append(p["alternating"], uint32(uint64(i)%limit))
		p["random"] = append(p["random"], value())
	}
	for length := range 70 {
		v := value()
		for range length {
			p["runs"] = append(p["runs"], v)
		}
		p["runs"] = append(p["runs"], value())
	}
	for range 300 { // few of them different
		v := uint32(0)
		if rng.IntN(20) == 0 {
			v = value()
		}
		p["sparse"] = append(p["sparse"], v)
	}
	return p
}

// readIndices reads n values in steps through gather, whose entries are the
// indices themselves.
func readIndices(data []byte, n, step int, width uint) ([]uint32, error) {
	d := dictReader{indices: newHybrid(append(slices.Clone(data), make([]byte, padding)...), 0, len(data), width)}
	entries := make([]uint32, 1<<min(width, 17))
	for i := range entries {
		entries[i] = uint32(i)
	}
	var got []uint32
	for len(got) < n {
		var err error
		if got, err = gather(&d, got, entries, min(step, n-len(got))); err != nil {
			return got, err
		}
	}
	return got, nil
}

func TestHybridIndices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for width := uint(1); width <= 17; width++ {
		for name, want := range patterns(rng, 1<<width) {
			data := appendHybrid(nil, want, width)
			for _, step := range []int{1, 3, 8, 1000} {
				got, err := readIndices(data, len(want), step, width)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s, width %d, step %d: %v", name, width, step, err)
				}
			}
			if got, err := readIndices(data, len(want)+8, 1000, width); err == nil {
				t.Errorf("%s, width %d: read %d values more than there are", name, width, len(got)-len(want))
			}
		}
	}
	for width := uint(18); width <= 32; width++ { // too large for entries
		for name, want := range patterns(rng, 1<<width) {
			data := appendHybrid(nil, want, width)
			h := newHybrid(append(data, make([]byte, padding)...), 0, len(data), width)
			for i, v := range want {
				require.NoError(t, h.run())
				got := h.value
				if h.packed {
					got = h.unpackOne()
				}
				h.left--
				if got != v {
					t.Fatalf("%s, width %d: value %d is %d, want %d", name, width, i, got, v)
				}
			}
		}
	}
}

func levelsOf16(v []uint32) (l []int16) {
	for _, x := range v {
		l = append(l, int16(x))
	}
	return l
}

func TestHybridLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for most := int16(1); most <= 9; most++ {
		width := bitWidth(int(most))
		for name, values := range patterns(rng, uint64(most)+1) {
			want := levelsOf16(values)
			data := appendHybrid(nil, want, width)
			padded := append(slices.Clone(data), make([]byte, padding)...)
			for _, step := range []int{1, 5, 64, 2000} {
				h := newHybrid(padded, 0, len(data), width)
				var got []int16
				equal := 0
				for len(got) < len(want) {
					var e int
					var err error
					if got, e, err = h.levels(got, min(step, len(want)-len(got)), most); err != nil {
						t.Fatalf("%s, most %d: %v", name, most, err)
					}
					equal += e
				}
				if !slices.Equal(got, want) || equal != count(want, most) {
					t.Fatalf("%s, most %d, step %d: %d of %d are %d", name, most, step, equal, len(got), most)
				}
			}
			testTooHigh(t, want, padded, len(data), most)
		}
	}
}

// Levels above the largest are refused, if they fit into the bits at all.
func testTooHigh(t *testing.T, want []int16, padded []byte, end int, most int16) {
	width := bitWidth(int(most))
	if most == 1 || bitWidth(int(most-1)) != width {
		return
	}
	h := newHybrid(padded, 0, end, width)
	if _, _, err := h.levels(nil, len(want), most-1); (err != nil) != slices.Contains(want, most) {
		t.Errorf("levels up to %d read as up to %d: %v", most, most-1, err)
	}
}

// Repetition levels are read up to whole rows.
func TestHybridRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for most := int16(1); most <= 5; most++ {
		for name, values := range patterns(rng, uint64(most)+1) {
			want := append([]int16{0}, levelsOf16(values)...)
			width := bitWidth(int(most))
			data := appendHybrid(nil, want, width)
			padded := append(slices.Clone(data), make([]byte, padding)...)
			for _, step := range []int{1, 2, 7, 1000} {
				h := newHybrid(padded, 0, len(data), width)
				var got []int16
				for len(got) < len(want) {
					at := len(got)
					var started int
					var err error
					got, started, err = h.rows(got, step, len(want)-at, most)
					require.NoError(t, err)
					if got[at] != 0 || started != count(got[at:], 0) || started > step || started < step && len(got) < len(want) {
						t.Fatalf("%s, most %d: %d rows of %d in %v", name, most, started, step, got[at:])
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, most %d, step %d: got %v, want %v", name, most, step, got, want)
				}
			}
		}
	}
}

func TestHybridCorrupt(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty": {}, "only a head": {2 << 1}, "packed cut short": {3<<1 | 1, 0, 0}, "endless head": {0x80, 0x80, 0x80},
		"huge packed": {0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, "huge head": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"no values": {0, 0, 0, 0},
	} {
		if got, err := readIndices(data, 10, 10, 9); err == nil {
			t.Errorf("%s: read %v", name, got)
		}
	}
	if _, err := readIndices([]byte{10 << 1, 0xff, 0xff}, 10, 10, 16); err != nil {
		t.Errorf("a run: %v", err)
	}
	d := dictReader{indices: newHybrid([]byte{10 << 1, 3, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 2, 2)}
	if _, err := gather(&d, nil, []int{1, 2, 3}, 10); err != errIndex {
		t.Errorf("index out of range: %v", err)
	}
}

func count(levels []int16, want int16) (n int) {
	for _, d := range levels {
		if d == want {
			n++
		}
	}
	return n
}
