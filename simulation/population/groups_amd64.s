#include "textflag.h"

DATA textDigits<>+0(SB)/8, $0x3030303030303030
GLOBL textDigits<>(SB), RODATA, $8
DATA noBytes<>+0(SB)/8, $0x3a3a3a3a3a3a3a3a // ends of lines without what digits have in common
GLOBL noBytes<>(SB), RODATA, $8
DATA mostDigits<>+0(SB)/8, $0x0909090909090909
GLOBL mostDigits<>(SB), RODATA, $8
DATA lowestByte<>+0(SB)/8, $0xff
GLOBL lowestByte<>(SB), RODATA, $8
DATA reversed<>+0(SB)/8, $0x0001020304050607
DATA reversed<>+8(SB)/8, $0x08090a0b0c0d0e0f
DATA reversed<>+16(SB)/8, $0x0001020304050607
DATA reversed<>+24(SB)/8, $0x08090a0b0c0d0e0f
GLOBL reversed<>(SB), RODATA, $32

// func serialsAVX2(groupOf, begins *int32, words *uint64, fours *four, n int, last int32) (rows, groups int)
//
// words has one word before those of the rows. n is a positive multiple of four. It stops at four rows of which one is neither in the group
// before nor has a higher number.
TEXT ·serialsAVX2(SB), NOSPLIT, $0-64
	MOVQ groupOf+0(FP), DI
	MOVQ begins+8(FP), BX
	MOVQ words+16(FP), SI
	MOVQ fours+24(FP), DX
	MOVQ n+32(FP), CX
	MOVL last+40(FP), R8
	VPBROADCASTQ textDigits<>(SB), Y15
	VPBROADCASTQ noBytes<>(SB), Y14
	VPBROADCASTQ mostDigits<>(SB), Y13
	VPBROADCASTQ lowestByte<>(SB), Y12
	VMOVDQU reversed<>(SB), Y11
	VPXOR Y10, Y10, Y10
	VPCMPEQD Y9, Y9, Y9
	VPSRLQ $8, Y9, Y8    // all bytes but the last of a field
	XORQ AX, AX
	XORQ R9, R9          // groups
serial:
	VMOVDQU (SI)(AX*8), Y0
	VMOVDQU 8(SI)(AX*8), Y1
	VPXOR Y15, Y1, Y2
	VPCMPEQB Y14, Y2, Y3 // no byte of the field
	VPSUBUSB Y13, Y2, Y4
	VPANDN Y4, Y3, Y4    // no digit
	VPSLLQ $8, Y3, Y3
	VPOR Y12, Y3, Y3
	VPAND Y8, Y3, Y3     // the first byte, if there are more
	VPCMPEQB Y10, Y2, Y2
	VPAND Y2, Y3, Y3     // it is a zero
	VPOR Y3, Y4, Y4
	VPSHUFB Y11, Y0, Y2
	VPSHUFB Y11, Y1, Y3
	VPCMPGTQ Y2, Y3, Y2  // a higher number
	VPCMPEQQ Y0, Y1, Y3
	VPOR Y2, Y3, Y3
	VPANDN Y9, Y3, Y3    // neither that nor the same
	VPOR Y3, Y4, Y4
	VPTEST Y4, Y4
	JNZ serialsEnd
	VMOVMSKPD Y2, R10
	POPCNTL R10, R11
	SHLQ $5, R10
	VMOVD R8, X2
	VPBROADCASTD X2, X2
	VPADDD (DX)(R10*1), X2, X2
	VMOVDQU X2, (DI)(AX*4)
	VMOVD AX, X3
	VPBROADCASTD X3, X3
	VPADDD 16(DX)(R10*1), X3, X3
	VMOVDQU X3, (BX)(R9*4)
	ADDL R11, R8
	ADDQ R11, R9
	ADDQ $4, AX
	CMPQ AX, CX
	JLT serial
serialsEnd:
	VZEROUPPER
	MOVQ AX, rows+48(FP)
	MOVQ R9, groups+56(FP)
	RET

// func rolesAVX2(out *int16, words *uint64, texts, places *[3]uint64, n int) (done int)
//
// It is knownRoles for n rows, a positive multiple of four. It stops at four of which one has none of the texts.
TEXT ·rolesAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ texts+16(FP), BX
	MOVQ places+24(FP), DX
	MOVQ n+32(FP), CX
	VPBROADCASTQ 0(BX), Y10
	VPBROADCASTQ 8(BX), Y11
	VPBROADCASTQ 16(BX), Y12
	VPBROADCASTQ 0(DX), Y13
	VPBROADCASTQ 8(DX), Y14
	VPBROADCASTQ 16(DX), Y15
	VPXOR Y9, Y9, Y9
	VPCMPEQD Y8, Y8, Y8
	XORQ AX, AX
role:
	VMOVDQU (SI)(AX*8), Y0
	VPCMPEQQ Y0, Y10, Y1
	VPCMPEQQ Y0, Y11, Y2
	VPCMPEQQ Y0, Y12, Y3
	VPAND Y13, Y1, Y1
	VPAND Y14, Y2, Y2
	VPAND Y15, Y3, Y3
	VPOR Y1, Y2, Y1
	VPOR Y1, Y3, Y1
	VPCMPEQQ Y9, Y1, Y2
	VPTEST Y2, Y2
	JNZ rolesEnd
	VPADDQ Y8, Y1, Y1
	VEXTRACTI128 $1, Y1, X2
	VPACKUSDW X2, X1, X1
	VPACKUSDW X1, X1, X1
	VMOVQ X1, (DI)(AX*2)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT role
rolesEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET
