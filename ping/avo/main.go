// Command avo writes the assembly of package ping:
//
//	go generate ./ping
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	index()
	classify()
	check()
	indexWide()
	classifyWide()
	Generate()
}

// fill returns a register with byte c in all places.
func fill(c byte) VecVirtual {
	v, x, g := YMM(), XMM(), GP32()
	MOVL(U32(c), g)
	VMOVD(g, x)
	VPBROADCASTB(x, v)
	return v
}

// pair is 64 bytes of the document.
type pair [2]VecVirtual

func load(p Register) pair {
	v := pair{YMM(), YMM()}
	VMOVDQU(Mem{Base: p}, v[0])
	VMOVDQU(Mem{Base: p, Disp: 32}, v[1])
	return v
}

// equal returns ones where v holds what c holds.
func (v pair) equal(c Op) pair {
	r := pair{YMM(), YMM()}
	VPCMPEQB(c, v[0], r[0])
	VPCMPEQB(c, v[1], r[1])
	return r
}

// same is equal, place by place.
func (v pair) same(w pair) pair {
	r := pair{YMM(), YMM()}
	VPCMPEQB(w[0], v[0], r[0])
	VPCMPEQB(w[1], v[1], r[1])
	return r
}

func (v pair) or(w pair) pair {
	r := pair{YMM(), YMM()}
	VPOR(w[0], v[0], r[0])
	VPOR(w[1], v[1], r[1])
	return r
}

func (v pair) orEach(c Op) pair {
	r := pair{YMM(), YMM()}
	VPOR(c, v[0], r[0])
	VPOR(c, v[1], r[1])
	return r
}

func (v pair) subtract(c Op) pair {
	r := pair{YMM(), YMM()}
	VPSUBB(c, v[0], r[0])
	VPSUBB(c, v[1], r[1])
	return r
}

// atMost returns ones where v is not above c, unsigned.
func (v pair) atMost(c Op) pair {
	r := pair{YMM(), YMM()}
	VPMINUB(c, v[0], r[0])
	VPMINUB(c, v[1], r[1])
	return v.same(r)
}

// look returns what table holds at the low four bits of v, 0 above 0x7f.
func (v pair) look(table Op) pair {
	r := pair{YMM(), YMM()}
	VPSHUFB(v[0], table, r[0])
	VPSHUFB(v[1], table, r[1])
	return r
}

// mask gathers the highest bits of the 64 bytes.
func (v pair) mask() GPVirtual {
	low, high := GP64(), GP64()
	VPMOVMSKB(v[0], low.As32())
	VPMOVMSKB(v[1], high.As32())
	SHLQ(U8(32), high)
	ORQ(high, low)
	return low
}

// State words, as in index.go.
const (
	stateEscaped = 8 * iota
	stateInside
	stateBackslash
	stateControl
	stateNonASCII
)

// carry loads what a loop over blocks has in registers of the state; keep stores it.
func carry(state Mem) (escaped, inside, seenSlash, seenControl GPVirtual, keep func()) {
	escaped, inside, seenSlash, seenControl = GP64(), GP64(), GP64(), GP64()
	MOVQ(state.Offset(stateEscaped), escaped)
	MOVQ(state.Offset(stateInside), inside)
	MOVQ(state.Offset(stateBackslash), seenSlash)
	MOVQ(state.Offset(stateControl), seenControl)
	return escaped, inside, seenSlash, seenControl, func() {
		MOVQ(escaped, state.Offset(stateEscaped))
		MOVQ(inside, state.Offset(stateInside))
		MOVQ(seenSlash, state.Offset(stateBackslash))
		MOVQ(seenControl, state.Offset(stateControl))
	}
}

func index() {
	TEXT("indexBlocks", NOSPLIT, "func(p *byte, n int, out *uint64, state *[5]uint64)")
	Doc("indexBlocks is addWords for n blocks at p, n at least 1, out and state being",
		"those of blocks and indexState.")
	Pragma("noescape")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	out := Load(Param("out"), GP64())
	state := Mem{Base: Load(Param("state"), GP64())}

	quote, slash := fill('"'), fill('\\')
	lower, open, end := fill(0x20), fill('{'), fill('}')
	comma, colon, control := fill(','), fill(':'), fill(0x1f)
	ones, high := XMM(), YMM()
	VPCMPEQB(ones, ones, ones)
	VPXOR(high, high, high)
	escaped, inside, seenSlash, seenControl, keep := carry(state)

	Label("index")
	v := load(p)
	VPOR(v[0], high, high)
	VPOR(v[1], high, high)
	quotes := v.equal(quote).mask()
	slashes := v.equal(slash).mask()
	Comment("without a backslash here or just before, no byte is escaped")
	any := GP64()
	MOVQ(slashes, any)
	ORQ(escaped, any)
	JZ(LabelRef("strings"))
	ORQ(slashes, seenSlash)
	escape(slashes, escaped, quotes)
	Label("strings")
	MOVQ(quotes, Mem{Base: out})
	outside := strings(quotes, inside, ones)

	Comment("control characters in strings")
	c := v.atMost(control).mask()
	in := GP64()
	MOVQ(outside, in)
	NOTQ(in)
	ANDQ(in, c)
	ORQ(c, seenControl)

	l := v.orEach(lower)
	m := l.equal(open).mask()
	ANDQ(outside, m)
	MOVQ(m, Mem{Base: out, Disp: 8})
	m = l.equal(end).mask()
	ANDQ(outside, m)
	MOVQ(m, Mem{Base: out, Disp: 16})
	m = v.equal(comma).or(v.equal(colon)).mask()
	ANDQ(outside, m)
	MOVQ(m, Mem{Base: out, Disp: 24})
	ADDQ(U8(64), p)
	ADDQ(U8(32), out)
	DECQ(n)
	JNZ(LabelRef("index"))

	keep()
	seenHigh := GP32()
	VPMOVMSKB(high, seenHigh)
	ORQ(seenHigh.As64(), state.Offset(stateNonASCII))
	VZEROUPPER()
	RET()
}

// escape clears the escaped bits of quotes; see escapes in index_words.go.
func escape(slashes, carry, quotes GPVirtual) {
	odd, begin, t := GP64(), GP64(), GP64()
	MOVQ(U64(0xAAAAAAAAAAAAAAAA), odd)
	MOVQ(carry, begin)
	NOTQ(begin)
	ANDQ(slashes, begin)
	LEAQ(Mem{Base: begin, Index: begin, Scale: 1}, t)
	ORQ(odd, t)
	SUBQ(begin, t)
	XORQ(odd, t)
	ORQ(slashes, carry)
	XORQ(t, carry)
	NOTQ(carry)
	ANDQ(carry, quotes)
	MOVQ(t, carry)
	ANDQ(slashes, carry)
	SHRQ(U8(63), carry)
}

// strings returns ones for the bytes outside of strings, an opening quote being
// inside and a closing one outside. Multiplying by ones without carry makes the
// running parity of the quotes.
func strings(quotes, inside GPVirtual, ones VecVirtual) GPVirtual {
	x, r := XMM(), GP64()
	VMOVQ(quotes, x)
	VPCLMULQDQ(U8(0), ones, x, x)
	VMOVQ(x, r)
	XORQ(inside, r)
	MOVQ(r, inside)
	SARQ(U8(63), inside)
	NOTQ(r)
	return r
}

func classify() {
	TEXT("classifyBlocks", NOSPLIT, "func(p *byte, n int, out *uint64)")
	Doc("classifyBlocks is planes.classes for n blocks at p, n at least 1, out being",
		"that of classes.")
	Pragma("noescape")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	out := Load(Param("out"), GP64())

	comma, zero, nine, nought := fill(','), fill('0'), fill(9), YMM()
	VPXOR(nought, nought, nought)
	blank := GLOBL("blank", RODATA|NOPTR)
	for i := range 2 {
		DATA(16*i, U64(' '))
		DATA(16*i+8, U64('\t'<<8|'\n'<<16|'\r'<<40))
	}
	blanks := YMM()
	VMOVDQU(blank, blanks)

	Label("classify")
	v := load(p)
	MOVQ(v.look(blanks).same(v).mask(), Mem{Base: out})
	MOVQ(v.equal(comma).mask(), Mem{Base: out, Disp: 8})
	d := v.subtract(zero)
	MOVQ(d.atMost(nine).mask(), Mem{Base: out, Disp: 16})
	MOVQ(d.equal(nought).mask(), Mem{Base: out, Disp: 24})
	ADDQ(U8(64), p)
	ADDQ(U8(32), out)
	DECQ(n)
	JNZ(LabelRef("classify"))
	VZEROUPPER()
	RET()
}
