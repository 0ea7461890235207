package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func lessFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func lessEqualFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func equalFloat32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func lessFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func lessEqualFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func equalFloat64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func greaterInt32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func equalInt32(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func greaterInt64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

//go:noescape
func equalInt64(out, a, b unsafe.Pointer, n, flip, stepA, stepB int)

// wideCompare is wide for comparisons.
func wideCompare[T number](op Op, out []bool, a, b []T) int {
	size := int(unsafe.Sizeof(*new(T)))
	n := len(out) &^ (128/size - 1)
	if n == 0 || size < 4 || !cpu.X86.HasAVX2 {
		return 0
	}
	x, y := unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	stepX, stepY := stride(out, a), stride(out, b)
	if op == Greater || op == GreaterEqual {
		x, y, stepX, stepY = y, x, stepY, stepX
	}
	o, flip := unsafe.Pointer(&out[0]), 0
	if op == NotEqual {
		flip = 1
	}
	switch typeOf[T]() {
	case Float32:
		compareFloat32(op, o, x, y, n, flip, stepX, stepY)
	case Float64:
		compareFloat64(op, o, x, y, n, flip, stepX, stepY)
	case Int32:
		compareInt32(op, o, x, y, n, flip, stepX, stepY)
	default:
		compareInt64(op, o, x, y, n, flip, stepX, stepY)
	}
	return n
}

// The functions below take what is greater for less, of operands that changed places. They call no variable functions, for which what lies
// on the stack would have to be moved.

func compareFloat32(op Op, out, a, b unsafe.Pointer, n, flip, stepA, stepB int) {
	switch op {
	case Equal, NotEqual:
		equalFloat32(out, a, b, n, flip, stepA, stepB)
	case Less, Greater:
		lessFloat32(out, a, b, n, flip, stepA, stepB)
	default:
		lessEqualFloat32(out, a, b, n, flip, stepA, stepB)
	}
}

func compareFloat64(op Op, out, a, b unsafe.Pointer, n, flip, stepA, stepB int) {
	switch op {
	case Equal, NotEqual:
		equalFloat64(out, a, b, n, flip, stepA, stepB)
	case Less, Greater:
		lessFloat64(out, a, b, n, flip, stepA, stepB)
	default:
		lessEqualFloat64(out, a, b, n, flip, stepA, stepB)
	}
}

func compareInt32(op Op, out, a, b unsafe.Pointer, n, flip, stepA, stepB int) {
	switch op {
	case Equal, NotEqual:
		equalInt32(out, a, b, n, flip, stepA, stepB)
	case Less, Greater:
		greaterInt32(out, b, a, n, flip, stepB, stepA)
	default:
		greaterInt32(out, a, b, n, 1, stepA, stepB)
	}
}

func compareInt64(op Op, out, a, b unsafe.Pointer, n, flip, stepA, stepB int) {
	switch op {
	case Equal, NotEqual:
		equalInt64(out, a, b, n, flip, stepA, stepB)
	case Less, Greater:
		greaterInt64(out, b, a, n, flip, stepB, stepA)
	default:
		greaterInt64(out, a, b, n, 1, stepA, stepB)
	}
}
