package vector

import "math"

// One household is nothing but constants, and most of what its formulas do is an operation on two of them. The frequent ones have a short way of
// their own, which gives what the way of all columns gives.

// Constants computes a op b, of two constants, into out; false if that is not one of the frequent operations, and is left to [Rules.Binary]: what out
// is then does not matter.
func (r *Rules) Constants(op Op, a, b, out *Column) bool {
	if !a.constant || !b.constant || (a.form|b.form)&boxed != 0 || a.n != b.n && a.n != 1 && b.n != 1 {
		return false
	}
	t := a.typ
	switch {
	case t > Float64 || b.typ > Float64:
		if t != Enum || b.typ != Enum || op != Equal && op != NotEqual {
			return false
		}
	case t != b.typ:
		var err error
		if t, err = r.numbers(a, b); err != nil {
			return false
		}
	}
	out.data, out.n = nil, a.n
	if a.n == 1 {
		out.n = b.n
	}
	out.tag = tag{typ: t, form: min(a.form, b.form, NumpyScalar), constant: true}
	known := true
	switch {
	case t == Bool:
		out.bits, known = quickBool(op, a.bits, b.bits)
	case op.comparison():
		out.typ, out.bits = Bool, 0
		if quickCompare(op, t, a, b) {
			out.bits = 1
		}
	case t == Float32:
		var v float32
		v, known = quickFloat(op, a.constFloat32(), b.constFloat32())
		out.bits = uint64(math.Float32bits(v))
	case t == Float64:
		var v float64
		v, known = quickFloat(op, a.constFloat64(), b.constFloat64())
		out.bits = math.Float64bits(v)
	default:
		return false
	}
	return known
}

// quickCompare compares two constants as numbers of a type.
func quickCompare(op Op, t Type, a, b *Column) bool {
	switch t {
	case Float32:
		return compareOp(op, a.constFloat32(), b.constFloat32())
	case Float64:
		return compareOp(op, a.constFloat64(), b.constFloat64())
	}
	return compareOp(op, int64(a.bits), int64(b.bits))
}

// quickFloat is the part of floatOp that is worth inlining.
func quickFloat[T float32 | float64](op Op, x, y T) (T, bool) {
	switch op {
	case Add:
		return x + y, true
	case Subtract:
		return x - y, true
	case Multiply:
		return x * y, true
	case Divide:
		return x / y, true
	case Minimum:
		return minOf(x, y), true
	case Maximum:
		return maxOf(x, y), true
	}
	return 0, false
}

// quickBool is the frequent part of boolOp.
func quickBool(op Op, x, y uint64) (bits uint64, known bool) {
	switch op {
	case Multiply, BitAnd, LogicalAnd:
		return x & y, true
	case Add, BitOr, LogicalOr:
		return x | y, true
	case Equal:
		return x ^ y ^ 1, true
	case NotEqual:
		return x ^ y, true
	}
	return 0, false
}

// constBinary computes with two constants.
func constBinary(op Op, t Type, a, b Column, s shape) Column {
	c := Column{n: s.n, tag: tag{typ: t, form: s.form, constant: true}}
	switch t {
	case Float32:
		c.bits = uint64(math.Float32bits(floatOp(op, a.constFloat32(), b.constFloat32())))
	case Float64:
		c.bits = math.Float64bits(floatOp(op, a.constFloat64(), b.constFloat64()))
	case Int64:
		c.bits = uint64(intOp(op, int64(a.bits), int64(b.bits)))
	case Int32:
		c.bits = uint64(intOp(op, int32(a.bits), int32(b.bits)))
	case Int16:
		c.bits = uint64(intOp(op, int16(a.bits), int16(b.bits)))
	case Bool:
		c.bits = uint64(boolOp(op, uint8(a.bits), uint8(b.bits)))
	}
	return c
}

// constFloat32 is the value of a constant number as a float32.
func (c *Column) constFloat32() float32 {
	switch c.typ {
	case Float32:
		return math.Float32frombits(uint32(c.bits))
	case Float64:
		return float32(math.Float64frombits(c.bits))
	}
	return float32(int64(c.bits))
}

// constFloat64 is the value of a constant number as a float64.
func (c *Column) constFloat64() float64 {
	switch c.typ {
	case Float32:
		return float64(math.Float32frombits(uint32(c.bits)))
	case Float64:
		return math.Float64frombits(c.bits)
	}
	return float64(int64(c.bits))
}
