package inflate

import "encoding/binary"

// careful decodes symbols of a block like fast, one by one and without reading or writing beyond the ends. It
// decodes the last bytes of the input.
//
// If an input ends too early and its last bits cannot hold both a symbol and the end of the block, careful does
// not use them. compress/flate does the same, so the output before the error is identical.
func (d *Decoder) careful(dst []byte, op, base int, src []byte) (int, status) {
	defer d.giveBack()
	for {
		if len(dst)-op < slack {
			return op, needRoom
		}
		d.fill(src)
		e, drop, extra := lookup(d.codes.lit[:], litBits, d.buf)
		if d.nbuf < d.codes.minLit || d.nbuf < drop {
			return op, needInput
		}
		switch {
		case e&kindLit != 0:
			d.take(drop)
			dst[op] = byte(e >> valueShift)
			op++
		case e&kindEnd != 0:
			d.take(drop)
			return op, done
		case e&kindMatch != 0:
			length := int(e>>valueShift) + extra
			e, distDrop, extra := lookup(d.codes.dist[:], distBits, d.buf>>drop)
			dist := int(e>>valueShift) + extra
			switch {
			case d.nbuf < drop+distDrop:
				return op, needInput
			case e&kindMatch == 0:
				return op, badSymbol
			case dist > op-base:
				return op, badDistance
			}
			d.take(drop + distDrop)
			op = repeat(dst, op, dist, length)
		default:
			return op, badSymbol
		}
	}
}

// repeat appends length bytes to dst[:op] that repeat those dist before, and returns the new op.
func repeat(dst []byte, op, dist, length int) int {
	from := op - dist
	for end := op + length; op < end; {
		op += copy(dst[op:end], dst[from:op])
	}
	return op
}

// fill reads bytes of src into the bit buffer until it has at least 56 bits or src is used up.
func (d *Decoder) fill(src []byte) {
	if len(src)-d.pos >= 8 {
		d.buf |= binary.LittleEndian.Uint64(src[d.pos:]) << (d.nbuf & 63)
		d.pos += int((63 - d.nbuf) >> 3)
		d.nbuf |= 56
		return
	}
	for d.nbuf < 56 && d.pos < len(src) {
		d.buf |= uint64(src[d.pos]) << d.nbuf
		d.pos++
		d.nbuf += 8
	}
}

// take removes n bits from the bit buffer and returns them. The buffer must have them.
func (d *Decoder) take(n uint) uint {
	v := uint(d.buf & (1<<n - 1))
	d.buf >>= n
	d.nbuf -= n
	return v
}

// giveBack returns the whole bytes of the bit buffer to the input.
func (d *Decoder) giveBack() {
	d.pos -= int(d.nbuf >> 3)
	d.nbuf &= 7
	d.buf &= 1<<d.nbuf - 1
}
