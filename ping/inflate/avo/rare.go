package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rare generates the steps that round leaves out.
func (x *stream) rare() {
	stop := func(label string, status uint32) {
		Label(x.label(label))
		MOVQ(U32(status), x.lane().Offset(fieldStatus))
		JMP(LabelRef("store"))
	}
	next := LabelRef(x.label("next"))

	Comment("a match that repeats what it writes: twice as much each time, until a piece is far enough away")
	Label(x.label("overlap"))
	MOVQ(x.op, a)
	ADDQ(s, x.op)
	CMPQ(e, U8(piece))
	JCC(LabelRef(x.label("copy")))
	Label(x.label("double"))
	VMOVDQU(Mem{Base: f}, Y0)
	VMOVDQU(Y0, Mem{Base: a})
	ADDQ(e, a)
	ADDQ(e, e)
	CMPQ(e, U8(piece))
	JCS(LabelRef(x.label("double")))
	CMPQ(a, x.op)
	JCS(LabelRef(x.label("copy")))
	JMP(next)
	Label(x.label("pieces"))
	MOVQ(x.op, a)
	ADDQ(s, x.op)
	Label(x.label("copy"))
	VMOVDQU(Mem{Base: f}, Y0)
	VMOVDQU(Y0, Mem{Base: a})
	ADDQ(U8(piece), f)
	ADDQ(U8(piece), a)
	CMPQ(a, x.op)
	JCS(LabelRef(x.label("copy")))
	JMP(next)

	Comment("a symbol that is in no step")
	Label(x.label("long"))
	x.lookup(litAt, litBits, e)
	TESTL(U32(kindSub), e.As32())
	JEQ(LabelRef(x.label("symbol")))
	x.subtable(litAt, litBits, litSize)
	Label(x.label("symbol"))
	x.extra()
	x.drop(e)
	MOVL(e.As32(), s.As32())
	SHRL(U8(valueShift), s.As32())
	TESTL(U32(kindMatch), e.As32())
	JNE(LabelRef(x.label("length")))
	TESTL(U32(kindLit), e.As32())
	JEQ(LabelRef(x.label("other")))
	MOVB(s.As8(), Mem{Base: x.op})
	INCQ(x.op)
	JMP(next)
	Label(x.label("length"))
	ADDQ(a, s)
	x.refill()
	x.lookup(distAt, distBits, e)
	JMP(LabelRef(x.label("distance")))

	Comment("an entry that is no distance")
	Label(x.label("sub"))
	TESTL(U32(kindSub), e.As32())
	JEQ(LabelRef(x.label("bad")))
	x.subtable(distAt, distBits, distSize)
	TESTL(U32(kindMatch), e.As32())
	JNE(LabelRef(x.label("match")))
	JMP(LabelRef(x.label("bad")))

	Label(x.label("other"))
	TESTL(U32(kindEnd), e.As32())
	JEQ(LabelRef(x.label("bad")))
	stop("end", done)
	stop("bad", bad)
	stop("far", badFar)
}

// subtable follows e, which is one.
func (x *stream) subtable(at, bits, size int) {
	SHRQ(U8(bits), x.buf)
	SUBQ(U8(bits), x.n)
	BZHIQ(e, x.buf, a)
	SHRL(U8(valueShift), e.As32())
	ADDQ(e, a)
	ANDL(U32(size-1), a.As32())
	x.entry(at, a, e)
}
