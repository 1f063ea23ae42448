package ping

import (
	"encoding/binary"
)

// keyWords are a name for the search among wanted ones: its first and last eight bytes and eight from the middle, which are all of
// names of up to wholeKey bytes. Of a name shorter than eight bytes each word has all bytes, at its high end.
type keyWords struct {
	first, last, middle uint64
}

// wholeKey is the length of the longest names that their words are all of.
const wholeKey = 24

// wordsOf are those of the name b[p:e]. They are loaded with what is around the name, so that those of short names need no cases: in
// a document nearly all names have eight bytes before and behind them.
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

// loadWords is wordsOf for a name that is not empty, with eight bytes from its begin and before its end.
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

// hash is different for different names of probes: their differences can be in each of the words. Its highest bits are the best.
func (k keyWords) hash() uint64 {
	return k.first*0x9E3779B97F4A7C15 + k.last*0xC2B2AE3D27D4EB4F + k.middle*0x165667B19E3779F9
}
