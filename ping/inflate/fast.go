package inflate

import (
	"encoding/binary"
	"unsafe"
)

// The fast loop runs while at least fastIn bytes of input and slack bytes of room are left.
//
// A round loads eight bytes at most twice and advances by at most seven in between: 15 bytes. It writes two
// literals, then a match in pieces of 32 bytes, the last of which may begin at its byte 257: 2+256+32 bytes.
// For a match of length zero pairLoop reads 64 bytes that begin 64 bytes behind.
const (
	fastIn = 16
	slack  = 320

	// pairIn is fastIn for pairLoop. It is larger so that fast, which continues after pairLoop, begins at the
	// start of a round in the state that it would have reached alone, and so that pairLoop completes at least
	// one round.
	pairIn = 48
)

// fast decodes symbols of a block from src[d.pos:] to dst[op:] and returns the new op; base is the first byte
// that a match may refer to. It stops at the end of the block (done), at bad data, or with needInput near the
// end of src or dst. It returns whole bytes of the bit buffer to src.
func (d *Decoder) fast(dst []byte, op, base int, src []byte) (int, status) {
	return d.loop(fastLoop, dst, op, base, src)
}

// loopFunc is the type of fastLoop and plainLoop.
type loopFunc func(c *codes, ip, inEnd, op, outEnd, first unsafe.Pointer, buf uint64, n uint) (
	unsafe.Pointer, unsafe.Pointer, uint64, uint, status,
)

// loop runs a loop while there is input and room.
func (d *Decoder) loop(run loopFunc, dst []byte, op, base int, src []byte) (int, status) {
	inEnd, outEnd := len(src)-fastIn, len(dst)-slack
	if d.pos > inEnd || op > outEnd {
		return op, needInput
	}
	in, out := unsafe.Pointer(&src[inEnd]), unsafe.Pointer(&dst[outEnd])
	ip, p, buf, n, st := run(d.codes, unsafe.Pointer(&src[d.pos]), in, unsafe.Pointer(&dst[op]), out,
		unsafe.Pointer(&dst[base]), d.buf, d.nbuf)
	d.pos = inEnd + int(uintptr(ip)-uintptr(in))
	d.buf, d.nbuf = buf, n&63
	d.giveBack()
	return outEnd + int(uintptr(p)-uintptr(out)), st
}

// fastLoop runs the loop of fast. It uses pointers because slices and indices take 11 % more time for a ping, as
// measured. The pointers stay inside src and dst:
//
//   - ip is at most inEnd at the start of a round, and loads are as the constants above say; it is never moved
//     beyond the eight bytes loaded.
//   - op is at most outEnd at the start of a round. No step has more than two literals, and no entry or step
//     gives more than 258 as length, whatever the input: they are made from litEntries alone.
//   - a match begins at or after first, as is checked, and before op, as no distance is zero. It is read in the
//     pieces in which it is written, so reads end before writes do.
//
// Only the lowest six bits of n, the number of bits in buf, count. Subtracting a step or an entry from n drops
// the number of bits in its own lowest six bits and leaves garbage in the others.
//
// buf always has enough bits: a round starts with at least 11 for the step, which then is known, and loads to
// 56 or more. A step takes at most 11, a distance at most 28, which leaves 17. Symbols that are not in a step
// take at most 20; a length among them loads again.
func fastLoop(c *codes, ip, inEnd, op, outEnd, first unsafe.Pointer, buf uint64, n uint) (
	unsafe.Pointer, unsafe.Pointer, uint64, uint, status,
) {
	buf |= load64(ip) << (n & 63)
	ip = unsafe.Add(ip, ^n>>3&7)
	n |= 56
	s := c.steps[buf&(1<<stepBits-1)]
	for uintptr(ip) <= uintptr(inEnd) && uintptr(op) <= uintptr(outEnd) {
		buf |= load64(ip) << (n & 63)
		ip = unsafe.Add(ip, ^n>>3&7)
		n |= 56
		buf >>= s & 63
		n -= uint(s)
		binary.LittleEndian.PutUint16((*[2]byte)(op)[:], uint16(s>>firstShift))
		op = unsafe.Add(op, s>>6&3)
		length := uint(s >> lenShift)
		if length == 0 {
			if s != 0 {
				s = c.steps[buf&(1<<stepBits-1)]
				continue
			}
			e := c.lit[buf&(1<<litBits-1)]
			if e&kindSub != 0 {
				buf >>= litBits
				n -= litBits
				e = c.lit[(uint(e>>valueShift)+uint(buf)&(1<<(e&15)-1))&(litSize-1)]
			}
			extra := uint(buf) & (1<<(e&31) - 1) >> (e >> codeShift & codeMask)
			buf >>= e & 63
			n -= uint(e)
			switch {
			case e&kindLit != 0:
				*(*byte)(op) = byte(e >> valueShift)
				op = unsafe.Add(op, 1)
				s = c.steps[buf&(1<<stepBits-1)]
				continue
			case e&kindEnd != 0:
				return ip, op, buf, n, done
			case e&kindMatch == 0:
				return ip, op, buf, n, badSymbol
			}
			length = uint(e>>valueShift) + extra
			buf |= load64(ip) << (n & 63)
			ip = unsafe.Add(ip, ^n>>3&7)
			n |= 56
		}
		e := c.dist[buf&(1<<distBits-1)]
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
		s = c.steps[buf&(1<<stepBits-1)] // long before it is needed
		if uint(uintptr(op)-uintptr(first)) < dist {
			return ip, op, buf, n, badDistance
		}
		from := unsafe.Add(op, -int(dist))
		end := unsafe.Add(op, length)
		switch {
		case dist >= 16:
			for {
				*(*[16]byte)(op) = *(*[16]byte)(from)
				*(*[16]byte)(unsafe.Add(op, 16)) = *(*[16]byte)(unsafe.Add(from, 16))
				op = unsafe.Add(op, 32)
				from = unsafe.Add(from, 32)
				if uintptr(op) >= uintptr(end) {
					break
				}
			}
		case dist >= 8:
			for ; uintptr(op) < uintptr(end); op = unsafe.Add(op, 8) {
				store64(op, load64(from))
				from = unsafe.Add(from, 8)
			}
		default:
			// Eight bytes of the repeated pattern, and the largest part of them that is whole patterns.
			v := load64(from) & (1<<(8*dist) - 1)
			v |= v << (8 * dist)
			v |= v << (16 * dist)
			v |= v << (32 * dist)
			for whole := 8 - 8%dist; uintptr(op) < uintptr(end); op = unsafe.Add(op, whole) {
				store64(op, v)
			}
		}
		op = end
	}
	return ip, op, buf, n, needInput
}

func load64(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

func store64(p unsafe.Pointer, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v) }
