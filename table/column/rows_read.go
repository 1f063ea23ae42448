package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

var errRows = errors.New("rows in another form than EncodeRows writes")

// DecodeRows adds to a batch what EncodeRows has written of one with the same columns, and copies its texts. After an error the
// batch must be reset.
func DecodeRows(b *Batch, data []byte) error {
	r := rowsReader{data: data}
	rows := int(min(r.uint(), math.MaxInt32))
	for n := r.length(); n > 0; n-- {
		i, n := r.uint(), r.uint()
		if r.bad || i >= uint64(len(b.Columns)) {
			return errRows
		}
		if b.leftOut == nil {
			b.leftOut = map[string]int64{}
		}
		b.leftOut[b.Columns[i].Name] += int64(n)
	}
	if r.bad {
		return errRows
	}
	if rows == 0 {
		return r.end()
	}
	at := uint64(0) // behind the last leaf
	for next := r.uint(); next > 0; next = r.uint() {
		if at += min(next, math.MaxInt32); at > uint64(len(b.Leaves)) {
			return errRows
		}
		l := &b.Leaves[at-1]
		l.pad(b.Rows)
		if r.leaf(l, rows, &b.arena); r.bad {
			return fmt.Errorf("column %s: %w", b.Columns[l.Column].Name, errRows)
		}
		l.rows = b.Rows + rows
	}
	b.Rows += rows
	return r.end()
}

// rowsReader reads numbers and texts until one is not there.
type rowsReader struct {
	data []byte
	bad  bool
}

func (r *rowsReader) end() error {
	if r.bad || len(r.data) > 0 {
		return errRows
	}
	return nil
}

func (r *rowsReader) uint() uint64 {
	if len(r.data) > 0 && r.data[0] < 0x80 {
		v := r.data[0]
		r.data = r.data[1:]
		return uint64(v)
	}
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return n
}

// length reads a number that is at most that of the remaining bytes: each entry that it counts takes one.
func (r *rowsReader) length() int {
	n := r.uint()
	if n > uint64(len(r.data)) {
		r.bad = true
		return 0
	}
	return int(n)
}

// int reads what AppendVarint writes.
func (r *rowsReader) int() int64 {
	n := r.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *rowsReader) bytes(n int) []byte {
	if n > len(r.data) {
		r.bad, r.data = true, nil
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

func (r *rowsReader) leaf(l *Leaf, rows int, texts *Arena) {
	levels := rows
	if l.MaxRep > 0 {
		levels = r.length()
		l.Rep = r.levels(l.Rep, levels, l.MaxRep)
	}
	values := levels
	if l.MaxDef > 0 {
		from := len(l.Def)
		l.Def = r.levels(l.Def, levels, l.MaxDef)
		values = count(l.Def[from:], l.MaxDef)
	}
	if values > len(r.data) {
		r.bad = true // each takes a byte at least
		return
	}
	switch l.Kind {
	case schema.Boolean:
		for _, v := range r.bytes(values) {
			l.Bools = append(l.Bools, v != 0)
		}
	case schema.Int:
		for range values {
			l.Ints = append(l.Ints, int32(r.int()))
		}
	case schema.Long:
		for range values {
			l.Longs = append(l.Longs, r.int())
		}
	case schema.Double:
		for v := range slices.Chunk(r.bytes(8*values), 8) {
			l.Doubles = append(l.Doubles, math.Float64frombits(binary.LittleEndian.Uint64(v)))
		}
	case schema.Decimal:
		for v := range slices.Chunk(r.bytes(16*values), 16) {
			l.Decimals = append(l.Decimals, Int128{int64(binary.LittleEndian.Uint64(v)), binary.LittleEndian.Uint64(v[8:])})
		}
	default:
		for range values {
			l.Bytes = append(l.Bytes, texts.Copy(r.bytes(r.length())))
		}
	}
}

func (r *rowsReader) levels(to []int16, n int, most int16) []int16 {
	if n == 1 && len(r.data) > 0 { // nearly all
		v := int16(r.data[0])
		r.data = r.data[1:]
		r.bad = r.bad || v > most
		return append(to, v)
	}
	to = slices.Grow(to, n)
	for _, v := range r.bytes(n) {
		r.bad = r.bad || int16(v) > most
		to = append(to, int16(v))
	}
	return to
}
