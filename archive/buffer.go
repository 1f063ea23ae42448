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

// partitionKey orders buffers for writing and finds them by their parts.
func partitionKey(dst []byte, k *rowfile.Kind, day, docType []byte) []byte {
	dst = append(dst, k.Name()...)
	dst = append(append(dst, 0), day...)
	return append(append(dst, 0), docType...)
}

// compareBuffers orders by partition.
func compareBuffers(x, y *buffer) int {
	return cmp.Or(bytes.Compare([]byte(x.kind.Name()), []byte(y.kind.Name())),
		cmp.Compare(x.day, y.day), cmp.Compare(x.docType, y.docType))
}
