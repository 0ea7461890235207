package numpy

// This file defines what functions of two operands have besides being called.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// ufuncObject is a function of two operands with reduce, accumulate, outer and at.
type ufuncObject struct {
	*py.Builtin
	op vector.Op
}

// Elementwise implements [py.Elementwise].
func (*ufuncObject) Elementwise() {}

// Attr implements [py.Attrer].
func (u *ufuncObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "reduce":
		return py.Pure("reduce", u.reduce), true
	case "accumulate":
		return py.Pure("accumulate", u.accumulate), true
	case "at":
		return py.Pure("at", u.at), true
	case "outer":
		return py.Pure("outer", u.outer), true
	}
	return u.Builtin.Attr(th, name)
}

// reductions are the methods of arrays that do what reduce does for a function.
var reductions = map[vector.Op]string{
	vector.Add: "sum", vector.Multiply: "prod", vector.Maximum: "max", vector.Minimum: "min", vector.LogicalAnd: "all", vector.LogicalOr: "any",
}

// reduce folds a list of arrays from the left, or an array along an axis.
func (u *ufuncObject) reduce(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var over py.Value
	axis, dtype, out, keepdims, initial, where := py.Int(0), py.None, py.None, py.None, py.None, py.None
	th.Unpack("reduce", args, kws, "array", &over, "axis?", &axis, "dtype?", &dtype, "out?", &out, "keepdims?", &keepdims, "initial?", &initial, "where?", &where)
	if th.Len(over) == 0 || len(args)+len(kws) > 1 {
		over = numpyArray(th, []py.Value{over}, nil)
	}
	_, many := gridded(over)
	if method, ok := reductions[u.op]; ok && (many || over.Object() == nil) {
		options := []py.Kw{{Name: "axis", Value: axis}}
		for _, k := range []py.Kw{{Name: "dtype", Value: dtype}, {Name: "out", Value: out}, {Name: "keepdims", Value: keepdims}, {Name: "initial", Value: initial}, {Name: "where", Value: where}} {
			if !k.Value.IsNone() {
				options = append(options, k)
			}
		}
		return th.InvokeKw(th.GetAttr(over, method), nil, options)
	}
	return u.fold(th, over, axis, initial)
}

// fold applies the function to all that there is along an axis, from the left.
func (u *ufuncObject) fold(th *py.Thread, over, axis, initial py.Value) py.Value {
	if g, ok := gridded(over); ok && axis.IsNone() {
		over = py.Raw(g.flat)
	} else if ok {
		over = g.toFront(th, axisOf(th, axis, len(g.shape))).value()
	}
	result := initial
	for _, v := range u.operands(th, th.Collect(over)) {
		if result.IsNone() {
			result = v
			continue
		}
		result = apply2(th, u.op, result, v)
	}
	if result.IsNone() {
		th.Raise(py.ValueError, "zero-size array to reduction operation %s which has no identity", u.op)
	}
	return result
}

// operands are values as numpy combines many of them.
func (u *ufuncObject) operands(th *py.Thread, all []py.Value) []py.Value {
	cast := make([]py.Value, len(all))
	for i, v := range all {
		g := gridOf(th, "reduce", v)
		to := combined(u.op, g.flat.DType())
		if to == g.flat.DType() {
			return all
		}
		cast[i] = g.with(castColumn(th, g.flat, to))
	}
	return cast
}

// combined is the type in which a function combines many values of a type: sums and products of conditions and short integers are long
// integers, and logic is about conditions.
func combined(op vector.Op, of vector.DType) vector.DType {
	short := of.Type == vector.Bool || of.Type == vector.Int16 || of.Type == vector.Int32
	switch {
	case short && (op == vector.Add || op == vector.Multiply):
		return vector.DType{Type: vector.Int64}
	case op == vector.LogicalAnd || op == vector.LogicalOr || op == vector.LogicalXor:
		return vector.DType{Type: vector.Bool}
	}
	return of
}

// outer is what the function makes of each element of one array with each of another.
func (u *ufuncObject) outer(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	th.Unpack("outer", args, kws, "A", &a, "B", &b)
	first, second := gridOf(th, "outer", a), gridOf(th, "outer", b)
	first.shape = append(slices.Clone(first.shape), slices.Repeat([]int{1}, len(second.shape))...)
	return apply2(th, u.op, first.value(), second.value())
}

// at is at(a, indices, b): what a would become, whose places are changed as often as they are named.
func (u *ufuncObject) at(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, indices, b py.Value
	th.Unpack("at", args, kws, "a", &a, "indices", &indices, "b", &b)
	return th.Invoke(th.GetAttr(py.Obj(th.MustImport("_numpy_count")), "_at"), py.Obj(u), a, indices, b)
}

// accumulate is what op makes of each element and those before it along an axis.
func (u *ufuncObject) accumulate(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var over py.Value
	axis, dtype := py.Int(0), py.None
	th.Unpack("accumulate", args, kws, "array", &over, "axis?", &axis, "dtype?", &dtype)
	g := gridOf(th, "accumulate", over)
	if len(g.shape) == 0 {
		th.Raise(py.TypeError, "cannot accumulate on a scalar")
	}
	g.flat = castIf(th, g.flat, dtype)
	return g.accumulate(th, u.op, axisOf(th, axis, len(g.shape))).value()
}
