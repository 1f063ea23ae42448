package column

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// numbers returns 128-bit integers at all borders, and random ones of all lengths.
func numbers() []Int128 {
	all := []Int128{{}, {-1, math.MaxUint64}, {0, 1}, {0, math.MaxUint64}, {1, 0}, {math.MaxInt64, math.MaxUint64}, {-1, 0}, {0, 1 << 63},
		{-1, 1 << 63}, {-1, 1<<63 - 1}}
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		all = append(all, Int128{r.Int64() >> r.IntN(64), r.Uint64() >> r.IntN(64)})
	}
	return all
}

// Every operation gives what big integers give.
func TestInt128(t *testing.T) {
	for _, v := range numbers() {
		b := v.Big()
		if Int128OfBig(b) != v {
			t.Errorf("%v is read back as %v", b, Int128OfBig(b))
		}
		if n, fits := v.Int64(); fits != b.IsInt64() || fits && (n != b.Int64() || Int128Of(n) != v) {
			t.Errorf("%v is %d in 64 bits (%v)", b, n, fits)
		}
		if got := v.Negate().Big(); got.Add(got, b).Sign() != 0 {
			t.Errorf("%v is negated to %v", b, v.Negate().Big())
		}
		exact, _ := new(big.Float).SetInt(b).Float64()
		if got := v.Float64(); got != exact && math.Nextafter(got, exact) != exact {
			t.Errorf("%v is %g as a double", b, got)
		}
		for _, w := range numbers() {
			c := w.Big()
			if v.Less(w) != (b.Cmp(c) < 0) {
				t.Errorf("%v < %v is %v", b, c, v.Less(w))
			}
			sum := new(big.Int).Add(b, c)
			if sum.BitLen() <= 127 && v.Add(w) != Int128OfBig(sum) {
				t.Errorf("%v + %v = %v", b, c, v.Add(w).Big())
			}
		}
	}
}

func TestInt128Text(t *testing.T) {
	for _, c := range []struct {
		v     int64
		scale int
		want  string
	}{{0, 0, "0"}, {0, 2, "0.00"}, {5, 6, "0.000005"}, {-5, 1, "-0.5"}, {-1234567, 6, "-1.234567"}, {100, 2, "1.00"}, {-7, 0, "-7"}} {
		if got := Int128Of(c.v).Text(c.scale); got != c.want {
			t.Errorf("%d with scale %d is %s, want %s", c.v, c.scale, got, c.want)
		}
	}
}
