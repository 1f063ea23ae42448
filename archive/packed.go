package archive

import (
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// IsPacked says whether AppendPacked takes what a document of size bytes was unpacked from.
func IsPacked(packed []byte, size int) bool { return rowfile.IsGzip(packed, size) }

// AppendPacked is Append for a ping as its client has compressed it, which is kept as it is: IsPacked.
func (w *Writer) AppendPacked(m *ping.Meta, packed []byte) error {
	w.record = rowfile.Record{Meta: *m}
	w.record.Pack(packed)
	return w.addPing(rowfile.PackedPings)
}

// Unpack gives the document of a ping that AppendPacked takes, in the memory of dst.
func Unpack(dst, packed []byte) ([]byte, error) {
	var r rowfile.Record
	r.Pack(packed)
	return r.Unpack(dst)
}
