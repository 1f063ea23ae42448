package column

import (
	"math"
	"math/big"
	"strings"
)

// Int128 is a signed integer of 128 bits: Hi*2^64 + Lo. Sums wrap around.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Int128Of returns n in 128 bits.
func Int128Of(n int64) Int128 { return Int128{n >> 63, uint64(n)} }

// Int128OfBig returns n, which fits, in 128 bits.
func Int128OfBig(n *big.Int) Int128 {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return Int128{new(big.Int).Rsh(n, 64).Int64(), low.Uint64()}
}

// Add returns v + w.
func (v Int128) Add(w Int128) Int128 {
	lo := v.Lo + w.Lo
	hi := v.Hi + w.Hi
	if lo < v.Lo {
		hi++
	}
	return Int128{hi, lo}
}

// Negate returns -v.
func (v Int128) Negate() Int128 { return Int128{^v.Hi, ^v.Lo}.Add(Int128Of(1)) }

// Less reports whether v < w.
func (v Int128) Less(w Int128) bool { return v.Hi < w.Hi || v.Hi == w.Hi && v.Lo < w.Lo }

// Int64 returns v in 64 bits; fits reports whether they suffice.
func (v Int128) Int64() (n int64, fits bool) {
	n = int64(v.Lo)
	return n, v.Hi == n>>63
}

// Float64 returns v, rounded.
func (v Int128) Float64() float64 {
	if v.Hi < 0 {
		return -v.Negate().Float64()
	}
	return float64(v.Hi)*(1<<64) + float64(v.Lo)
}

// Big returns v as a big integer.
func (v Int128) Big() *big.Int {
	n := new(big.Int).Lsh(big.NewInt(v.Hi), 64)
	return n.Add(n, new(big.Int).SetUint64(v.Lo))
}

// Text returns v / 10^scale as digits, with a point before the last scale of them.
func (v Int128) Text(scale int) string {
	text := v.Big().String()
	digits, negative := strings.CutPrefix(text, "-")
	if scale <= 0 {
		return text
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - scale
	digits = digits[:point] + "." + digits[point:]
	if negative {
		return "-" + digits
	}
	return digits
}
