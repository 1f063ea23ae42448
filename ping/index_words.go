package ping

import "encoding/binary"

// addWords works like addBlocks, in plain Go. It turns the 64 bytes of a block into eight bit planes and finds
// the characters by logic on them. The cost does not depend on the number of character classes or on the
// content.
func (s *indexState) addWords(b []byte, blocks []block, class []classes) {
	escaped, inside := s[stateEscaped], s[stateInside]
	var seenBackslash, seenControl, seenNonASCII uint64
	for i := range blocks {
		p := planesOf((*[64]byte)(b[i*64:]))
		seenNonASCII |= p[7]

		// Bytes by their high four bits: 2x, 3x, and 5x or 7x.
		h2 := p[5] &^ (p[7] | p[6] | p[4])
		h3 := p[5] & p[4] &^ (p[7] | p[6])
		h57 := p[6] & p[4] &^ p[7]
		// And by their low four bits.
		lc := p[3] & p[2] &^ (p[1] | p[0])
		quote := h2 & p[1] &^ (p[3] | p[2] | p[0])
		open := h57 & p[3] & p[1] & p[0] &^ p[2]
		end := h57 & p[3] & p[2] & p[0] &^ p[1]
		sep := h2&lc | h3&p[3]&p[1]&^(p[2]|p[0])
		slash := h57 & lc &^ p[5]

		seenBackslash |= slash
		if slash|escaped != 0 {
			var e uint64
			e, escaped = escapes(slash, escaped)
			quote &^= e
		}
		in := prefixXor(quote) ^ inside
		inside = uint64(int64(in) >> 63)
		seenControl |= in &^ (p[7] | p[6] | p[5])
		blocks[i] = block{quote, open &^ in, end &^ in, sep &^ in}
		if class != nil {
			class[i] = p.classes()
		}
	}
	s[stateEscaped], s[stateInside] = escaped, inside
	s[stateBackslash] |= seenBackslash
	s[stateControl] |= seenControl
	s[stateNonASCII] |= seenNonASCII
}

// escapes returns which bytes of a block are escaped, and 1 if the first byte of the next block is; carry is
// that bit from the previous block. In a run of backslashes every second byte is escaped. Subtracting the run's
// bits from those of all odd places finds these bytes for all runs at once.
func escapes(slash, carry uint64) (escaped, next uint64) {
	const odd = 0xAAAAAAAAAAAAAAAA
	begin := slash &^ carry
	t := ((begin<<1 | odd) - begin) ^ odd
	return t ^ (slash | carry), (t & slash) >> 63
}

// prefixXor sets bit i to the parity of bits 0 to i.
func prefixXor(m uint64) uint64 {
	m ^= m << 1
	m ^= m << 2
	m ^= m << 4
	m ^= m << 8
	m ^= m << 16
	return m ^ m<<32
}

// planes holds 64 bytes by bits: bit i of planes[k] is bit k of byte i.
type planes [8]uint64

func planesOf(b *[64]byte) planes {
	// Eight words, each with every eighth byte: a transposed matrix of bytes. The loads do its first step.
	w0, w4 := halves(b, 0)
	w1, w5 := halves(b, 8)
	w2, w6 := halves(b, 16)
	w3, w7 := halves(b, 24)
	const m16, m8 = 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF
	w0, w2 = exchange(w0, w2, 16, m16)
	w1, w3 = exchange(w1, w3, 16, m16)
	w4, w6 = exchange(w4, w6, 16, m16)
	w5, w7 = exchange(w5, w7, 16, m16)
	w0, w1 = exchange(w0, w1, 8, m8)
	w2, w3 = exchange(w2, w3, 8, m8)
	w4, w5 = exchange(w4, w5, 8, m8)
	w6, w7 = exchange(w6, w7, 8, m8)
	// Then eight matrices of bits at once, one in each byte of the words.
	const m4, m2, m1 = 0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555
	w0, w4 = exchange(w0, w4, 4, m4)
	w1, w5 = exchange(w1, w5, 4, m4)
	w2, w6 = exchange(w2, w6, 4, m4)
	w3, w7 = exchange(w3, w7, 4, m4)
	w0, w2 = exchange(w0, w2, 2, m2)
	w1, w3 = exchange(w1, w3, 2, m2)
	w4, w6 = exchange(w4, w6, 2, m2)
	w5, w7 = exchange(w5, w7, 2, m2)
	w0, w1 = exchange(w0, w1, 1, m1)
	w2, w3 = exchange(w2, w3, 1, m1)
	w4, w5 = exchange(w4, w5, 1, m1)
	w6, w7 = exchange(w6, w7, 1, m1)
	return planes{w0, w1, w2, w3, w4, w5, w6, w7}
}

// halves returns the low and the high halves of the words at i and i+32.
func halves(b *[64]byte, i int) (low, high uint64) {
	x, y := binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+32:])
	return x&0xFFFFFFFF | y<<32, x>>32 | y&0xFFFFFFFF00000000
}

// exchange exchanges the bits of a at mask<<shift with those of b at mask.
func exchange(a, b uint64, shift uint, mask uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}
