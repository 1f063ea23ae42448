package parquet

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// maxStat is the length of the longest text that is kept as a minimum or
// maximum. They are exact or absent: not all readers know shortened ones.
const maxStat = 256

// bounds are the smallest and largest value in the PLAIN encoding (texts
// without their length); nil if unknown or if there is no value.
type bounds struct{ min, max []byte }

// valueBounds looks at the values from to to of a leaf. Only leaves outside of
// lists and maps get bounds, and no binary ones: no reader uses others.
func valueBounds(l *column.Leaf, from, to int) bounds {
	if from == to || l.MaxRep > 0 {
		return bounds{}
	}
	switch l.Kind {
	case schema.Boolean:
		return boolBounds(l.Bools[from:to])
	case schema.Int:
		return intBounds(l.Ints[from:to])
	case schema.Long:
		return longBounds(l.Longs[from:to])
	case schema.Double:
		return doubleBounds(l.Doubles[from:to])
	case schema.Binary:
		return bounds{}
	case schema.Decimal:
		return decimalBounds(l.Decimals[from:to], decimalBytes(l.Precision))
	default:
		return textBounds(l.Bytes[from:to])
	}
}

func boolBounds(v []bool) bounds {
	lo, hi := byte(1), byte(0)
	for _, x := range v {
		if x {
			hi = 1
		} else {
			lo = 0
		}
	}
	return bounds{[]byte{lo}, []byte{hi}}
}

func intBounds(v []int32) bounds {
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	return bounds{
		binary.LittleEndian.AppendUint32(nil, uint32(lo)),
		binary.LittleEndian.AppendUint32(nil, uint32(hi)),
	}
}

func longBounds(v []int64) bounds {
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	return bounds{
		binary.LittleEndian.AppendUint64(nil, uint64(lo)),
		binary.LittleEndian.AppendUint64(nil, uint64(hi)),
	}
}

// doubleBounds follows the format's rules: none if there is a NaN, and zeros
// are written as -0 in the minimum and +0 in the maximum.
func doubleBounds(v []float64) bounds {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if x != x {
			return bounds{}
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo == 0 {
		lo = math.Copysign(0, -1)
	}
	if hi == 0 {
		hi = 0
	}
	return bounds{
		binary.LittleEndian.AppendUint64(nil, math.Float64bits(lo)),
		binary.LittleEndian.AppendUint64(nil, math.Float64bits(hi)),
	}
}

func decimalBounds(v []column.Int128, width int) bounds {
	lo, hi := v[0], v[0]
	for _, x := range v[1:] {
		if x.Less(lo) {
			lo = x
		}
		if hi.Less(x) {
			hi = x
		}
	}
	return bounds{
		appendDecimals(nil, []column.Int128{lo}, width),
		appendDecimals(nil, []column.Int128{hi}, width),
	}
}

// textBounds shares the memory of the values; see keep.
func textBounds(v [][]byte) bounds {
	lo, hi := v[0], v[0]
	for _, x := range v[1:] {
		if bytes.Compare(x, lo) < 0 {
			lo = x
		} else if bytes.Compare(x, hi) > 0 {
			hi = x
		}
	}
	if len(lo) > maxStat || len(hi) > maxStat {
		return bounds{}
	}
	if len(lo) == 0 {
		lo = []byte{} // the empty text, as opposed to no bound
	}
	if len(hi) == 0 {
		hi = []byte{}
	}
	return bounds{lo, hi}
}

// keep makes bounds independent of the batch.
func (b bounds) keep() bounds {
	if b.min == nil {
		return b
	}
	return bounds{append([]byte{}, b.min...), append([]byte{}, b.max...)}
}
