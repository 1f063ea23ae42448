//go:build amd64 && !purego

package inflate

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./avo -pkg inflate -out pair_amd64.s -stubs pair_stubs_amd64.go

// usePairs reports whether the processor can run the assembly. Tests clear it.
var usePairs = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// lane holds the input and the result of pairLoop for one stream.
type lane struct {
	in, out         unsafe.Pointer // the next byte of input and of output
	buf             uint64
	bits            uint
	codes           *codes
	inEnd, outEnd   unsafe.Pointer // no round may begin beyond these
	first           unsafe.Pointer // the first byte that a match may refer to
	inLeft, outLeft int            // distance to the ends
	status          status
}

// pairStep continues two streams whose resume stopped with status inStep.
func pairStep(a, b *Decoder) {
	x, y := a.lane(), b.lane()
	pairLoop((*uint64)(unsafe.Pointer(&x)), (*uint64)(unsafe.Pointer(&y)))
	a.leave(&x)
	b.leave(&y)
}

func (d *Decoder) lane() lane {
	o := &d.out
	return lane{
		in: unsafe.Pointer(&d.src[d.pos]), inEnd: unsafe.Pointer(&d.src[len(d.src)-pairIn+8]),
		out: unsafe.Pointer(&o.dst[o.op]), outEnd: unsafe.Pointer(&o.dst[len(o.dst)-slack]),
		first: unsafe.Pointer(&o.dst[o.base]), buf: d.buf, bits: d.nbuf, codes: d.codes,
	}
}

// leave copies the result of pairLoop into the decoder.
func (d *Decoder) leave(l *lane) {
	d.pos = len(d.src) - pairIn + 8 - l.inLeft
	d.out.op = len(d.out.dst) - slack - l.outLeft
	d.buf, d.nbuf = l.buf, l.bits&63
	d.giveBack()
	if l.status == done {
		d.blockDone()
	} else {
		d.bad = l.status
	}
}
