package scalar

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

var mathFuncs = []Func{
	one("round_double", func(x float64) (float64, error) { return roundDouble(x, 0), nil }),
	two("round_double2", func(x float64, places int32) (float64, error) { return roundDouble(x, places), nil }),
	two("round_real2", func(x float32, places int32) (float32, error) { return float32(roundDouble(float64(x), places)), nil }),
	two("round_bigint", roundWhole),
	two("round_decimal", func(x string, places int32) (string, error) { return decimalTo(x, places, true) }),
	two("truncate_decimal", func(x string, places int32) (string, error) { return decimalTo(x, places, false) }),
	three("decimal_divide", decimalDivide),
	two("mod_double", func(x, y float64) (float64, error) { return math.Mod(x, y), nil }),
	two("power", func(x, y float64) (float64, error) { return power(x, y), nil }),
	one("sign_double", func(x float64) (float64, error) { return sign(x), nil }),
	one("cbrt", func(x float64) (float64, error) { return math.Cbrt(x), nil }),
	one("sqrt", func(x float64) (float64, error) { return math.Sqrt(x), nil }),
	one("ln", func(x float64) (float64, error) { return math.Log(x), nil }),
	one("log2", func(x float64) (float64, error) { return math.Log(x) / math.Log(2), nil }),
	one("log10", func(x float64) (float64, error) { return log10(x), nil }),
	two("log", func(base, x float64) (float64, error) { return math.Log(x) / math.Log(base), nil }),
	one("asin", func(x float64) (float64, error) { return math.Asin(x), nil }),
	one("acos", func(x float64) (float64, error) { return math.Acos(x), nil }),
	four("width_bucket", widthBucket),
	two("width_bucket_bins", widthBucketBins),
	three("bitwise_left_shift", func(x, width int64, n int32) (int64, error) { return shift(x, width, n, leftShift), nil }),
	three("bitwise_right_shift", func(x, width int64, n int32) (int64, error) { return shift(x, width, n, rightShift), nil }),
	three("bitwise_right_shift_arithmetic", func(x, width int64, n int32) (int64, error) { return shift(x, width, n, arithmeticShift), nil }),
	two("bit_count", bitCount),
	two("greatest_double", func(x, y float64) (float64, error) { return larger(x, y, 1), nil }),
	two("least_double", func(x, y float64) (float64, error) { return larger(x, y, -1), nil }),
	volatile(two("random", random)),
	four("cosine_similarity", cosineSimilarity),
}

// halfAwayFromZero rounds as Java's Math.round does for positive numbers.
func halfAwayFromZero(x float64) float64 {
	if math.Abs(x) >= 1<<52 {
		return x
	}
	whole := math.Floor(math.Abs(x))
	if math.Abs(x)-whole >= 0.5 {
		whole++
	}
	return math.Copysign(whole, x)
}

func roundDouble(x float64, places int32) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	if places == 0 {
		return halfAwayFromZero(x)
	}
	factor := math.Pow(10, float64(places))
	scaled := x * factor
	if math.IsInf(scaled, 0) || math.IsNaN(scaled) || math.Abs(scaled) >= 1<<63 {
		return x
	}
	return halfAwayFromZero(scaled) / factor
}

// roundWhole rounds to a power of ten, half away from zero. The caller narrows the result to its type.
func roundWhole(x int64, places int32) (int64, error) {
	if places >= 0 {
		return x, nil
	}
	if places < -19 {
		return 0, nil
	}
	factor := tenTo(int64(-places))
	rounded := roundQuotient(big.NewInt(x), factor, true)
	if rounded.Mul(rounded, factor); !rounded.IsInt64() {
		return 0, outOfRange("numerical overflow: %d", x)
	}
	return rounded.Int64(), nil
}

// power is Java's: NaN where C has 1.
func power(x, y float64) float64 {
	if math.IsNaN(y) || math.Abs(x) == 1 && math.IsInf(y, 0) {
		return math.NaN()
	}
	return math.Pow(x, y)
}

func log10(x float64) float64 {
	for p, n := 1.0, 0.0; p <= 1e22; p, n = p*10, n+1 {
		if x == p {
			return n
		}
	}
	return math.Log10(x)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // zeros keep their sign, NaN stays
}

func widthBucket(x, low, high float64, n int64) (int64, error) {
	switch {
	case n <= 0:
		return 0, invalid("bucketCount must be greater than 0")
	case math.IsNaN(x):
		return 0, invalid("operand must not be NaN")
	case math.IsNaN(low) || math.IsInf(low, 0):
		return 0, invalid("first bound must be finite")
	case math.IsNaN(high) || math.IsInf(high, 0):
		return 0, invalid("second bound must be finite")
	case low == high:
		return 0, invalid("bounds cannot equal each other")
	}
	bottom, top := min(low, high), max(low, high)
	bucket := int64(0)
	switch {
	case x < bottom:
	case x >= top:
		if n == math.MaxInt64 {
			return 0, outOfRange("Bucket for value %s is out of range", Double(x))
		}
		bucket = n + 1
	default:
		bucket = int64(float64(n)*(x-bottom)/(top-bottom) + 1)
	}
	if low > high {
		bucket = n - bucket + 1
	}
	return bucket, nil
}

func widthBucketBins(x float64, bins numbers) (int64, error) {
	if len(bins) == 0 {
		return 0, invalid("Bins cannot be an empty array")
	}
	if math.IsNaN(x) {
		return 0, invalid("Operand cannot be NaN")
	}
	lower, upper := 0, len(bins)
	for lower < upper {
		// The bins that the search does not touch may have any order: so has Trino.
		if bins[lower] == nil || bins[upper-1] == nil {
			return 0, invalid("Bin values cannot be null")
		}
		if bins[lower].(float64) > bins[upper-1].(float64) {
			return 0, invalid("Bin values are not sorted in ascending order")
		}
		i := (lower + upper) / 2
		bin, ok := bins[i].(float64)
		if !ok || math.IsNaN(bin) || math.IsInf(bin, 0) {
			return 0, invalid("Bin value must be finite")
		}
		if x < bin {
			upper = i
		} else {
			lower = i + 1
		}
	}
	return int64(lower), nil
}

// The ways to shift the bits of a number of some width, to the right of 64.
func leftShift(u uint64, _ int64, n uint) uint64       { return u << n }
func rightShift(u uint64, _ int64, n uint) uint64      { return u >> n }
func arithmeticShift(_ uint64, x int64, n uint) uint64 { return uint64(x >> n) }

// shift shifts x, a number of 8, 16, 32 or 64 bits. A negative shift counts as one past the width.
func shift(x, width int64, n int32, how func(u uint64, x int64, n uint) uint64) int64 {
	unused := uint(64 - width)
	by := uint(64)
	if n >= 0 && int64(n) < width {
		by = uint(n)
	}
	return int64(how(uint64(x)<<unused>>unused, x, by)<<unused) >> unused
}

func bitCount(x, width int64) (int64, error) {
	if width < 2 || width > 64 {
		return 0, invalid("Bits specified in bit_count must be between 2 and 64, got %d", width)
	}
	if half := int64(1) << (width - 1); width < 64 && (x >= half || x < -half) {
		return 0, invalid("Number must be representable with the bits specified. %d cannot be represented with %d bits", x, width)
	}
	return int64(bits.OnesCount64(uint64(x) & (^uint64(0) >> (64 - width)))), nil
}

// larger ignores a NaN if the other is a number; with order -1 it gives the smaller one.
func larger(x, y float64, order float64) float64 {
	if math.IsNaN(x) || !math.IsNaN(y) && (y-x)*order > 0 || !math.IsNaN(y) && y*order > x*order {
		return y
	}
	return x
}

func volatile(f Func) Func {
	f.Volatile = true
	return f
}

func random(from, to int64) (int64, error) {
	if from >= to {
		return 0, invalid("start value must be less than stop value")
	}
	return from + int64(rand.Uint64N(uint64(to)-uint64(from))), nil //nolint:gosec // as Trino's random is: not for secrets
}

// cosineSimilarity takes keys and values of two maps.
func cosineSimilarity(keysA texts, a numbers, keysB texts, b numbers) (float64, error) {
	normA, nullA := norm2(a)
	normB, nullB := norm2(b)
	if nullA || nullB {
		return 0, errNull
	}
	at := map[any]int{}
	for i, k := range keysB {
		at[k] = i
	}
	dot := 0.0
	for i, k := range keysA {
		if j, ok := at[k]; ok {
			dot += a[i].(float64) * b[j].(float64)
		}
	}
	return dot / (normA * normB), nil
}

func norm2(v numbers) (n float64, null bool) {
	for _, x := range v {
		f, ok := x.(float64)
		if !ok {
			return 0, true
		}
		n += f * f
	}
	return math.Sqrt(n), false
}
