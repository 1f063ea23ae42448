package ping

import (
	"encoding/binary"
)

// keyWords represents a member name in searches among wanted names: its first and last eight bytes and eight
// from the middle. They cover names of up to wholeKey bytes completely. For a name shorter than eight bytes
// each word holds all bytes, at its high end.
type keyWords struct {
	first, last, middle uint64
}

// wholeKey is the length of the longest names that keyWords covers completely.
const wholeKey = 24

// wordsOf returns the words of the name b[p:e]. It loads them together with the bytes around the name, so short
// names need no special case: in a document nearly all names have eight bytes before and behind them.
func wordsOf(b []byte, p, e int) keyWords {
	if e < 8 || p+8 > len(b) { // so the name is short
		var room [16]byte
		e = 8 + copy(room[8:], b[p:e])
		b, p = room[:], 8
	}
	if p == e {
		return keyWords{}
	}
	return loadWords(b, p, e)
}

// loadWords works like wordsOf, for a name that is not empty and has eight bytes from its begin and before its
// end.
func loadWords(b []byte, p, e int) keyWords {
	n := e - p
	k := min(n, 8)
	unused := uint(64-8*k) & 63
	return keyWords{
		first:  binary.LittleEndian.Uint64(b[p:]) << unused,
		last:   binary.LittleEndian.Uint64(b[e-8:]) >> unused << unused,
		middle: binary.LittleEndian.Uint64(b[p+(n-k)/2:]) << unused,
	}
}

// hash differs for different names of probes, whose differences can be in each of the words. Its highest bits
// are the best.
func (k keyWords) hash() uint64 {
	return k.first*0x9E3779B97F4A7C15 + k.last*0xC2B2AE3D27D4EB4F + k.middle*0x165667B19E3779F9
}
