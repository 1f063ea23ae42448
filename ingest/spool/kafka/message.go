package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/pingmill/pingmill/ingest/spool"
)

// The value of a message is magic, the CRC-32C of the payload (4 bytes, little
// endian) and the payload of the record. The last byte of magic is the version.
const (
	magic      = "PMk\x01"
	headerSize = len(magic) + 4
)

// overhead bounds what a message is larger than the body of its submission, in
// bytes: path, headers, key, and what the broker's format adds.
const overhead = 24 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendValue appends the value of a record's message.
func appendValue(b []byte, r *spool.Record) []byte {
	start := len(b)
	b = append(b, magic+"\x00\x00\x00\x00"...)
	b = spool.AppendPayload(b, r)
	binary.LittleEndian.PutUint32(b[start+len(magic):], crc32.Checksum(b[start+headerSize:], castagnoli))
	return b
}

// parseValue points a record into the value of a message.
func parseValue(b []byte, r *spool.Record) error {
	switch {
	case len(b) == 0:
		return errors.New("it has no value")
	case len(b) < headerSize || string(b[:len(magic)-1]) != magic[:len(magic)-1]:
		return errors.New("it was not written by pingmill")
	case b[len(magic)-1] != magic[len(magic)-1]:
		return fmt.Errorf("it is of version %d, and this program knows %d", b[len(magic)-1], magic[len(magic)-1])
	case binary.LittleEndian.Uint32(b[len(magic):]) != crc32.Checksum(b[headerSize:], castagnoli):
		return errors.New("it is cut or changed: its checksum is wrong")
	}
	return spool.DecodePayload(b[headerSize:], r)
}

var submit, telemetry = []byte("/submit/"), []byte("telemetry")

// keyOf returns the key that determines the partition: the document id in a path of one of the two forms (see
// ingest.ParseURI), so that all copies of a document are in one partition; otherwise the path. It points into
// the path.
func keyOf(uri []byte) []byte {
	path, _, _ := bytes.Cut(uri, []byte("?"))
	rest, ok := bytes.CutPrefix(path, submit)
	if !ok {
		return path
	}
	seg := bytes.SplitN(rest, []byte("/"), 8)
	switch {
	case len(seg) >= 7 && bytes.Equal(seg[0], telemetry) && len(seg[1]) > 0:
		return seg[1]
	case len(seg) >= 4 && len(seg[3]) > 0:
		return seg[3]
	}
	return path
}
