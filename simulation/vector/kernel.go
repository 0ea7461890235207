package vector

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Kernels: one function per operation for one element, and loops over slices of one type for what is frequent. Constants
// use the first, varying columns the second; property tests hold them to the same bits. Every product is rounded on its
// own: no expression here may be contracted to a fused multiply-add.

type number interface {
	int16 | int32 | int64 | float32 | float64
}

type floating interface{ float32 | float64 }

type signed interface{ int16 | int32 | int64 }

func addLoop[T number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] + b[i]
	}
}

func subLoop[T number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] - b[i]
	}
}

func mulLoop[T number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] * b[i]
	}
}

func divLoop[T floating](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] / b[i]
	}
}

// minLoop gives NaN if either operand is, the first of equals otherwise, as numpy does.
func minLoop[T number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		x, y := a[i], b[i]
		if x < y || x != x {
			y = x
		}
		out[i] = y
	}
}

func maxLoop[T number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		x, y := a[i], b[i]
		if x > y || x != x {
			y = x
		}
		out[i] = y
	}
}

func intFloorDiv[T signed](x, y T) T {
	switch y {
	case 0:
		return 0
	case -1:
		return -x // wraps for the smallest integer, where Go's division would too
	}
	q := x / y
	if q*y != x && (x < 0) != (y < 0) {
		q--
	}
	return q
}

func intRemainder[T signed](x, y T) T {
	if y == 0 || y == -1 {
		return 0
	}
	m := x % y
	if m != 0 && (m < 0) != (y < 0) {
		m += y
	}
	return m
}

// remainders is intRemainder by one small divisor, by multiplications (Lemire, Kaser and Kurz, "Faster remainder by direct computation",
// 2019). It does nothing and is false for others.
func remainders[T signed](out, x []T, divisor int64) bool {
	if divisor < 2 || divisor > 1<<12 {
		return false
	}
	d := uint64(divisor)
	inverse := math.MaxUint64/d + 1
	shift := (1<<30/divisor + 1) * divisor // makes numbers positive, and changes no remainder
	for i, v := range x {
		if v := int64(v); v < -1<<30 || v >= 1<<30 {
			out[i] = T(intRemainder(v, divisor))
			continue
		}
		rest, _ := bits.Mul64(inverse*uint64(int64(v)+shift), d)
		out[i] = T(rest)
	}
	return true
}

// fmod is C's: exact in either width.
func fmod[T floating](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

// floatFloorDiv is Python's floor division of floats as numpy does it: from the exact remainder, so that
// x == y*(x//y) + x%y holds as well as it can.
func floatFloorDiv[T floating](x, y T) T {
	if y == 0 {
		return x / y
	}
	mod := fmod(x, y)
	div := (x - mod) / y
	if mod != 0 && (y < 0) != (mod < 0) {
		div--
	}
	if div == 0 {
		return T(math.Copysign(0, float64(x/y)))
	}
	floor := T(math.Floor(float64(div)))
	if div-floor > 0.5 {
		floor++
	}
	return floor
}

func floatRemainder[T floating](x, y T) T {
	mod := fmod(x, y)
	switch {
	case y == 0:
	case mod == 0:
		mod = T(math.Copysign(0, float64(y)))
	case (y < 0) != (mod < 0):
		mod += y
	}
	return mod
}

// intPower wraps like repeated multiplication; n is not negative.
func intPower[T signed](x, n T) T {
	p := T(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

func nextAfter[T floating](x, y T) T {
	if x == y {
		return y // as C does: from -0 towards 0 is 0
	}
	switch v := any(x).(type) {
	case float32:
		return T(math.Nextafter32(v, float32(y)))
	case float64:
		return T(math.Nextafter(v, float64(y)))
	}
	return x
}

func minOf[T number](x, y T) T {
	if x < y || x != x {
		return x
	}
	return y
}

func maxOf[T number](x, y T) T {
	if x > y || x != x {
		return x
	}
	return y
}

// intOp computes one element; loops of their own exist for what is frequent.
func intOp[T signed](op Op, x, y T) T {
	switch op {
	case Add:
		return x + y
	case Subtract:
		return x - y
	case Multiply:
		return x * y
	case FloorDivide:
		return intFloorDiv(x, y)
	case Remainder:
		return intRemainder(x, y)
	case Power:
		return intPower(x, y)
	case BitAnd:
		return x & y
	case BitOr:
		return x | y
	case BitXor:
		return x ^ y
	case Minimum:
		return minOf(x, y)
	}
	return maxOf(x, y)
}

// floatOp computes one element; loops of their own exist for what is frequent, and runPower for powers.
func floatOp[T floating](op Op, x, y T) T {
	switch op {
	case Add:
		return x + y
	case Subtract:
		return x - y
	case Multiply:
		return x * y
	case Divide:
		return x / y
	case FloorDivide:
		return floatFloorDiv(x, y)
	case Remainder:
		return floatRemainder(x, y)
	case Minimum:
		return minOf(x, y)
	case Maximum:
		return maxOf(x, y)
	}
	return nextAfter(x, y)
}

func intKernel[T signed](op Op, out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	if n := wideInts(op, out, a, b); n > 0 {
		out, a, b = out[n:], a[n:], b[n:]
	}
	switch op {
	case Add:
		addLoop(out, a, b)
	case Subtract:
		subLoop(out, a, b)
	case Multiply:
		mulLoop(out, a, b)
	case Minimum:
		minLoop(out, a, b)
	case Maximum:
		maxLoop(out, a, b)
	default:
		for i := range out {
			out[i] = intOp(op, a[i], b[i])
		}
	}
}

func floatKernel[T floating](op Op, out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	if n := wide(op, out, a, b); n > 0 {
		out, a, b = out[n:], a[n:], b[n:]
	}
	switch op {
	case Add:
		addLoop(out, a, b)
	case Subtract:
		subLoop(out, a, b)
	case Multiply:
		mulLoop(out, a, b)
	case Divide:
		divLoop(out, a, b)
	case Minimum:
		minLoop(out, a, b)
	case Maximum:
		maxLoop(out, a, b)
	default:
		for i := range out {
			out[i] = floatOp(op, a[i], b[i])
		}
	}
}

// boolOp computes one element of bools given as 0 or 1.
func boolOp(op Op, x, y uint8) uint8 {
	var out [1]uint8
	boolLoop(op, out[:], []uint8{x}, []uint8{y})
	return out[0]
}

// boolLoop runs over the bytes of bools, which are 0 or 1.
func boolLoop(op Op, out, a, b []uint8) {
	a, b = a[:len(out)], b[:len(out)]
	if n := wideBools(op, out, a, b); n > 0 {
		out, a, b = out[n:], a[n:], b[n:]
	}
	if n := boolWords(op, out, a, b); n > 0 {
		out, a, b = out[n:], a[n:], b[n:]
	}
	switch op {
	case Add, BitOr, LogicalOr, Maximum:
		for i := range out {
			out[i] = a[i] | b[i]
		}
	case Multiply, BitAnd, LogicalAnd, Minimum:
		for i := range out {
			out[i] = a[i] & b[i]
		}
	case BitXor, LogicalXor, NotEqual:
		for i := range out {
			out[i] = a[i] ^ b[i]
		}
	case Equal:
		for i := range out {
			out[i] = a[i] ^ b[i] ^ 1
		}
	case Less:
		for i := range out {
			out[i] = (a[i] ^ 1) & b[i]
		}
	case LessEqual:
		for i := range out {
			out[i] = (a[i] ^ 1) | b[i]
		}
	case Greater:
		for i := range out {
			out[i] = a[i] & (b[i] ^ 1)
		}
	case GreaterEqual:
		for i := range out {
			out[i] = a[i] | (b[i] ^ 1)
		}
	}
}

// boolWords computes the first elements of a frequent operation eight at a time, and returns how many it did.
func boolWords(op Op, out, a, b []uint8) int {
	n := len(out) &^ 7
	le := binary.LittleEndian
	switch op {
	case Add, BitOr, LogicalOr, Maximum:
		for i := 0; i < n; i += 8 {
			le.PutUint64(out[i:], le.Uint64(a[i:])|le.Uint64(b[i:]))
		}
	case Multiply, BitAnd, LogicalAnd, Minimum:
		for i := 0; i < n; i += 8 {
			le.PutUint64(out[i:], le.Uint64(a[i:])&le.Uint64(b[i:]))
		}
	default:
		return 0
	}
	return n
}

func compareOp[T number | string](op Op, x, y T) bool {
	switch op {
	case Equal:
		return x == y
	case NotEqual:
		return x != y
	case Less:
		return x < y
	case LessEqual:
		return x <= y
	case Greater:
		return x > y
	}
	return x >= y
}

func compareLoop[T number](op Op, out []bool, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	if n := wideCompare(op, out, a, b); n > 0 {
		out, a, b = out[n:], a[n:], b[n:]
	}
	switch op {
	case Equal:
		for i := range out {
			out[i] = a[i] == b[i]
		}
	case NotEqual:
		for i := range out {
			out[i] = a[i] != b[i]
		}
	case Less:
		for i := range out {
			out[i] = a[i] < b[i]
		}
	case LessEqual:
		for i := range out {
			out[i] = a[i] <= b[i]
		}
	case Greater:
		for i := range out {
			out[i] = a[i] > b[i]
		}
	case GreaterEqual:
		for i := range out {
			out[i] = a[i] >= b[i]
		}
	}
}
