package ping

// ends holds, in document order, the first closing brackets after which one or two levels are still open. Each
// entry is twice the bracket's position, plus one for two levels. The large parts of a ping end there, so a
// scan that wants little of the ping can skip to them.
type ends [256]uint32

// ended records an end if there is room.
func (c *checker) ended(p, depth int) {
	if c.found < len(c.ends) {
		c.ends[c.found] = uint32(2*p + depth - 1)
		c.found++
	}
}

// endedIn converts the ends that the assembly found, from number first on, to positions in the document. n
// blocks of that call are proved, and the first one begins at base. Ends beyond these blocks are dropped,
// because their blocks are scanned again.
func (c *checker) endedIn(base, n, first int) {
	for i, e := range c.ends[first:c.found] {
		if e >= uint32(2*64*n) { // the block will be looked at again
			c.found = first + i
			return
		}
		c.ends[first+i] = e + uint32(2*base)
	}
}

// unknownLevel is the level of objects whose number of enclosing levels is not known.
const unknownLevel = 3

// stepOver works like skipValue, for a member of an object whose members have this number of levels around
// them. It uses the recorded ends if it can.
func (d *Doc) stepOver(p, levels int) int {
	if c := d.b[p]; levels > 2 || c != '{' && c != '[' {
		return d.skipValue(p)
	}
	for d.next < d.found {
		e := int(d.ends[d.next])
		d.next++
		if e>>1 > p && e&1 == levels-1 {
			return e>>1 + 1
		}
	}
	return d.skipContainer(p)
}
