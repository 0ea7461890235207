package vector

import (
	"math"
	"strings"
)

// Operations whose operands are not both numbers: text, enums, dates, objects.

func (r *Rules) binaryOther(op Op, a, b Column, s shape) (Column, error) {
	switch {
	case a.typ == Object || b.typ == Object:
		return r.binaryObject(op, a, b, s)
	case a.typ == Enum || b.typ == Enum:
		return r.binaryEnum(op, a, b, s)
	case a.typ.text() && a.typ == b.typ && op.comparison():
		return binaryText(op, a, b, s), nil
	case a.typ.text() || b.typ.text():
		if op == Equal || op == NotEqual {
			return constColumn(s, Bool, op == NotEqual), nil
		}
		return r.textObjects(op, a, b, s)
	}
	return binaryTime(op, a, b, s)
}

// textObjects computes with text element by element, as Python does: an array of text may be the values of a variable, which
// are objects to numpy.
func (r *Rules) textObjects(op Op, a, b Column, s shape) (Column, error) {
	if s.form != Array || r == nil || r.Objects == nil {
		return Column{}, noLoop(op, a.DType(), b.DType())
	}
	return r.binaryObject(op, a, b, s)
}

func binaryText(op Op, a, b Column, s shape) Column {
	if s.constant {
		return constColumn(s, Bool, compareOp(op, one[string](a), one[string](b)))
	}
	out := make([]bool, s.n)
	for i := range out {
		out[i] = compareOp(op, a.Text(i), b.Text(i))
	}
	return finish(s, out)
}

// binaryEnum compares codes: with those of another enum column, whatever its domain, or with integers. Arithmetic is OpenFisca-Core's: the operators that its EnumArray forbids are forbidden on its left only, and elsewhere the
// codes count as numbers.
func (r *Rules) binaryEnum(op Op, a, b Column, s shape) (Column, error) {
	switch {
	case op == Equal || op == NotEqual:
		return compareCodes(op, a, b, s), nil
	case op.comparison() || a.typ == Enum && (op == Add || op == Multiply || op == BitAnd || op == BitOr):
		return Column{}, typeError("Forbidden operation. The only operations allowed on EnumArrays are '==' and '!='.")
	}
	out, err := r.Binary(op, codesOf(a), codesOf(b))
	if err != nil {
		return Column{}, err
	}
	d := a.Domain()
	if d == nil {
		d = b.Domain()
	}
	return recode(d, out), nil
}

// recode takes integers for codes of a domain again, unless they are too large to be any.
func recode(d *Domain, c Column) Column {
	if !c.typ.integer() {
		return c
	}
	index := make([]int16, c.n)
	for i := range index {
		v := c.Int(i)
		if index[i] = int16(v); int64(index[i]) != v {
			return c
		}
	}
	if c.constant && c.n > 0 {
		return EnumConst(int(c.n), d, index[0]).As(c.form)
	}
	return Enums(d, index).As(c.form)
}

func compareCodes(op Op, a, b Column, s shape) Column {
	if !storageType(a.typ).Number() || !storageType(b.typ).Number() {
		return constColumn(s, Bool, op == NotEqual)
	}
	t := pairs[storageType(a.typ)][storageType(b.typ)]
	if t == Int16 {
		return runCompare[int16](op, codesOf(a), codesOf(b), s)
	}
	return compareNumbers(op, t, codesOf(a), codesOf(b), s)
}

// codesOf gives the codes of an enum column as an Int16 column, other columns as they are.
func codesOf(c Column) Column {
	if c.typ != Enum {
		return c
	}
	if c.constant {
		c.data, c.typ = nil, Int16
		return c
	}
	return finish(shape{n: c.n, form: c.form}, (*codes)(c.data).index)
}

// Codes gives the codes of an enum column as int16 numbers, sharing storage; other columns are returned as they are.
func (c Column) Codes() Column {
	if c.Taped() && c.typ == Enum {
		return recordKeyed(namedKey("Codes"), c)
	}
	return codesOf(c)
}

func (r *Rules) binaryObject(op Op, a, b Column, s shape) (Column, error) {
	math, err := r.objects()
	if err != nil {
		return Column{}, err
	}
	n := int(s.n)
	if s.constant {
		n = min(n, 1)
	}
	out := make([]any, n)
	for i := range out {
		if out[i], err = math.Binary(op, box(math, a, i), box(math, b, i)); err != nil {
			return Column{}, err
		}
	}
	if op.comparison() {
		return truths(math, out, s)
	}
	return objectResult(out, s), nil
}

// objectResult is the column of objects of shape s, or the object itself for scalars.
func objectResult(out []any, s shape) Column {
	c := Objects(out)
	c.n, c.constant, c.form = s.n, s.constant, s.form
	if s.form != Array {
		c.form = PyScalar
	}
	return c
}

// truths turns the results of comparisons into bools, as numpy does.
func truths(math ObjectMath, vs []any, s shape) (Column, error) {
	out := make([]bool, len(vs))
	for i, v := range vs {
		ok, err := math.Truth(v)
		if err != nil {
			return Column{}, err
		}
		out[i] = ok
	}
	if s.constant {
		return constColumn(s, Bool, len(out) > 0 && out[0]), nil
	}
	return finish(s, out), nil
}

func box(math ObjectMath, c Column, i int) any {
	if c.typ == Object {
		return c.Object(i)
	}
	return math.Box(c.at(c.index(i)))
}

func (r *Rules) unaryObject(op Op, a Column) (Column, error) {
	math, err := r.objects()
	if err != nil {
		return Column{}, err
	}
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	out := make([]any, n)
	for i := range out {
		if out[i], err = math.Unary(op, a.Object(i)); err != nil {
			return Column{}, err
		}
	}
	return objectResult(out, unaryShape(a)), nil
}

// castToObjects boxes every element.
func (r *Rules) castToObjects(a Column) (Column, error) {
	math, err := r.objects()
	if err != nil {
		return Column{}, err
	}
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	out := make([]any, n)
	for i := range out {
		out[i] = box(math, a, i)
	}
	return objectResult(out, unaryShape(a)), nil
}

// castObjects casts every object on its own, then joins the results. None is NaN among floats, and whatever is no number is true or not.
func (r *Rules) castObjects(a Column, d DType) (Column, error) {
	objects, err := r.objects()
	if err != nil {
		return Column{}, err
	}
	if d.Type == Str {
		return mapTexts(a, d, func(i int) (string, error) { return objects.Format(a.Object(i)) })
	}
	n := int(a.n)
	if a.constant {
		n = min(n, 1)
	}
	parts := make([]Column, n)
	for i := range parts {
		c := objects.Unbox(a.Object(i))
		switch {
		case c.typ != Object:
		case d.Type == Bool:
			truth, err := objects.Truth(a.Object(i))
			if err != nil {
				return Column{}, err
			}
			c = PyBool(truth)
		case d.Type.float() && a.Object(i) == nil:
			c = PyFloat(math.NaN())
		default:
			return Column{}, typeError("cannot cast %s to %s", c.Repr(0), d)
		}
		if parts[i], err = r.Cast(c, d); err != nil {
			return Column{}, err
		}
		if d.Type == Date && d.Unit == Generic {
			d.Unit = parts[i].unit
		}
	}
	out := join(d, parts)
	out.n, out.constant, out.form = a.n, a.constant || a.n == 1, resultForm(a)
	return out, nil
}

// StartsWith is numpy.char.startswith(a, prefix).
func StartsWith(a, prefix Column) (Column, error) {
	a, prefix = a.Looked(), prefix.Looked()
	s, err := shapeOf(a, prefix)
	if err != nil {
		return Column{}, err
	}
	if !a.typ.text() || !prefix.typ.text() || a.typ == Str && prefix.typ == Bytes {
		return Column{}, typeError("startswith needs text and text: not %s and %s", a.DType(), prefix.DType())
	}
	test := func(i int) bool {
		p := prefix.Text(i)
		return p == "" || a.typ == prefix.typ && strings.HasPrefix(a.Text(i), p)
	}
	if s.constant {
		return constColumn(s, Bool, test(0)), nil
	}
	out := make([]bool, s.n)
	for i := range out {
		out[i] = test(i)
	}
	return finish(s, out), nil
}
