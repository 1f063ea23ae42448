package parquet

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/pingmill/pingmill/table/column"
)

// Levels are checked four at a time, as the lanes of a 64-bit word. Levels are
// below 0x8000, so a lane's highest bit is free for the outcome of a
// comparison; high is that bit of all lanes.
const (
	lanes = 0x0001000100010001
	high  = 0x8000 * lanes
)

// littleEndian reports whether the lanes of a load are in the order of memory.
var littleEndian = func() bool {
	one := [4]int16{1}
	return *(*byte)(unsafe.Pointer(&one[0])) == 1
}()

// atLeast sets the high bit of the lanes of x that are at least level. The
// lanes of x are below 0x8000.
func atLeast(x uint64, level int16) uint64 {
	return ((x | high) - uint64(level)*lanes) & high
}

// good reports whether levels and values of an optional leaf that repeats at most
// once are right. For other leaves it may say no to good ones.
func (r leafRule) good(l *column.Leaf, rows, defined int) bool {
	switch {
	case !littleEndian || l.MaxRep > 1:
		return false
	case l.MaxRep == 0:
		want, ok := tallyDefined(l.Def, l.MaxDef)
		return ok && len(l.Def) == rows && want == defined
	case len(l.Rep) != len(l.Def):
		return false
	}
	want, ok := tallyDefined(l.Def, l.MaxDef)
	starts, also := tallyRows(l.Rep, l.Def, r.exists[1])
	return ok && also && want == defined && starts == rows
}

// tallyDefined counts the levels that equal most; ok means that none is above.
func tallyDefined(def []int16, most int16) (equal int, ok bool) {
	b := bytesOf(def)
	var bad uint64
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		bad |= x&high | atLeast(x&^high, most+1)
		equal += bits.OnesCount64(atLeast(x&^high, most))
	}
	for _, d := range def[len(def)&^3:] {
		if d < 0 || d > most {
			return 0, false
		}
		if d == most {
			equal++
		}
	}
	return equal, bad == 0
}

// tallyRows counts the zeros among repetition levels of zero and one; ok means
// that there are no others and that where it is one, this entry and the one
// before are defined at least to exists. The definition levels are in range.
func tallyRows(rep, def []int16, exists int16) (zeros int, ok bool) {
	r, d := bytesOf(rep), bytesOf(def)
	var bad, before uint64 // before: the last lane's bit, in the first lane's place
	for ; len(r) >= 8; r, d = r[8:], d[8:] {
		x, y := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(d)
		there := atLeast(y&^high, exists)
		bad |= x &^ lanes
		bad |= x << 15 & high &^ (there & (there<<16 | before))
		before = there >> 48
		zeros += 4 - bits.OnesCount64(x&lanes)
	}
	was := before != 0
	for i := len(rep) &^ 3; i < len(rep); i++ {
		is := def[i] >= exists
		switch {
		case rep[i] == 0:
			zeros++
		case rep[i] != 1 || !is || !was:
			return 0, false
		}
		was = is
	}
	return zeros, bad == 0
}

// alike reports whether definition levels, all in range, are the same up to the
// level def: equal, or both at least that.
func alike(one, other []int16, def int16) bool {
	a, b := bytesOf(one), bytesOf(other)
	if bytesEqual := string(a) == string(b); bytesEqual {
		return true
	}
	var bad uint64
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		bad |= atLeast(x^y, 1) &^ (atLeast(x, def) & atLeast(y, def))
	}
	for i := len(one) &^ 3; i < len(one); i++ {
		if min(one[i], def) != min(other[i], def) {
			return false
		}
	}
	return bad == 0
}
