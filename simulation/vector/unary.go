package vector

import "math"

// Unary computes op a. The result of a scalar is a numpy scalar.
func (r *Rules) Unary(op Op, a Column) (Column, error) {
	if a.Taped() {
		return record(step{key: unaryKey(op)}, r, a)
	}
	switch {
	case a.typ == Object:
		return r.unaryObject(op, a)
	case !a.typ.Number():
		return unaryTime(op, a)
	case op == LogicalNot:
		return runNot(truth(a), r.pool()), nil
	case op == IsNaN || op == IsInf || op == IsFinite:
		return runTest(op, a), nil
	}
	t, err := unaryType(op, a.typ)
	if err != nil {
		return Column{}, err
	}
	switch t {
	case Bool:
		if op == Invert {
			return runNot(a, r.pool()), nil
		}
		return a.As(resultForm(a)), nil
	case Int16:
		out := runUnary(op, a, r.pool(), intUnary[int16], intLoop[int16])
		if a.DType().eight() {
			return eightBits(out, a.unit), nil
		}
		return out, nil
	case Int32:
		return runUnary(op, a, r.pool(), intUnary[int32], intLoop[int32]), nil
	case Int64:
		return runUnary(op, a, r.pool(), intUnary[int64], intLoop[int64]), nil
	case Float32:
		if f := elementary32(op); f != nil {
			return runFunction(a, f), nil
		}
		return runUnary(op, a, r.pool(), floatUnary[float32], floatLoop[float32]), nil
	}
	return runUnary(op, a, r.pool(), floatUnary[float64], floatLoop[float64]), nil
}

func resultForm(a Column) Form {
	if a.form == Array {
		return Array
	}
	return NumpyScalar
}

func unaryShape(a Column) shape {
	return shape{n: a.n, form: resultForm(a), constant: a.constant}
}

// runUnary applies an operation to all elements: kernel to a constant, apply in place to what varies.
func runUnary[T Element](op Op, a Column, p *Pool, kernel func(Op, T) T, apply func(Op, []T)) Column {
	s := unaryShape(a)
	if s.constant {
		return constColumn(s, typeOf[T](), kernel(op, constAs[T](a)))
	}
	out := lend[T](p, int(a.n))
	convert(out, a, 0)
	apply(op, out)
	return finish(s, out)
}

func intLoop[T signed](op Op, out []T) {
	if op == Negative {
		for i, x := range out {
			out[i] = -x
		}
		return
	}
	for i, x := range out {
		out[i] = intUnary(op, x)
	}
}

// floatLoop has loops of their own for what laws are full of.
func floatLoop[T floating](op Op, out []T) {
	out = out[wideRound(op, out):]
	switch op {
	case Negative:
		for i, x := range out {
			out[i] = -x
		}
	case Floor:
		for i, x := range out {
			out[i] = T(math.Floor(float64(x)))
		}
	case Rint:
		for i, x := range out {
			out[i] = T(math.RoundToEven(float64(x)))
		}
	default:
		for i, x := range out {
			out[i] = floatUnary(op, x)
		}
	}
}

// runFunction is runUnary for a function of its own.
func runFunction(a Column, f func(float32) float32) Column {
	s := unaryShape(a)
	if s.constant {
		return constColumn(s, Float32, f(a.constFloat32()))
	}
	out := make([]float32, a.n)
	convert(out, a, 0)
	for i, x := range out {
		out[i] = f(x)
	}
	return finish(s, out)
}

func intUnary[T signed](op Op, x T) T {
	switch op {
	case Negative:
		return -x
	case Absolute:
		if x < 0 {
			return -x
		}
	case Invert:
		return ^x
	case Square:
		return x * x
	case Sign:
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
	}
	return x
}

func floatUnary[T floating](op Op, x T) T {
	switch op {
	case Negative:
		return -x
	case Absolute, Fabs:
		return T(math.Abs(float64(x)))
	case Square:
		return x * x
	case Floor:
		return T(math.Floor(float64(x)))
	case Ceil:
		return T(math.Ceil(float64(x)))
	case Trunc:
		return T(math.Trunc(float64(x)))
	case Rint:
		return T(math.RoundToEven(float64(x)))
	case Sqrt:
		return T(math.Sqrt(float64(x)))
	case Exp:
		return T(math.Exp(float64(x)))
	case Log:
		return T(math.Log(float64(x)))
	case Sign:
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		case x == 0:
			return 0
		}
	}
	if op.elementary() {
		return T(wideFunctions[op-Log2](float64(x)))
	}
	return x
}

func runNot(a Column, p *Pool) Column {
	s := unaryShape(a)
	if s.constant {
		return constColumn(s, Bool, a.bits == 0)
	}
	in, out := elems[bool](a), lend[bool](p, int(a.n))
	for i, v := range in {
		out[i] = !v
	}
	return finish(s, out)
}

// runTest computes isnan, isinf or isfinite of numbers.
func runTest(op Op, a Column) Column {
	s := unaryShape(a)
	if !a.typ.float() {
		return constColumn(s, Bool, op == IsFinite)
	}
	test := func(f float64) bool {
		switch op {
		case IsNaN:
			return f != f
		case IsInf:
			return math.IsInf(f, 0)
		}
		return f-f == 0
	}
	if s.constant {
		return constColumn(s, Bool, test(a.Float(0)))
	}
	out := make([]bool, a.n)
	for i := range out {
		out[i] = test(a.Float(i))
	}
	return finish(s, out)
}

// Round is numpy.round(a, decimals): rint(x * 10^d) / 10^d in a's own type, half to even. Integers stay integers.
func (r *Rules) Round(a Column, decimals int) (Column, error) {
	if a.Taped() {
		return record(step{key: roundKey(decimals)}, r, a)
	}
	switch {
	case !a.typ.Number() || a.typ == Bool && decimals != 0:
		return Column{}, unsupported(Rint)
	case a.typ == Bool:
		return r.Unary(Rint, a)
	case a.typ.integer() && decimals >= 0:
		return a.As(resultForm(a)), nil
	case a.typ.integer():
		return r.roundInts(a, decimals)
	case decimals == 0:
		return r.Unary(Rint, a)
	}
	f := math.Pow10(max(decimals, -decimals))
	if a.typ == Float32 {
		return runRound(r.pool(), a, decimals, float32(f)), nil
	}
	return runRound(r.pool(), a, decimals, f), nil
}

func (r *Rules) roundInts(a Column, decimals int) (Column, error) {
	wide, err := r.Cast(a, DType{Type: Float64})
	if err != nil {
		return Column{}, err
	}
	return r.Cast(runRound(r.pool(), wide, decimals, math.Pow10(-decimals)), a.DType())
}

func runRound[T floating](p *Pool, a Column, decimals int, f T) Column {
	round := func(x T) T {
		if decimals < 0 {
			return T(math.RoundToEven(float64(x/f))) * f
		}
		return T(math.RoundToEven(float64(x*f))) / f
	}
	s := unaryShape(a)
	if s.constant {
		return constColumn(s, a.typ, round(fromBits[T](a.bits)))
	}
	first, then := Multiply, Divide
	if decimals < 0 {
		first, then = Divide, Multiply
	}
	factor := Column{bits: bitsOf(f), n: a.n, tag: tag{typ: a.typ, form: a.form, constant: true}}
	s.pool = p
	out := runFloat[T](first, a, factor, s)
	floatLoop(Rint, elems[T](out))
	s.freeA = true
	return runFloat[T](then, out, factor, s)
}
