package vector

import (
	"math"
	"slices"
	"strings"
)

// Promotion: the type in which an operation computes, from the types, forms and, in numpy 1, values of its operands.
// All of it is in this file.
//
// numpy 1.x: types of arrays promote by table. Scalars, Python's and numpy's alike, are weak against arrays unless their
// kind (bool < integer < float) is higher than that of every array: a weak scalar counts as the smallest type that
// holds its value. Among scalars alone nothing is weak: numpy.float32(1) * 3 is float64, because 3 is an int64.
//
// NEP 50: numpy scalars count like arrays, Python scalars are weak by kind alone; an integer that does not fit is an
// OverflowError.
//
// numpy has float16 and uint16, columns do not: where numpy answers with them (floor(True), sqrt of an int8) the answer
// here is float32 and int32. Where it answers with int8 although no operand has eight bits (True // True) it is int16.

// pairs is numpy's promotion of two array types among numbers; a power of two long, to be indexed without a check.
var pairs = [8][8]Type{
	Bool:    {Bool, Int16, Int32, Int64, Float32, Float64},
	Int16:   {Int16, Int16, Int32, Int64, Float32, Float64},
	Int32:   {Int32, Int32, Int32, Int64, Float64, Float64},
	Int64:   {Int64, Int64, Int64, Int64, Float64, Float64},
	Float32: {Float32, Float32, Float64, Float64, Float32, Float64},
	Float64: {Float64, Float64, Float64, Float64, Float64, Float64},
}

// kinds orders types as numpy's scalar rule does. Everything that is no number is above numbers.
var kinds = [...]uint8{Bool: 0, Int16: 1, Int32: 1, Int64: 1, Float32: 2, Float64: 2, Date: 3, Duration: 3, Enum: 1, Str: 3, Bytes: 3, Object: 3}

// numbers promotes two numeric operands.
func (r *Rules) numbers(a, b *Column) (Type, error) {
	if a.typ == b.typ {
		return a.typ, nil
	}
	if r.nep50() {
		switch {
		case a.form == PyScalar && b.form != PyScalar:
			return weakByKind(b.DType(), a)
		case b.form == PyScalar && a.form != PyScalar:
			return weakByKind(a.DType(), b)
		}
		return pairs[a.typ&7][b.typ&7], nil
	}
	switch {
	case a.form != Array && b.form == Array && kinds[a.typ] <= kinds[b.typ]:
		return weakByValue(b.typ, a), nil
	case b.form != Array && a.form == Array && kinds[b.typ] <= kinds[a.typ]:
		return weakByValue(a.typ, b), nil
	}
	return pairs[a.typ&7][b.typ&7], nil
}

// weakByValue promotes a numeric array type with a scalar of no higher kind: numpy 1's min_scalar_type.
func weakByValue(t Type, s *Column) Type {
	switch {
	case s.typ == Bool:
		return t
	case s.typ.float():
		if v := s.constFloat64(); math.Abs(v) >= 3.4e38 && !math.IsInf(v, 0) {
			return Float64
		}
		return pairs[t&7][Float32]
	}
	v := int64(s.bits)
	switch t {
	case Bool: // an array of a higher kind is still to come
		if v <= math.MaxUint16 && v >= math.MinInt16 {
			return Int16
		}
		return Int32
	case Int16:
		if v == int64(int16(v)) {
			return Int16
		}
		fallthrough
	case Int32:
		if v == int64(int32(v)) {
			return Int32
		}
		return Int64
	case Float32:
		if v > math.MaxUint16 || v < math.MinInt16 {
			return Float64
		}
	}
	return t
}

// weakByKind promotes a type with a Python scalar under NEP 50.
func weakByKind(d DType, s *Column) (Type, error) {
	t := d.Type
	if kinds[s.typ] > kinds[t] {
		return s.typ, nil
	}
	v := int64(s.bits)
	fits := t == Int16 && v == int64(int16(v)) && (!d.eight() || d.Unit.holds(v)) || t == Int32 && v == int64(int32(v)) || !t.integer() || t == Int64
	if s.typ == Int64 && !fits {
		return t, &Error{OverflowError, "Python integer " + PyInt(v).Format(0) + " out of bounds for " + d.String()}
	}
	return t, nil
}

// Promote is numpy.result_type of the columns: from left to right, which matters for weak scalars in numpy 1; under
// NEP 50 they come last.
func (r *Rules) Promote(cs ...Column) (DType, error) {
	if anyTaped(cs) {
		cs = promoted(cs)
	}
	weak := r.weakness(cs)
	if r.nep50() {
		cs = slices.Clone(cs)
		slices.SortStableFunc(cs, func(a, b Column) int { return order(weak(a)) - order(weak(b)) })
	}
	first := 0
	for first < len(cs) && weak(cs[first]) {
		first++
	}
	if first == len(cs) {
		return DType{}, valueError("at least one array or dtype is required")
	}
	d := plain(cs[first])
	for i, c := range cs {
		var err error
		switch {
		case i == first:
		case weak(c):
			d, err = r.promoteWeak(d, c)
		default:
			d, err = promoteTypes(d, plain(c))
		}
		if err != nil {
			return DType{}, err
		}
	}
	return d, nil
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// plain is the type of c in a result: enum codes that meet anything become int16.
func plain(c Column) DType {
	d := c.DType()
	if d.Type == Enum {
		d.Type = Int16
	}
	return d
}

// weakness tells which of the operands are weak scalars.
func (r *Rules) weakness(cs []Column) func(Column) bool {
	scalar := func(c Column) bool { return c.form != Array }
	if r.nep50() {
		scalar = func(c Column) bool { return c.form == PyScalar && c.typ.Number() }
	}
	arrays, scalars := -1, -1
	for _, c := range cs {
		if k := int(kinds[c.typ]); scalar(c) {
			scalars = max(scalars, k)
		} else {
			arrays = max(arrays, k)
		}
	}
	if arrays < 0 || scalars > arrays && !r.nep50() {
		return func(Column) bool { return false }
	}
	return scalar
}

func (r *Rules) promoteWeak(d DType, s Column) (DType, error) {
	switch {
	case d.Type.Number() && s.typ.Number():
		if r.nep50() {
			t, err := weakByKind(d, &s)
			if t == Int16 {
				return d, err
			}
			return DType{Type: t}, err
		}
		t := weakByValue(d.Type, &s)
		if t == Int16 && d.eight() && s.typ != Bool {
			return weakEight(d.Unit, int64(s.bits)), nil
		}
		if t == Int16 && d.Type == Int16 {
			return d, nil
		}
		return DType{Type: t}, nil
	case d.Type.text() && s.typ.integer() && !r.nep50():
		d.Width = max(d.Width, minScalarWidth(int64(s.bits)))
		return d, nil
	}
	return promoteTypes(d, plain(s))
}

// promoteTypes is numpy.promote_types.
func promoteTypes(a, b DType) (DType, error) {
	if a.Type > b.Type {
		a, b = b, a
	}
	switch {
	case a == b:
		return a, nil
	case b.Type == Object:
		return b, nil
	case b.Type.Number() && (a.eight() || b.eight()) && b.Type == Int16:
		return promoteEightTypes(a, b), nil
	case b.Type.Number():
		return DType{Type: pairs[a.Type][b.Type]}, nil
	case b.Type == Bytes && a.Type == Str:
		return DType{Type: Str, Width: max(a.Width, b.Width)}, nil
	case b.Type.text() && a.Type.time():
	case b.Type.text():
		return DType{Type: b.Type, Width: max(b.Width, asTextWidth(a))}, nil
	case a.Type == Date && b.Type == Date:
		return DType{Type: Date, Unit: finerDate(a.Unit, b.Unit)}, nil
	case a.Type == Duration && b.Type == Duration:
		u, err := finer(a.Unit, b.Unit)
		return DType{Type: Duration, Unit: u}, err
	case b.Type == Duration && a.Type.Number() && !a.Type.float():
		return b, nil
	}
	return DType{}, typeError("The DType %s and %s do not have a common DType", a, b)
}

// asTextWidth is the width numpy gives to the text of a type.
func asTextWidth(d DType) int32 {
	switch d.Type {
	case Bool:
		return 5
	case Int16, Enum:
		switch d.Unit {
		case Signed8:
			return 4
		case Unsigned8:
			return 3
		}
		return 6
	case Int32:
		return 11
	case Int64, Duration:
		return 21
	case Float32, Float64:
		return 32
	case Date:
		return [...]int32{Generic: 28, Year: 22, Month: 25, Week: 28, Day: 28, Hour: 32, Minute: 35, Second: 38, Milli: 42, Micro: 45, Nano: 48}[d.Unit]
	}
	return d.Width
}

// minScalarWidth is the width of the text of the smallest numpy integer that holds v.
func minScalarWidth(v int64) int32 {
	switch {
	case v >= 0 && v <= math.MaxUint8:
		return 3
	case v >= 0 && v <= math.MaxUint16:
		return 5
	case v >= 0 && v <= math.MaxUint32:
		return 10
	case v >= 0:
		return 20
	case v >= math.MinInt8:
		return 4
	case v >= math.MinInt16:
		return 6
	case v >= math.MinInt32:
		return 11
	}
	return 21
}

// finer gives the common unit of two durations; years and months do not convert to days.
func finer(a, b Unit) (Unit, error) {
	a, b = min(a, b), max(a, b)
	if a != Generic && a <= Month && b > Month {
		return 0, typeError("Cannot get a common metadata divisor for Numpy datetime metadata [%s] and [%s] because they have incompatible nonlinear base time units.", a, b)
	}
	return b, nil
}

// finerDate gives the common unit of two dates, which always exists.
func finerDate(a, b Unit) Unit { return max(a, b) }

// compute gives the type in which op computes with numbers a and b: numpy's choice of loop.
func (r *Rules) compute(op Op, a, b *Column) (Type, error) {
	t, err := r.numbers(a, b)
	if err != nil {
		switch {
		case op == Divide:
			return Float64, nil
		case op == NextAfter:
			return floatFor(t), nil
		case op.comparison() || op.logical():
			return Int64, nil
		}
		return t, err
	}
	switch op {
	case Subtract:
		if t == Bool {
			return t, typeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
		}
	case Divide:
		if !t.float() {
			return Float64, nil
		}
	case FloorDivide, Remainder, Power:
		if t == Bool {
			return Int16, nil
		}
	case BitAnd, BitOr, BitXor:
		if t.float() {
			return t, unsupported(op)
		}
	case NextAfter:
		return r.floatPair(t, a, b), nil
	}
	return t, nil
}

// floatPair is the type of a float-only function of two operands that promote to t: a weak scalar widens the float that
// stands for the array, not the array.
func (r *Rules) floatPair(t Type, a, b *Column) Type {
	if b.form == Array {
		a, b = b, a
	}
	if a.form == Array && b.form != Array && kinds[b.typ] <= kinds[a.typ] && !r.nep50() {
		return weakByValue(floatFor(a.typ), b)
	}
	return floatFor(t)
}

// floatFor is the float type of numpy's float-only functions for operands of type t.
func floatFor(t Type) Type {
	switch t {
	case Bool, Int16, Float32:
		return Float32
	}
	return Float64
}

// unaryType gives the type in which op computes with a number of type t.
func unaryType(op Op, t Type) (Type, error) {
	if op.elementary() {
		return floatFor(t), nil
	}
	switch op {
	case Floor, Ceil, Trunc, Rint, Fabs, Sqrt, Exp, Log:
		return floatFor(t), nil
	case Invert:
		if t.float() {
			return t, unsupported(op)
		}
	case Negative:
		if t == Bool {
			return t, typeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
		}
	case Positive, Sign:
		if t == Bool {
			return t, noLoop(op, DType{Type: t})
		}
	case Square:
		if t == Bool {
			return Int16, nil
		}
	}
	return t, nil
}

func unsupported(op Op) *Error {
	return typeError("ufunc '%s' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''", op)
}

func noLoop(op Op, types ...DType) *Error {
	var text strings.Builder
	for i, d := range types {
		if i > 0 {
			text.WriteString(" and ")
		}
		text.WriteString(d.String())
	}
	return typeError("ufunc '%s' did not contain a loop with signature matching types %s", op, text.String())
}
