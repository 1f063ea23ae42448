package ping

import "bytes"

// partBlocks is how many blocks are a part of a document: few enough that a part, its index and its classes stay in the first-level
// cache while they are made and checked.
const partBlocks = 64

// partBytes are those of a part.
const partBytes = 64 * partBlocks

// partFlags is a bit for each part that has a backslash. Most documents have some in few places, and names and texts elsewhere need not
// be searched for any.
type partFlags []uint64

// room returns flags for so many blocks, all zero.
func (f partFlags) room(blocks int) partFlags {
	n := blocks/partBlocks/64 + 1
	if cap(f) < n {
		return make(partFlags, n)
	}
	clear(f[:n])
	return f[:n]
}

// set takes the flags of the part whose first block has that number. Without flags there is nothing to set.
func (f partFlags) set(block int, flags indexFlags) {
	if part := block / partBlocks; flags&backslash != 0 && f != nil {
		f[part/64] |= 1 << (part % 64)
	}
}

// escapes says whether a backslash is at from up to to.
func (d *Doc) escapes(from, to int) bool {
	for part := from / partBytes; part <= to/partBytes; part++ {
		if d.slash[part/64]>>(part%64)&1 != 0 {
			return bytes.IndexByte(d.b[from:to], '\\') >= 0
		}
	}
	return false
}

// plainFrom returns up to where there is no backslash, if the byte at p is in a part without one, else p. It may be past the end.
func (d *Doc) plainFrom(p int) int {
	for part := p / partBytes; ; part++ {
		if part/64 >= len(d.slash) {
			return len(d.b) + 1
		}
		if d.slash[part/64]>>(part%64)&1 != 0 {
			return max(p, part*partBytes)
		}
	}
}
