package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// What VPCMPUB compares for.
const (
	below  = 1
	atMost = 2
)

// filled returns a register with byte c in all places.
func filled(c byte) VecVirtual {
	v, g := ZMM(), GP32()
	MOVL(U32(c), g)
	VPBROADCASTB(g, v)
	return v
}

// wideEqual returns ones where v holds what c holds.
func wideEqual(v, c Op) OpmaskVirtual {
	k := K()
	VPCMPEQB(c, v, k)
	return k
}

// unsigned compares v with c.
func unsigned(v Op, is int, c Op) OpmaskVirtual {
	k := K()
	VPCMPUB(U8(uint8(is)), c, v, k)
	return k
}

func gather(k OpmaskVirtual) GPVirtual {
	r := GP64()
	KMOVQ(k, r)
	return r
}

func indexWide() {
	TEXT("indexWide", NOSPLIT, "func(p *byte, n int, out *uint64, state *[5]uint64)")
	Doc("indexWide is indexBlocks with AVX-512.")
	Pragma("noescape")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	out := Load(Param("out"), GP64())
	state := Mem{Base: Load(Param("state"), GP64())}

	quote, slash := filled('"'), filled('\\')
	lower, open, end := filled(0x20), filled('{'), filled('}')
	comma, colon := filled(','), filled(':')
	ones, high := XMM(), ZMM()
	VPCMPEQB(ones, ones, ones)
	VPXORQ(high, high, high)
	escaped, inside, seenSlash, seenControl, keep := carry(state)

	Label("index")
	v := ZMM()
	VMOVDQU64(Mem{Base: p}, v)
	VPORQ(v, high, high)
	quotes, slashes := gather(wideEqual(v, quote)), gather(wideEqual(v, slash))
	Comment("without a backslash here or just before, no byte is escaped")
	any := copyOf(slashes)
	ORQ(escaped, any)
	JZ(LabelRef("strings"))
	ORQ(slashes, seenSlash)
	escape(slashes, escaped, quotes)
	Label("strings")
	MOVQ(quotes, Mem{Base: out})
	outside := strings(quotes, inside, ones)

	Comment("control characters in strings")
	c := gather(unsigned(v, below, lower))
	ANDNQ(c, outside, c)
	ORQ(c, seenControl)

	l := ZMM()
	VPORQ(v, lower, l)
	sep := K()
	KORQ(wideEqual(v, comma), wideEqual(v, colon), sep)
	for i, k := range []OpmaskVirtual{wideEqual(l, open), wideEqual(l, end), sep} {
		m := gather(k)
		ANDQ(outside, m)
		MOVQ(m, Mem{Base: out, Disp: 8 * (i + 1)})
	}
	ADDQ(U8(64), p)
	ADDQ(U8(32), out)
	DECQ(n)
	JNZ(LabelRef("index"))

	keep()
	k := K()
	VPMOVB2M(high, k)
	ORQ(gather(k), state.Offset(stateNonASCII))
	VZEROUPPER()
	RET()
}

func classifyWide() {
	TEXT("classifyWide", NOSPLIT, "func(p *byte, n int, out *uint64)")
	Doc("classifyWide is classifyBlocks with AVX-512.")
	Pragma("noescape")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	out := Load(Param("out"), GP64())

	comma, zero, nine := filled(','), filled('0'), filled(9)
	blanks := ZMM()
	VBROADCASTI32X4(NewDataAddr(Symbol{Name: "blank", Static: true}, 0), blanks)

	Label("classify")
	v, d, w := ZMM(), ZMM(), ZMM()
	VMOVDQU64(Mem{Base: p}, v)
	VPSHUFB(v, blanks, w)
	VPSUBB(zero, v, d)
	nought := K()
	VPTESTNMB(d, d, nought)
	for i, k := range []OpmaskVirtual{wideEqual(v, w), wideEqual(v, comma), unsigned(d, atMost, nine), nought} {
		KMOVQ(k, Mem{Base: out, Disp: 8 * i})
	}
	ADDQ(U8(64), p)
	ADDQ(U8(32), out)
	DECQ(n)
	JNZ(LabelRef("classify"))
	VZEROUPPER()
	RET()
}
