#include "textflag.h"

// Each function computes out[i] = a[i] op b[i] for n elements, n a positive multiple of as many as 128 bytes have. For 128 bytes of out it goes
// forward by stepA and stepB bytes of the operands: 128, or 0 for a constant that fills 128 bytes.
// Every lane is one IEEE operation rounded on its own: the bits are those of the loops in kernel.go.

#define OPERATION(shift, MOVE, OP) \
	MOVQ out+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	MOVQ stepA+32(FP), R8 \
	MOVQ stepB+40(FP), R9 \
	SHRQ $shift, CX \
loop: \
	MOVE (SI), Y0 \
	MOVE 32(SI), Y1 \
	MOVE 64(SI), Y2 \
	MOVE 96(SI), Y3 \
	OP (DX), Y0, Y0 \
	OP 32(DX), Y1, Y1 \
	OP 64(DX), Y2, Y2 \
	OP 96(DX), Y3, Y3 \
	MOVE Y0, (DI) \
	MOVE Y1, 32(DI) \
	MOVE Y2, 64(DI) \
	MOVE Y3, 96(DI) \
	ADDQ R8, SI \
	ADDQ R9, DX \
	ADDQ $128, DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

// EXTREME is OPERATION for minimum and maximum: the instruction gives the second operand if either is NaN, so that a NaN
// in the first has to be put back.
#define EXTREME(shift, MOVE, OP, CMP, BLEND) \
	MOVQ out+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	MOVQ stepA+32(FP), R8 \
	MOVQ stepB+40(FP), R9 \
	SHRQ $shift, CX \
loop: \
	MOVE (SI), Y0 \
	MOVE 32(SI), Y1 \
	MOVE 64(SI), Y2 \
	MOVE 96(SI), Y3 \
	OP (DX), Y0, Y4 \
	OP 32(DX), Y1, Y5 \
	OP 64(DX), Y2, Y6 \
	OP 96(DX), Y3, Y7 \
	CMP $3, Y0, Y0, Y8 \
	CMP $3, Y1, Y1, Y9 \
	CMP $3, Y2, Y2, Y10 \
	CMP $3, Y3, Y3, Y11 \
	BLEND Y8, Y0, Y4, Y4 \
	BLEND Y9, Y1, Y5, Y5 \
	BLEND Y10, Y2, Y6, Y6 \
	BLEND Y11, Y3, Y7, Y7 \
	MOVE Y4, (DI) \
	MOVE Y5, 32(DI) \
	MOVE Y6, 64(DI) \
	MOVE Y7, 96(DI) \
	ADDQ R8, SI \
	ADDQ R9, DX \
	ADDQ $128, DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

// func addFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·addFloat32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVUPS, VADDPS)

// func subFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·subFloat32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVUPS, VSUBPS)

// func mulFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·mulFloat32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVUPS, VMULPS)

// func divFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·divFloat32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVUPS, VDIVPS)

// func addFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·addFloat64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVUPD, VADDPD)

// func subFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·subFloat64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVUPD, VSUBPD)

// func mulFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·mulFloat64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVUPD, VMULPD)

// func divFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·divFloat64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVUPD, VDIVPD)

// func minFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·minFloat32(SB), NOSPLIT, $0-48
	EXTREME(5, VMOVUPS, VMINPS, VCMPPS, VBLENDVPS)

// func maxFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·maxFloat32(SB), NOSPLIT, $0-48
	EXTREME(5, VMOVUPS, VMAXPS, VCMPPS, VBLENDVPS)

// func minFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·minFloat64(SB), NOSPLIT, $0-48
	EXTREME(4, VMOVUPD, VMINPD, VCMPPD, VBLENDVPD)

// func maxFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·maxFloat64(SB), NOSPLIT, $0-48
	EXTREME(4, VMOVUPD, VMAXPD, VCMPPD, VBLENDVPD)


// func addInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·addInt32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVDQU, VPADDD)

// func subInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·subInt32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVDQU, VPSUBD)

// func mulInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·mulInt32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVDQU, VPMULLD)

// func minInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·minInt32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVDQU, VPMINSD)

// func maxInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·maxInt32(SB), NOSPLIT, $0-48
	OPERATION(5, VMOVDQU, VPMAXSD)

// func addInt64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·addInt64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVDQU, VPADDQ)

// func subInt64(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·subInt64(SB), NOSPLIT, $0-48
	OPERATION(4, VMOVDQU, VPSUBQ)

// func andBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·andBytes(SB), NOSPLIT, $0-48
	OPERATION(7, VMOVDQU, VPAND)

// func orBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·orBytes(SB), NOSPLIT, $0-48
	OPERATION(7, VMOVDQU, VPOR)

// func xorBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·xorBytes(SB), NOSPLIT, $0-48
	OPERATION(7, VMOVDQU, VPXOR)
