package parquet

import (
	"encoding/binary"
	"errors"
)

var errMetadata = errors.New("metadata is cut short or corrupt")

// maxNesting bounds structs within structs.
const maxNesting = 32

// thriftReader reads the thrift compact protocol. After a failure all further
// reads give zeros and err is set.
type thriftReader struct {
	data  []byte // not yet read
	depth int
	err   error
}

func (r *thriftReader) fail() {
	r.err = errMetadata
	r.data = nil
}

func (r *thriftReader) byte() byte {
	if len(r.data) == 0 {
		r.fail()
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *thriftReader) unsigned() uint64 {
	if len(r.data) > 0 && r.data[0] < 0x80 { // most are small
		v := r.data[0]
		r.data = r.data[1:]
		return uint64(v)
	}
	return r.long()
}

func (r *thriftReader) long() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *thriftReader) number() int64 {
	u := r.unsigned()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *thriftReader) bytes() []byte {
	n := r.unsigned()
	if n > uint64(len(r.data)) {
		r.fail()
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// structure reads a struct. For every field it calls f, which reads the value or skips it; a boolean's value is in its
// kind.
func (r *thriftReader) structure(f func(id int, kind byte)) {
	if r.depth++; r.depth > maxNesting {
		r.fail()
	}
	for id := 0; r.err == nil; {
		b := r.byte()
		if b == 0 {
			break
		}
		if d := int(b >> 4); d != 0 {
			id += d
		} else {
			id = int(int16(r.number()))
		}
		f(id, b&15)
	}
	r.depth--
}

// list reads the head of a list and returns the number of its elements.
func (r *thriftReader) list(kind byte) int {
	b := r.byte()
	n := uint64(b >> 4)
	if n == 15 {
		n = r.unsigned()
	}
	// No element takes less than a byte.
	if n > uint64(len(r.data)) || n > 0 && b&15 != kind {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *thriftReader) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		r.byte()
	case thriftI16, thriftI32, thriftI64:
		r.unsigned()
	case thriftDouble:
		if len(r.data) < 8 {
			r.fail()
			return
		}
		r.data = r.data[8:]
	case thriftBinary:
		r.bytes()
	case thriftStruct:
		r.structure(func(_ int, kind byte) { r.skip(kind) })
	case thriftList, thriftSet:
		r.skipList()
	case thriftMap:
		r.skipMap()
	default:
		r.fail()
	}
}

func (r *thriftReader) skipList() {
	if len(r.data) == 0 {
		r.fail()
		return
	}
	kind := r.data[0] & 15
	if kind == thriftFalse {
		kind = thriftTrue
	}
	n := r.list(r.data[0] & 15)
	r.skipElements(n, kind)
}

// skipElements skips the elements of a list; booleans take a byte.
func (r *thriftReader) skipElements(n int, kind byte) {
	if kind == thriftTrue {
		kind = thriftByte
	}
	if r.depth++; r.depth > maxNesting {
		r.fail()
	}
	for ; n > 0 && r.err == nil; n-- {
		r.skip(kind)
	}
	r.depth--
}

func (r *thriftReader) skipMap() {
	n := r.unsigned()
	if n == 0 {
		return
	}
	kinds := r.byte()
	for ; n > 0 && r.err == nil; n-- {
		r.skipElements(1, kinds>>4)
		r.skipElements(1, kinds&15)
	}
}
