package ping

import "math/bits"

// skipValue returns the position after the value that begins at v, or -1.
func (d *Doc) skipValue(v int) int {
	switch d.b[v] {
	case '{', '[':
		return d.skipContainer(v)
	case '"':
		e := d.nextQuote(v + 1)
		if e >= len(d.b) {
			return -1
		}
		return e + 1
	}
	p := d.nextEnd(v)
	for p > v && d.b[p-1] <= ' ' {
		p--
	}
	if p == v { // no value at all
		return -1
	}
	return p
}

func (d *Doc) skipSpace(p int) int {
	b := d.b
	for p < len(b) && (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
		p++
	}
	return p
}

// The functions below look at an unaligned window of 64 bytes, which spans two blocks. Most names and values
// end within it, so the branches are predictable. With aligned blocks they would depend on where a block
// begins.

// window returns 64 bits, from bit s of x on, continued by y. s is less than 64.
func window(x, y uint64, s uint) uint64 { return x>>s | y<<1<<(63-s) }

// nextQuote returns the position of the next unescaped quote from p on, or at least len(b) if there is none.
func (d *Doc) nextQuote(p int) int {
	if w, s := p>>6, uint(p)&63; w+1 < len(d.blocks) {
		if m := window(d.blocks[w].quote, d.blocks[w+1].quote, s); m != 0 {
			return p + bits.TrailingZeros64(m)
		}
	}
	return d.laterQuote(p)
}

// laterQuote works like nextQuote if the 64 bytes from p on have no quote.
func (d *Doc) laterQuote(p int) int {
	for w := p>>6 + 1; w < len(d.blocks); w++ {
		if m := d.blocks[w].quote; m != 0 {
			return w<<6 + bits.TrailingZeros64(m)
		}
	}
	return max(p, len(d.b))
}

// nextEnd returns the position of the next separator or closing bracket, which ends a literal, or len(b).
func (d *Doc) nextEnd(p int) int {
	w, s := p>>6, uint(p)&63
	x, y := &d.blocks[w], &d.blocks[w+1]
	if m := window(x.sep|x.close, y.sep|y.close, s); m != 0 {
		return p + bits.TrailingZeros64(m)
	}
	for w++; w < len(d.blocks); w++ {
		if m := d.blocks[w].sep | d.blocks[w].close; m != 0 {
			return w<<6 + bits.TrailingZeros64(m)
		}
	}
	return len(d.b)
}

// skipContainer returns the position after the bracket that closes the one at p, or -1. It removes all pairs of
// brackets without others between them at once. Containers mostly hold lists of numbers and the buckets of
// histograms, which have only such pairs.
func (d *Doc) skipContainer(p int) int {
	depth, before := 1, uint64(0) // before: the last bracket so far opens something
	blocks, s := d.blocks, uint(p+1)&63
	for p++; p>>6+1 < len(blocks); p += 64 {
		x, y := &blocks[p>>6], &blocks[p>>6+1]
		open, end := window(x.open, y.open, s), window(x.close, y.close, s)
		// Adding to the first bit of a run of ones carries to the bracket behind it.
		other := ^(open | end)
		after := open<<1 | before
		sum, carry := bits.Add64(after&other, other, 0)
		next := (sum | after) &^ other // brackets that follow an opening one
		before = carry | open>>63
		outer, deeper := end&^next, open&next
		if deeper != 0 {
			if depth, outer = unpaired(outer, deeper, depth); depth == 0 {
				return p + bits.TrailingZeros64(outer) + 1
			}
			continue
		}
		for ; outer != 0; outer &= outer - 1 {
			if depth--; depth == 0 {
				return p + bits.TrailingZeros64(outer) + 1
			}
		}
	}
	return -1
}

// unpaired walks the brackets of 64 bytes that skipContainer did not pair. outer has the closing ones. deeper
// has a bit for each opening one, at the opening bracket that follows it. It returns the depth after them, or 0
// with the final closing bracket as the first one left in outer.
func unpaired(outer, deeper uint64, depth int) (int, uint64) {
	for ; outer != 0; outer &= outer - 1 {
		up := deeper & (outer&-outer - 1)
		deeper ^= up
		if depth += bits.OnesCount64(up) - 1; depth == 0 {
			return 0, outer
		}
	}
	return depth + bits.OnesCount64(deeper), 0
}
