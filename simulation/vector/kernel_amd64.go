package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func addFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func subFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func mulFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func divFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func minFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func maxFloat32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func addFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func subFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func mulFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func divFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func minFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func maxFloat64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func addInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func subInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func mulInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func minInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func maxInt32(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func addInt64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func subInt64(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func andBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func orBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)

//go:noescape
func xorBytes(out, a, b unsafe.Pointer, n, stepA, stepB int)

// wide computes the first elements of a frequent operation eight or four at a time and returns how many it did: a
// multiple of 128 bytes, 0 without AVX2. An operand that is shorter than out is a constant that fills 128 bytes.
func wide[T floating](op Op, out, a, b []T) int {
	size := int(unsafe.Sizeof(out[0]))
	n := len(out) &^ (128/size - 1)
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	po, pa, pb := unsafe.Pointer(&out[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	if size == 4 {
		return wide32(op, po, pa, pb, n, stride(out, a), stride(out, b))
	}
	return wide64(op, po, pa, pb, n, stride(out, a), stride(out, b))
}

func wide32(op Op, out, a, b unsafe.Pointer, n, stepA, stepB int) int {
	switch op {
	case Add:
		addFloat32(out, a, b, n, stepA, stepB)
	case Subtract:
		subFloat32(out, a, b, n, stepA, stepB)
	case Multiply:
		mulFloat32(out, a, b, n, stepA, stepB)
	case Divide:
		divFloat32(out, a, b, n, stepA, stepB)
	case Minimum:
		minFloat32(out, a, b, n, stepA, stepB)
	case Maximum:
		maxFloat32(out, a, b, n, stepA, stepB)
	default:
		return 0
	}
	return n
}

func wide64(op Op, out, a, b unsafe.Pointer, n, stepA, stepB int) int {
	switch op {
	case Add:
		addFloat64(out, a, b, n, stepA, stepB)
	case Subtract:
		subFloat64(out, a, b, n, stepA, stepB)
	case Multiply:
		mulFloat64(out, a, b, n, stepA, stepB)
	case Divide:
		divFloat64(out, a, b, n, stepA, stepB)
	case Minimum:
		minFloat64(out, a, b, n, stepA, stepB)
	case Maximum:
		maxFloat64(out, a, b, n, stepA, stepB)
	default:
		return 0
	}
	return n
}

// stride is by how many bytes to go forward in an operand for each 128 of the result.
func stride[R, T any](out []R, in []T) int {
	if len(in) < len(out) {
		return 0
	}
	return 128
}

// wideInts is wide for integers.
func wideInts[T signed](op Op, out, a, b []T) int {
	size := int(unsafe.Sizeof(*new(T)))
	n := len(out) &^ (128/size - 1)
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	po, pa, pb := unsafe.Pointer(&out[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	stepA, stepB := stride(out, a), stride(out, b)
	switch {
	case size == 4 && op == Add:
		addInt32(po, pa, pb, n, stepA, stepB)
	case size == 4 && op == Subtract:
		subInt32(po, pa, pb, n, stepA, stepB)
	case size == 4 && op == Multiply:
		mulInt32(po, pa, pb, n, stepA, stepB)
	case size == 4 && op == Minimum:
		minInt32(po, pa, pb, n, stepA, stepB)
	case size == 4 && op == Maximum:
		maxInt32(po, pa, pb, n, stepA, stepB)
	case size == 8 && op == Add:
		addInt64(po, pa, pb, n, stepA, stepB)
	case size == 8 && op == Subtract:
		subInt64(po, pa, pb, n, stepA, stepB)
	default:
		return 0
	}
	return n
}

// wideBools is wide for the bytes of bools.
func wideBools(op Op, out, a, b []uint8) int {
	n := len(out) &^ 127
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	po, pa, pb := unsafe.Pointer(&out[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	stepA, stepB := stride(out, a), stride(out, b)
	switch op {
	case Add, BitOr, LogicalOr, Maximum:
		orBytes(po, pa, pb, n, stepA, stepB)
	case Multiply, BitAnd, LogicalAnd, Minimum:
		andBytes(po, pa, pb, n, stepA, stepB)
	case BitXor, LogicalXor, NotEqual:
		xorBytes(po, pa, pb, n, stepA, stepB)
	default:
		return 0
	}
	return n
}
