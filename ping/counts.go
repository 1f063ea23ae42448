package ping

import "math/bits"

// What others who walk a scanned document by its index need.

// Bytes are those that were scanned.
func (d *Doc) Bytes() []byte { return d.b }

// Escapes says whether the document has a backslash.
func (d *Doc) Escapes() bool { return d.flags&backslash != 0 }

// SkipValue returns the position after the value at p of a valid document.
func (d *Doc) SkipValue(p int) int { return d.skipValue(p) }

// ClosingQuote returns the position of the quote that closes the string whose
// opening quote is at p, in a valid document.
func (d *Doc) ClosingQuote(p int) int { return d.nextQuote(p + 1) }

// The buckets of histograms are a large part of a ping. Validation marks which bytes they do not have, so that those who ask
// whether a value is made of nothing else need not read it.

// Counts returns the position after the object that opens at p if all its names are digits and all its values integers without
// a sign, written without blanks; else p. The document must have come from ScanValid.
func (d *Doc) Counts(p int) int {
	w := p >> 6
	for within := ^uint64(1) << (uint(p) & 63); w < len(d.rare); within = ^uint64(0) {
		rare := d.rare[w] & within
		if end := d.blocks[w].close & within; end != 0 {
			if rare&(end&-end-1) != 0 {
				return p
			}
			return w<<6 + bits.TrailingZeros64(end) + 1
		}
		if rare != 0 {
			return p
		}
		w++
	}
	return p
}

// Digits returns the position after the value at p if it is an integer without a sign and without blanks behind; else p. The
// document must have come from ScanValid.
func (d *Doc) Digits(p int) int {
	if d.b[p]-'0' > 9 {
		return p
	}
	w := p >> 6
	for within := ^uint64(0) << (uint(p) & 63); w < len(d.rare); within = ^uint64(0) {
		rare := d.rare[w] & within
		if end := (d.blocks[w].sep | d.blocks[w].close) & within; end != 0 {
			if rare&(end&-end-1) != 0 {
				return p
			}
			return w<<6 + bits.TrailingZeros64(end)
		}
		if rare != 0 {
			return p
		}
		w++
	}
	return p
}
