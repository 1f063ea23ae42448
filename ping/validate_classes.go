package ping

// classes describes 64 bytes of a document as bitmaps. Unlike block it includes the bytes in strings. Only
// validation needs it.
type classes struct {
	white uint64 // blank, tab, line feed, carriage return; all bytes past the end
	comma uint64
	digit uint64
	zero  uint64 // '0'
}

func (p *planes) classes() classes {
	h0 := ^(p[7] | p[6] | p[5] | p[4]) // bytes by their high four bits
	h2 := p[5] &^ (p[7] | p[6] | p[4])
	h3 := p[5] & p[4] &^ (p[7] | p[6])
	l0 := ^(p[3] | p[2] | p[1] | p[0]) // and by their low four bits
	lc := p[3] & p[2] &^ (p[1] | p[0])
	ld := p[3] & p[2] & p[0] &^ p[1]
	l9a := p[3] & (p[1] ^ p[0]) &^ p[2]
	return classes{
		white: h2&l0 | h0&(l9a|ld),
		comma: h2 & lc,
		digit: h3 &^ (p[3] & (p[2] | p[1])),
		zero:  h3 & l0,
	}
}
