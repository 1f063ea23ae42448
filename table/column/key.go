package column

import (
	"encoding/binary"
	"unsafe"
)

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

// KeyPart returns the first text of a key that AppendKey wrote, nil for null, and the rest of the key. The text is memory of
// the key: it must not be changed.
func KeyPart(key string) (text []byte, rest string) {
	if key[0] == 0 {
		return nil, key[1:]
	}
	key = key[1:]
	n := 0
	for shift := 0; ; shift += 7 {
		b := key[0]
		key = key[1:]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	if n == 0 {
		return []byte{}, key
	}
	return unsafe.Slice(unsafe.StringData(key), n), key[n:]
}
