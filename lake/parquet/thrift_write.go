package parquet

import "encoding/binary"

// Types of the thrift compact protocol, in which parquet writes its metadata.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// thriftWriter appends structs in the thrift compact protocol. Fields must be
// written in ascending order of their numbers.
type thriftWriter struct {
	buf  []byte
	last int   // number of the last field of the current struct
	up   []int // the same of the structs around it
}

func (w *thriftWriter) reset() { w.buf, w.last, w.up = w.buf[:0], 0, w.up[:0] }

func (w *thriftWriter) field(id int, kind byte) {
	if d := id - w.last; d > 0 && d < 16 {
		w.buf = append(w.buf, byte(d)<<4|kind)
	} else {
		w.buf = binary.AppendVarint(append(w.buf, kind), int64(id))
	}
	w.last = id
}

func (w *thriftWriter) i8(id int, v int8) {
	w.field(id, thriftByte)
	w.buf = append(w.buf, byte(v))
}

// flag writes a boolean field, whose kind is its value.
func (w *thriftWriter) flag(id int, v bool) {
	if v {
		w.field(id, thriftTrue)
	} else {
		w.field(id, thriftFalse)
	}
}

func (w *thriftWriter) i32(id int, v int) {
	w.field(id, thriftI32)
	w.buf = binary.AppendVarint(w.buf, int64(v))
}

func (w *thriftWriter) i64(id int, v int64) {
	w.field(id, thriftI64)
	w.buf = binary.AppendVarint(w.buf, v)
}

func (w *thriftWriter) binary(id int, v []byte) {
	w.field(id, thriftBinary)
	w.bytes(v)
}

func (w *thriftWriter) text(id int, v string) {
	w.field(id, thriftBinary)
	w.string(v)
}

// begin starts a struct in field id; end ends it.
func (w *thriftWriter) begin(id int) {
	w.field(id, thriftStruct)
	w.element()
}

func (w *thriftWriter) end() {
	w.buf = append(w.buf, 0)
	w.last = w.up[len(w.up)-1]
	w.up = w.up[:len(w.up)-1]
}

// list starts a list of n elements, which follow: structs between element and
// end, other kinds by the functions below.
func (w *thriftWriter) list(id int, kind byte, n int) {
	w.field(id, thriftList)
	w.size(kind, n)
}

// size writes the head of a list.
func (w *thriftWriter) size(kind byte, n int) {
	if n < 15 {
		w.buf = append(w.buf, byte(n)<<4|kind)
	} else {
		w.buf = binary.AppendUvarint(append(w.buf, 0xf0|kind), uint64(n))
	}
}

func (w *thriftWriter) element() {
	w.up = append(w.up, w.last)
	w.last = 0
}

func (w *thriftWriter) number(v int64) { w.buf = binary.AppendVarint(w.buf, v) }

func (w *thriftWriter) bytes(v []byte) {
	w.buf = append(binary.AppendUvarint(w.buf, uint64(len(v))), v...)
}

func (w *thriftWriter) string(v string) {
	w.buf = append(binary.AppendUvarint(w.buf, uint64(len(v))), v...)
}

func (w *thriftWriter) truth(v bool) {
	if v {
		w.buf = append(w.buf, thriftTrue)
	} else {
		w.buf = append(w.buf, thriftFalse)
	}
}
