#include "textflag.h"

// func separatorsAVX2(masks *uint64, data *byte, words int, comma byte) (newlines int, quotes bool)
//
// Word i of masks has a bit for each of the 64 bytes from 64*i on: whether it is the comma or the end of a line. words is
// positive. newlines counts the ends of lines; quotes tells whether there is a quote.
TEXT ·separatorsAVX2(SB), NOSPLIT, $0-41
	MOVQ masks+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ words+16(FP), CX
	MOVBLZX comma+24(FP), AX
	VMOVD AX, X0
	VPBROADCASTB X0, Y0
	MOVL $10, AX
	VMOVD AX, X1
	VPBROADCASTB X1, Y1
	MOVL $34, AX
	VMOVD AX, X2
	VPBROADCASTB X2, Y2
	VPXOR Y3, Y3, Y3
	XORQ R8, R8
loop:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	VPCMPEQB Y4, Y1, Y6
	VPCMPEQB Y5, Y1, Y7
	VPMOVMSKB Y6, AX
	VPMOVMSKB Y7, BX
	POPCNTL AX, R9
	POPCNTL BX, R10
	ADDQ R9, R8
	ADDQ R10, R8
	VPCMPEQB Y4, Y0, Y8
	VPCMPEQB Y5, Y0, Y9
	VPMOVMSKB Y8, R11
	VPMOVMSKB Y9, R12
	ORL R11, AX
	ORL R12, BX
	SHLQ $32, BX
	ORQ BX, AX
	MOVQ AX, (DI)
	VPCMPEQB Y4, Y2, Y6
	VPCMPEQB Y5, Y2, Y7
	VPOR Y6, Y3, Y3
	VPOR Y7, Y3, Y3
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ loop
	VPMOVMSKB Y3, AX
	VZEROUPPER
	MOVQ R8, newlines+32(FP)
	TESTL AX, AX
	SETNE quotes+40(FP)
	RET
