#include "textflag.h"

// EIGHT makes of numbers below 10⁸ eight digits each, as eightOf does.
#define EIGHT(n, high, other) \
	VPMULUDQ 320(DX), n, high    \
	VPSRLQ $45, high, high       \
	VPMULUDQ 352(DX), high, other \
	VPSUBQ other, n, n           \
	VPSLLQ $32, n, n             \
	VPOR high, n, n              \
	VPMULHUW 384(DX), n, high    \
	VPSRLD $3, high, high        \
	VPMULLW 416(DX), high, other \
	VPSUBD other, n, n           \
	VPSLLD $16, n, n             \
	VPOR high, n, n              \
	VPMULLW 448(DX), n, high     \
	VPSRLW $10, high, high       \
	VPMULLW 480(DX), high, other \
	VPSUBW other, n, n           \
	VPSLLW $8, n, n              \
	VPOR high, n, n

// func shortAVX2(wholes, fractions *uint64, values *float32, n int, powers, halves *float64, constants *[16][4]uint64)
//
// It is short for n values, a positive multiple of four. The fraction of those that short is false for is 0.
TEXT ·shortAVX2(SB), NOSPLIT, $0-56
	MOVQ wholes+0(FP), DI
	MOVQ fractions+8(FP), R8
	MOVQ values+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ powers+32(FP), R9
	MOVQ halves+40(FP), R10
	MOVQ constants+48(FP), DX
	XORQ AX, AX
short:
	VMOVDQU (SI)(AX*4), X0
	VPSRLD $23, X0, X1
	VPAND 32(DX), X1, X1
	VPSUBD 64(DX), X1, X1         // the exponent
	VPMINUD 96(DX), X1, X2
	VPCMPEQD X1, X2, X2
	VPMOVSXDQ X2, Y15             // it is one of those in question
	VPAND 128(DX), X1, X1
	VPCMPEQD Y2, Y2, Y2
	VGATHERDPD Y2, (R9)(X1*8), Y3 // the power of ten
	VPCMPEQD Y2, Y2, Y2
	VGATHERDPD Y2, (R10)(X1*8), Y4
	VPAND (DX), X0, X0
	VCVTPS2PD X0, Y0
	VROUNDPD $3, Y0, Y5           // what is before the point
	VCMPPD $0, Y0, Y5, Y14
	VMULPD Y3, Y0, Y0
	VMULPD 160(DX), Y0, Y1
	VROUNDPD $1, Y1, Y1
	VMULPD 192(DX), Y1, Y1        // with a decimal less
	VSUBPD Y1, Y0, Y2
	VCMPPD $0x1e, 224(DX), Y2, Y6
	VANDPD 192(DX), Y6, Y6
	VADDPD Y6, Y1, Y1             // the nearest of those
	VSUBPD 224(DX), Y2, Y2
	VANDPD 288(DX), Y2, Y2
	VMOVUPD 224(DX), Y7
	VSUBPD Y2, Y7, Y2             // how far it is
	VCMPPD $0, Y4, Y2, Y6
	VORPD Y6, Y14, Y14
	VCMPPD $1, Y4, Y2, Y2         // near enough
	VROUNDPD $1, Y0, Y6
	VSUBPD Y6, Y0, Y6
	VCMPPD $0, 256(DX), Y6, Y6
	VORPD Y6, Y14, Y14
	VADDPD 256(DX), Y0, Y0
	VROUNDPD $1, Y0, Y0
	VBLENDVPD Y2, Y1, Y0, Y0
	VMULPD Y3, Y5, Y3
	VSUBPD Y3, Y0, Y0
	VCVTTPD2DQY Y0, X0
	VPMOVZXDQ X0, Y0
	VPANDN Y0, Y14, Y0
	VPAND Y0, Y15, Y0
	VCVTTPD2DQY Y5, X5
	VPMOVZXDQ X5, Y5
	EIGHT(Y0, Y1, Y2)
	EIGHT(Y5, Y3, Y4)
	VMOVDQU Y0, (R8)(AX*8)
	VMOVDQU Y5, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT short
	VZEROUPPER
	RET

// EIGHT512 is EIGHT for twice as many.
#define EIGHT512(n, high, other) \
	VPMULUDQ.BCST 320(DX), n, high    \
	VPSRLQ $45, high, high            \
	VPMULUDQ.BCST 352(DX), high, other \
	VPSUBQ other, n, n                \
	VPSLLQ $32, n, n                  \
	VPORQ high, n, n                  \
	VPMULHUW Z24, n, high             \
	VPSRLD $3, high, high             \
	VPMULLW Z25, high, other          \
	VPSUBD other, n, n                \
	VPSLLD $16, n, n                  \
	VPORQ high, n, n                  \
	VPMULLW Z26, n, high              \
	VPSRLW $10, high, high            \
	VPMULLW Z27, high, other          \
	VPSUBW other, n, n                \
	VPSLLW $8, n, n                   \
	VPORQ high, n, n

// func shortAVX512(wholes, fractions *uint64, values *float32, n int, powers, halves *float64, constants *[16][4]uint64)
//
// It is shortAVX2 for a positive multiple of eight, with what exponents up to 22 ask of tables in registers.
TEXT ·shortAVX512(SB), NOSPLIT, $0-56
	MOVQ wholes+0(FP), DI
	MOVQ fractions+8(FP), R8
	MOVQ values+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ powers+32(FP), R9
	MOVQ halves+40(FP), R10
	MOVQ constants+48(FP), DX
	VMOVUPD (R9), Z16
	VMOVUPD 64(R9), Z17
	VMOVUPD 128(R9), Z18
	VMOVUPD (R10), Z20
	VMOVUPD 64(R10), Z21
	VMOVUPD 128(R10), Z22
	VPBROADCASTQ 384(DX), Z24
	VPBROADCASTQ 416(DX), Z25
	VPBROADCASTQ 448(DX), Z26
	VPBROADCASTQ 480(DX), Z27
	VBROADCASTSD 224(DX), Z28
	MOVL $16, AX
	VPBROADCASTQ AX, Z29
	XORQ AX, AX
short512:
	VMOVDQU (SI)(AX*4), Y0
	VPSRLD $23, Y0, Y1
	VPANDD.BCST 32(DX), Y1, Y1
	VPSUBD.BCST 64(DX), Y1, Y1    // the exponent
	VPCMPUD.BCST $2, 96(DX), Y1, K1 // it is one of those in question
	VPMOVZXDQ Y1, Z1
	VPTESTMQ Z29, Z1, K2
	VMOVDQA64 Z1, Z3
	VPERMI2PD Z17, Z16, Z3
	VPERMPD Z18, Z1, K2, Z3       // the power of ten
	VMOVDQA64 Z1, Z4
	VPERMI2PD Z21, Z20, Z4
	VPERMPD Z22, Z1, K2, Z4
	VPANDD.BCST (DX), Y0, Y0
	VCVTPS2PD Y0, Z0
	VRNDSCALEPD $3, Z0, Z5        // what is before the point
	VCMPPD $0, Z0, Z5, K3
	VMULPD Z3, Z0, Z0
	VMULPD.BCST 160(DX), Z0, Z1
	VRNDSCALEPD $1, Z1, Z1
	VMULPD.BCST 192(DX), Z1, Z1   // with a decimal less
	VSUBPD Z1, Z0, Z2
	VCMPPD $0x1e, Z28, Z2, K4
	VADDPD.BCST 192(DX), Z1, K4, Z1 // the nearest of those
	VSUBPD Z28, Z2, Z2
	VPANDQ.BCST 288(DX), Z2, Z2
	VSUBPD Z2, Z28, Z2            // how far it is
	VCMPPD $0, Z4, Z2, K5
	KORB K5, K3, K3
	VCMPPD $1, Z4, Z2, K6         // near enough
	VRNDSCALEPD $1, Z0, Z6
	VSUBPD Z6, Z0, Z6
	VCMPPD.BCST $0, 256(DX), Z6, K5
	KORB K5, K3, K3
	VADDPD.BCST 256(DX), Z0, Z0
	VRNDSCALEPD $1, Z0, Z0
	VMOVAPD Z1, K6, Z0
	VMULPD Z3, Z5, Z3
	VSUBPD Z3, Z0, Z0
	VCVTTPD2DQ Z0, Y0
	KANDNB K1, K3, K1
	VPMOVZXDQ.Z Y0, K1, Z0
	VCVTTPD2DQ Z5, Y5
	VPMOVZXDQ Y5, Z5
	EIGHT512(Z0, Z1, Z2)
	EIGHT512(Z5, Z3, Z4)
	VMOVDQU64 Z0, (R8)(AX*8)
	VMOVDQU64 Z5, (DI)(AX*8)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT short512
	VZEROUPPER
	RET
