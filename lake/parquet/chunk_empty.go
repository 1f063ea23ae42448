package parquet

import "bytes"

// emptyChunk is the last chunk without values that had some levels. Most chunks of a small file have none, and the same
// levels: they are the same bytes.
type emptyChunk struct {
	maxDef, maxRep int16
	def, rep       []int16
	meta           chunkMeta
	bytes          []byte // empty: there is none
}

// emptySlots is the number of empty chunks that are kept, by the width of their definition levels and by repetition.
const emptySlots = 8

// emptySlot returns the slot of empty chunks with the levels of this one.
func (e *chunkEncoder) emptySlot(c *chunk) *emptyChunk {
	return &e.empty[(2*int(bitWidth(int(c.leaf.MaxDef)))+int(min(1, c.leaf.MaxRep)))%emptySlots]
}

// repeatEmpty writes a chunk without values if its like was written to this file before.
func (e *chunkEncoder) repeatEmpty(c *chunk) bool {
	l, last := c.leaf, e.emptySlot(c)
	if len(last.bytes) == 0 || l.MaxDef != last.maxDef || l.MaxRep != last.maxRep ||
		!bytes.Equal(bytesOf(l.Def), bytesOf(last.def)) || !bytes.Equal(bytesOf(l.Rep), bytesOf(last.rep)) {
		return false
	}
	*c.meta = last.meta
	c.meta.dataOffset = c.out.end()
	c.out.add(last.bytes)
	return true
}

// keepEmpty keeps a chunk without values that was just written, unless it was written out already.
func (e *chunkEncoder) keepEmpty(c *chunk) {
	if len(c.meta.pages) > 0 || c.leaf.MaxDef == 0 || c.meta.stored > len(c.out.out) {
		return
	}
	l, last := c.leaf, e.emptySlot(c)
	last.maxDef, last.maxRep, last.meta = l.MaxDef, l.MaxRep, *c.meta
	last.def, last.rep = append(last.def[:0], l.Def...), append(last.rep[:0], l.Rep...)
	last.bytes = append(last.bytes[:0], c.out.out[len(c.out.out)-c.meta.stored:]...)
}
