#include "textflag.h"

// func dayExtremes(days *int64, n int) (first, last int64)
//
// n is a positive multiple of eight.
TEXT ·dayExtremes(SB), NOSPLIT, $0-32
	MOVQ days+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVDQU64 (SI), Z0
	VMOVDQA64 Z0, Z1
	XORQ AX, AX
extremes:
	VMOVDQU64 (SI)(AX*8), Z2
	VPMINSQ Z2, Z0, Z0
	VPMAXSQ Z2, Z1, Z1
	ADDQ $8, AX
	CMPQ AX, CX
	JLT extremes
	VEXTRACTI64X4 $1, Z0, Y2
	VEXTRACTI64X4 $1, Z1, Y3
	VPMINSQ Z2, Z0, Z0
	VPMAXSQ Z3, Z1, Z1
	VSHUFI64X2 $1, Z0, Z0, Z2
	VSHUFI64X2 $1, Z1, Z1, Z3
	VPMINSQ Z2, Z0, Z0
	VPMAXSQ Z3, Z1, Z1
	VPSHUFD $0x4e, Z0, Z2
	VPSHUFD $0x4e, Z1, Z3
	VPMINSQ Z2, Z0, Z0
	VPMAXSQ Z3, Z1, Z1
	VMOVQ X0, AX
	VMOVQ X1, BX
	VZEROUPPER
	MOVQ AX, first+16(FP)
	MOVQ BX, last+24(FP)
	RET

// func dayPlaces(out *int32, days *int64, n int, first, span int64) (done int)
//
// n is a positive multiple of eight. It stops at eight days of which one is before first, or more than span behind it.
TEXT ·dayPlaces(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ days+8(FP), SI
	MOVQ n+16(FP), CX
	VPBROADCASTQ first+24(FP), Z1
	VPBROADCASTQ span+32(FP), Z2
	XORQ AX, AX
places:
	VMOVDQU64 (SI)(AX*8), Z0
	VPSUBQ Z1, Z0, Z0
	VPCMPUQ $6, Z2, Z0, K1 // beyond the span
	KMOVW K1, BX
	TESTL BX, BX
	JNZ placesEnd
	VPMOVQD Z0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT places
placesEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET
