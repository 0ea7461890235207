#include "textflag.h"

// func addPlainAVX2(out, x *float64, n int, low, high, rate float64)
//
// n is a positive multiple of four. An instruction for extremes gives its last operand, which is the first here, where one is no number. What is
// added is never -0, as in addPlain.
TEXT ·addPlainAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD low+24(FP), Y1
	VBROADCASTSD high+32(FP), Y2
	VBROADCASTSD rate+40(FP), Y3
	VXORPD Y4, Y4, Y4
	XORQ AX, AX
loop:
	VMOVUPD (SI)(AX*8), Y0
	VMINPD Y0, Y2, Y0
	VSUBPD Y1, Y0, Y0
	VMAXPD Y0, Y4, Y0
	VADDPD Y4, Y0, Y0
	VMULPD Y3, Y0, Y0
	VADDPD (DI)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET
