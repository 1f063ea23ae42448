package column

import (
	"math"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// RowWriter writes the rows of a finished batch as JSON objects, one after the
// other: columns by name, nulls included, maps as objects with their keys as
// text, 64-bit integers exact, decimals as text.
type RowWriter struct {
	b      *Batch
	levels []int // next level entry by leaf
	values []int // next value by leaf
	json   int   // column whose texts are written as the JSON that they are; -1 without one
}

// NewRowWriter starts before the first row of b.
func NewRowWriter(b *Batch) *RowWriter {
	b.Finish()
	return &RowWriter{b: b, levels: make([]int, len(b.Leaves)), values: make([]int, len(b.Leaves)), json: -1}
}

// Embed makes the texts of the column at index i, which must be JSON, members of the rows instead of texts; -1 changes nothing.
func (w *RowWriter) Embed(i int) { w.json = i }

// AppendRow appends the next row to dst.
func (w *RowWriter) AppendRow(dst []byte) []byte {
	dst = append(dst, '{')
	for i, c := range w.b.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(ping.AppendQuoted(dst, []byte(c.Name)), ':')
		n := w.b.nodes[i]
		if i == w.json && w.def(n.Leaf) == n.Def {
			w.levels[n.Leaf]++
			dst = append(dst, w.b.Leaves[n.Leaf].Bytes[w.values[n.Leaf]]...)
			w.values[n.Leaf]++
			continue
		}
		dst = w.append(dst, n)
	}
	return append(dst, '}')
}

// def returns the definition level of the next entry of a leaf.
func (w *RowWriter) def(leaf int) int16 {
	l := &w.b.Leaves[leaf]
	if l.MaxDef == 0 {
		return 0
	}
	return l.Def[w.levels[leaf]]
}

// skip passes one level entry of every leaf below n: a null or empty value.
func (w *RowWriter) skip(n *Node) {
	for i := n.Leaf; i < n.Leaf+n.Leaves; i++ {
		w.levels[i]++
	}
}

func (w *RowWriter) append(dst []byte, n *Node) []byte {
	if w.def(n.Leaf) < n.Def {
		w.skip(n)
		return append(dst, "null"...)
	}
	switch n.Type.Kind {
	case schema.Struct:
		for i, f := range n.Fields {
			dst = append(dst, "{,"[min(i, 1)])
			dst = append(ping.AppendQuoted(dst, []byte(n.FieldNames[i])), ':')
			dst = w.append(dst, f)
		}
		return append(dst, '}')
	case schema.Array, schema.Map:
		return w.appendElements(dst, n)
	}
	w.levels[n.Leaf]++
	return w.appendScalar(dst, n.Type.Kind, &w.b.Leaves[n.Leaf], n.Leaf)
}

func (w *RowWriter) appendElements(dst []byte, n *Node) []byte {
	brackets := "[]"
	if n.Key != nil {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	if w.def(n.Leaf) == n.Def {
		w.skip(n)
		return append(dst, brackets[1])
	}
	l := &w.b.Leaves[n.Leaf]
	for more := true; more; {
		if n.Key != nil {
			dst = append(w.appendKey(dst, n.Key), ':')
		}
		dst = w.append(dst, n.Elem)
		if more = w.levels[n.Leaf] < len(l.Rep) && l.Rep[w.levels[n.Leaf]] == n.Rep+1; more {
			dst = append(dst, ',')
		}
	}
	return append(dst, brackets[1])
}

func (w *RowWriter) appendKey(dst []byte, n *Node) []byte {
	if n.Type.Kind == schema.String {
		return w.append(dst, n)
	}
	return append(w.append(append(dst, '"'), n), '"')
}

func (w *RowWriter) appendScalar(dst []byte, kind schema.Kind, l *Leaf, leaf int) []byte {
	i := w.values[leaf]
	w.values[leaf]++
	switch kind {
	case schema.Date:
		return append(AppendDate(append(dst, '"'), l.Ints[i]), '"')
	case schema.Timestamp:
		return append(AppendTimestamp(append(dst, '"'), l.Longs[i]), '"')
	case schema.Boolean:
		return strconv.AppendBool(dst, l.Bools[i])
	case schema.Int:
		return strconv.AppendInt(dst, int64(l.Ints[i]), 10)
	case schema.Long:
		return strconv.AppendInt(dst, l.Longs[i], 10)
	case schema.Double:
		return appendDouble(dst, l.Doubles[i])
	case schema.Decimal:
		return appendDecimal(dst, l.Decimals[i], l.Scale)
	}
	return ping.AppendQuoted(dst, l.Bytes[i])
}

// appendDouble writes a number that always reads back as a double.
func appendDouble(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	n := len(dst)
	dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	for _, c := range dst[n:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

func appendDecimal(dst []byte, v Int128, scale int) []byte {
	return append(append(append(dst, '"'), v.Text(scale)...), '"')
}
