package ping

import "bytes"

// partBlocks is the number of blocks of a part of a document. A part with its index and its classes fits in the
// first-level cache while they are made and checked.
const partBlocks = 64

// partBytes is the size of a part in bytes.
const partBytes = 64 * partBlocks

// partFlags has a bit for each part that has a backslash. Most documents have backslashes in few places, so
// names and texts elsewhere need no search for them.
type partFlags []uint64

// room returns flags for this number of blocks, all zero.
func (f partFlags) room(blocks int) partFlags {
	n := blocks/partBlocks/64 + 1
	if cap(f) < n {
		return make(partFlags, n)
	}
	clear(f[:n])
	return f[:n]
}

// set records the flags of the part that begins at this block. It does nothing if f is nil.
func (f partFlags) set(block int, flags indexFlags) {
	if part := block / partBlocks; flags&backslash != 0 && f != nil {
		f[part/64] |= 1 << (part % 64)
	}
}

// escapes reports whether b[from:to] has a backslash.
func (d *Doc) escapes(from, to int) bool {
	for part := from / partBytes; part <= to/partBytes; part++ {
		if d.slash[part/64]>>(part%64)&1 != 0 {
			return bytes.IndexByte(d.b[from:to], '\\') >= 0
		}
	}
	return false
}

// plainFrom returns the position up to which there is no backslash, if the part of p has none; else it returns
// p. The result may be past the end of the document.
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
