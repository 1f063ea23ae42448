package parquet

import (
	"bytes"
	"hash/maphash"
)

// textDict finds the distinct values of texts. The hash is seeded, since
// clients choose what is hashed; what comes out does not depend on it.
type textDict struct {
	values  [][]byte // distinct, in the order of their first appearance
	indices []uint32 // of every value
	bytes   int      // total length of the distinct values

	seed  maphash.Seed
	table []textSlot
}

type textSlot struct {
	index uint32 // + 1; 0 means free
	hash  uint32
}

// build fills values and indices, or returns false if the values of v are too
// different for a dictionary.
func (d *textDict) build(v [][]byte) bool {
	d.clear()
	var last uint32
	for i, x := range v {
		if i == 0 || !bytes.Equal(x, d.values[last]) {
			before := len(d.values)
			last = d.find(x)
			if len(d.values) > before && tooManyTexts(len(d.values), i) {
				return false
			}
		}
		d.indices = append(d.indices, last)
	}
	return true
}

// clear undoes the last build. Its cost follows what that has used.
func (d *textDict) clear() {
	if d.table == nil {
		d.seed = maphash.MakeSeed()
		d.table = make([]textSlot, firstTable)
	}
	if len(d.values) > 0 {
		clear(d.table)
		d.table = d.table[:firstTable]
	}
	clear(d.values) // drop the texts
	d.values, d.indices, d.bytes = d.values[:0], d.indices[:0], 0
}

// find returns the index of x, which it adds if it is new.
func (d *textDict) find(x []byte) uint32 {
	if 2*len(d.values) >= len(d.table) {
		d.grow()
	}
	hash := maphash.Bytes(d.seed, x)
	mask := uint64(len(d.table) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := &d.table[at]
		if s.index == 0 {
			d.values = append(d.values, x)
			d.bytes += len(x)
			*s = textSlot{uint32(len(d.values)), uint32(hash >> 32)}
			return s.index - 1
		}
		if s.hash == uint32(hash>>32) && bytes.Equal(d.values[s.index-1], x) {
			return s.index - 1
		}
	}
}

func (d *textDict) grow() {
	d.table = resized(d.table, 2*len(d.table))
	mask := uint64(len(d.table) - 1)
	for i, x := range d.values {
		hash := maphash.Bytes(d.seed, x)
		at := hash & mask
		for d.table[at].index != 0 {
			at = (at + 1) & mask
		}
		d.table[at] = textSlot{uint32(i + 1), uint32(hash >> 32)}
	}
}
