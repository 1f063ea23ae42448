package inflate

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// These are the alphabets of RFC 1951. In a fixed block symbols 286 and 287 and distances 30 and 31 have a code
// but no meaning; a dynamic block cannot have them.
const (
	litSymbols  = 288
	maxLit      = 286
	distSymbols = 32
	maxDist     = 30
	endOfBlock  = 256
	maxCodeLen  = 15
)

// A table has one entry for every value of its first bits, the root. Longer codes continue in subtables behind
// it. The largest tables that a complete code can need are 854 entries for 288 symbols and 9 bits, and 402 for
// 32 symbols and 8 bits. The sizes are powers of two so that any index can be masked.
const (
	litBits  = 9
	litSize  = 1024
	distBits = 8
	distSize = 512
)

// entry describes the lowest bits of the input:
//
//	bits  0-5   how many bits to drop, the code and its extra bits; for a subtable the bits that index it
//	bits  8-11  length of the code (in a subtable: of its part beyond the root)
//	bits 12-15  subtable, end of block, literal, match
//	bits 16-31  the literal, the lowest length or distance, or where the subtable starts
//
// An entry with none of the four kinds is a symbol without meaning; zero means that the bits are no code.
type entry uint32

const (
	dropMask   = 63
	codeShift  = 8
	codeMask   = 15
	kindSub    = 1 << 12
	kindEnd    = 1 << 13
	kindLit    = 1 << 14
	kindMatch  = 1 << 15
	valueShift = 16
)

// litEntries and distEntries hold the entries of the symbols, without the length of the code.
var (
	litEntries  = makeLitEntries()
	distEntries = makeDistEntries()
)

func makeLitEntries() (t [litSymbols]entry) {
	for i := range endOfBlock {
		t[i] = kindLit | entry(i)<<valueShift
	}
	t[endOfBlock] = kindEnd
	base := entry(3)
	for i := range 28 {
		extra := entry(max(0, i/4-1))
		t[endOfBlock+1+i] = extra | kindMatch | base<<valueShift
		base += 1 << extra
	}
	t[maxLit-1] = kindMatch | 258<<valueShift
	return t
}

func makeDistEntries() (t [distSymbols]entry) {
	base := entry(1)
	for i := range maxDist {
		extra := entry(max(0, i/2-1))
		t[i] = extra | kindMatch | base<<valueShift
		base += 1 << extra
	}
	return t
}

// withCode returns e with a code of n bits.
func (e entry) withCode(n uint) entry { return e + entry(n)*(1+1<<codeShift) }

// lookup returns the entry for the lowest bits of b. drop is the number of bits of the code and its extra bits,
// extra the value of the extra bits. Bits beyond the input must be zero in b; drop then is at most the real
// number.
func lookup(table []entry, root uint, b uint64) (e entry, drop uint, extra int) {
	e = table[b&(1<<root-1)]
	if e&kindSub != 0 {
		b >>= root
		drop = root
		e = table[uint64(e>>valueShift)+b&(1<<(e&dropMask)-1)]
	}
	n := e & dropMask
	return e, drop + uint(n), int(b & (1<<n - 1) >> (e >> codeShift & codeMask))
}

// codes holds the decoding tables of a block. The assembly depends on their offsets.
type codes struct {
	lit    [litSize]entry
	dist   [distSize]entry
	steps  [1 << stepBits]step
	minLit uint // the rest of a block takes at least this number of bits: its shortest symbol and its end
	fast   bool // steps is built
}

// fixedCodes returns the tables of RFC 1951 section 3.2.6. They are shared and read-only.
var fixedCodes = sync.OnceValue(func() *codes {
	var lit [litSymbols]uint8
	for i := range lit {
		switch {
		case i < 144, i >= 280:
			lit[i] = 8
		case i < endOfBlock:
			lit[i] = 9
		default:
			lit[i] = 7
		}
	}
	var dist [distSymbols]uint8
	for i := range dist {
		dist[i] = 5
	}
	c := &codes{minLit: 7}
	var b codeBuilder
	b.build(c.dist[:], distBits, dist[:], distEntries[:])
	b.build(c.lit[:], litBits, lit[:], litEntries[:])
	var s stepBuilder
	s.build(c, &b)
	return c
})

// codeBuilder builds the table of a code. It also holds the code in the form that stepBuilder reads.
type codeBuilder struct {
	count  [maxCodeLen + 1]uint16 // symbols per length
	sorted [litSymbols]uint16     // symbols by length, then by value: in the order of their codes
}

// build fills table for the code that has the given lengths (0: the symbol is not used) and returns its
// shortest length. It accepts the codes that other decoders accept: a code must use up all bits, or have no
// symbol, or one symbol of one bit.
func (b *codeBuilder) build(table []entry, root uint, lens []uint8, entries []entry) (shortest uint, ok bool) {
	b.countLengths(lens)
	var next [maxCodeLen + 1]uint16
	used, space := uint16(0), uint(0)
	for n := uint(1); n <= maxCodeLen; n++ {
		next[n] = used
		used += b.count[n]
		space = space<<1 + uint(b.count[n])
		if shortest == 0 && used != 0 {
			shortest = n
		}
	}
	at := 0
	for ; at+wordSize <= len(lens); at += wordSize {
		word := binary.LittleEndian.Uint64(lens[at:])
		for left := inUse(word); left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left) &^ 7
			n := word >> bit & maxCodeLen
			b.sorted[next[n]] = uint16(at + bit>>3)
			next[n]++
		}
	}
	for ; at < len(lens); at++ {
		if n := lens[at] & maxCodeLen; n != 0 {
			b.sorted[next[n]] = uint16(at)
			next[n]++
		}
	}
	switch {
	case space == 1<<maxCodeLen:
		return shortest, b.fill(table, root, shortest, entries)
	case used == 0:
		clear(table[:1<<root])
		return 0, true
	case used == 1 && shortest == 1:
		for i := range 1 << root {
			table[i] = entries[b.sorted[0]].withCode(1) * entry(1-i&1)
		}
		return 1, true
	}
	return 0, false
}

// wordSize is the number of lengths that are looked at together: of most symbols there is none.
const wordSize = 8

// inUse returns a mask with a bit in each byte of eight lengths that is not zero.
func inUse(lens uint64) uint64 {
	const ones = (1<<64 - 1) / 255
	return (lens + 127*ones) & (128 * ones)
}

// countLengths counts the symbols of each length. Two counters for each length in turn let a processor count equal ones
// without waiting for the one before.
func (b *codeBuilder) countLengths(lens []uint8) {
	var even, odd [maxCodeLen + 1]uint16
	for ; len(lens) >= wordSize; lens = lens[wordSize:] {
		word := binary.LittleEndian.Uint64(lens)
		if word == 0 {
			continue
		}
		for range wordSize / 2 {
			even[word&maxCodeLen]++
			odd[word>>8&maxCodeLen]++
			word >>= 16
		}
	}
	for _, n := range lens {
		even[n&maxCodeLen]++
	}
	b.count[0] = 0
	for n := 1; n <= maxCodeLen; n++ {
		b.count[n] = even[n] + odd[n]
	}
}

// fill writes the table of a code that uses all bits. Deflate sends a code's first bit first, so its bits index
// the table in reverse order. The table for n bits is the table for n-1 bits twice, plus the codes of n bits.
func (b *codeBuilder) fill(table []entry, root, shortest uint, entries []entry) bool {
	code, at := uint(0), 0
	for n := uint(1); n <= root; n++ {
		code <<= 1
		if n > shortest {
			copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		}
		sorted := b.sorted[at : at+int(b.count[n])]
		for _, sym := range sorted {
			table[reverse(code, n)] = entries[sym].withCode(n)
			code++
		}
		at += len(sorted)
	}
	return b.fillSub(table, root, entries, code, at)
}

// fillSub writes the codes longer than root. code is the first of them, and at is its index in sorted.
func (b *codeBuilder) fillSub(table []entry, root uint, entries []entry, code uint, at int) bool {
	prefix, start, end, size := ^uint(0), uint(0), uint(1)<<root, uint(0)
	for n := root + 1; n <= maxCodeLen; n++ {
		code <<= 1
		for left := uint(b.count[n]); left > 0; left-- {
			rev := reverse(code, n)
			if rev&(1<<root-1) != prefix {
				prefix, start = rev&(1<<root-1), end
				size = b.subSize(n-root, root, left)
				end += 1 << size
				if end > uint(len(table)) {
					return false // a complete code never needs this, see litSize
				}
				table[prefix] = kindSub | entry(size) | entry(start)<<valueShift
			}
			e := entries[b.sorted[at]].withCode(n - root)
			for i := rev >> root; i < 1<<size; i += 1 << (n - root) {
				table[start+i] = e
			}
			code++
			at++
		}
	}
	return true
}

// subSize returns the number of bits that the codes of one prefix need, if the first of them needs size and
// left codes of that length remain. Codes are ordered by length, so the answer is the length at which they fill
// the prefix.
func (b *codeBuilder) subSize(size, root, left uint) uint {
	for room := left; room < 1<<size; {
		size++
		room = room<<1 + uint(b.count[root+size])
	}
	return size
}

// reverse returns the lowest n bits of code in reverse order.
func reverse(code, n uint) uint { return uint(bits.Reverse16(uint16(code))) >> (16 - n) }
