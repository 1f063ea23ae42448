package send

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"math"
)

// IDs is a set of document ids with how often each was acknowledged. UUIDs as
// they are usually written, in lower case, take up to 30 bytes each; any other
// text is kept as it is besides. The zero value is empty.
type IDs struct {
	seed   maphash.Seed
	chunks []*idChunk
	n      int
	slots  []uint32 // numbers from 1 by hash, a power of two; 0 is free
	texts  map[int]string
	total  int64
}

// idChunk holds ids, so that a set is never copied when it grows.
type idChunk struct {
	keys   [chunkIDs]idKey
	counts [chunkIDs]uint16
}

const chunkIDs = 4096

// idKey is a UUID, or the beginning of the SHA-256 of another id.
type idKey [16]byte

// Len returns the number of different ids.
func (s *IDs) Len() int { return s.n }

// Total returns the number of additions.
func (s *IDs) Total() int64 { return s.total }

// Add counts an id. The set keeps nothing of it.
func (s *IDs) Add(id []byte) {
	s.total++
	if (s.n+1)*4 > len(s.slots)*3 {
		s.grow()
	}
	key, plain := keyOf(id)
	slot, n := s.find(&key)
	if n < 0 {
		n = s.n
		s.n++
		if n%chunkIDs == 0 {
			s.chunks = append(s.chunks, &idChunk{})
		}
		s.slots[slot] = uint32(n + 1)
		s.chunks[n/chunkIDs].keys[n%chunkIDs] = key
		if !plain {
			if s.texts == nil {
				s.texts = map[int]string{}
			}
			s.texts[n] = string(id)
		}
	}
	if c := &s.chunks[n/chunkIDs].counts[n%chunkIDs]; *c < math.MaxUint16 {
		*c++
	}
}

// Find returns the index of an id, below Len, and whether the set contains it.
func (s *IDs) Find(id []byte) (n int, ok bool) {
	if s.n == 0 {
		return 0, false
	}
	key, _ := keyOf(id)
	_, n = s.find(&key)
	return max(n, 0), n >= 0
}

// Count returns how often the n-th id was added, up to 65,535.
func (s *IDs) Count(n int) int { return int(s.chunks[n/chunkIDs].counts[n%chunkIDs]) }

// ID returns the n-th id.
func (s *IDs) ID(n int) string {
	if text, ok := s.texts[n]; ok {
		return text
	}
	k := s.key(n)
	var b [36]byte
	hex.Encode(b[:8], k[:4])
	hex.Encode(b[9:13], k[4:6])
	hex.Encode(b[14:18], k[6:8])
	hex.Encode(b[19:23], k[8:10])
	hex.Encode(b[24:], k[10:])
	for _, i := range dashes {
		b[i] = '-'
	}
	return string(b[:])
}

func (s *IDs) key(n int) *idKey { return &s.chunks[n/chunkIDs].keys[n%chunkIDs] }

// find looks for a key: the slot where it is, or would be, and its number, or
// -1.
func (s *IDs) find(key *idKey) (slot, n int) {
	mask := len(s.slots) - 1
	for slot = int(maphash.Bytes(s.seed, key[:])) & mask; s.slots[slot] != 0; slot = (slot + 1) & mask {
		if n = int(s.slots[slot] - 1); *s.key(n) == *key {
			return slot, n
		}
	}
	return slot, -1
}

// grow doubles the slots.
func (s *IDs) grow() {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
	}
	s.slots = make([]uint32, max(64, 2*len(s.slots)))
	for n := range s.n {
		slot, _ := s.find(s.key(n))
		s.slots[slot] = uint32(n + 1)
	}
}

// dashes lists the positions of dashes in a UUID.
var dashes = [...]int{8, 13, 18, 23}

// keyOf returns the key of an id, and whether it is a UUID in the usual form, which the key has in full.
func keyOf(id []byte) (k idKey, plain bool) {
	if digits, ok := uuidDigits(id); ok {
		if _, err := hex.Decode(k[:], digits[:]); err == nil {
			return k, true
		}
	}
	sum := sha256.Sum256(id)
	return idKey(sum[:len(k)]), false
}

// uuidDigits returns the digits of a UUID in its usual form, none of them upper case.
func uuidDigits(id []byte) (digits [32]byte, ok bool) {
	if len(id) != 36 {
		return digits, false
	}
	rest := digits[:0]
	for i, c := range id {
		dash := i == dashes[0] || i == dashes[1] || i == dashes[2] || i == dashes[3]
		if dash != (c == '-') || 'A' <= c && c <= 'F' {
			return digits, false
		}
		if !dash {
			rest = append(rest, c)
		}
	}
	return digits, true
}
