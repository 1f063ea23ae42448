package ingest

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	shardBits = 8
	numShards = 1 << shardBits
	// tailSlots is the room for entries pushed beyond the last home slot.
	tailSlots = 16
)

// entry is a URI in a shard: its key as two big-endian numbers, and its time.
type entry struct {
	hi, lo uint64 // both 0: the slot is free
	at     int64
}

// entryOf returns the entry of a URI. It replaces the key zero, of which no text is known, by the key one.
func entryOf(s Seen) entry {
	e := entry{binary.BigEndian.Uint64(s.Key[:8]), binary.BigEndian.Uint64(s.Key[8:]), s.At}
	if e.free() {
		e.lo = 1
	}
	return e
}

func (e entry) free() bool { return e.hi|e.lo == 0 }

// before orders entries by key.
func (e entry) before(f entry) bool {
	return e.hi < f.hi || e.hi == f.hi && e.lo < f.lo
}

func (e entry) sameKey(f entry) bool { return e.hi == f.hi && e.lo == f.lo }

// shard is an open-addressing table of the URIs whose keys begin with the same bits. Entries are ordered by key
// and time, as near behind their home slots as possible, without a free slot in between. So a search ends at
// the first greater key and is short even if the table is nine tenths full, and a resize copies the table from
// front to back.
type shard struct {
	slots   int // number of home slots, over which keys are spread evenly
	used    int
	entries []entry // the slots and the tail
	epoch   int64   // Duplicates.epoch when it was last cleaned
}

func home(e entry, slots int) int {
	h, _ := bits.Mul64(e.hi<<shardBits, uint64(slots))
	return int(h)
}

// position returns the slot of an entry, or the slot where it must be inserted.
func (s *shard) position(e entry) int {
	p := home(e, s.slots)
	for p < len(s.entries) && s.entries[p].before(e) && !s.entries[p].free() {
		p++
	}
	for p < len(s.entries) && s.entries[p].sameKey(e) && s.entries[p].at < e.at {
		p++
	}
	return p
}

// find returns the earliest time of the entry's key within the window.
func (s *shard) find(e entry, window uint64) (first int64, found bool) {
	for p := s.position(entry{e.hi, e.lo, math.MinInt64}); p < len(s.entries) && s.entries[p].sameKey(e); p++ {
		if distance(s.entries[p].at, e.at) < window {
			return s.entries[p].at, true
		}
	}
	return 0, false
}

// has reports whether the shard has exactly this entry.
func (s *shard) has(e entry) bool {
	p := s.position(e)
	return p < len(s.entries) && s.entries[p] == e
}

// insert adds an entry.
func (s *shard) insert(e entry) {
	if s.used >= s.slots/10*9 {
		s.resize(s.slots + s.slots/12 + 10)
	}
	p := s.position(e)
	g := p
	for g < len(s.entries) && !s.entries[g].free() {
		g++
	}
	if g == len(s.entries) {
		longer := make([]entry, g+tailSlots+g/32)
		copy(longer, s.entries)
		s.entries = longer
	}
	copy(s.entries[p+1:g+1], s.entries[p:g])
	s.entries[p] = e
	s.used++
}

// resize moves the entries to a table with this number of slots.
func (s *shard) resize(slots int) {
	to := make([]entry, slots+tailSlots)
	next := 0
	for _, e := range s.entries {
		if e.free() {
			continue
		}
		p := max(next, home(e, slots))
		if p >= len(to) {
			to = append(to, make([]entry, p-len(to)+tailSlots)...) // the slots are there from the start
		}
		to[p] = e
		next = p + 1
	}
	s.slots, s.entries = slots, to
}

// retain removes the entries for which keep returns false, and shrinks the table if it is mostly empty then.
func (s *shard) retain(keep func(entry) bool) {
	next := 0
	s.used = 0
	for i, e := range s.entries {
		if e.free() {
			continue
		}
		s.entries[i] = entry{}
		if keep(e) {
			p := max(next, home(e, s.slots)) // never behind i
			s.entries[p] = e
			next = p + 1
			s.used++
		}
	}
	switch {
	case s.used == 0:
		s.slots, s.entries = 0, nil
	case s.used < s.slots/2:
		s.resize(s.used + s.used/5 + 10)
	}
}
