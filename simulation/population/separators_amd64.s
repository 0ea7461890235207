#include "textflag.h"

// PLACE writes where the lowest bit of AX is, and clears it.
#define PLACE(offset) \
	TZCNTQ AX, R9       \
	BLSRQ AX, AX        \
	ADDL R8, R9         \
	MOVL R9, offset(DI)

// func placesAVX2(places *int32, data *byte, words int, comma byte, at int32) (found, newlines int, quotes bool)
//
// Writes where commas and ends of lines are in 64 bytes for each word, counted from at, and something behind them: there is room for
// 64 numbers for each word and 16 more. words is positive. newlines counts the ends of lines; quotes tells whether there is a quote.
TEXT ·placesAVX2(SB), NOSPLIT, $0-49
	MOVQ places+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ words+16(FP), CX
	MOVBLZX comma+24(FP), AX
	MOVL at+28(FP), R8
	VMOVD AX, X0
	VPBROADCASTB X0, Y0
	MOVL $10, AX
	VMOVD AX, X1
	VPBROADCASTB X1, Y1
	MOVL $34, AX
	VMOVD AX, X2
	VPBROADCASTB X2, Y2
	VPXOR Y3, Y3, Y3
	XORQ R13, R13
	MOVQ DI, DX
loop:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	VPCMPEQB Y4, Y1, Y6
	VPCMPEQB Y5, Y1, Y7
	VPMOVMSKB Y6, AX
	VPMOVMSKB Y7, BX
	VPCMPEQB Y4, Y0, Y8
	VPCMPEQB Y5, Y0, Y9
	VPMOVMSKB Y8, R11
	VPMOVMSKB Y9, R12
	VPCMPEQB Y4, Y2, Y6
	VPCMPEQB Y5, Y2, Y7
	VPOR Y6, Y3, Y3
	VPOR Y7, Y3, Y3
	SHLQ $32, BX
	ORQ BX, AX
	POPCNTQ AX, R9
	ADDQ R9, R13
	SHLQ $32, R12
	ORQ R11, AX
	ORQ R12, AX
	POPCNTQ AX, R9
	LEAQ (DI)(R9*4), R10
	PLACE(0)
	PLACE(4)
	PLACE(8)
	PLACE(12)
	PLACE(16)
	PLACE(20)
	PLACE(24)
	PLACE(28)
	PLACE(32)
	PLACE(36)
	PLACE(40)
	PLACE(44)
	TESTQ AX, AX
	JZ next
more:
	PLACE(48)
	PLACE(52)
	PLACE(56)
	PLACE(60)
	ADDQ $16, DI
	TESTQ AX, AX
	JNZ more
next:
	MOVQ R10, DI
	ADDL $64, R8
	ADDQ $64, SI
	DECQ CX
	JNZ loop
	VPMOVMSKB Y3, AX
	VZEROUPPER
	SUBQ DX, DI
	SHRQ $2, DI
	MOVQ DI, found+32(FP)
	MOVQ R13, newlines+40(FP)
	TESTL AX, AX
	SETNE quotes+48(FP)
	RET
