package archive

import (
	"bytes"
	"cmp"

	"github.com/pingmill/pingmill/archive/rowfile"
)

// buffer holds the rows of one partition until they become a file.
type buffer struct {
	partition
	*rowfile.Buffer
}

// partitionKey finds buffers by their parts. Packed pings wait apart from others: a file has one form.
func partitionKey(dst []byte, k *rowfile.Kind, day, docType []byte) []byte {
	dst = append(dst, k.Name()...)
	switch k {
	case rowfile.PackedPings:
		dst = append(dst, '+')
	case rowfile.CompactPings:
		dst = append(dst, '-')
	}
	dst = append(append(dst, 0), day...)
	return append(append(dst, 0), docType...)
}

func (b *buffer) key(dst []byte) []byte {
	return partitionKey(dst, b.kind, []byte(b.day), []byte(b.docType))
}

// compareBuffers orders by partition.
func compareBuffers(x, y *buffer) int {
	return cmp.Or(bytes.Compare([]byte(x.kind.Name()), []byte(y.kind.Name())),
		cmp.Compare(x.day, y.day), cmp.Compare(x.docType, y.docType), bytes.Compare(x.key(nil), y.key(nil)))
}
