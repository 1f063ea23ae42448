package column

import "encoding/binary"

// AppendKey appends texts, each of which may be null (nil), so that different
// keys of as many texts never give the same bytes.
func AppendKey(dst []byte, key ...[]byte) []byte {
	for _, k := range key {
		if k == nil {
			dst = append(dst, 0)
			continue
		}
		dst = binary.AppendUvarint(append(dst, 1), uint64(len(k)))
		dst = append(dst, k...)
	}
	return dst
}
