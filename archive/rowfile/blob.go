package rowfile

import (
	"encoding/binary"
	"errors"

	"github.com/pingmill/pingmill/ping"
)

// A row waits for its file as one run of bytes, the blob: eight bytes of
// presence bits by place, then the present values in order, an integer as a
// varint and a text behind its length.

var errBlob = errors.New("damaged row in memory")

// appendBlob appends the blob of r's columns other than the body.
func (k *Kind) appendBlob(dst []byte, r *Record) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	var present uint64
	for i := range k.places() {
		if isInt(i) {
			if n, ok := r.Meta.Int(ping.MetaField(i)); ok {
				present |= 1 << i
				dst = binary.AppendVarint(dst, n)
			}
		} else if t := r.text(i); t != nil {
			present |= 1 << i
			dst = append(binary.AppendUvarint(dst, uint64(len(t))), t...)
		}
	}
	binary.LittleEndian.PutUint64(dst[at:], present)
	return dst
}

// readBlob fills r from a blob. The texts point into it.
func (k *Kind) readBlob(b []byte, r *Record) error {
	r.Meta.Reset()
	r.Extra = [NumExtra][]byte{}
	if len(b) < 8 {
		return errBlob
	}
	present := binary.LittleEndian.Uint64(b)
	b = b[8:]
	for i := range k.places() {
		if present&(1<<i) == 0 {
			continue
		}
		if isInt(i) {
			n, size := binary.Varint(b)
			if size <= 0 {
				return errBlob
			}
			r.Meta.SetInt(ping.MetaField(i), n)
			b = b[size:]
			continue
		}
		n, size := binary.Uvarint(b)
		if size <= 0 || uint64(len(b)-size) < n {
			return errBlob
		}
		r.setText(i, b[size:size+int(n):size+int(n)])
		b = b[size+int(n):]
	}
	return nil
}

// blobDocument returns the document id in a blob; it is the first column.
func blobDocument(b []byte) []byte {
	if b[0]&1 == 0 {
		return nil
	}
	n, size := binary.Uvarint(b[8:])
	return b[8+size : 8+size+int(n)]
}
