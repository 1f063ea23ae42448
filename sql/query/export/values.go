package export

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pingmill/pingmill/table/column"
)

// appendValue appends value i of an array at node n, repeating at level rep.
func appendValue(b *column.Batch, n *column.Node, rep int16, a arrow.Array, i int) {
	if a.IsNull(i) {
		b.Null(n, rep)
		return
	}
	switch a := a.(type) {
	case *array.Struct:
		for j, member := range n.Fields {
			appendValue(b, member, rep, a.Field(j), i)
		}
	case *array.Map: // before List, which it embeds
		from, to := a.ValueOffsets(i)
		if from == to {
			b.Empty(n, rep)
		}
		for e := from; e < to; e++ {
			at := n.ElemRep(int(e-from), rep)
			appendValue(b, n.Key, at, a.Keys(), int(e))
			appendValue(b, n.Elem, at, a.Items(), int(e))
		}
	case *array.List:
		from, to := a.ValueOffsets(i)
		if from == to {
			b.Empty(n, rep)
		}
		for e := from; e < to; e++ {
			appendValue(b, n.Elem, n.ElemRep(int(e-from), rep), a.ListValues(), int(e))
		}
	default:
		appendScalar(b, n, rep, a, i)
	}
}

func appendScalar(b *column.Batch, n *column.Node, rep int16, a arrow.Array, i int) {
	switch a := a.(type) {
	case *array.Boolean:
		b.Bool(n, rep, a.Value(i))
	case *array.Float64:
		b.Double(n, rep, a.Value(i))
	case *array.String:
		b.Str(n, rep, []byte(a.Value(i)))
	case *array.Binary:
		b.Str(n, rep, a.Value(i))
	case *array.Decimal128:
		b.Decimal(n, rep, column.Int128{Hi: a.Value(i).HighBits(), Lo: a.Value(i).LowBits()})
	case *array.MonthDayNanoInterval:
		b.Str(n, rep, []byte(a.ValueStr(i)))
	default:
		appendNumber(b, n, rep, a, i)
	}
}

// appendNumber appends what a leaf of kind Int or Long stores.
func appendNumber(b *column.Batch, n *column.Node, rep int16, a arrow.Array, i int) {
	switch a := a.(type) {
	case *array.Int8:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Int16:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Int32:
		b.Int(n, rep, a.Value(i))
	case *array.Uint8:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Uint16:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Uint32:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Float32:
		b.Int(n, rep, int32(math.Float32bits(a.Value(i))))
	case *array.Date32:
		b.Int(n, rep, int32(a.Value(i)))
	case *array.Int64:
		b.Long(n, rep, a.Value(i))
	case *array.Uint64:
		b.Long(n, rep, int64(a.Value(i)))
	case *array.Time64:
		b.Long(n, rep, int64(a.Value(i)))
	case *array.Timestamp:
		v := int64(a.Value(i))
		if a.DataType().(*arrow.TimestampType).Unit == arrow.Second {
			v = inMillis(v)
		}
		b.Long(n, rep, v)
	}
}

// inMillis returns seconds as milliseconds. Infinite timestamps, the largest numbers, remain what they are.
func inMillis(seconds int64) int64 {
	if seconds > math.MaxInt64/1000 || seconds < -math.MaxInt64/1000 {
		return seconds
	}
	return seconds * 1000
}
