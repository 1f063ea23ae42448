package column

import (
	"encoding/binary"
	"math"

	"github.com/pingmill/pingmill/schema"
)

// RowsFormat changes whenever EncodeRows writes the same rows in another form.
const RowsFormat = 1

// EncodeRows appends the rows of the batch, and its counts of values left out, for DecodeRows. Leaves that no row has set take
// no space.
func EncodeRows(dst []byte, b *Batch) []byte {
	dst = binary.AppendUvarint(dst, uint64(b.Rows))
	dst = binary.AppendUvarint(dst, uint64(len(b.leftOut)))
	for i := 0; i < len(b.Columns) && len(b.leftOut) > 0; i++ {
		if n := b.leftOut[b.Columns[i].Name]; n > 0 {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(i)), uint64(n))
		}
	}
	if b.Rows == 0 {
		return dst
	}
	last := -1
	for i := range b.Leaves {
		if l := &b.Leaves[i]; l.rows > 0 {
			l.pad(b.Rows)
			dst = binary.AppendUvarint(dst, uint64(i-last))
			dst = l.appendTo(dst)
			last = i
		}
	}
	return append(dst, 0)
}

// appendTo appends levels, one byte each, and values.
func (l *Leaf) appendTo(dst []byte) []byte {
	if l.MaxRep > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(l.Rep)))
		dst = appendLevels(dst, l.Rep)
	}
	if l.MaxDef > 0 {
		dst = appendLevels(dst, l.Def)
	}
	switch l.Kind {
	case schema.Boolean:
		for _, v := range l.Bools {
			if v {
				dst = append(dst, 1)
			} else {
				dst = append(dst, 0)
			}
		}
	case schema.Int:
		for _, v := range l.Ints {
			dst = binary.AppendVarint(dst, int64(v))
		}
	case schema.Long:
		for _, v := range l.Longs {
			dst = binary.AppendVarint(dst, v)
		}
	case schema.Double:
		for _, v := range l.Doubles {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	case schema.Decimal:
		for _, v := range l.Decimals {
			dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, uint64(v.Hi)), v.Lo)
		}
	default:
		for _, v := range l.Bytes {
			dst = append(binary.AppendUvarint(dst, uint64(len(v))), v...)
		}
	}
	return dst
}

func appendLevels(dst []byte, levels []int16) []byte {
	for _, v := range levels {
		dst = append(dst, byte(v))
	}
	return dst
}
