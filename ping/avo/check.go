package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// checkState are the words of checker from inside on.
var checkState Mem

const (
	checkInside = 8 * iota
	checkInKey
	checkInScalar
	checkAfterZero
	checkAfterOpen
	checkAfterValue
	checkAfterKey
	checkWantKey
	checkOpened
	checkKinds
	checkEnds
)

// maxEnds is the number of closing brackets for which ends has room.
const maxEnds = 256

func check() {
	TEXT("proveBlocks", NOSPLIT, "func(p *byte, n int, blocks, class, rare, other, state *uint64, ends *uint32) int")
	Doc("proveBlocks is checker.block for up to n blocks, n at least 1, of which the first begins at p. state is",
		"that of checker from inside on, with the bit 1<<depth set in kinds. It returns how many blocks it proved:",
		"it stops, with the state before it, at a block with white space outside of strings, with bytes outside of",
		"all brackets, or with more than 63 levels. It is -1 when a block is bad. The bytes of numbers and names",
		"that are no digits, which it does not prove, are in other. Of the block where it stops, ends can have some.")
	Pragma("noescape")
	p, block, class := Load(Param("p"), GP64()), Load(Param("blocks"), GP64()), Load(Param("class"), GP64())
	checkState = Mem{Base: Load(Param("state"), GP64())}
	at := GP64() // four for each block
	XORQ(at, at)
	ones := XMM()
	VPCMPEQB(ones, ones, ones)
	word := func(reg Register, i int) Mem { return Mem{Base: reg, Index: at, Scale: 8, Disp: 8 * i} }
	quote, open, end, sep := word(block, 0), word(block, 1), word(block, 2), word(block, 3)
	white, comma, digit, zero := word(class, 0), word(class, 1), word(class, 2), word(class, 3)

	Label("check")
	parity := XMM()
	VMOVQ(quote, parity)
	VPCLMULQDQ(U8(0), ones, parity, parity)
	in := fromVector(parity)
	XORQ(checkState.Offset(checkInside), in)
	Comment("white space outside of strings is for others")
	ANDNQ(white, in, GP64())
	JNZ(LabelRef("stop"))
	object := brackets(p, at, open, end)

	Comment("the rest is as in checker.block, without white space")
	VMOVQ(parity, in)
	XORQ(checkState.Offset(checkInside), in)
	t := copyOf(comma)
	ANDQ(sep, t)
	ORQ(open, t)
	ANDQ(t, object)
	wantKey := follow(object, checkWantKey)
	openQuote, closeQuote := copyOf(quote), GP64()
	ANDNQ(openQuote, in, closeQuote)
	ANDQ(in, openQuote)
	key, keyEnd := copyOf(openQuote), GP64()
	ANDQ(wantKey, key)
	MOVQ(key, keyEnd)
	carry := copyOf(checkState.Offset(checkInKey))
	NEGQ(carry)
	ADCQ(in, keyEnd)
	SBBQ(carry, carry)
	NEGQ(carry)
	MOVQ(carry, checkState.Offset(checkInKey))
	ANDNQ(keyEnd, in, keyEnd)

	Comment("what Counts does not take")
	rare := follow(copyOf(openQuote), checkOpened)
	ANDNQ(closeQuote, rare, rare)
	ORQ(key, rare)
	ORQ(digit, rare)
	ORQ(sep, rare)
	ORQ(end, rare)
	NOTQ(rare)
	save(rare, "rare", at)

	ANDNQ(closeQuote, keyEnd, closeQuote)
	ORQ(end, closeQuote)
	afterKey := follow(keyEnd, checkAfterKey)
	afterValue := follow(closeQuote, checkAfterValue)

	scalar := copyOf(in)
	ORQ(quote, scalar)
	ORQ(open, scalar)
	ORQ(end, scalar)
	ORQ(sep, scalar)
	NOTQ(scalar)
	SARQ(U8(63), in)
	MOVQ(in, checkState.Offset(checkInside))
	before := follow(copyOf(scalar), checkInScalar)
	begin := GP64()
	ANDNQ(scalar, before, begin)
	ANDNQ(before, scalar, before)
	ORQ(before, afterValue)

	digits := copyOf(digit)
	other := GP64()
	ANDNQ(scalar, digits, other)
	save(other, "other", at)
	ANDQ(scalar, digits)
	first := copyOf(zero)
	ANDQ(begin, first)
	bad := follow(first, checkAfterZero)
	ANDQ(digits, bad)

	ORQ(open, begin)
	taken := copyOf(afterValue)
	ORQ(afterKey, taken)
	ANDQ(taken, openQuote)
	ORQ(openQuote, bad)
	ORQ(wantKey, taken)
	ANDQ(begin, taken)
	ORQ(taken, bad)

	afterOpen := follow(copyOf(open), checkAfterOpen)
	ORQ(afterValue, afterOpen)
	ANDNQ(end, afterOpen, afterOpen)
	ORQ(afterOpen, bad)
	commas := copyOf(comma)
	colons := GP64()
	ANDNQ(sep, commas, colons)
	ANDNQ(colons, afterKey, colons)
	ORQ(colons, bad)
	ANDQ(sep, commas)
	ANDNQ(commas, afterValue, commas)
	ORQ(commas, bad)
	JNZ(LabelRef("bad"))

	ADDQ(U8(64), p)
	ADDQ(U8(4), at)
	DECQ(argument("n"))
	JNZ(LabelRef("check"))
	Label("stop")
	SHRQ(U8(2), at)
	Store(at, ReturnIndex(0))
	RET()
	Label("bad")
	none := GP64()
	MOVQ(I32(-1), none)
	Store(none, ReturnIndex(0))
	RET()
}

// brackets is checker.brackets for up to 63 levels. The kinds of the levels have a one on top.
func brackets(p, at Register, open, end Mem) (object GPVirtual) {
	kinds := checkState.Offset(checkKinds)
	opens := copyOf(open)
	left, most, i := copyOf(opens), GP64(), GP64()
	POPCNTQ(opens, most)
	LZCNTQ(kinds, i)
	CMPQ(i, most)
	JLT(LabelRef("stop"))
	object = copyOf(kinds)
	ANDQ(U8(1), object)
	NEGQ(object)
	now, wrong := copyOf(kinds), GP64()
	XORQ(wrong, wrong)
	ORQ(end, left)
	JZ(LabelRef("bracketed"))
	Label("bracket")
	TZCNTQ(left, i)
	kind, next, outer, opening := GP64(), GP64(), GP64(), GP64()
	MOVBLZX(Mem{Base: p, Index: i, Scale: 1}, kind.As32())
	SHRL(U8(5), kind.As32())
	Comment("3 for braces, 2 for square brackets")
	LEAQ(Mem{Base: kind, Index: now, Scale: 2, Disp: -2}, next)
	MOVQ(now, outer)
	SHRQ(U8(1), outer)
	BTQ(i, opens)
	CMOVQCC(outer, next)
	SBBQ(opening, opening)
	XORQ(now, kind)
	ANDNQ(kind, opening, opening)
	ORQ(opening, wrong)
	CMPQ(next, U8(7))
	JLS(LabelRef("low"))
	Label("high")
	XORQ(next, now)
	ANDQ(U8(1), now)
	NEGQ(now)
	SHLXQ(i, now, now)
	XORQ(now, object)
	MOVQ(next, now)
	BLSRQ(left, left)
	JNZ(LabelRef("bracket"))
	TESTQ(U32(1), wrong)
	JNZ(LabelRef("bad"))
	MOVQ(now, kinds)
	JMP(LabelRef("bracketed"))

	Comment("one or two levels are open: ends has the closing brackets")
	Label("low")
	CMPQ(next, U8(1))
	JLS(LabelRef("stop"))
	BTQ(i, opens)
	JCS(LabelRef("high"))
	found := copyOf(checkState.Offset(checkEnds))
	CMPQ(found, U32(maxEnds))
	JGE(LabelRef("high"))
	list := copyOf(argument("ends"))
	LEAQ(Mem{Base: list, Index: found, Scale: 4}, list)
	MOVQ(at, found)
	SHLQ(U8(4), found)
	ADDQ(i, found)
	ADDQ(found, found)
	CMPQ(next, U8(4))
	SBBQ(I8(-1), found)
	MOVL(found.As32(), Mem{Base: list})
	INCQ(checkState.Offset(checkEnds))
	JMP(LabelRef("high"))
	Label("bracketed")
	return object
}

// follow returns the one in validate_bits.go without white space; it spoils end.
func follow(end GPVirtual, carry int) (at GPVirtual) {
	at = copyOf(checkState.Offset(carry))
	LEAQ(Mem{Base: at, Index: end, Scale: 2}, at)
	SHRQ(U8(63), end)
	MOVQ(end, checkState.Offset(carry))
	return at
}

func copyOf(operand Op) GPVirtual {
	r := GP64()
	MOVQ(operand, r)
	return r
}

func fromVector(x Op) GPVirtual {
	r := GP64()
	VMOVQ(x, r)
	return r
}

// argument returns the address of an argument in memory.
func argument(name string) Op {
	a, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return a.Addr
}

// save writes the word of a block to an argument that has one for each.
func save(v Register, to string, at Register) {
	p := copyOf(argument(to))
	MOVQ(v, Mem{Base: p, Index: at, Scale: 2})
}
