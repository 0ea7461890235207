#include "textflag.h"

// Each function gives a[i] where the byte mask[i] is 1, b[i] where it is 0, for n elements, n a positive multiple of as many as 128 bytes have.
// For 128 bytes of out it goes forward by stepA and stepB bytes: 0 for a constant that fills 128 bytes.

#define CHOOSE(OP, bytes, shift) \
	MOVQ out+0(FP), DI \
	MOVQ mask+8(FP), BX \
	MOVQ a+16(FP), SI \
	MOVQ b+24(FP), DX \
	MOVQ n+32(FP), CX \
	MOVQ stepA+40(FP), R8 \
	MOVQ stepB+48(FP), R9 \
	SHRQ $shift, CX \
loop: \
	OP((BX), (SI), (DX), (DI), Y0, Y1) \
	OP(bytes(BX), 32(SI), 32(DX), 32(DI), Y2, Y3) \
	OP((2*bytes)(BX), 64(SI), 64(DX), 64(DI), Y4, Y5) \
	OP((3*bytes)(BX), 96(SI), 96(DX), 96(DI), Y6, Y7) \
	ADDQ $(4*bytes), BX \
	ADDQ R8, SI \
	ADDQ R9, DX \
	ADDQ $128, DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

#define CHOOSE4(mask, a, b, out, Y, Z) \
	VPMOVZXBD mask, Y \
	VPSLLD $31, Y, Y \
	VMOVUPS b, Z \
	VBLENDVPS Y, a, Z, Z \
	VMOVUPS Z, out

#define CHOOSE8(mask, a, b, out, Y, Z) \
	VPMOVZXBQ mask, Y \
	VPSLLQ $63, Y, Y \
	VMOVUPD b, Z \
	VBLENDVPD Y, a, Z, Z \
	VMOVUPD Z, out

// func choose4(out, mask, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·choose4(SB), NOSPLIT, $0-56
	CHOOSE(CHOOSE4, 8, 5)

// func choose8(out, mask, a, b unsafe.Pointer, n, stepA, stepB int)
TEXT ·choose8(SB), NOSPLIT, $0-56
	CHOOSE(CHOOSE8, 4, 4)
