package parquet

import "encoding/binary"

// unpackLevels reads packed values. Widths of one and two bits are looked up by
// the byte.
func (h *hybridReader) unpackLevels(dst []int16) {
	for len(dst) > 0 && h.bit&7 != 0 {
		dst[0] = int16(h.unpackOne())
		dst = dst[1:]
	}
	switch h.width {
	case 1:
		for ; len(dst) >= 8; dst = dst[8:] {
			*(*[8]int16)(dst) = unpacked1[h.data[h.bit>>3]]
			h.bit += 8
		}
	case 2:
		for ; len(dst) >= 4; dst = dst[4:] {
			*(*[4]int16)(dst) = unpacked2[h.data[h.bit>>3]]
			h.bit += 8
		}
	}
	for i := range dst {
		dst[i] = int16(h.unpackOne())
	}
}

func (h *hybridReader) unpackOne() uint32 {
	x := binary.LittleEndian.Uint64(h.data[h.bit>>3:]) >> (h.bit & 7)
	h.bit += int(h.width)
	return uint32(x & (1<<(h.width&63) - 1))
}

// unpackIndices reads packed values, eight at a time as far as they are narrow
// enough for four to be in one load.
func (h *hybridReader) unpackIndices(dst []uint32) {
	for len(dst) > 0 && (h.bit&7 != 0 || len(dst) < 8 || h.width > 14) {
		dst[0] = h.unpackOne()
		dst = dst[1:]
	}
	w := h.width & 15
	mask := uint64(1)<<w - 1
	for ; len(dst) >= 8; dst = dst[8:] {
		x := binary.LittleEndian.Uint64(h.data[h.bit>>3:])
		half := h.bit + 4*int(w)
		y := binary.LittleEndian.Uint64(h.data[half>>3:]) >> (half & 7)
		d := (*[8]uint32)(dst)
		d[0], d[1], d[2], d[3] = uint32(x&mask), uint32(x>>w&mask), uint32(x>>(2*w&63)&mask), uint32(x>>(3*w&63)&mask)
		d[4], d[5], d[6], d[7] = uint32(y&mask), uint32(y>>w&mask), uint32(y>>(2*w&63)&mask), uint32(y>>(3*w&63)&mask)
		h.bit += 8 * int(w)
	}
	for i := range dst {
		dst[i] = h.unpackOne()
	}
}

var unpacked1, unpacked2 = unpackTables()

// unpackTables returns the values packed in each byte, of one and of two bits.
func unpackTables() (one [256][8]int16, two [256][4]int16) {
	for b := range 256 {
		for i := range 8 {
			one[b][i] = int16(b >> i & 1)
		}
		for i := range 4 {
			two[b][i] = int16(b >> (2 * i) & 3)
		}
	}
	return one, two
}
