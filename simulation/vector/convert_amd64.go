package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func boolsToFloat64(out, in unsafe.Pointer, n int)

//go:noescape
func boolsToFloat32(out, in unsafe.Pointer, n int)

//go:noescape
func boolsToInt32(out, in unsafe.Pointer, n int)

//go:noescape
func boolsToInt64(out, in unsafe.Pointer, n int)

//go:noescape
func int32ToFloat64(out, in unsafe.Pointer, n int)

//go:noescape
func int32ToFloat32(out, in unsafe.Pointer, n int)

//go:noescape
func int32ToInt64(out, in unsafe.Pointer, n int)

//go:noescape
func float32ToFloat64(out, in unsafe.Pointer, n int)

//go:noescape
func float64ToFloat32(out, in unsafe.Pointer, n int)

//go:noescape
func float64ToInt32(out, in unsafe.Pointer, n int)

//go:noescape
func rintFloat64(out, in unsafe.Pointer, n int)

//go:noescape
func floorFloat64(out, in unsafe.Pointer, n int)

//go:noescape
func choose4(out, mask, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func choose8(out, mask, a, b unsafe.Pointer, n, stepA, stepB int)

// wideConvert converts the first elements many at a time and returns how many it did, 0 without AVX2. in is as long as out.
func wideConvert[T, S Element](out []T, in []S) int {
	n := len(out) &^ 15
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	o, i := unsafe.Pointer(&out[0]), unsafe.Pointer(&in[0])
	switch typeOf[S]()<<4 | typeOf[T]() {
	case Bool<<4 | Int32:
		boolsToInt32(o, i, n)
	case Bool<<4 | Int64:
		boolsToInt64(o, i, n)
	case Bool<<4 | Float32:
		boolsToFloat32(o, i, n)
	case Bool<<4 | Float64:
		boolsToFloat64(o, i, n)
	case Int32<<4 | Int64:
		int32ToInt64(o, i, n)
	case Int32<<4 | Float32:
		int32ToFloat32(o, i, n)
	case Int32<<4 | Float64:
		int32ToFloat64(o, i, n)
	case Float32<<4 | Float64:
		float32ToFloat64(o, i, n)
	case Float64<<4 | Float32:
		float64ToFloat32(o, i, n)
	case Float64<<4 | Int32:
		float64ToInt32(o, i, n)
	default:
		return 0
	}
	return n
}

// wideRound is wideConvert for whole numbers in place.
func wideRound[T floating](op Op, out []T) int {
	n := len(out) &^ 15
	if n == 0 || typeOf[T]() != Float64 || !cpu.X86.HasAVX2 {
		return 0
	}
	at := unsafe.Pointer(&out[0])
	switch op {
	case Rint:
		rintFloat64(at, at, n)
	case Floor:
		floorFloat64(at, at, n)
	default:
		return 0
	}
	return n
}

// wideChoose is wide for what a mask chooses from a and b.
func wideChoose[T Element](out []T, mask []bool, a, b []T) int {
	size := int(unsafe.Sizeof(*new(T)))
	n := len(out) &^ (128/size - 1)
	if n == 0 || size < 4 || !cpu.X86.HasAVX2 {
		return 0
	}
	po, pm, pa, pb := unsafe.Pointer(&out[0]), unsafe.Pointer(&mask[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	if size == 4 {
		choose4(po, pm, pa, pb, n, stride(out, a), stride(out, b))
	} else {
		choose8(po, pm, pa, pb, n, stride(out, a), stride(out, b))
	}
	return n
}
