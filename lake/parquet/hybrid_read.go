package parquet

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var errHybrid = errors.New("a run of levels or indices is cut short or corrupt")

// padding is the number of bytes that must be readable behind the end of a page, as
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

// levels appends the next n values, of which none may exceed most, to dst. It
// returns how many of them equal most.
func (h *hybridReader) levels(dst []int16, n int, most int16) (_ []int16, equal int, err error) {
	at := len(dst)
	dst = extend(dst, n)
	for at < len(dst) {
		if err := h.run(); err != nil {
			return dst, equal, err
		}
		k := min(h.left, len(dst)-at)
		over := false
		if h.packed {
			e := 0
			e, over = h.tally(k, most)
			equal += e
			h.unpackLevels(dst[at : at+k])
		} else {
			if h.value == uint32(most) {
				equal += k
			}
			over = h.value > uint32(most)
			fill(dst[at:at+k], int16(h.value))
		}
		if over {
			return dst, equal, errHybrid
		}
		h.left -= k
		at += k
	}
	return dst, equal, nil
}

// tally counts, among the next n packed values, those that equal most, and
// reports whether any exceeds it. It works on the packed bits of levels of one
// and two bits, which nearly all have.
func (h *hybridReader) tally(n int, most int16) (equal int, over bool) {
	if h.width > 2 {
		return h.tallyWide(n, most)
	}
	// A load at any bit has at least 57 good ones.
	step := 56 / int(h.width)
	for bit := h.bit; n > 0; bit, n = bit+56, n-step {
		x := binary.LittleEndian.Uint64(h.data[bit>>3:]) >> (bit & 7)
		x &= 1<<(uint(min(n, step))*h.width) - 1
		if h.width == 1 {
			equal += bits.OnesCount64(x)
			continue
		}
		const low = 0x5555555555555555
		hi, lo := x>>1&low, x&low
		switch most {
		case 3:
			equal += bits.OnesCount64(hi & lo)
		case 2:
			equal += bits.OnesCount64(hi &^ lo)
			over = over || hi&lo != 0
		}
	}
	return equal, over
}

func (h *hybridReader) tallyWide(n int, most int16) (equal int, over bool) {
	bit := h.bit
	for range n {
		switch v := h.unpackOne(); {
		case v == uint32(most):
			equal++
		case v > uint32(most):
			over = true
		}
	}
	h.bit = bit
	return equal, over
}

// rows appends repetition levels, of which none may exceed most, up to the
// start of the row after the given number of rows, or limit of them. It returns
// how many rows start in what it has appended.
func (h *hybridReader) rows(dst []int16, rows, limit int, most int16) (_ []int16, started int, err error) {
	for end := len(dst) + limit; len(dst) < end; {
		if err := h.run(); err != nil {
			return dst, started, err
		}
		k, zeros := min(h.left, end-len(dst)), 0
		if h.packed {
			k, zeros = h.rowsIn(min(k, 56), rows-started)
		} else if h.value == 0 {
			k = min(k, rows-started)
			zeros = k
		}
		if k == 0 {
			return dst, started, nil
		}
		at := len(dst)
		dst = extend(dst, k)
		over := h.value > uint32(most)
		if h.packed {
			_, over = h.tally(k, most)
			h.unpackLevels(dst[at:])
		} else {
			fill(dst[at:], int16(h.value))
		}
		if over {
			return dst, started, errHybrid
		}
		h.left -= k
		started += zeros
	}
	return dst, started, nil
}

// rowsIn returns how many of the next n packed levels, at most 56, belong to
// the first rows, and how many rows start there.
func (h *hybridReader) rowsIn(n, rows int) (use, started int) {
	if h.width > 1 {
		return h.rowsInWide(n, rows)
	}
	x := binary.LittleEndian.Uint64(h.data[h.bit>>3:]) >> (h.bit & 7)
	zeros := ^x & (1<<uint(n) - 1)
	started = bits.OnesCount64(zeros)
	if started <= rows {
		return n, started
	}
	for range rows { // clear the bits of the rows that are taken
		zeros &= zeros - 1
	}
	return bits.TrailingZeros64(zeros), rows
}

func (h *hybridReader) rowsInWide(n, rows int) (use, started int) {
	bit := h.bit
	defer func() { h.bit = bit }()
	for ; use < n; use++ {
		if h.unpackOne() == 0 {
			if started == rows {
				break
			}
			started++
		}
	}
	return use, started
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
