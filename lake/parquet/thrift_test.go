package parquet

import (
	"strings"
	"testing"
)

func TestThrift(t *testing.T) {
	var w thriftWriter
	w.element()
	w.field(1, thriftTrue)
	w.field(2, thriftFalse)
	w.i32(3, -7)
	w.i64(40, 1<<40)
	w.text(41, strings.Repeat("x", 200))
	w.list(42, thriftI32, 20)
	for i := range 20 {
		w.number(int64(i))
	}
	w.list(43, thriftTrue, 2)
	w.truth(true)
	w.truth(false)
	w.begin(44)
	w.i32(1, 5)
	w.end()
	// Kinds that parquet does not use, by hand: a byte, a double, a map.
	w.buf = append(w.buf, 1<<4|thriftByte, 9, 1<<4|thriftDouble, 0, 0, 0, 0, 0, 0, 0, 0)
	w.buf = append(w.buf, 1<<4|thriftMap, 1, thriftBinary<<4|thriftI32, 1, 'k', 2, 1<<4|thriftMap, 0)
	w.last = 48
	w.binary(49, []byte("end"))
	w.end()

	seen := map[int]any{}
	r := thriftReader{data: w.buf}
	r.structure(func(id int, kind byte) {
		switch {
		case kind == thriftTrue || kind == thriftFalse:
			seen[id] = kind == thriftTrue
		case id == 3 || id == 40:
			seen[id] = r.number()
		case id == 41 || id == 49:
			seen[id] = len(r.bytes())
		default:
			seen[id] = kind
			r.skip(kind)
		}
	})
	want := map[int]any{1: true, 2: false, 3: int64(-7), 40: int64(1 << 40), 41: 200, 42: byte(thriftList), 43: byte(thriftList),
		44: byte(thriftStruct), 45: byte(thriftByte), 46: byte(thriftDouble), 47: byte(thriftMap), 48: byte(thriftMap), 49: 3}
	for id, v := range want {
		if seen[id] != v {
			t.Errorf("field %d is %v, want %v", id, seen[id], v)
		}
	}
	if r.err != nil || len(r.data) != 0 || len(seen) != len(want) {
		t.Errorf("%v, %d bytes left, %d fields", r.err, len(r.data), len(seen))
	}
	// Cut short anywhere, it is an error.
	for n := range w.buf {
		r := thriftReader{data: w.buf[:n]}
		r.skip(thriftStruct)
		if r.err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(w.buf))
		}
	}
}

func TestThriftHostile(t *testing.T) {
	for name, data := range map[string]string{
		"deep structs": strings.Repeat("\x1c", 10_000),
		"deep lists":   "\x19" + strings.Repeat("\x19", 10_000),
		"long list":    "\x19\xf5\xff\xff\xff\xff\x0f",
		"long text":    "\x18\xff\xff\xff\xff\x0f",
		"unknown kind": "\x1d",
		"long map":     "\x1b\xff\xff\xff\xff\x0f\x55",
		"long number":  "\x15" + strings.Repeat("\xff", 20),
	} {
		r := thriftReader{data: []byte(data)}
		r.skip(thriftStruct)
		if r.err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
