#include "textflag.h"

// Both functions gather n elements, n a positive multiple of 16, and stop at 16 of which an index is limit or more, or negative.

#define GATHER \
	MOVQ out+0(FP), DI \
	MOVQ in+8(FP), SI \
	MOVQ index+16(FP), DX \
	MOVQ n+24(FP), CX \
	VPBROADCASTD limit+32(FP), Z2 \
	XORQ AX, AX

#define GATHER_INDEX \
	VMOVDQU32 (DX)(AX*4), Z1 \
	VPCMPUD $5, Z2, Z1, K1 \
	KORTESTW K1, K1

// func gather4(out, in unsafe.Pointer, index *int32, n, limit int) (done int)
TEXT ·gather4(SB), NOSPLIT, $0-48
	GATHER
fours:
	GATHER_INDEX
	JNZ foursEnd
	KXNORW K1, K1, K1
	VPXORD Z0, Z0, Z0
	VPGATHERDD (SI)(Z1*4), K1, Z0
	VMOVDQU32 Z0, (DI)(AX*4)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT fours
foursEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET

// func gather1(out, in unsafe.Pointer, index *int32, n, limit int) (done int)
//
// It looks at the three bytes behind each too.
TEXT ·gather1(SB), NOSPLIT, $0-48
	GATHER
bytes:
	GATHER_INDEX
	JNZ bytesEnd
	KXNORW K1, K1, K1
	VPXORD Z0, Z0, Z0
	VPGATHERDD (SI)(Z1*1), K1, Z0
	VPMOVDB Z0, X0
	VMOVDQU X0, (DI)(AX*1)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT bytes
bytesEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET
