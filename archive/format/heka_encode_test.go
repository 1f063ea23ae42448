package format

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// encoder makes Heka messages for tests.
type encoder struct{ b []byte }

func (e *encoder) bytes(n protowire.Number, v string) *encoder {
	e.b = protowire.AppendString(protowire.AppendTag(e.b, n, protowire.BytesType), v)
	return e
}

func (e *encoder) number(n protowire.Number, v uint64) *encoder {
	e.b = protowire.AppendVarint(protowire.AppendTag(e.b, n, protowire.VarintType), v)
	return e
}

func (e *encoder) double(n protowire.Number, v float64) *encoder {
	e.b = protowire.AppendFixed64(protowire.AppendTag(e.b, n, protowire.Fixed64Type), math.Float64bits(v))
	return e
}

// text, number and double fields.
func (e *encoder) field(name, value string) *encoder {
	f := new(encoder).bytes(1, name).bytes(3, "unit").bytes(4, value)
	return e.bytes(10, string(f.b))
}

func (e *encoder) typed(name string, typ valueType, f func(*encoder)) *encoder {
	g := new(encoder).bytes(1, name).number(2, uint64(typ))
	f(g)
	return e.bytes(10, string(g.b))
}

func newMessage() *encoder {
	return new(encoder).bytes(1, "0123456789abcdef").number(2, 99).bytes(3, "telemetry").number(5, 6).bytes(9, "host")
}

func frame(message []byte) []byte {
	header := new(encoder).number(1, uint64(len(message))).number(2, 1)
	b := append([]byte{recordSeparator, byte(len(header.b))}, header.b...)
	return append(append(b, unitSeparator), message...)
}
