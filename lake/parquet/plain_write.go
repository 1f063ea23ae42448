package parquet

import (
	"encoding/binary"
	"math"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// appendPlain appends the values from to to of a leaf in the PLAIN encoding.
func appendPlain(dst []byte, l *column.Leaf, from, to int) []byte {
	switch l.Kind {
	case schema.Boolean:
		return appendBools(dst, l.Bools[from:to])
	case schema.Int:
		return appendInts(dst, l.Ints[from:to])
	case schema.Long:
		return appendLongs(dst, l.Longs[from:to])
	case schema.Double:
		return appendDoubles(dst, l.Doubles[from:to])
	case schema.Decimal:
		return appendDecimals(dst, l.Decimals[from:to], decimalBytes(l.Precision))
	default:
		return appendTexts(dst, l.Bytes[from:to])
	}
}

func appendBools(dst []byte, v []bool) []byte {
	for i, x := range v {
		if i%8 == 0 {
			dst = append(dst, 0)
		}
		if x {
			dst[len(dst)-1] |= 1 << (i % 8)
		}
	}
	return dst
}

func appendInts(dst []byte, v []int32) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

func appendLongs(dst []byte, v []int64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(x))
	}
	return dst
}

func appendDoubles(dst []byte, v []float64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}

// appendDecimals writes the lowest bytes of each value, the highest first.
func appendDecimals(dst []byte, v []column.Int128, width int) []byte {
	var b [16]byte
	for _, x := range v {
		binary.BigEndian.PutUint64(b[:8], uint64(x.Hi))
		binary.BigEndian.PutUint64(b[8:], x.Lo)
		dst = append(dst, b[16-width:]...)
	}
	return dst
}

func appendTexts(dst []byte, v [][]byte) []byte {
	for _, x := range v {
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(x))), x...)
	}
	return dst
}

// plainBits returns the number of bits that appendPlain adds for a value that is no text.
func plainBits(l *column.Leaf) int {
	switch l.Kind {
	case schema.Boolean:
		return 1
	case schema.Int:
		return 32
	case schema.Decimal:
		return 8 * decimalBytes(l.Precision)
	default:
		return 64
	}
}

// plainSize returns the number of bytes that appendPlain adds for the whole leaf.
func plainSize(l *column.Leaf) int {
	if !isText(l.Kind) {
		return (l.Values()*plainBits(l) + 7) / 8
	}
	n := 4 * len(l.Bytes)
	for _, x := range l.Bytes {
		n += len(x)
	}
	return n
}
