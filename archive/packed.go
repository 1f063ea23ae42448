package archive

import (
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// IsPacked reports whether AppendPacked accepts packed, whose document has size bytes.
func IsPacked(packed []byte, size int) bool { return rowfile.IsGzip(packed, size) }

// AppendPacked works like Append, for a ping as its client has compressed it. It stores packed unchanged;
// IsPacked must be true for it.
func (w *Writer) AppendPacked(m *ping.Meta, packed []byte) error {
	w.record = rowfile.Record{Meta: *m}
	w.record.Pack(packed)
	return w.addPing(rowfile.PackedPings)
}

// Unpack returns the document of a ping for AppendPacked, in the memory of dst.
func Unpack(dst, packed []byte) ([]byte, error) {
	var r rowfile.Record
	r.Pack(packed)
	return r.Unpack(dst)
}
