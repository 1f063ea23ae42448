package inflate

// step describes the effect of the lowest stepBits bits of the input: up to two literals, then perhaps a match
// whose length, extra bits included, is known from the same bits. In text such as JSON most matches are short
// and follow at most two literals, so one step usually holds all of them. It saves lookups, each of which waits
// for the previous one, and branches: processors cannot predict "literal or match".
//
//	bits  0-5   how many bits to drop, distance not included
//	bits  6-7   number of literals
//	bits  8-15  first literal
//	bits 16-23  second literal
//	bits 24-31  length of the match, or 0 if there is none
//
// A step is zero for everything else: long codes, lengths with many extra bits, lengths from 256 on, the end of
// the block, bits that are no code.
type step uint32

const (
	stepBits   = 11
	stepDrop   = 63
	stepLit    = 1 << 6 // one literal
	firstShift = 8
	nextShift  = 16
	lenShift   = 24
)

// stepBuilder is the working space for building the steps of a block.
//
// Level m, at levels[1<<m:2<<m], holds what m bits decide, for m less than stepBits: one symbol, a literal in
// the place of the second. It is level m-1 twice, plus the symbols that take m bits with their extra bits.
type stepBuilder struct {
	levels  [1 << stepBits]step
	matches []matchCode
}

// matchCode is the code of a length.
type matchCode struct {
	rev, bits uint // the code, first bit lowest, and its length
	extra     uint // number of extra bits
	least     uint // lowest length
}

// build builds c.steps for the last literal code of b.
func (s *stepBuilder) build(c *codes, b *codeBuilder) {
	s.matches = s.matches[:0]
	s.levels[1] = 0
	code, at := uint(0), 0
	for m := uint(1); m <= stepBits; m++ {
		level := c.steps[:]
		if m < stepBits {
			level = s.levels[1<<m : 2<<m]
		}
		below := s.levels[1<<(m-1) : 1<<m]
		copy(level, below)
		copy(level[len(below):], below)
		code <<= 1
		for range b.count[m] {
			s.symbol(level, uint(b.sorted[at]), reverse(code, m), m)
			code++
			at++
		}
		s.addMatches(level, m)
	}
	s.combine(c, b)
	c.fast = true
}

// symbol writes a literal with a code of m bits into level m and records a length for addMatches.
func (s *stepBuilder) symbol(level []step, sym, rev, m uint) {
	if sym < endOfBlock {
		level[rev] = step(m | stepLit | sym<<nextShift)
	} else if e := uint(litEntries[sym]); e&kindMatch != 0 {
		s.matches = append(s.matches, matchCode{rev, m, e & dropMask, e >> valueShift})
	}
}

// addMatches writes the lengths that take m bits into level m.
func (s *stepBuilder) addMatches(level []step, m uint) {
	for _, f := range s.matches {
		if f.bits+f.extra != m {
			continue
		}
		for x := range uint(1) << f.extra {
			if n := f.least + x; n < 256 {
				level[f.rev|x<<f.bits] = step(m | n<<lenShift)
			}
		}
	}
}

// combine joins each literal with the step of the bits after it.
func (s *stepBuilder) combine(c *codes, b *codeBuilder) {
	code, at := uint(0), 0
	for n := uint(1); n <= stepBits; n++ {
		rest := s.levels[1<<(stepBits-n) : 2<<(stepBits-n)]
		code <<= 1
		for range b.count[n] {
			if sym := uint(b.sorted[at]); sym < endOfBlock {
				first := step(n | stepLit | sym<<firstShift)
				i := reverse(code, n)
				for _, t := range rest {
					c.steps[i&(1<<stepBits-1)] = first + t
					i += 1 << n
				}
			}
			code++
			at++
		}
	}
}
