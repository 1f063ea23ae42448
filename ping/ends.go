package ping

// ends are the first closing brackets of a validated document after which one or two levels are still open, in their order: twice the
// position, plus one for two levels. They are where the large parts of a ping end, over which whoever wants little of it steps.
type ends [256]uint32

// ended keeps an end if there is room.
func (c *checker) ended(p, depth int) {
	if c.found < len(c.ends) {
		c.ends[c.found] = uint32(2*p + depth - 1)
		c.found++
	}
}

// endedIn makes what the assembly found from number first on, in blocks of which n are proved and the first begins at base,
// positions of the document.
func (c *checker) endedIn(base, n, first int) {
	for i, e := range c.ends[first:c.found] {
		if e >= uint32(2*64*n) { // the block will be looked at again
			c.found = first + i
			return
		}
		c.ends[first+i] = e + uint32(2*base)
	}
}

// unknownLevel is for objects of which it is not known how many levels are around them.
const unknownLevel = 3

// stepOver is skipValue for a member of an object with so many levels around its members.
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
