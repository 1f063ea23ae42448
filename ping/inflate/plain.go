package inflate

import "unsafe"

// plain works like fast without steps: for blocks that are too small for building them.
func (d *Decoder) plain(dst []byte, op, base int, src []byte) (int, status) {
	return d.loop(plainLoop, dst, op, base, src)
}

// plainLoop runs the loop of plain, with the invariants of fastLoop. A round writes two literals and then a match, or three
// literals. It has 56 bits or more: three literals and the next entry take at most 36, two and a length at most 38, a distance
// loads again and takes at most 28. The next entry is looked up long before it is needed.
func plainLoop(c *codes, ip, inEnd, op, outEnd, first unsafe.Pointer, buf uint64, n uint) (
	unsafe.Pointer, unsafe.Pointer, uint64, uint, status,
) {
	buf |= load64(ip) << (n & 63)
	ip = unsafe.Add(ip, ^n>>3&7)
	n |= 56
	e := c.lit[buf&(1<<litBits-1)]
	for uintptr(ip) <= uintptr(inEnd) && uintptr(op) <= uintptr(outEnd) {
		buf |= load64(ip) << (n & 63)
		ip = unsafe.Add(ip, ^n>>3&7)
		n |= 56
		if e&kindLit != 0 {
			buf >>= e & 63
			n -= uint(e)
			*(*byte)(op) = byte(e >> valueShift)
			op = unsafe.Add(op, 1)
			if e = c.lit[buf&(1<<litBits-1)]; e&kindLit != 0 {
				buf >>= e & 63
				n -= uint(e)
				*(*byte)(op) = byte(e >> valueShift)
				op = unsafe.Add(op, 1)
				e = c.lit[buf&(1<<litBits-1)]
			}
		}
		if e&kindSub != 0 {
			buf >>= litBits
			n -= litBits
			e = c.lit[(uint(e>>valueShift)+uint(buf)&(1<<(e&15)-1))&(litSize-1)]
		}
		if e&kindMatch == 0 {
			buf >>= e & 63
			n -= uint(e)
			if e&kindLit != 0 {
				*(*byte)(op) = byte(e >> valueShift)
				op = unsafe.Add(op, 1)
				e = c.lit[buf&(1<<litBits-1)]
				continue
			}
			if e&kindEnd != 0 {
				return ip, op, buf, n, done
			}
			return ip, op, buf, n, badSymbol
		}
		length := uint(e>>valueShift) + uint(buf)&(1<<(e&31)-1)>>(e>>codeShift&codeMask)
		buf >>= e & 63
		n -= uint(e)
		e = c.dist[buf&(1<<distBits-1)]
		buf |= load64(ip) << (n & 63)
		ip = unsafe.Add(ip, ^n>>3&7)
		n |= 56
		if e&kindMatch == 0 {
			if e&kindSub != 0 {
				buf >>= distBits
				n -= distBits
				e = c.dist[(uint(e>>valueShift)+uint(buf)&(1<<(e&15)-1))&(distSize-1)]
			}
			if e&kindMatch == 0 {
				return ip, op, buf, n, badSymbol
			}
		}
		dist := uint(e>>valueShift) + uint(buf)&(1<<(e&63)-1)>>(e>>codeShift&codeMask)
		buf >>= e & 63
		n -= uint(e)
		e = c.lit[buf&(1<<litBits-1)]
		if uint(uintptr(op)-uintptr(first)) < dist {
			return ip, op, buf, n, badDistance
		}
		if dist < 16 {
			op = repeatNear(op, dist, length)
			continue
		}
		from, end := unsafe.Add(op, -int(dist)), unsafe.Add(op, length)
		for {
			*(*[16]byte)(op) = *(*[16]byte)(from)
			*(*[16]byte)(unsafe.Add(op, 16)) = *(*[16]byte)(unsafe.Add(from, 16))
			op = unsafe.Add(op, 32)
			from = unsafe.Add(from, 32)
			if uintptr(op) >= uintptr(end) {
				break
			}
		}
		op = end
	}
	return ip, op, buf, n, needInput
}

// repeatNear appends length bytes at op that repeat those dist before, fewer than 16, and returns the new op. It writes up to
// seven bytes beyond.
func repeatNear(op unsafe.Pointer, dist, length uint) unsafe.Pointer {
	from := unsafe.Add(op, -int(dist))
	end := unsafe.Add(op, length)
	if dist >= 8 {
		for ; uintptr(op) < uintptr(end); op = unsafe.Add(op, 8) {
			store64(op, load64(from))
			from = unsafe.Add(from, 8)
		}
		return end
	}
	// Eight bytes of the repeated pattern, and the largest part of them that is whole patterns.
	v := load64(from) & (1<<(8*dist) - 1)
	v |= v << (8 * dist)
	v |= v << (16 * dist)
	v |= v << (32 * dist)
	for whole := 8 - 8%dist; uintptr(op) < uintptr(end); op = unsafe.Add(op, whole) {
		store64(op, v)
	}
	return end
}
