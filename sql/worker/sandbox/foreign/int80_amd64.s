#include "textflag.h"

// func int80(number, a0, a1, a2, a3, a4, a5 uint32) int32
TEXT ·int80(SB), NOSPLIT, $0-36
	MOVL number+0(FP), AX
	MOVL a0+4(FP), BX
	MOVL a1+8(FP), CX
	MOVL a2+12(FP), DX
	MOVL a3+16(FP), SI
	MOVL a4+20(FP), DI
	MOVL a5+24(FP), R13
	MOVQ BP, R12
	MOVQ R13, BP
	INT $0x80
	MOVQ R12, BP
	MOVL AX, ret+32(FP)
	RET
