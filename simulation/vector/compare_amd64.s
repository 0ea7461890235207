#include "textflag.h"

// Each function computes out[i] = a[i] op b[i] for n elements as bytes of 0 or 1, or the other way round if flip is 1.
// n is a positive multiple of 32 (of 4 bytes) or 16 (of 8). For each 128 bytes it goes forward by stepA and stepB bytes: 0 for a constant.

DATA byFours<>+0(SB)/8, $0x0000000400000000
DATA byFours<>+8(SB)/8, $0x0000000500000001
DATA byFours<>+16(SB)/8, $0x0000000600000002
DATA byFours<>+24(SB)/8, $0x0000000700000003
GLOBL byFours<>(SB), RODATA|NOPTR, $32

#define BEGIN(shift) \
	MOVQ out+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	MOVQ flip+32(FP), AX \
	MOVQ stepA+40(FP), R8 \
	MOVQ stepB+48(FP), R9 \
	VMOVQ AX, X15 \
	VPBROADCASTB X15, Y15 \
	MOVQ $1, AX \
	VMOVQ AX, X14 \
	VPBROADCASTB X14, Y14 \
	SHRQ $shift, CX

#define OPERANDS(OP) \
	VMOVDQU (SI), Y0 \
	VMOVDQU 32(SI), Y1 \
	VMOVDQU 64(SI), Y2 \
	VMOVDQU 96(SI), Y3 \
	OP((DX), Y0) \
	OP(32(DX), Y1) \
	OP(64(DX), Y2) \
	OP(96(DX), Y3)

// COMPARE4 packs four times eight masks of 4 bytes, which end up by fours of the first, second, third and fourth register.
#define COMPARE4(OP) \
	BEGIN(5) \
	VMOVDQU byFours<>(SB), Y13 \
loop: \
	OPERANDS(OP) \
	VPACKSSDW Y1, Y0, Y0 \
	VPACKSSDW Y3, Y2, Y2 \
	VPACKSSWB Y2, Y0, Y0 \
	VPERMD Y0, Y13, Y0 \
	VPAND Y14, Y0, Y0 \
	VPXOR Y15, Y0, Y0 \
	VMOVDQU Y0, (DI) \
	ADDQ R8, SI \
	ADDQ R9, DX \
	ADDQ $32, DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

// COMPARE8 packs four times four masks of 8 bytes, which end up by twos of each register.
#define COMPARE8(OP) \
	BEGIN(4) \
loop: \
	OPERANDS(OP) \
	VSHUFPS $0x88, Y1, Y0, Y0 \
	VSHUFPS $0x88, Y3, Y2, Y2 \
	VPACKSSDW Y2, Y0, Y0 \
	VPACKSSWB Y0, Y0, Y0 \
	VEXTRACTI128 $1, Y0, X1 \
	VPUNPCKLWD X1, X0, X0 \
	VPAND X14, X0, X0 \
	VPXOR X15, X0, X0 \
	VMOVDQU X0, (DI) \
	ADDQ R8, SI \
	ADDQ R9, DX \
	ADDQ $16, DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

#define LESS32(b, a) VCMPPS $17, b, a, a
#define LESSEQUAL32(b, a) VCMPPS $18, b, a, a
#define EQUAL32(b, a) VCMPPS $0, b, a, a
#define LESS64(b, a) VCMPPD $17, b, a, a
#define LESSEQUAL64(b, a) VCMPPD $18, b, a, a
#define EQUAL64(b, a) VCMPPD $0, b, a, a
#define INTGREATER32(b, a) VPCMPGTD b, a, a
#define INTEQUAL32(b, a) VPCMPEQD b, a, a
#define INTGREATER64(b, a) VPCMPGTQ b, a, a
#define INTEQUAL64(b, a) VPCMPEQQ b, a, a

// func lessFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·lessFloat32(SB), NOSPLIT, $0-56
	COMPARE4(LESS32)

// func lessEqualFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·lessEqualFloat32(SB), NOSPLIT, $0-56
	COMPARE4(LESSEQUAL32)

// func equalFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·equalFloat32(SB), NOSPLIT, $0-56
	COMPARE4(EQUAL32)

// func lessFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·lessFloat64(SB), NOSPLIT, $0-56
	COMPARE8(LESS64)

// func lessEqualFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·lessEqualFloat64(SB), NOSPLIT, $0-56
	COMPARE8(LESSEQUAL64)

// func equalFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·equalFloat64(SB), NOSPLIT, $0-56
	COMPARE8(EQUAL64)

// func greaterInt32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·greaterInt32(SB), NOSPLIT, $0-56
	COMPARE4(INTGREATER32)

// func equalInt32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·equalInt32(SB), NOSPLIT, $0-56
	COMPARE4(INTEQUAL32)

// func greaterInt64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·greaterInt64(SB), NOSPLIT, $0-56
	COMPARE8(INTGREATER64)

// func equalInt64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)
TEXT ·equalInt64(SB), NOSPLIT, $0-56
	COMPARE8(INTEQUAL64)
