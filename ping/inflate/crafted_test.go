package inflate

import (
	"errors"
	"strings"
	"testing"
)

// bitWriter writes deflate streams that no compressor would.
type bitWriter struct {
	b []byte
	n uint // bits in the last byte, or 0
}

// bits writes the lowest n bits of v, lowest first.
func (w *bitWriter) bits(v, n uint) *bitWriter {
	for ; n > 0; n-- {
		if w.n == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(v&1) << w.n
		w.n = (w.n + 1) & 7
		v >>= 1
	}
	return w
}

// symbols writes symbols of the code with the given lengths.
func (w *bitWriter) symbols(lens []uint8, syms ...int) *bitWriter {
	for _, want := range syms {
		code := uint(0)
		for n := uint8(1); n <= maxCodeLen; n++ {
			code <<= 1
			for s, l := range lens {
				if l != n {
					continue
				}
				if s == want {
					w.bits(reverse(code, uint(n)), uint(n))
				}
				code++
			}
		}
	}
	return w
}

// flatPre are the lengths of a code in which every length from 0 to 15 is a symbol of four bits.
var flatPre = []uint8{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}

// header writes a final dynamic block header up to the lengths.
func (w *bitWriter) header(nlit, ndist uint, pre []uint8) *bitWriter {
	w.bits(1, 1).bits(2, 2).bits(nlit-257, 5).bits(ndist-1, 5).bits(preSymbols-4, 4)
	for _, s := range preOrder {
		n := uint(0)
		if int(s) < len(pre) {
			n = uint(pre[s])
		}
		w.bits(n, 3)
	}
	return w
}

// dynamic writes the header of a final dynamic block with the given lengths.
func (w *bitWriter) dynamic(lit, dist []uint8) *bitWriter {
	w.header(uint(len(lit)), uint(len(dist)), flatPre)
	for _, n := range append(lit[:len(lit):len(lit)], dist...) {
		w.symbols(flatPre, int(n))
	}
	return w
}

// lens returns n lengths of 0 but for the pairs of symbol and length.
func lens(n int, pairs ...int) []uint8 {
	l := make([]uint8, n)
	for i := 0; i < len(pairs); i += 2 {
		l[pairs[i]] = uint8(pairs[i+1])
	}
	return l
}

// staircase returns lengths 1, 2, …, 14, 15, 15 for the given 16 symbols.
func staircase(n int, syms ...int) []uint8 {
	l := make([]uint8, n)
	for i, s := range syms {
		l[s] = uint8(min(i+1, maxCodeLen))
	}
	return l
}

// craftedStream is a stream with what it holds up to its end or up to what is wrong with it: the reason, if any.
type craftedStream struct {
	stream *bitWriter
	want   string
	reason string
}

func crafted() map[string]craftedStream {
	raw := func() *bitWriter { return new(bitWriter) }
	fixed := func() *bitWriter { return raw().bits(1, 1).bits(1, 2) }
	abc := lens(258, 'a', 1, 256, 2, 257, 2) // codes 0, 10, 11
	ab := lens(257, 'a', 1, 256, 1)
	all := map[string]craftedStream{
		"empty stored":   {raw().bits(1, 3).bits(0, 5).bits(0xffff0000, 32), "", ""},
		"stored length":  {raw().bits(1, 3).bits(0, 5).bits(0xfffe0000, 32), "", "complement"},
		"reserved type":  {raw().bits(7, 3), "", "block type"},
		"only its end":   {raw().dynamic(lens(257, 256, 1), lens(1)).bits(0, 1), "", ""},
		"no such bit":    {raw().dynamic(lens(257, 256, 1), lens(1)).bits(1, 1), "", "no symbol"},
		"no codes":       {raw().dynamic(lens(257), lens(1)).bits(0, 9), "", "no symbol"},
		"one distance":   {raw().dynamic(abc, lens(1, 0, 1)).bits(0b01_0_11_0, 6), "aaaa", ""},
		"other distance": {raw().dynamic(abc, lens(1, 0, 1)).bits(0b01_1_11_0, 6), "a", "no symbol"},
		"no distances":   {raw().dynamic(abc, lens(1)).bits(0b01_0_11_0, 6), "a", "no symbol"},
		"too far":        {raw().dynamic(abc, lens(2, 0, 1, 1, 1)).bits(0b01_1_11_0, 6), "a", "before the start"},
		"287 symbols":    {raw().header(287, 1, flatPre).bits(0, 32), "", "too many"},
		"31 distances":   {raw().header(257, 31, flatPre).bits(0, 32), "", "too many"},
		"surplus":        {raw().dynamic(lens(257, 'a', 1, 'b', 1, 256, 1), lens(1)), "", "missing or surplus"},
		"missing":        {raw().dynamic(lens(257, 'a', 2, 'b', 2, 256, 2), lens(1)), "", "missing or surplus"},
		"one code of 2":  {raw().dynamic(lens(257, 256, 2), lens(1)), "", "missing or surplus"},
		"distance code":  {raw().dynamic(ab, lens(3, 0, 2, 1, 2, 2, 2)), "", "missing or surplus"},
		"length code":    {raw().header(257, 1, []uint8{1, 1, 1}).bits(0, 32), "", "missing or surplus"},
		"no length code": {raw().header(257, 1, nil).bits(0, 32), "", "no symbol"},
		"one length":     {raw().header(257, 1, lens(19, 18, 1)).bits(1, 1), "", "no symbol"},
		"repeat nothing": {raw().header(257, 1, lens(19, 16, 1)).bits(0, 32), "", "repeat"},
		"repeat beyond":  {raw().header(257, 1, lens(19, 18, 1)).bits(0b1111111_0_1111111_0, 16), "", "repeat"},
		"symbol 286":     {fixed().symbols(fixedLens(), 'a', 286).bits(0, 32), "a", "no symbol"},
		"distance 30":    {fixed().symbols(fixedLens(), 'a', 257).bits(0b01111, 5).bits(0, 32), "a", "no symbol"},
		"fixed": {
			fixed().symbols(fixedLens(), 'a', 'b', 285).bits(0b10000, 5).symbols(fixedLens(), 200, 256),
			strings.Repeat("ab", 130) + "\xc8", "",
		},
	}
	// Codes of every length up to 15, with all extra bits, for literals, lengths and distances.
	lit := staircase(286, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 284, 285, 283, 257, 265, 'z', 256)
	dist := staircase(30, 0, 1, 2, 3, 4, 5, 6, 7, 8, 29, 10, 11, 12, 13, 14, 9)
	deep := func() *bitWriter {
		return raw().dynamic(lit, dist).symbols(lit, 'z', 'i', 'h', 257).symbols(dist, 2).
			symbols(lit, 265).bits(1, 1).symbols(dist, 4).bits(0, 1).
			symbols(lit, 283).bits(31, 5).symbols(dist, 8).bits(0, 3).
			symbols(lit, 284).bits(3, 5)
	}
	want := again(again(again("zih", 3, 3), 12, 5), 226, 17)
	all["deep codes"] = craftedStream{
		deep().symbols(dist, 9).bits(2, 3).symbols(lit, 'z', 256), again(want, 230, 27) + "z", "",
	}
	all["deep and far"] = craftedStream{deep().symbols(dist, 29).bits(5, 13).bits(0, 32), want, "before the start"}
	return all
}

// again is s with n more bytes that repeat those dist before.
func again(s string, n, dist int) string {
	for range n {
		s += s[len(s)-dist : len(s)-dist+1]
	}
	return s
}

// fixedLens returns the lengths of the fixed literal code.
func fixedLens() []uint8 {
	l := make([]uint8, litSymbols)
	for i := range l {
		switch {
		case i < 144, i >= 280:
			l[i] = 8
		case i < 256:
			l[i] = 9
		default:
			l[i] = 7
		}
	}
	return l
}

func TestCrafted(t *testing.T) {
	for name, c := range crafted() {
		for _, pad := range []int{0, 2000} {
			stream := append(c.stream.b[:len(c.stream.b):len(c.stream.b)], make([]byte, pad)...)
			out := sameAsStandard(t, name, stream)
			if string(out) != c.want {
				t.Errorf("%s: got %q, want %q", name, out, c.want)
			}
			_, _, err := Inflate(nil, stream, 0)
			if c.reason != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.reason)) {
				t.Errorf("%s: error %v, want one about %q", name, err, c.reason)
			}
		}
	}
}
