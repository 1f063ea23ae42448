package forget

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// removedName is the object with the clients whose rows are removed.
const removedName = "removed/v1/clients"

// removedMagic begins it; the last byte is the version of its form.
const removedMagic = "pmgone\x00\x01"

// removed is the content of that object.
type removed struct {
	counted int      // requests that are in it
	names   []string // of those that are in it and were not deleted since
	clients []Client // by hash
}

// entryBytes is the size of a client: hash, and two times in s since epoch.
const entryBytes = 16 + 8 + 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns magic, number of requests, of names and of clients (8 bytes each, little endian), the names with a
// length of 2 bytes, the clients, and the CRC-32C of all that.
func (r *removed) encode() []byte {
	b := append(make([]byte, 0, 64+len(r.clients)*entryBytes), removedMagic...)
	for _, n := range []int{r.counted, len(r.names), len(r.clients)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, n := range r.names {
		b = append(binary.LittleEndian.AppendUint16(b, uint16(len(n))), n...)
	}
	for _, c := range r.clients {
		b = append(b, c.Hash[:]...)
		b = binary.LittleEndian.AppendUint64(b, uint64(c.Requested.Unix()))
		b = binary.LittleEndian.AppendUint64(b, uint64(c.Removed.Unix()))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

var errDamaged = errors.New("it is damaged")

func decodeRemoved(b []byte) (*removed, error) {
	if len(b) < len(removedMagic) || string(b[:len(removedMagic)]) != removedMagic {
		return nil, errors.New("it is of no known form")
	}
	const head = len(removedMagic) + 3*8
	if len(b) < head+4 || crc32.Checksum(b[:len(b)-4], castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, errDamaged
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(b[len(removedMagic)+8*i:]) }
	rest := b[head : len(b)-4]
	r := &removed{counted: int(number(0))}
	if r.counted < 0 {
		return nil, errDamaged
	}
	for range number(1) {
		if len(rest) < 2 || len(rest)-2 < int(binary.LittleEndian.Uint16(rest)) {
			return nil, errDamaged
		}
		n := int(binary.LittleEndian.Uint16(rest))
		r.names, rest = append(r.names, string(rest[2:2+n])), rest[2+n:]
	}
	if uint64(len(rest)) != number(2)*entryBytes || number(2) > uint64(len(rest)) {
		return nil, errDamaged
	}
	r.clients = make([]Client, number(2))
	for i := range r.clients {
		e := rest[i*entryBytes:]
		c := Client{Hash: Hash(e[:16]), Requested: seconds(e[16:]), Removed: seconds(e[24:])}
		if i > 0 && r.clients[i-1].compare(c.Hash) >= 0 {
			return nil, fmt.Errorf("%w: clients are out of order", errDamaged)
		}
		r.clients[i] = c
	}
	return r, nil
}

func seconds(b []byte) time.Time { return time.Unix(int64(binary.LittleEndian.Uint64(b)), 0).UTC() }
