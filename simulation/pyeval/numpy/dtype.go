package numpy

// This file defines numpy.dtype, what names a type, and casts to it.

import (
	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/stdlib"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// dtypeObject is numpy's dtype.
type dtypeObject struct{ d vector.DType }

var dtypeType = py.BuiltinClass("dtype")

// Type implements [py.Object].
func (dtypeObject) Type() *py.Class { return dtypeType }

// dtypeKinds are numpy's letters.
var dtypeKinds = [...]string{
	vector.Bool: "b", vector.Int16: "i", vector.Int32: "i", vector.Int64: "i", vector.Float32: "f", vector.Float64: "f",
	vector.Date: "M", vector.Duration: "m", vector.Enum: "i", vector.Str: "U", vector.Bytes: "S", vector.Object: "O",
}

// Attr implements [py.Attrer].
func (o dtypeObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "name", "str":
		return py.String(o.d.String()), true
	case "kind":
		if o.d.Unit == vector.Unsigned8 {
			return py.String("u"), true
		}
		return py.String(dtypeKinds[o.d.Type]), true
	case "itemsize":
		return itemsize(o.d), true
	case "type":
		return py.Obj(py.ScalarType(o.d)), true
	}
	return py.Value{}, false
}

// Repr implements [py.Reprer].
func (o dtypeObject) Repr(*py.Thread) string { return "dtype('" + o.d.String() + "')" }

// Str implements [py.Strer].
func (o dtypeObject) Str(*py.Thread) string { return o.d.String() }

// Compare implements [py.Comparer]: a dtype equals whatever names the same type.
func (o dtypeObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	d, ok := dtypeFrom(other)
	if op != pysyntax.Eq && op != pysyntax.NotEq {
		return py.Value{}, false
	}
	return py.Bool((ok && d == o.d) == (op == pysyntax.Eq)), true
}

// dtypeFrom reads what names a type: a dtype, a class, a text.
func dtypeFrom(v py.Value) (vector.DType, bool) {
	if s, ok := v.AsString(); ok {
		d, err := vector.ParseDType(s)
		return d, err == nil
	}
	switch o := v.Object().(type) {
	case dtypeObject:
		return o.d, true
	case *py.Class:
		return dtypeOfClass(o)
	}
	return vector.DType{}, false
}

func dtypeOfClass(c *py.Class) (vector.DType, bool) {
	for t, k := range py.ScalarTypes {
		if k == c {
			return vector.DType{Type: vector.Type(t)}, true
		}
	}
	for u, k := range py.EightBitTypes {
		if k == c {
			return vector.DType{Type: vector.Int16, Unit: u}, true
		}
	}
	switch c {
	case py.BoolType:
		return vector.DType{Type: vector.Bool}, true
	case py.IntType, integerType:
		return vector.DType{Type: vector.Int64}, true
	case py.FloatType, floatingType:
		return vector.DType{Type: vector.Float64}, true
	case py.StrType:
		return vector.DType{Type: vector.Str}, true
	case py.BytesType:
		return vector.DType{Type: vector.Bytes}, true
	}
	return vector.DType{Type: vector.Object}, true
}

// dtypeArg reads a dtype argument.
func dtypeArg(th *py.Thread, v py.Value) vector.DType {
	d, ok := dtypeFrom(v)
	if !ok {
		th.Raise(py.TypeError, "Cannot interpret %s as a data type", th.Repr(v))
	}
	return d
}

func newDType(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	var x py.Value
	th.Unpack("dtype", args, kws, "dtype", &x)
	return py.Obj(dtypeObject{dtypeArg(th, x)})
}

// castColumn is c.astype(d).
func castColumn(th *py.Thread, c vector.Column, d vector.DType) vector.Column {
	if !c.Constant() && (d.Type == vector.Str || d.Type == vector.Bytes || d.Type == vector.Object) {
		th.MadeParts(c.Len(), py.PartBytes)
	}
	out, err := th.Rules().Cast(c, d)
	if err != nil {
		th.Throw(err)
	}
	return out
}

// castIf casts unless the dtype is None.
func castIf(th *py.Thread, c vector.Column, dtype py.Value) vector.Column {
	if dtype.IsNone() {
		return c
	}
	return castTo(th, c, dtype)
}

// isUint64 reports whether a class is numpy.uint64, which is written in Python.
func isUint64(dtype py.Value) bool {
	class, ok := dtype.Object().(*py.Class)
	return ok && class.Name == "uint64" && class.Module == "_numpy_rare"
}

// castObjects makes an object of a class of each element.
func castObjects(th *py.Thread, c vector.Column, class py.Value) vector.Column {
	items := th.Collect(py.Raw(castColumn(th, c, vector.DType{Type: vector.Object})))
	objects := make([]any, th.Elements(len(items), 1))
	for i, item := range items {
		objects[i] = py.ToAny(th.Invoke(class, item))
	}
	return vector.Objects(objects)
}

// castTo casts to what names a type.
func castTo(th *py.Thread, c vector.Column, dtype py.Value) vector.Column {
	if isUint64(dtype) && c.IsArray() {
		return castObjects(th, c, dtype)
	}
	return castColumn(th, c, dtypeArg(th, dtype))
}

// newTime is numpy.datetime64(x, unit) and numpy.timedelta64(x, unit).
func newTime(t vector.Type) func(*py.Thread, *py.Class, []py.Value, []py.Kw) py.Value {
	return func(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
		x, unit := py.String("NaT"), ""
		th.Unpack(class.Name, args, kws, "x?", &x, "unit?", &unit)
		d := vector.DType{Type: t}
		if unit != "" {
			u, ok := vector.ParseUnit(unit)
			if !ok {
				th.Raise(py.TypeError, "Invalid datetime unit \"%s\" in metadata", unit)
			}
			d.Unit = u
		}
		if s, ok := x.AsString(); ok && s == "NaT" {
			return py.Raw(castColumn(th, vector.Scalar(int64(vector.NaT)), d))
		}
		c := operand(th, class.Name, x)
		if s, ok := x.AsString(); ok && t == vector.Date {
			if word, ok := clockWord(th, s); ok {
				c = word
			}
		}
		if c.Type() == t && unit == "" {
			d.Unit = c.DType().Unit
		}
		return py.Raw(castColumn(th, c, d))
	}
}

// clockWord is numpy.datetime64("today"), the day here, and numpy.datetime64("now"), the second in universal time.
func clockWord(th *py.Thread, word string) (vector.Column, bool) {
	switch word {
	case "today":
		return vector.DateScalar(vector.Day, stdlib.Naive(stdlib.Now(th)).Days()), true
	case "now":
		return vector.DateScalar(vector.Second, stdlib.Now(th).Unix()), true
	}
	return vector.Column{}, false
}
