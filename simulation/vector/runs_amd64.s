#include "textflag.h"

DATA placesFrom1<>+0(SB)/8, $0x0000000200000001
DATA placesFrom1<>+8(SB)/8, $0x0000000400000003
DATA placesFrom1<>+16(SB)/8, $0x0000000600000005
DATA placesFrom1<>+24(SB)/8, $0x0000000800000007
DATA placesFrom1<>+32(SB)/8, $0x0000000a00000009
DATA placesFrom1<>+40(SB)/8, $0x0000000c0000000b
DATA placesFrom1<>+48(SB)/8, $0x0000000e0000000d
DATA placesFrom1<>+56(SB)/8, $0x000000100000000f
GLOBL placesFrom1<>(SB), RODATA|NOPTR, $64

// func runBegins(begins, index *int32, n, room int) (found int)
//
// n is a positive multiple of 16. It looks at index[1] to index[n], and finds room at most; begins has 16 elements more.
TEXT ·runBegins(SB), NOSPLIT, $0-40
	MOVQ begins+0(FP), DI
	MOVQ index+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ room+24(FP), R9
	MOVQ DI, R8
	LEAQ (DI)(R9*4), R9
	VMOVDQU32 placesFrom1<>(SB), Z1
	MOVL $16, AX
	VPBROADCASTD AX, Z2
	MOVL $1, AX
	VPBROADCASTD AX, Z3
	XORQ AX, AX
begins:
	VMOVDQU32 4(SI)(AX*4), Z0
	VPSUBD (SI)(AX*4), Z0, Z0
	VPCMPUD $6, Z3, Z0, K1 // neither the same group nor the next one
	KMOVW K1, BX
	TESTL BX, BX
	JNZ beginsNone
	VPTESTMD Z0, Z0, K2
	VPCOMPRESSD Z1, K2, Z4
	VMOVDQU32 Z4, (DI)
	KMOVW K2, BX
	POPCNTL BX, BX
	LEAQ (DI)(BX*4), DI
	CMPQ DI, R9
	JHI beginsNone
	VPADDD Z2, Z1, Z1
	ADDQ $16, AX
	CMPQ AX, CX
	JLT begins
	VZEROUPPER
	SUBQ R8, DI
	SHRQ $2, DI
	MOVQ DI, found+32(FP)
	RET
beginsNone:
	VZEROUPPER
	MOVQ $-1, found+32(FP)
	RET

// SUMS_PERSON gives the person of each group that is so many behind the next one, where there is one.
#define SUMS_PERSON(BEHIND, Z, Y, K) \
	VPCMPD $6, BEHIND, Y1, K \
	VPADDD BEHIND, Y0, Y \
	VPERMI2PS Z4, Z3, Z \
	VCVTPS2PD Y, Z

// func runSums(out *float64, in *float32, begins *int32, groups, limit int) (done int)
//
// groups is a positive multiple of eight, limit how many elements in has. It stops at eight groups that have more than 32 persons, or lie less than 32 before
// the limit.
TEXT ·runSums(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ begins+16(FP), DX
	MOVQ groups+24(FP), CX
	MOVQ limit+32(FP), R9
	SUBQ $32, R9
	VPXOR Y12, Y12, Y12
	MOVL $1, AX
	VPBROADCASTD AX, Y13
	VPADDD Y13, Y13, Y14
	VPADDD Y13, Y14, Y15
	VPADDD Y14, Y14, Y16
	XORQ AX, AX
sums:
	MOVLQSX (DX)(AX*4), R10
	MOVLQSX 32(DX)(AX*4), R11
	SUBQ R10, R11
	CMPQ R11, $32
	JGT sumsEnd
	CMPQ R10, R9
	JGT sumsEnd
	VMOVDQU (DX)(AX*4), Y0
	VMOVDQU 4(DX)(AX*4), Y1
	VPBROADCASTD X0, Y2
	VPSUBD Y0, Y1, Y1 // how many persons
	VPSUBD Y2, Y0, Y0 // where each group's next one is, in what follows
	VMOVUPS (SI)(R10*4), Z3
	VMOVUPS 64(SI)(R10*4), Z4
	VPXORQ Z5, Z5, Z5
sumsNext: // four persons of each group, as far as it has them
	SUMS_PERSON(Y12, Z8, Y8, K1)
	SUMS_PERSON(Y13, Z9, Y9, K2)
	SUMS_PERSON(Y14, Z10, Y10, K3)
	SUMS_PERSON(Y15, Z11, Y11, K4)
	VADDPD Z8, Z5, K1, Z5
	VADDPD Z9, Z5, K2, Z5
	VADDPD Z10, Z5, K3, Z5
	VADDPD Z11, Z5, K4, Z5
	VPADDD Y16, Y0, Y0
	VPSUBD Y16, Y1, Y1
	VPCMPD $6, Y12, Y1, K1
	KMOVW K1, BX
	TESTL BX, BX
	JNZ sumsNext
	VMOVUPD Z5, (DI)(AX*8)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT sums
sumsEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET

#define COUNTS_PERSON(BEHIND, Z, X, K) \
	VPCMPB $6, BEHIND, X1, K \
	VPADDB BEHIND, X0, X \
	VPERMB Z3, Z, Z

// func runCounts(out, in *uint8, begins *int32, groups, limit int) (done int)
//
// groups is a positive multiple of 16, limit how many elements in has. It stops at 16 groups that have more than 64 persons, or lie less than 64 before the
// limit.
TEXT ·runCounts(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ in+8(FP), SI
	MOVQ begins+16(FP), DX
	MOVQ groups+24(FP), CX
	MOVQ limit+32(FP), R9
	SUBQ $64, R9
	VPXOR X12, X12, X12
	MOVL $1, AX
	VPBROADCASTB AX, X13
	VPADDB X13, X13, X14
	VPADDB X13, X14, X15
	VPADDB X14, X14, X16
	XORQ AX, AX
counts:
	MOVLQSX (DX)(AX*4), R10
	MOVLQSX 64(DX)(AX*4), R11
	SUBQ R10, R11
	CMPQ R11, $64
	JGT countsEnd
	CMPQ R10, R9
	JGT countsEnd
	VMOVDQU32 (DX)(AX*4), Z0
	VMOVDQU32 4(DX)(AX*4), Z1
	VPBROADCASTD X0, Z2
	VPSUBD Z0, Z1, Z1
	VPSUBD Z2, Z0, Z0
	VPMOVDB Z0, X0
	VPMOVDB Z1, X1
	VMOVDQU8 (SI)(R10*1), Z3
	VPXOR X5, X5, X5
countsNext: // four persons of each group, as far as it has them
	COUNTS_PERSON(X12, Z8, X8, K1)
	COUNTS_PERSON(X13, Z9, X9, K2)
	COUNTS_PERSON(X14, Z10, X10, K3)
	COUNTS_PERSON(X15, Z11, X11, K4)
	VPADDB X8, X5, K1, X5
	VPADDB X9, X5, K2, X5
	VPADDB X10, X5, K3, X5
	VPADDB X11, X5, K4, X5
	VPADDB X16, X0, X0
	VPSUBB X16, X1, X1
	VPCMPB $6, X12, X1, K1
	KMOVW K1, BX
	TESTL BX, BX
	JNZ countsNext
	VMOVDQU X5, (DI)(AX*1)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT counts
countsEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET
