package vector

import "math"

// Kernels: one loop per operation, over slices of one type. A constant goes through the same loop with one element, so
// that constant and varying columns cannot disagree. Every product is rounded on its own: no expression here may be
// contracted to a fused multiply-add.

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

func intFloorDivLoop[T signed](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = intFloorDiv(a[i], b[i])
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

func intRemainderLoop[T signed](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = intRemainder(a[i], b[i])
	}
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

// fmod is C's: exact in either width.
func fmod[T floating](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

func floatFloorDivLoop[T floating](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = floatFloorDiv(a[i], b[i])
	}
}

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

func floatRemainderLoop[T floating](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = floatRemainder(a[i], b[i])
	}
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

// intPowerLoop wraps like repeated multiplication; exponents are not negative.
func intPowerLoop[T signed](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		x, n, p := a[i], b[i], T(1)
		for ; n > 0; n >>= 1 {
			if n&1 != 0 {
				p *= x
			}
			x *= x
		}
		out[i] = p
	}
}

func floatPowerLoop[T floating](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = floatPower(a[i], b[i])
	}
}

// floatPower takes numpy's short cuts, which are exact; the rest agrees with the C library to the last bit or one off.
func floatPower[T floating](x, y T) T {
	switch y {
	case 1:
		return x
	case 2:
		return x * x
	case 0.5:
		if x > 0 {
			return T(math.Sqrt(float64(x)))
		}
	case -1:
		return 1 / x
	}
	return T(power(float64(x), float64(y)))
}

func nextAfterLoop[T floating](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		if a[i] == b[i] {
			out[i] = b[i] // as C does: from -0 towards 0 is 0
			continue
		}
		switch x := any(a[i]).(type) {
		case float32:
			out[i] = T(math.Nextafter32(x, float32(b[i])))
		case float64:
			out[i] = T(math.Nextafter(x, float64(b[i])))
		}
	}
}

func bitLoop[T signed](op Op, out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	switch op {
	case BitAnd:
		for i := range out {
			out[i] = a[i] & b[i]
		}
	case BitOr:
		for i := range out {
			out[i] = a[i] | b[i]
		}
	case BitXor:
		for i := range out {
			out[i] = a[i] ^ b[i]
		}
	}
}

// boolLoop runs over the bytes of bools, which are 0 or 1.
func boolLoop(op Op, out, a, b []uint8) {
	a, b = a[:len(out)], b[:len(out)]
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

func compareLoop[T number | ~string](op Op, out []bool, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
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
