package pq

import (
	"encoding/binary"
	"errors"
)

var errHybrid = errors.New("a run of levels or indices is cut short or corrupt")

// padding is how many bytes must be readable behind the end of a page, as
// unpacking reads eight at a time.
const padding = 8

// hybridReader reads values in the hybrid of run-length encoding and bit
// packing, as many at a time as are asked for.
type hybridReader struct {
	data  []byte // readable for padding bytes beyond end
	pos   int
	end   int
	width uint

	left   int    // values left in the current run
	packed bool   // whether it is packed
	value  uint32 // of an unpacked run
	bit    int    // offset in bits of the next packed value
}

func newHybrid(data []byte, pos, end int, width uint) hybridReader {
	return hybridReader{data: data, pos: pos, end: end, width: width}
}

// next reads the head of the next run.
func (h *hybridReader) next() error {
	head, n := binary.Uvarint(h.data[h.pos:h.end])
	if n <= 0 || head>>1 > 1<<31 {
		return errHybrid
	}
	h.pos += n
	size := int(h.width+7) / 8
	h.packed = head&1 == 1
	h.left = int(head >> 1)
	if h.packed {
		size = h.left * int(h.width)
		h.left *= 8
		h.bit = h.pos * 8
	}
	if size > h.end-h.pos {
		return errHybrid
	}
	if !h.packed {
		h.value = 0
		for i := range size {
			h.value |= uint32(h.data[h.pos+i]) << (8 * i)
		}
	}
	h.pos += size
	return nil
}

// run makes sure that the current run has values left.
func (h *hybridReader) run() error {
	for h.left == 0 {
		if err := h.next(); err != nil {
			return err
		}
	}
	return nil
}

// levels appends the next n values to dst.
func (h *hybridReader) levels(dst []int16, n int) ([]int16, error) {
	at := len(dst)
	dst = extend(dst, n)
	for at < len(dst) {
		if err := h.run(); err != nil {
			return dst, err
		}
		k := min(h.left, len(dst)-at)
		if h.packed {
			h.unpackLevels(dst[at : at+k])
		} else {
			fill(dst[at:at+k], int16(h.value))
		}
		h.left -= k
		at += k
	}
	return dst, nil
}

// rows appends repetition levels up to the start of a row after the given
// number of rows, at most most of them. It returns how many rows start in what
// it has appended.
func (h *hybridReader) rows(dst []int16, rows, most int) (_ []int16, started int, err error) {
	const block = 64
	for limit := len(dst) + most; len(dst) < limit; {
		if err := h.run(); err != nil {
			return dst, started, err
		}
		k := min(h.left, limit-len(dst))
		at := len(dst)
		if !h.packed {
			if h.value == 0 {
				k = min(k, rows-started)
				started += k
				if k == 0 {
					return dst, started, nil
				}
			}
			dst = extend(dst, k)
			fill(dst[at:], int16(h.value))
			h.left -= k
			continue
		}
		k = min(k, block)
		dst = extend(dst, k)
		h.unpackLevels(dst[at:])
		use, zeros := rowsIn(dst[at:], rows-started)
		started += zeros
		dst = dst[:at+use]
		h.left -= use
		if use < k {
			h.bit -= (k - use) * int(h.width)
			return dst, started, nil
		}
	}
	return dst, started, nil
}

// rowsIn returns how many of the levels belong to the first rows, and how many
// of those start there.
func rowsIn(rep []int16, rows int) (use, started int) {
	for i, r := range rep {
		if r == 0 {
			if started == rows {
				return i, started
			}
			started++
		}
	}
	return len(rep), started
}

// unpackLevels reads packed values. Widths of one and two bits, which nearly
// all levels have, are looked up by the byte.
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

// unpackIndices reads packed values.
func (h *hybridReader) unpackIndices(dst []uint32) {
	bit, width := h.bit, h.width&63
	mask := uint64(1)<<width - 1
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(h.data[bit>>3:]) >> (bit & 7) & mask)
		bit += int(width)
	}
	h.bit = bit
}

var (
	unpacked1 [256][8]int16
	unpacked2 [256][4]int16
)

func init() {
	for b := range 256 {
		for i := range 8 {
			unpacked1[b][i] = int16(b >> i & 1)
		}
		for i := range 4 {
			unpacked2[b][i] = int16(b >> (2 * i) & 3)
		}
	}
}

// extend makes s longer by n elements of any content.
func extend[T any](s []T, n int) []T {
	if cap(s)-len(s) < n {
		s = append(s, make([]T, n)...)
		return s
	}
	return s[:len(s)+n]
}

func fill[T comparable](s []T, v T) {
	var zero T
	if v == zero {
		clear(s)
		return
	}
	for i := range s {
		s[i] = v
	}
}
