package vector

import "unsafe"

// A constant beside a column: where kernels compute many elements at a time, it is an operand in which they do not go
// forward.

// lanes is how often a constant stands where many elements are computed at a time: elements of 4 bytes or more fill 128 bytes.
const lanes = 32

// wideConstant gives a constant as the kernels for many elements take it.
func wideConstant[T Element](v T, buf *[lanes]T) []T {
	out := buf[:min(lanes, 128/unsafe.Sizeof(v))]
	for i := range out {
		out[i] = v
	}
	return out
}

// alongConstant gives operands of which one is a constant and the other of type T as the kernels for many elements
// take them, none of any others.
func alongConstant[T Element](a, b Column, n int32, buf *[lanes]T) (x, y []T) {
	switch {
	case n < lanes:
	case a.constant && b.typ == typeOf[T]():
		return wideConstant(constAs[T](a), buf), elems[T](b)[:n]
	case b.constant && a.typ == typeOf[T]():
		return elems[T](a)[:n], wideConstant(constAs[T](b), buf)
	}
	return nil, nil
}

// after gives what is left of an operand of n elements after so many: of a constant as much.
func after[T Element](operand []T, done, n int) []T {
	if len(operand) < n {
		return operand[:n-done]
	}
	return operand[done:]
}

// chosenFrom gives what a mask chooses from, n elements or a constant, as the kernels for many elements take it.
func chosenFrom[T Element](c Column, n int, buf *[lanes]T) []T {
	if c.constant {
		return wideConstant(fromBits[T](c.bits), buf)
	}
	return elems[T](c)[:n]
}

// twoValues computes with truths and a constant: there are only two results.
func twoValues(op Op, t Type, a, b Column, s shape) Column {
	mask, both := a, [2]Column{}
	if a.constant {
		mask = b
	}
	for i := range both {
		truth := Column{bits: uint64(i), n: s.n, tag: tag{typ: Bool, constant: true}}
		if a.constant {
			both[i] = constBinary(op, t, a, truth, s)
		} else {
			both[i] = constBinary(op, t, truth, b, s)
		}
	}
	return choose(DType{Type: t}, elems[bool](mask)[:s.n], both[1], both[0], s)
}
