package vector

import (
	"math"
	"slices"

	"edict/simulation/elementary"
)

// Reductions. Results are numpy scalars. Floats are summed in numpy's order: one after the other below 8 terms, in
// eight lanes up to 128, in halves up to 8192, then such chunks one after the other.

const sumChunk = 8192

// Sum is a.sum(): bools and integers in int64, floats in their own type.
func (r *Rules) Sum(a Column) (Column, error) {
	if a.Taped() {
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.Sum(in[0]) }}, r, a)
	}
	switch a.typ {
	case Bool, Int16, Int32, Int64, Enum:
		return Scalar(sumInts(a)), nil
	case Float32:
		return Scalar(sumFloats[float32](a)), nil
	case Float64:
		return Scalar(sumFloats[float64](a)), nil
	case Duration:
		return sumDurations(a), nil
	case Object:
		return r.sumObjects(a)
	case Date:
		return Column{}, typeError("ufunc 'add' cannot use operands with types dtype('%s') and dtype('%s')", a.DType(), a.DType())
	}
	return Column{}, noLoop(Add, a.DType(), a.DType())
}

// Dot is numpy.dot of two arrays of the same length: the sum of their products, floats in numpy's order.
func (r *Rules) Dot(a, b Column) (Column, error) {
	if (a.form|b.form)&boxed != 0 {
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.Dot(in[0], in[1]) }}, r, a, b)
	}
	if a.n != b.n {
		return Column{}, valueError("shapes (%d,) and (%d,) not aligned: %d (dim 0) != %d (dim 0)", a.n, b.n, a.n, b.n)
	}
	if a.typ.Number() && b.typ.Number() {
		t, err := r.compute(Multiply, &a, &b)
		switch {
		case err != nil:
			return Column{}, err
		case t == Float32:
			return Scalar(elementary.Dot32(allOf[float32](a), allOf[float32](b))), nil
		case t == Float64:
			return Scalar(elementary.Dot64(allOf[float64](a), allOf[float64](b))), nil
		}
	}
	products, err := r.Binary(Multiply, a, b)
	if err != nil {
		return Column{}, err
	}
	sum, err := r.Sum(products)
	if err != nil {
		return Column{}, err
	}
	return r.Cast(sum, products.DType())
}

// allOf gives the elements of a number as T, a constant's one by one.
func allOf[T Element](c Column) []T {
	if !c.constant && c.typ == typeOf[T]() {
		return elems[T](c)
	}
	out := make([]T, c.n)
	if c.constant {
		v := constAs[T](c)
		for i := range out {
			out[i] = v
		}
		return out
	}
	convert(out, c, 0)
	return out
}

func sumInts(a Column) int64 {
	if a.constant {
		return a.Int(0) * int64(a.n)
	}
	var sum int64
	for i := range int(a.n) {
		sum += a.Int(i)
	}
	return sum
}

func sumFloats[T floating](a Column) T {
	var sum T
	n := int(a.n)
	if a.constant {
		v := fromBits[T](a.bits)
		full := pairwiseConst(v, sumChunk)
		for ; n > sumChunk; n -= sumChunk {
			sum += full
		}
		return sum + pairwiseConst(v, n)
	}
	v := elems[T](a)
	for ; n > sumChunk; n -= sumChunk {
		sum += pairwise(v[:sumChunk])
		v = v[sumChunk:]
	}
	return sum + pairwise(v)
}

// pairwise is numpy's summation, block by block.
func pairwise[T floating](v []T) T {
	n := len(v)
	if n < 8 {
		sum := T(math.Copysign(0, -1))
		for _, x := range v {
			sum += x
		}
		return sum
	}
	if n > 128 {
		half := n / 2
		half -= half % 8
		return pairwise(v[:half]) + pairwise(v[half:])
	}
	lanes := [8]T(v)
	i := 8
	for ; i < n-n%8; i += 8 {
		for k := range lanes {
			lanes[k] += v[i+k]
		}
	}
	sum := ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
	for ; i < n; i++ {
		sum += v[i]
	}
	return sum
}

// pairwiseConst is pairwise of n times x; equal halves are summed once.
func pairwiseConst[T floating](x T, n int) T {
	if n <= 128 {
		var buf [128]T
		for i := range n {
			buf[i] = x
		}
		return pairwise(buf[:n])
	}
	half := n / 2
	half -= half % 8
	left := pairwiseConst(x, half)
	if n-half == half {
		return left + left
	}
	return left + pairwiseConst(x, n-half)
}

func sumDurations(a Column) Column {
	var sum int64
	for i := range int(a.n) {
		sum = addTimes(sum, a.Int(i))
	}
	return DurationScalar(a.unit, sum)
}

func (r *Rules) sumObjects(a Column) (Column, error) {
	if a.n == 0 {
		return PyInt(0), nil
	}
	sum := a.at(a.index(0))
	for i := 1; i < int(a.n); i++ {
		var err error
		if sum, err = r.Binary(Add, sum, a.at(a.index(i))); err != nil {
			return Column{}, err
		}
	}
	return sum, nil
}

// Mean is a.mean(): integers in float64, floats in their own type, NaN if empty.
func (r *Rules) Mean(a Column) (Column, error) {
	if a.Taped() {
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.Mean(in[0]) }}, r, a)
	}
	n := int64(a.n)
	switch {
	case a.typ == Float32:
		return Scalar(sumFloats[float32](a) / float32(n)), nil
	case a.typ == Duration:
		return DurationScalar(a.unit, divideTime(int64(sumDurations(a).bits), n)), nil
	case a.typ.Number() || a.typ == Enum:
		return Scalar(sumFloats[float64](castTo[float64](a, Float64)) / float64(n)), nil
	}
	return Column{}, noLoop(Add, a.DType(), a.DType())
}

// Min is a.min(); NaN and NaT win.
func (r *Rules) Min(a Column) (Column, error) { return r.extreme(Minimum, a) }

// Max is a.max(); NaN and NaT win.
func (r *Rules) Max(a Column) (Column, error) { return r.extreme(Maximum, a) }

func (r *Rules) extreme(op Op, a Column) (Column, error) {
	if a.Taped() {
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.fold(op, in[0]) }}, r, a)
	}
	return r.fold(op, a)
}

func (r *Rules) fold(op Op, a Column) (Column, error) {
	a = codesOf(a)
	switch {
	case a.n == 0:
		return Column{}, valueError("zero-size array to reduction operation %s which has no identity", op)
	case a.typ.text():
		return Column{}, noLoop(op, a.DType(), a.DType())
	case a.constant && a.typ != Object:
		return a.at(0), nil
	}
	switch a.typ {
	case Float32:
		return Scalar(foldFloats(op, elems[float32](a))), nil
	case Float64:
		return Scalar(foldFloats(op, elems[float64](a))), nil
	case Int32:
		return Scalar(foldInts(op, elems[int32](a))), nil
	}
	best := a.at(0)
	for i := 1; i < int(a.n); i++ {
		var err error
		if best, err = r.Binary(op, best, a.at(a.index(i))); err != nil {
			return Column{}, err
		}
	}
	return best, nil
}

func foldFloats[T floating](op Op, v []T) T {
	best := v[0]
	for _, x := range v[1:] {
		if op == Minimum {
			best = minOf(best, x)
		} else {
			best = maxOf(best, x)
		}
	}
	return best
}

func foldInts[T signed](op Op, v []T) T {
	if op == Minimum {
		return slices.Min(v)
	}
	return slices.Max(v)
}

// Any is a.any().
func (r *Rules) Any(a Column) (bool, error) {
	if a.Taped() {
		holds, err := r.Any(a.Plain())
		return promise(anyStep, a, holds, err)
	}
	mask, err := r.condition(a)
	if err != nil {
		return false, err
	}
	if mask.constant {
		return mask.bits != 0 && a.n > 0, nil
	}
	for _, v := range elems[bool](mask) {
		if v {
			return true, nil
		}
	}
	return false, nil
}

// All is a.all().
func (r *Rules) All(a Column) (bool, error) {
	if a.Taped() {
		holds, err := r.All(a.Plain())
		return promise(allStep, a, holds, err)
	}
	mask, err := r.condition(a)
	if err != nil {
		return false, err
	}
	if mask.constant {
		return mask.bits != 0 || a.n == 0, nil
	}
	for _, v := range elems[bool](mask) {
		if !v {
			return false, nil
		}
	}
	return true, nil
}

// CumSum is numpy.cumsum(a): in the type of Sum, one after the other.
func (r *Rules) CumSum(a Column) (Column, error) {
	if a.Taped() {
		return record(step{do: func(r *Rules, in []Column) (Column, error) { return r.CumSum(in[0]) }}, r, a)
	}
	switch {
	case a.typ == Float32:
		return Of(cumulated(Slice[float32](a))), nil
	case a.typ == Float64:
		return Of(cumulated(Slice[float64](a))), nil
	case a.typ.Number():
		out := make([]int64, a.n)
		var sum int64
		for i := range out {
			sum += a.Int(i)
			out[i] = sum
		}
		return Of(out), nil
	}
	return Column{}, noLoop(Add, a.DType(), a.DType())
}

func cumulated[T floating](in []T) []T {
	out := make([]T, len(in))
	var sum T
	for i, v := range in {
		if i == 0 {
			sum = v
		} else {
			sum += v
		}
		out[i] = sum
	}
	return out
}
