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

// Every place of 64 bytes.
DATA places64<>+0(SB)/8, $0x0706050403020100
DATA places64<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA places64<>+16(SB)/8, $0x1716151413121110
DATA places64<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA places64<>+32(SB)/8, $0x2726252423222120
DATA places64<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA places64<>+48(SB)/8, $0x3736353433323130
DATA places64<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL places64<>(SB), RODATA, $64

// SIXTEEN writes sixteen of the places that X5 has as bytes.
#define SIXTEEN(offset) \
	VPMOVZXBD X5, Z6       \
	VPADDD Z6, Z3, Z6      \
	VMOVDQU32 Z6, offset(DI)

// func placesAVX512(places *int32, data *byte, words int, comma byte, at int32) (found, newlines int, quotes bool)
//
// It is placesAVX2.
TEXT ·placesAVX512(SB), NOSPLIT, $0-49
	MOVQ places+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ words+16(FP), CX
	MOVBLZX comma+24(FP), AX
	VPBROADCASTB AX, Z0
	MOVL $10, AX
	VPBROADCASTB AX, Z1
	MOVL $34, AX
	VPBROADCASTB AX, Z2
	MOVL at+28(FP), AX
	VPBROADCASTD AX, Z3
	MOVL $64, AX
	VPBROADCASTD AX, Z8
	VMOVDQU64 places64<>(SB), Z7
	KXORQ K4, K4, K4
	XORQ R13, R13
	MOVQ DI, DX
loop512:
	VMOVDQU64 (SI), Z4
	VPCMPEQB Z4, Z0, K1
	VPCMPEQB Z4, Z1, K2
	VPCMPEQB Z4, Z2, K3
	KORQ K3, K4, K4
	KMOVQ K2, AX
	POPCNTQ AX, AX
	ADDQ AX, R13
	KORQ K1, K2, K1
	KMOVQ K1, AX
	POPCNTQ AX, R9
	VPCOMPRESSB.Z Z7, K1, Z5
	SIXTEEN(0)
	CMPQ R9, $16
	JLE next512
	VEXTRACTI32X4 $1, Z5, X9
	VEXTRACTI32X4 $2, Z5, X10
	VEXTRACTI32X4 $3, Z5, X11
	VMOVDQA X9, X5
	SIXTEEN(64)
	VMOVDQA X10, X5
	SIXTEEN(128)
	VMOVDQA X11, X5
	SIXTEEN(192)
next512:
	LEAQ (DI)(R9*4), DI
	VPADDD Z8, Z3, Z3
	ADDQ $64, SI
	DECQ CX
	JNZ loop512
	KMOVQ K4, AX
	VZEROUPPER
	SUBQ DX, DI
	SHRQ $2, DI
	MOVQ DI, found+32(FP)
	MOVQ R13, newlines+40(FP)
	TESTQ AX, AX
	SETNE quotes+48(FP)
	RET
