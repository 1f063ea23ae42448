package ingest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A list of URIs has this layout; all numbers are little-endian:
//
//	8 bytes   magic, with the version of the format in the last two
//	8 bytes   number of URIs
//	24 bytes  for each: key (16 bytes), time in ns since epoch (8 bytes)
//	4 bytes   CRC-32C of all that comes before
const (
	seenMagic  = "pmseen01"
	seenHeader = len(seenMagic) + 8
	seenSize   = 24
	seenSum    = 4
)

// ErrSeen means the bytes are not a complete list of URIs.
var ErrSeen = errors.New("damaged list of URIs")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendSeen appends a list of URIs in the format that ReadSeen reads: 24 bytes for each and 20 for the list.
func AppendSeen(dst []byte, seen []Seen) []byte {
	start := len(dst)
	dst = append(dst, seenMagic...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(seen)))
	for i := range seen {
		dst = append(dst, seen[i].Key[:]...)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(seen[i].At))
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// ReadSeen calls f for each URI of a list, in order. If data is not exactly the output of AppendSeen, it
// returns ErrSeen and does not call f.
func ReadSeen(data []byte, f func(Seen)) error {
	n := len(data) - seenHeader - seenSum
	switch {
	case n < 0:
		return fmt.Errorf("read %w: %d bytes are too few", ErrSeen, len(data))
	case string(data[:len(seenMagic)]) != seenMagic:
		return fmt.Errorf("read %w: it does not begin with %s", ErrSeen, seenMagic)
	}
	body, end := data[seenHeader:seenHeader+n], seenHeader+n
	if count := binary.LittleEndian.Uint64(data[len(seenMagic):]); n%seenSize != 0 || count != uint64(n/seenSize) {
		return fmt.Errorf("read %w: %d of them are not %d bytes", ErrSeen, count, n)
	}
	if crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return fmt.Errorf("read %w: wrong checksum", ErrSeen)
	}
	for ; len(body) > 0; body = body[seenSize:] {
		f(Seen{Key: [16]byte(body), At: int64(binary.LittleEndian.Uint64(body[16:]))})
	}
	return nil
}
