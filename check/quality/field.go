package quality

import (
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// The most values of a column that are counted one by one: texts beyond are dropped when they are rare, numbers all.
const (
	maxTexts  = 2000
	maxListed = 64
)

// field is a column of a profile in the making: a column of the table without arrays and maps, a member of one, or an
// array or a map as a whole.
type field struct {
	Column

	leaf   int          // of the column, that all is known from
	node   *column.Node // of an array or map
	values *counter     // nil: none are counted
	ids    *distinct    // of documents
	spread *numbers     // of numbers and sizes
	read   []byte       // a number as text
	rows   int64        // that have a value
	add    func(*column.Leaf, *rowsRead)
}

// rowsRead are some rows: how many, the number of the first, from 1, and the client of each.
type rowsRead struct {
	rows    int
	first   int64
	clients []uint64
}

// fieldsOf returns the fields of a column, in its order.
func fieldsOf(c *schema.Column) []*field {
	b := column.NewBatch([]schema.Column{*c})
	return fieldsAt(b.Node(0), c, c.Name)
}

func fieldsAt(n *column.Node, c *schema.Column, name string) (all []*field) {
	f := &field{Column: Column{Name: name}, leaf: n.Leaf}
	if name != c.Name {
		f.Column.Column = c.Name
	}
	switch kind := n.Type.Kind; {
	case kind == schema.Struct:
		for i, member := range n.Fields {
			all = append(all, fieldsAt(member, c, name+"."+n.FieldNames[i])...)
		}
		return all
	case kind == schema.Array || kind == schema.Map:
		f.list(n, natureOf(name))
	default:
		f.scalar(kind, natureOf(name))
	}
	return []*field{f}
}

func natureOf(field string) schema.Nature {
	return schema.NatureOf(field[strings.LastIndexByte(field, '.')+1:])
}

// list looks at an array or map: at its keys, or at its elements if these are texts or have a text, such as a name or id.
func (f *field) list(n *column.Node, nature schema.Nature) {
	f.Kind, f.node, f.spread, f.add = Lists, n, newNumbers(), f.addLists
	at := n.Key
	if at == nil {
		at = n.Elem
	}
	for _, m := range at.Fields {
		if m.Type.Kind == schema.String {
			at = m
			break
		}
	}
	f.leaf = at.Leaf
	if at.Type.Kind == schema.String && (nature == schema.Plain || nature == schema.Release || n.Key != nil) {
		f.values = newCounter(maxTexts)
	}
}

// scalar looks at a column of single values.
func (f *field) scalar(kind schema.Kind, nature schema.Nature) {
	switch {
	case nature == schema.Document:
		f.Kind, f.ids, f.add = Documents, newDistinct(maxOfIDs), f.addIDs
	case nature != schema.Plain && nature != schema.Release:
		f.Kind, f.add = Others, f.addOthers
	case column.IsTime(kind):
		f.Kind, f.add = Others, f.addOthers
	case kind == schema.String:
		f.Kind, f.values, f.add = Values, newCounter(maxTexts), f.addTexts
	case kind == schema.Boolean:
		f.Kind, f.values, f.add = Values, newCounter(maxTexts), f.addBools
	default:
		f.Kind, f.values, f.spread, f.add = Numbers, newCounter(maxListed), newNumbers(), f.addNumbers
	}
}

// each calls do for each of the rows with a value.
func each[T any](l *column.Leaf, in *rowsRead, values []T, do func(row int, v T)) {
	if l.MaxDef == 0 {
		for row := range in.rows {
			do(row, values[row])
		}
		return
	}
	at := 0
	for row, d := range l.Def[:in.rows] {
		if d == l.MaxDef {
			do(row, values[at])
			at++
		}
	}
}

func (f *field) addOthers(l *column.Leaf, _ *rowsRead) { f.rows += int64(l.Values()) }

func (f *field) addIDs(l *column.Leaf, _ *rowsRead) {
	for _, v := range l.Bytes {
		f.ids.add(xxhash.Sum64(v))
	}
	f.rows += int64(len(l.Bytes))
}

func (f *field) addTexts(l *column.Leaf, in *rowsRead) {
	each(l, in, l.Bytes, func(row int, v []byte) { f.values.add(cut(v), in.clients[row], in.first+int64(row)) })
	f.rows += int64(len(l.Bytes))
}

// cut bounds what is kept of a value: a longer one is never listed.
func cut(v []byte) []byte { return v[:min(len(v), longest+1)] }

var texts = map[bool][]byte{true: []byte("true"), false: []byte("false")}

func (f *field) addBools(l *column.Leaf, in *rowsRead) {
	each(l, in, l.Bools, func(row int, v bool) { f.values.add(texts[v], in.clients[row], in.first+int64(row)) })
	f.rows += int64(len(l.Bools))
}

func (f *field) addNumbers(l *column.Leaf, in *rowsRead) {
	f.rows += int64(l.Values())
	switch l.Kind {
	case schema.Int:
		each(l, in, l.Ints, func(row int, v int32) { f.number(int64(v), row, in) })
	case schema.Long:
		each(l, in, l.Longs, func(row int, v int64) { f.number(v, row, in) })
	case schema.Decimal:
		unit := 1.0
		for range l.Scale {
			unit *= 10
		}
		f.values = nil
		each(l, in, l.Decimals, func(_ int, v column.Int128) { f.spread.add(v.Float64() / unit) })
	default:
		f.values = nil
		each(l, in, l.Doubles, func(_ int, v float64) { f.spread.add(v) })
	}
}

func (f *field) number(v int64, row int, in *rowsRead) {
	f.spread.add(float64(v))
	if f.values == nil {
		return
	}
	f.read = strconv.AppendInt(f.read[:0], v, 10)
	if f.values.add(f.read, in.clients[row], in.first+int64(row)); f.values.lost > 0 {
		f.values = nil // these are quantities, not kinds of things
	}
}

func (f *field) addLists(l *column.Leaf, in *rowsRead) {
	row, at, size := -1, 0, -1
	end := func() {
		if size >= 0 {
			f.rows++
			f.spread.add(float64(size))
		}
		if size == 0 {
			f.Empty++
		}
	}
	for i, def := range l.Def {
		if l.Rep[i] == 0 {
			end()
			row, size = row+1, -1
			if def >= f.node.Def {
				size = 0
			}
		}
		if def > f.node.Def && l.Rep[i] <= 1 {
			size++
		}
		if def == l.MaxDef {
			if f.values != nil {
				f.values.add(cut(l.Bytes[at]), in.clients[row], in.first+int64(row))
			}
			at++
		}
	}
	end()
}

// finish returns the profile of the column after a number of rows.
func (f *field) finish(rows int64) Column {
	f.Nulls = rows - f.rows
	if f.values != nil {
		f.values.finish(&f.Column, f.rows, f.Kind != Lists)
	}
	if f.ids != nil {
		f.Distinct, f.Repeated = f.ids.count(), int64(f.ids.repeated()*float64(f.rows)+0.5)
	}
	if f.spread != nil {
		f.Numbers = f.spread.finish()
	}
	return f.Column
}
