package inflate

import "encoding/binary"

// preSymbols is the size of the alphabet in which a block writes the lengths of its codes, preBits the length
// of its longest code, and preOrder the order in which their own lengths are stored (RFC 1951 section 3.2.7).
const (
	preSymbols = 19
	preBits    = 7
)

var preOrder = [preSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header reads a block header. If the header is incomplete, it consumes no input.
func (d *Decoder) header(src []byte) status {
	buf, nbuf, pos := d.buf, d.nbuf, d.pos
	st := d.readHeader(src)
	d.giveBack()
	if st == needInput {
		d.buf, d.nbuf, d.pos = buf, nbuf, pos
	}
	return st
}

func (d *Decoder) readHeader(src []byte) status {
	d.fill(src)
	if d.nbuf < 3 {
		return needInput
	}
	d.final = d.take(1) != 0
	switch d.take(2) {
	case 0:
		return d.stored(src)
	case 1:
		d.codes = fixedCodes()
		d.mode = symbols
		return done
	case 2:
		st := d.dynamic(src)
		if st == done {
			d.mode = symbols
		}
		return st
	}
	return badBlockType
}

// stored reads the rest of the header of a stored block, which begins at the next whole byte.
func (d *Decoder) stored(src []byte) status {
	d.take(d.nbuf & 7)
	d.giveBack()
	if len(src)-d.pos < 4 {
		return needInput
	}
	n := binary.LittleEndian.Uint16(src[d.pos:])
	if n != ^binary.LittleEndian.Uint16(src[d.pos+2:]) {
		return badStored
	}
	d.pos += 4
	d.left = int(n)
	d.mode = storedBytes
	return done
}

// dynamic reads the codes of a block and builds their tables.
func (d *Decoder) dynamic(src []byte) status {
	if d.nbuf < 14 {
		return needInput
	}
	nlit, ndist, npre := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if nlit > maxLit || ndist > maxDist {
		return badCounts
	}
	if st := d.preCode(src, npre); st != done {
		return st
	}
	if st := d.lengths(src, nlit+ndist); st != done {
		return st
	}
	lens := d.lens[:nlit+ndist]
	c := &d.own
	shortest, ok := d.lit.build(c.lit[:], litBits, lens[:nlit], litEntries[:])
	if !ok {
		return badCode
	}
	if _, ok = d.dist.build(c.dist[:], distBits, lens[nlit:], distEntries[:]); !ok {
		return badCode
	}
	c.minLit = max(shortest, uint(lens[endOfBlock]))
	c.fast = false
	d.codes = c
	return done
}

// preCode reads into d.pre the code in which the lengths are written. d.pre is indexed by the lowest bits; an
// entry is the symbol in the upper five bits and the length of its code in the lower three, or zero.
func (d *Decoder) preCode(src []byte, n int) status {
	var lens [preSymbols]uint8
	var count, next [preBits + 1]uint
	for _, s := range preOrder[:n] {
		if d.nbuf < 3 {
			if d.fill(src); d.nbuf < 3 {
				return needInput
			}
		}
		lens[s] = uint8(d.take(3))
		count[lens[s]]++
	}
	code, used := uint(0), uint(0)
	for n := 1; n <= preBits; n++ {
		code <<= 1
		next[n] = code
		code += count[n]
		used += count[n]
	}
	if code != 1<<preBits && used != 0 && (used != 1 || count[1] != 1) {
		return badCode
	}
	if code != 1<<preBits {
		clear(d.pre[:])
	}
	for s, n := range lens {
		if n == 0 {
			continue
		}
		e, step := uint8(s)<<3|n, uint(1)<<n
		for i := reverse(next[n], uint(n)); i < 1<<preBits; i += step {
			d.pre[i&(1<<preBits-1)] = e
		}
		next[n]++
	}
	return done
}

// lengths reads the lengths of both codes. d.lens has room for eight bytes beyond them.
func (d *Decoder) lengths(src []byte, total int) status {
	lens := d.lens[:total+wordSize]
	buf, nbuf, st := d.buf, d.nbuf, done
	for i := 0; i < total && st == done; {
		if nbuf < 14 {
			d.buf, d.nbuf = buf, nbuf
			d.fill(src)
			buf, nbuf = d.buf, d.nbuf
		}
		e := d.pre[buf&(1<<preBits-1)]
		n := uint(e & 7)
		switch {
		case e == 0:
			st = badSymbol
		case nbuf < n:
			st = needInput
		case e>>3 < 16:
			buf >>= n
			nbuf -= n
			lens[i] = e >> 3
			i++
		default:
			buf >>= n
			nbuf -= n
			var value uint8
			var times, extra uint
			if value, times, extra, st = repeated(e>>3, lens[:i]); st != done {
				break
			}
			if nbuf < extra {
				st = needInput
				break
			}
			times += uint(buf & (1<<extra - 1))
			buf >>= extra
			nbuf -= extra
			if times > uint(total-i) {
				st = badLengths
				break
			}
			words, end := uint64(value)*((1<<64-1)/255), i+int(times)
			for ; i < end; i += wordSize {
				binary.LittleEndian.PutUint64(lens[i:], words)
			}
			i = end
		}
	}
	d.buf, d.nbuf = buf, nbuf
	return st
}

// repeated returns which length a symbol repeats, how many times at least, and the number of extra bits with more times. lens has
// the lengths before.
func repeated(symbol uint8, lens []uint8) (value uint8, times, extra uint, st status) {
	switch {
	case symbol == 18:
		return 0, 11, 7, done
	case symbol == 17:
		return 0, 3, 3, done
	case len(lens) == 0:
		return 0, 0, 0, badLengths
	}
	return lens[len(lens)-1], 3, 2, done
}
