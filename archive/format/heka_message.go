package format

import (
	"errors"
	"math"

	"github.com/klauspost/compress/s2"
	"google.golang.org/protobuf/encoding/protowire"
)

// message is a Heka message. Its bytes point into what it was read from.
type message struct {
	uuid      []byte
	timestamp int64 // ns since epoch
	timed     bool
	typ       []byte
	payload   []byte // nil when absent
	fields    []field
}

// field is one named value of a message; of several values, the first.
type field struct {
	name   []byte
	typ    valueType
	text   []byte  // of textValue and bytesValue; nil when there is no value
	number float64 // of doubleValue
	int    int64   // of intValue and boolValue
	has    bool
}

type valueType uint64

// The value types of a field.
const (
	textValue valueType = iota
	bytesValue
	intValue
	doubleValue
	boolValue
)

// maxFields bounds the fields of a message; real ones have less than a hundred.
const maxFields = 10_000

var errMessage = errors.New("neither a Heka message nor a compressed one")

// decode reads the message of a frame, which may be compressed with snappy.
func (h *hekaReader) decode(b []byte) error {
	if h.msg.parse(b) == nil {
		return nil
	}
	n, err := s2.DecodedLen(b)
	if err != nil || n > h.max {
		return errMessage
	}
	if cap(h.plain) < n {
		h.plain = make([]byte, n)
	}
	plain, err := s2.Decode(h.plain[:cap(h.plain)], b)
	if err != nil || h.msg.parse(plain) != nil {
		return errMessage
	}
	return nil
}

// parse reads a message that is complete: it has a uuid of 16 bytes and a
// timestamp.
func (m *message) parse(b []byte) error {
	*m = message{fields: m.fields[:0]}
	err := eachField(b, func(number protowire.Number, v wireValue) error {
		switch number {
		case 1:
			m.uuid = v.bytes
		case 2:
			m.timestamp, m.timed = int64(v.number), v.typ == protowire.VarintType
		case 3:
			m.typ = v.bytes
		case 6:
			m.payload = v.bytes
		case 10:
			if len(m.fields) == maxFields {
				return errMessage
			}
			var f field
			if err := f.parse(v.bytes); err != nil {
				return err
			}
			m.fields = append(m.fields, f)
		}
		return nil
	})
	if err == nil && (len(m.uuid) != 16 || !m.timed) {
		err = errMessage
	}
	return err
}

func (f *field) parse(b []byte) error {
	return eachField(b, func(number protowire.Number, v wireValue) error {
		switch number {
		case 1:
			f.name = v.bytes
		case 2:
			f.typ = valueType(v.number)
		case 4, 5:
			if !f.has && v.bytes != nil {
				f.text, f.has = v.bytes, true
			}
		case 6, 7, 8:
			return f.parseNumber(number, v)
		}
		return nil
	})
}

// parseNumber reads the first of an integer, double or boolean field's values,
// packed or not.
func (f *field) parseNumber(number protowire.Number, v wireValue) error {
	if f.has || v.typ == protowire.BytesType && len(v.bytes) == 0 {
		return nil
	}
	n := v.number
	if v.typ == protowire.BytesType {
		size := 0
		if number == 7 {
			n, size = protowire.ConsumeFixed64(v.bytes)
		} else {
			n, size = protowire.ConsumeVarint(v.bytes)
		}
		if size < 0 {
			return protowire.ParseError(size)
		}
	}
	f.has = true
	if number == 7 {
		f.number = math.Float64frombits(n)
	} else {
		f.int = int64(n)
	}
	return nil
}

// wireValue is a protobuf value: a number or bytes, which are not nil.
type wireValue struct {
	typ    protowire.Type
	number uint64
	bytes  []byte
}

// eachField calls f for each field of a protobuf message.
func eachField(b []byte, f func(protowire.Number, wireValue) error) error {
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		v := wireValue{typ: typ}
		switch typ {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v.number, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(b)
		case protowire.Fixed32Type:
			_, n = protowire.ConsumeFixed32(b)
		default: // groups are not used
			return errMessage
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if err := f(number, v); err != nil {
			return err
		}
	}
	return nil
}
