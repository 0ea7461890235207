#include "textflag.h"

// Each function converts n elements, n a positive multiple of 16, as the instruction for one element does.

// CONVERT converts four times four elements of so many bytes each.
#define CONVERT(OP, from, to) \
	MOVQ out+0(FP), DI \
	MOVQ in+8(FP), SI \
	MOVQ n+16(FP), CX \
	SHRQ $4, CX \
loop: \
	OP((SI), (DI), X0, Y0) \
	OP((4*from)(SI), (4*to)(DI), X1, Y1) \
	OP((8*from)(SI), (8*to)(DI), X2, Y2) \
	OP((12*from)(SI), (12*to)(DI), X3, Y3) \
	ADDQ $(16*from), SI \
	ADDQ $(16*to), DI \
	DECQ CX \
	JNZ loop \
	VZEROUPPER \
	RET

#define BOOLFLOAT64(in, out, X, Y) \
	VPMOVZXBD in, X \
	VCVTDQ2PD X, Y \
	VMOVUPD Y, out

#define BOOLFLOAT32(in, out, X, Y) \
	VPMOVZXBD in, X \
	VCVTDQ2PS X, X \
	VMOVUPS X, out

#define BOOLINT32(in, out, X, Y) \
	VPMOVZXBD in, X \
	VMOVDQU X, out

#define BOOLINT64(in, out, X, Y) \
	VPMOVZXBQ in, Y \
	VMOVDQU Y, out

#define INT32FLOAT64(in, out, X, Y) \
	VCVTDQ2PD in, Y \
	VMOVUPD Y, out

#define INT32FLOAT32(in, out, X, Y) \
	VCVTDQ2PS in, X \
	VMOVUPS X, out

#define INT32INT64(in, out, X, Y) \
	VPMOVSXDQ in, Y \
	VMOVDQU Y, out

#define FLOAT32FLOAT64(in, out, X, Y) \
	VCVTPS2PD in, Y \
	VMOVUPD Y, out

#define FLOAT64FLOAT32(in, out, X, Y) \
	VMOVUPD in, Y \
	VCVTPD2PSY Y, X \
	VMOVUPS X, out

#define FLOAT64INT32(in, out, X, Y) \
	VMOVUPD in, Y \
	VCVTTPD2DQY Y, X \
	VMOVDQU X, out

// func boolsToFloat64(out, in unsafe.Pointer, n int)
TEXT ·boolsToFloat64(SB), NOSPLIT, $0-24
	CONVERT(BOOLFLOAT64, 1, 8)

// func boolsToFloat32(out, in unsafe.Pointer, n int)
TEXT ·boolsToFloat32(SB), NOSPLIT, $0-24
	CONVERT(BOOLFLOAT32, 1, 4)

// func boolsToInt32(out, in unsafe.Pointer, n int)
TEXT ·boolsToInt32(SB), NOSPLIT, $0-24
	CONVERT(BOOLINT32, 1, 4)

// func boolsToInt64(out, in unsafe.Pointer, n int)
TEXT ·boolsToInt64(SB), NOSPLIT, $0-24
	CONVERT(BOOLINT64, 1, 8)

// func int32ToFloat64(out, in unsafe.Pointer, n int)
TEXT ·int32ToFloat64(SB), NOSPLIT, $0-24
	CONVERT(INT32FLOAT64, 4, 8)

// func int32ToFloat32(out, in unsafe.Pointer, n int)
TEXT ·int32ToFloat32(SB), NOSPLIT, $0-24
	CONVERT(INT32FLOAT32, 4, 4)

// func int32ToInt64(out, in unsafe.Pointer, n int)
TEXT ·int32ToInt64(SB), NOSPLIT, $0-24
	CONVERT(INT32INT64, 4, 8)

// func float32ToFloat64(out, in unsafe.Pointer, n int)
TEXT ·float32ToFloat64(SB), NOSPLIT, $0-24
	CONVERT(FLOAT32FLOAT64, 4, 8)

// func float64ToFloat32(out, in unsafe.Pointer, n int)
TEXT ·float64ToFloat32(SB), NOSPLIT, $0-24
	CONVERT(FLOAT64FLOAT32, 8, 4)

// func float64ToInt32(out, in unsafe.Pointer, n int)
TEXT ·float64ToInt32(SB), NOSPLIT, $0-24
	CONVERT(FLOAT64INT32, 8, 4)

#define RINT64(in, out, X, Y) \
	VROUNDPD $8, in, Y \
	VMOVUPD Y, out

#define FLOOR64(in, out, X, Y) \
	VROUNDPD $9, in, Y \
	VMOVUPD Y, out

// func rintFloat64(out, in unsafe.Pointer, n int)
TEXT ·rintFloat64(SB), NOSPLIT, $0-24
	CONVERT(RINT64, 8, 8)

// func floorFloat64(out, in unsafe.Pointer, n int)
TEXT ·floorFloat64(SB), NOSPLIT, $0-24
	CONVERT(FLOOR64, 8, 8)
