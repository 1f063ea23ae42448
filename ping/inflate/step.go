package inflate

// step says what the lowest stepBits bits of the input do: up to two literals, then perhaps a match whose length,
// extra bits included, is known from the same bits. In text such as JSON most matches are short and follow none,
// one or two literals, so a step mostly holds all of that. It saves lookups, each of which has to wait for the
// one before, and branches, of which "literal or match" is the one that no processor foresees.
//
//	bits  0-5   how many bits to drop, distance not included
//	bits  6-7   number of literals
//	bits  8-15  first literal
//	bits 16-23  second literal
//	bits 24-31  length of the match, or 0 if there is none
//
// It is zero where that does not do: long codes, lengths with many extra bits, lengths from 256 on, the end of the block,
// bits that are no code.
type step uint32

const (
	stepBits   = 11
	stepDrop   = 63
	stepLit    = 1 << 6 // one literal
	firstShift = 8
	nextShift  = 16
	lenShift   = 24
)

// stepBuilder is the working space for making the steps of a block.
//
// Level m, at levels[1<<m:2<<m], is what can be said from m bits, for m less than stepBits: one symbol, a literal
// in the place of the second. It is level m-1 twice, plus the symbols that take m bits with their extra bits.
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

// build makes c.steps for the literal code that b was last used for.
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

// symbol puts a literal with a code of m bits into level m and keeps a length for addMatches.
func (s *stepBuilder) symbol(level []step, sym, rev, m uint) {
	if sym < endOfBlock {
		level[rev] = step(m | stepLit | sym<<nextShift)
	} else if e := uint(litEntries[sym]); e&kindMatch != 0 {
		s.matches = append(s.matches, matchCode{rev, m, e & dropMask, e >> valueShift})
	}
}

// addMatches puts the lengths that take m bits into level m.
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

// combine joins each literal with what the bits after it say.
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
