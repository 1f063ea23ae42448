package ping

import "math/bits"

// These functions serve other packages that walk a scanned document by its index.

// Bytes returns the scanned document.
func (d *Doc) Bytes() []byte { return d.b }

// Escapes reports whether the document has a backslash.
func (d *Doc) Escapes() bool { return d.flags&backslash != 0 }

// SkipValue returns the position after the value at p of a valid document.
func (d *Doc) SkipValue(p int) int { return d.skipValue(p) }

// ClosingQuote returns the position of the quote that closes the string whose opening quote is at p, in a valid
// document.
func (d *Doc) ClosingQuote(p int) int { return d.nextQuote(p + 1) }

// Histogram buckets are a large part of a ping. Validation marks the bytes that cannot occur in buckets, so a
// caller can test for plain buckets without reading their bytes.

// Counts returns the position after the object that opens at p if all its names are digits, all its values are
// integers without a sign, and it has no blanks. Otherwise, and always in the last 64 bytes of a document, it
// returns p. The document must have been read by ScanValid.
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

// Digits returns the position after the value at p if that is an integer without a sign and without blanks
// behind it. Otherwise it returns p, also for 64 digits or more and in the last 64 bytes of a document. The
// document must have been read by ScanValid.
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
