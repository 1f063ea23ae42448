// Command avo writes the assembly of package inflate:
//
//	go generate ./ping/inflate
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The fields of lane.
const (
	fieldIn = 8 * iota
	fieldOut
	fieldBuf
	fieldBits
	fieldCodes
	fieldInEnd
	fieldOutEnd
	fieldFirst
	fieldInLeft
	fieldOutLeft
	fieldStatus
)

// As in the package: sizes of tables, where they are in codes, kinds of entries, parts of entries and steps, statuses.
const (
	litBits, litSize     = 9, 1024
	distBits, distSize   = 8, 512
	stepBits             = 11
	litAt                = 0
	distAt               = litAt + 4*litSize
	stepsAt              = distAt + 4*distSize
	kindSub              = 1 << 12
	kindEnd              = 1 << 13
	kindLit              = 1 << 14
	kindMatch            = 1 << 15
	codeShift            = 8
	valueShift           = 16
	firstShift, lenShift = 8, 24
	piece                = 32 // bytes of a match that are copied at once; of a match of up to two pieces both
	done, bad, badFar    = 2, 8, 9

	// rounds bounds one call, which the scheduler cannot interrupt: 2 MB of a stream at most, 0.04 ms for pings.
	rounds = 1 << 13
)

// stream is one of the two, with its place in registers.
type stream struct {
	name                  string
	ip, op, buf, n, codes GPPhysical // codes has its codes
	first                 Mem
}

// atNone is the distance of no match. What is copied then is not used. It is not what was just written: loads would wait for that.
const atNone = -64

// Of all streams: s is a step, then the length of a match, e the entry of a symbol, then a distance, a and f anything.
var (
	s, a, e, f = R10, R11, R12, R13
	// In memory: the number 7, an entry for the distance of no match, the rounds to the next plan.
	seven, none, count Mem
)

func main() {
	ConstraintExpr("amd64,!purego")
	TEXT("pairLoop", NOSPLIT, "func(a, b *uint64)")
	Doc("pairLoop is fastLoop for two streams by turns, a round of one and a round of the other, so that one works while",
		"the other waits. It returns when one of them stops or comes near an end, or after some rounds, at least one.")
	Pragma("noescape")
	locals := AllocLocal(48)
	seven, none, count = locals, locals.Offset(8), locals.Offset(16)
	left := locals.Offset(40)
	streams := []*stream{
		{"a", RAX, RBX, RCX, RDX, RSI, locals.Offset(24)},
		{"b", RDI, R8, R9, R14, R15, locals.Offset(32)},
	}
	MOVQ(U32(7), seven)
	MOVQ(I32(atNone<<valueShift|kindMatch), none)
	MOVQ(U32(rounds), left)
	for _, x := range streams {
		x.load()
	}
	plan(streams, left)
	Label("round")
	for _, x := range streams {
		x.round()
	}
	DECQ(count)
	JNE(LabelRef("round"))
	JMP(LabelRef("plan"))
	for _, x := range streams {
		x.rare()
	}
	Label("store")
	for _, x := range streams {
		x.store()
	}
	VZEROUPPER()
	RET()
	Generate()
}

// lane spoils s.
func (x *stream) lane() Mem {
	return Mem{Base: Load(Param(x.name), s)}
}

func (x *stream) label(l string) string { return l + "_" + x.name }

// load takes the state from the lane and fills the bit buffer, as fastLoop does before its first round.
func (x *stream) load() {
	l := x.lane()
	MOVQ(l.Offset(fieldFirst), a)
	MOVQ(a, x.first)
	MOVQ(l.Offset(fieldIn), x.ip)
	MOVQ(l.Offset(fieldOut), x.op)
	MOVQ(l.Offset(fieldBuf), x.buf)
	MOVQ(l.Offset(fieldBits), x.n)
	MOVQ(l.Offset(fieldCodes), x.codes)
	x.refill()
}

// store puts the state into the lane: no pointers, for which the garbage collector would have to know.
func (x *stream) store() {
	l := x.lane()
	MOVQ(l.Offset(fieldInEnd), a)
	SUBQ(x.ip, a)
	MOVQ(a, l.Offset(fieldInLeft))
	MOVQ(l.Offset(fieldOutEnd), a)
	SUBQ(x.op, a)
	MOVQ(a, l.Offset(fieldOutLeft))
	MOVQ(x.buf, l.Offset(fieldBuf))
	MOVQ(x.n, l.Offset(fieldBits))
}

// plan counts how many rounds may begin: a round takes 15 bytes of input at most and makes 260 of output.
func plan(streams []*stream, left Mem) {
	Label("plan")
	MOVQ(left, e)
	for _, x := range streams {
		l := x.lane()
		MOVQ(l.Offset(fieldInEnd), a)
		SUBQ(x.ip, a)
		JLT(LabelRef("store"))
		SHRQ(U8(4), a)
		INCQ(a)
		CMPQ(a, e)
		CMOVQCS(a, e)
		MOVQ(l.Offset(fieldOutEnd), a)
		SUBQ(x.op, a)
		JLT(LabelRef("store"))
		IMUL3Q(U8(63), a, a)
		SHRQ(U8(14), a)
		INCQ(a)
		CMPQ(a, e)
		CMOVQCS(a, e)
	}
	MOVQ(e, count)
	SUBQ(e, left)
	TESTQ(e, e)
	JEQ(LabelRef("store"))
}

// refill is fastLoop's: buf has 56 bits or more then. Of n only the lowest six bits count.
func (x *stream) refill() {
	MOVQ(Mem{Base: x.ip}, a)
	SHLXQ(x.n, a, a)
	ORQ(a, x.buf)
	RORXQ(U8(3), x.n, f)
	ANDNQ(seven, f, f)
	ADDQ(f, x.ip)
	ORQ(U8(56), x.n)
}

// drop uses as many bits as the lowest six bits of by say.
func (x *stream) drop(by GPPhysical) {
	SHRXQ(by, x.buf, x.buf)
	SUBQ(by, x.n)
}

// entry loads an entry of a table by a number of bits.
func (x *stream) entry(at int, index, to GPPhysical) {
	MOVLQSX(Mem{Base: x.codes, Index: index, Scale: 4, Disp: at}, to)
}

// lookup loads the entry for the lowest bits of buf.
func (x *stream) lookup(at, bits int, to GPPhysical) {
	if bits == 8 {
		MOVBLZX(x.buf.As8(), a.As32())
	} else {
		MOVL(x.buf.As32(), a.As32())
		ANDL(U32(1<<bits-1), a.As32())
	}
	x.entry(at, a, to)
}

// round is a round of fastLoop, in which all steps have a match: one of no length where there is none, since no
// processor foresees where.
func (x *stream) round() {
	x.lookup(stepsAt, stepBits, s)
	x.refill()
	TESTL(s.As32(), s.As32())
	JEQ(LabelRef(x.label("long")))
	RORXL(U8(firstShift), s.As32(), a.As32())
	MOVW(a.As16(), Mem{Base: x.op})
	RORXL(U8(6), s.As32(), a.As32())
	ANDL(U8(3), a.As32())
	ADDQ(a, x.op)
	x.drop(s)
	x.lookup(distAt, distBits, e)
	SHRL(U8(lenShift), s.As32())
	CMOVQEQ(none, e)
	Label(x.label("distance"))
	TESTL(U32(kindMatch), e.As32())
	JEQ(LabelRef(x.label("sub")))
	Label(x.label("match"))
	x.extra()
	x.drop(e)
	SARQ(U8(valueShift), e)
	ADDQ(a, e)
	MOVQ(x.op, f)
	SUBQ(e, f)
	CMPQ(f, x.first)
	JCS(LabelRef(x.label("far")))
	CMPQ(e, s)
	JCS(LabelRef(x.label("overlap")))
	CMPQ(s, U8(2*piece))
	JHI(LabelRef(x.label("pieces")))
	VMOVDQU(Mem{Base: f}, Y0)
	VMOVDQU(Mem{Base: f, Disp: piece}, Y1)
	VMOVDQU(Y0, Mem{Base: x.op})
	VMOVDQU(Y1, Mem{Base: x.op, Disp: piece})
	ADDQ(s, x.op)
	Label(x.label("next"))
}

// extra puts the extra bits of e into a.
func (x *stream) extra() {
	BZHIQ(e, x.buf, a)
	RORXL(U8(codeShift), e.As32(), f.As32())
	SHRXQ(f, a, a)
}
