package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func addFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func subFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func mulFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func divFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func minFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func maxFloat32(out, a, b unsafe.Pointer, n int)

//go:noescape
func addFloat64(out, a, b unsafe.Pointer, n int)

//go:noescape
func subFloat64(out, a, b unsafe.Pointer, n int)

//go:noescape
func mulFloat64(out, a, b unsafe.Pointer, n int)

//go:noescape
func divFloat64(out, a, b unsafe.Pointer, n int)

//go:noescape
func minFloat64(out, a, b unsafe.Pointer, n int)

//go:noescape
func maxFloat64(out, a, b unsafe.Pointer, n int)

// wide computes the first elements of a frequent operation eight or four at a time and returns how many it did: a
// multiple of 128 bytes, 0 without AVX2. a and b are as long as out.
func wide[T floating](op Op, out, a, b []T) int {
	size := int(unsafe.Sizeof(out[0]))
	n := len(out) &^ (128/size - 1)
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	po, pa, pb := unsafe.Pointer(&out[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	if size == 4 {
		return wide32(op, po, pa, pb, n)
	}
	return wide64(op, po, pa, pb, n)
}

func wide32(op Op, out, a, b unsafe.Pointer, n int) int {
	switch op {
	case Add:
		addFloat32(out, a, b, n)
	case Subtract:
		subFloat32(out, a, b, n)
	case Multiply:
		mulFloat32(out, a, b, n)
	case Divide:
		divFloat32(out, a, b, n)
	case Minimum:
		minFloat32(out, a, b, n)
	case Maximum:
		maxFloat32(out, a, b, n)
	default:
		return 0
	}
	return n
}

func wide64(op Op, out, a, b unsafe.Pointer, n int) int {
	switch op {
	case Add:
		addFloat64(out, a, b, n)
	case Subtract:
		subFloat64(out, a, b, n)
	case Multiply:
		mulFloat64(out, a, b, n)
	case Divide:
		divFloat64(out, a, b, n)
	case Minimum:
		minFloat64(out, a, b, n)
	case Maximum:
		maxFloat64(out, a, b, n)
	default:
		return 0
	}
	return n
}
