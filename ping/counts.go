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
// a sign, written without blanks; else p, as in the last 64 bytes of a document. The document must have come from ScanValid.
func (d *Doc) Counts(p int) int {
	s := uint(p+1) & 63
	for q := p + 1; q>>6+1 < len(d.rare); q += 64 {
		w := q >> 6
		end := window(d.blocks[w].close, d.blocks[w+1].close, s)
		rare := window(d.rare[w], d.rare[w+1], s)
		if rare&(end-1)&^end != 0 {
			return p
		}
		if end != 0 {
			return q + bits.TrailingZeros64(end) + 1
		}
	}
	return p
}

// Digits returns the position after the value at p if it is an integer without a sign and without blanks behind; else p, as for
// one of 64 digits or more and in the last 64 bytes of a document. The document must have come from ScanValid.
func (d *Doc) Digits(p int) int {
	if d.b[p]-'0' > 9 {
		return p
	}
	if w, s := p>>6, uint(p)&63; w+1 < len(d.rare) {
		x, y := &d.blocks[w], &d.blocks[w+1]
		end := window(x.sep|x.close, y.sep|y.close, s)
		rare := window(d.rare[w], d.rare[w+1], s)
		if end != 0 && rare&(end-1)&^end == 0 {
			return p + bits.TrailingZeros64(end)
		}
	}
	return p
}
