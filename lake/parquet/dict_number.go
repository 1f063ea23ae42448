package parquet

import (
	"math/bits"
	"math/rand/v2"
)

// smallNumbers are looked up in an array instead of a hash table: bucket
// bounds, counts and codes are nearly always among them.
const smallNumbers = 4096

// firstTable is the size at which hash tables start, a power of two.
const firstTable = 256

// numberDict finds the distinct values of numbers. The hash is seeded, since
// clients choose what is hashed; what comes out does not depend on it.
type numberDict[T int32 | int64] struct {
	values  []T      // distinct, in the order of their first appearance
	indices []uint32 // of every value

	small [smallNumbers]uint32 // index + 1; 0 for values not in use
	table []numberSlot[T]      // hash table of the others
	large int                  // entries in it
	seed  uint64
}

type numberSlot[T int32 | int64] struct {
	key   T
	index uint32 // + 1; 0 means free
}

// build fills values and indices, or returns false if the values of v are too
// different for a dictionary.
func (d *numberDict[T]) build(v []T) bool {
	d.clear()
	d.indices = d.indices[:0]
	for i, x := range v {
		before := len(d.values)
		if uint64(x) < smallNumbers {
			k := d.small[x]
			if k == 0 {
				d.values = append(d.values, x)
				k = uint32(len(d.values))
				d.small[x] = k
			}
			d.indices = append(d.indices, k-1)
		} else {
			d.indices = append(d.indices, d.find(x))
		}
		if len(d.values) > before && tooManyNumbers(len(d.values), i) {
			return false
		}
	}
	return true
}

// clear undoes the last build. Its cost follows what that has used.
func (d *numberDict[T]) clear() {
	for _, x := range d.values {
		if uint64(x) < smallNumbers {
			d.small[x] = 0
		}
	}
	d.values = d.values[:0]
	if d.table == nil {
		d.seed = rand.Uint64() | 1
		d.table = make([]numberSlot[T], firstTable)
	}
	if d.large > 0 {
		clear(d.table)
		d.table = d.table[:firstTable]
		d.large = 0
	}
}

// find returns the index of x, which it adds if it is new.
func (d *numberDict[T]) find(x T) uint32 {
	if 2*d.large >= len(d.table) {
		d.grow()
	}
	s := d.slot(x)
	if s.index == 0 {
		d.values = append(d.values, x)
		*s = numberSlot[T]{x, uint32(len(d.values))}
		d.large++
	}
	return s.index - 1
}

// slot returns the slot of x, or the free one where it belongs.
func (d *numberDict[T]) slot(x T) *numberSlot[T] {
	mask := len(d.table) - 1
	at := int(uint64(x) * d.seed >> (64 - bits.Len(uint(mask))))
	for d.table[at].index != 0 && d.table[at].key != x {
		at = (at + 1) & mask
	}
	return &d.table[at]
}

// grow doubles the table and enters its values again.
func (d *numberDict[T]) grow() {
	d.table = resized(d.table, 2*len(d.table))
	for i, x := range d.values {
		if uint64(x) >= smallNumbers {
			*d.slot(x) = numberSlot[T]{x, uint32(i + 1)}
		}
	}
}

// resized returns an empty table of n slots, in the memory of table if it has
// as much.
func resized[S any](table []S, n int) []S {
	if cap(table) < n {
		return make([]S, n)
	}
	table = table[:n]
	clear(table)
	return table
}
