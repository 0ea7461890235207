package vector

import "math"

// Integers of eight bits. Columns have no storage of that width: an int8 or uint8 column is an Int16 column whose unit is
// Signed8 or Unsigned8. Kernels compute it as int16, and eightBits cuts each result to eight bits; the low eight bits of
// sums, products and powers are the same in either width.

// eight reports whether d is int8 or uint8.
func (d DType) eight() bool { return d.Type == Int16 && d.Unit != Generic }

// holds reports whether an integer of eight bits can have the value v.
func (u Unit) holds(v int64) bool {
	if u == Signed8 {
		return v >= math.MinInt8 && v <= math.MaxInt8
	}
	return v >= 0 && v <= math.MaxUint8
}

// cut returns the low eight bits of v as an integer of u.
func (u Unit) cut(v int16) int16 {
	if u == Signed8 {
		return int16(int8(v))
	}
	return int16(uint8(v))
}

// eightBits returns a copy of the Int16 column c as integers of u.
func eightBits(c Column, u Unit) Column {
	if c.constant {
		c.bits, c.unit = uint64(u.cut(int16(c.bits))), u
		return c
	}
	out := make([]int16, c.n)
	for i, v := range elems[int16](c) {
		out[i] = u.cut(v)
	}
	cut := raw(Int16, u, out)
	cut.form = c.form
	return cut
}

// binaryEight computes a op b where an operand has eight bits and the operation computes in int16.
func (r *Rules) binaryEight(op Op, a, b Column, s shape) (Column, error) {
	d := r.promoteEight(&a, &b)
	if d.Type == Int32 {
		return runInt[int32](op, a, b, s)
	}
	out, err := runInt[int16](op, a, b, s)
	if err != nil || d.Unit == Generic {
		return out, err
	}
	return eightBits(out, d.Unit), nil
}

// promoteEight is the common type of two operands that promote to int16 and of which one has eight bits.
func (r *Rules) promoteEight(a, b *Column) DType {
	if a.form == b.form || r.nep50() && a.form != PyScalar && b.form != PyScalar {
		return promoteEightTypes(a.DType(), b.DType())
	}
	if a.form != Array && (b.form == Array || a.form == PyScalar) {
		a, b = b, a // b is the scalar, which may be weak
	}
	switch {
	case b.typ == Bool || a.typ == Bool:
		return promoteEightTypes(a.DType(), b.DType())
	case a.unit == Generic:
		return DType{Type: Int16}
	}
	return weakEight(a.unit, int64(b.bits))
}

// weakEight is the type of an array of u with a weak scalar that fits 32 bits.
func weakEight(u Unit, v int64) DType {
	switch {
	case u.holds(v):
		return DType{Type: Int16, Unit: u}
	case u == Unsigned8 && v > 0:
		return DType{Type: Int32} // numpy: uint16, which columns do not have and int16 does not hold
	}
	return DType{Type: Int16}
}

// promoteEightTypes is numpy.promote_types of bool, int8, uint8 and int16.
func promoteEightTypes(a, b DType) DType {
	switch {
	case a == b, b.Type == Bool:
		return a
	case a.Type == Bool:
		return b
	}
	return DType{Type: Int16}
}
