package pyeval

import (
	"edict/simulation/vector"
)

// dtypeObject is numpy's dtype.
type dtypeObject struct{ d vector.DType }

var dtypeType = builtinClass("dtype")

// Type implements [Object].
func (dtypeObject) Type() *Class { return dtypeType }

// dtypeKinds are numpy's letters, dtypeSizes the bytes of an element.
var (
	dtypeKinds = [...]string{
		vector.Bool: "b", vector.Int16: "i", vector.Int32: "i", vector.Int64: "i", vector.Float32: "f", vector.Float64: "f",
		vector.Date: "M", vector.Duration: "m", vector.Enum: "i", vector.Str: "U", vector.Bytes: "S", vector.Object: "O",
	}
	dtypeSizes = [...]int64{
		vector.Bool: 1, vector.Int16: 2, vector.Int32: 4, vector.Int64: 8, vector.Float32: 4, vector.Float64: 8,
		vector.Date: 8, vector.Duration: 8, vector.Enum: 2, vector.Str: 4, vector.Bytes: 1, vector.Object: 8,
	}
)

// Attr implements [Attrer].
func (o dtypeObject) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "name", "str":
		return String(o.d.String()), true
	case "kind":
		return String(dtypeKinds[o.d.Type]), true
	case "itemsize":
		return Int(dtypeSizes[o.d.Type] * int64(max(o.d.Width, 1))), true
	case "type":
		return Obj(numpyScalarType(o.d.Type)), true
	}
	return Value{}, false
}

// Repr implements [Reprer].
func (o dtypeObject) Repr(*Thread) string { return "dtype('" + o.d.String() + "')" }

// Str implements [Strer].
func (o dtypeObject) Str(*Thread) string { return o.d.String() }

// Compare implements [Comparer]: a dtype equals whatever names the same type.
func (o dtypeObject) Compare(th *Thread, op compareOp, other Value) (Value, bool) {
	d, ok := dtypeFrom(other)
	if op != opEq && op != opNotEq {
		return Value{}, false
	}
	return Bool((ok && d == o.d) == (op == opEq)), true
}

// dtypeFrom reads what names a type: a dtype, a class, a text.
func dtypeFrom(v Value) (vector.DType, bool) {
	if s, ok := v.AsString(); ok {
		d, err := vector.ParseDType(s)
		return d, err == nil
	}
	switch o := v.o.(type) {
	case dtypeObject:
		return o.d, true
	case *Class:
		return dtypeOfClass(o)
	}
	return vector.DType{}, false
}

func dtypeOfClass(c *Class) (vector.DType, bool) {
	for t, k := range numpyTypes {
		if k == c {
			return vector.DType{Type: vector.Type(t)}, true
		}
	}
	switch c {
	case boolType:
		return vector.DType{Type: vector.Bool}, true
	case int8Type, uint8Type:
		return vector.DType{Type: vector.Int16}, true
	case intType, integerType:
		return vector.DType{Type: vector.Int64}, true
	case floatType, floatingType:
		return vector.DType{Type: vector.Float64}, true
	case strType:
		return vector.DType{Type: vector.Str}, true
	case bytesType:
		return vector.DType{Type: vector.Bytes}, true
	}
	return vector.DType{Type: vector.Object}, true
}

// dtype reads a dtype argument.
func (th *Thread) dtype(v Value) vector.DType {
	d, ok := dtypeFrom(v)
	if !ok {
		th.Raise(TypeError, "Cannot interpret %s as a data type", th.Repr(v))
	}
	return d
}

func newDType(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var x Value
	th.Unpack("dtype", args, kws, "dtype", &x)
	return Obj(dtypeObject{th.dtype(x)})
}

// cast is c.astype(d).
func (th *Thread) cast(c vector.Column, d vector.DType) vector.Column {
	if c.Len() > smallValue && !c.Constant() && (d.Type == vector.Str || d.Type == vector.Bytes || d.Type == vector.Object) {
		th.allocMany(c.Len(), partBytes)
	}
	out, err := th.rules.Cast(c, d)
	if err != nil {
		th.Throw(err)
	}
	return out
}

// castIf casts unless the dtype is None.
func (th *Thread) castIf(c vector.Column, dtype Value) vector.Column {
	if dtype.IsNone() {
		return c
	}
	return th.castTo(c, dtype)
}

// castTo casts to what names a type. Integers of 8 bits are kept in 16: they are cut to 8 when they are made.
func (th *Thread) castTo(c vector.Column, dtype Value) vector.Column {
	out := th.cast(c, th.dtype(dtype))
	offset := int16(0)
	switch dtype.o {
	case Object(int8Type):
		offset = 128
	case Object(uint8Type):
	default:
		return out
	}
	for _, step := range []struct {
		op vector.Op
		by int16
	}{{vector.Add, offset}, {vector.BitAnd, 255}, {vector.Subtract, offset}} {
		out = th.must(th.rules.Binary(step.op, out, vector.Scalar(step.by)))
	}
	return out
}

// newByteScalar is numpy.int8(x) and numpy.uint8(x).
func newByteScalar(th *Thread, class *Class, args []Value, kws []Kw) Value {
	x := Int(0)
	th.Unpack(class.Name, args, kws, "x?", &x)
	c, ok := th.asColumn(x)
	if !ok {
		th.Raise(TypeError, "cannot make a numpy.%s of '%s'", class.Name, TypeName(x))
	}
	out := th.castTo(c, Obj(class))
	if !out.IsArray() {
		out = out.As(vector.NumpyScalar)
	}
	return Value{c: out}
}

// newTime is numpy.datetime64(x, unit) and numpy.timedelta64(x, unit).
func newTime(t vector.Type) func(*Thread, *Class, []Value, []Kw) Value {
	return func(th *Thread, class *Class, args []Value, kws []Kw) Value {
		x, unit := String("NaT"), ""
		th.Unpack(class.Name, args, kws, "x?", &x, "unit?", &unit)
		d := vector.DType{Type: t}
		if unit != "" {
			u, ok := vector.ParseUnit(unit)
			if !ok {
				th.Raise(TypeError, "Invalid datetime unit \"%s\" in metadata", unit)
			}
			d.Unit = u
		}
		if s, ok := x.AsString(); ok && s == "NaT" {
			return Value{c: th.cast(vector.Scalar(int64(vector.NaT)), d)}
		}
		c := th.operand(class.Name, x)
		if s, ok := x.AsString(); ok && t == vector.Date {
			if word, ok := th.clockWord(s); ok {
				c = word
			}
		}
		if c.Type() == t && unit == "" {
			d.Unit = c.DType().Unit
		}
		return Value{c: th.cast(c, d)}
	}
}

// pyTime is the Python object of a numpy date or duration, as item() and astype(object) give it.
func pyTime(c vector.Column) Value {
	unit, v := c.DType().Unit, c.Int(0)
	in := func(u vector.Unit) int64 {
		out, err := (*vector.Rules)(nil).Cast(c, vector.DType{Type: c.Type(), Unit: u})
		if err != nil {
			return v // dates convert to any unit
		}
		return out.Int(0)
	}
	switch {
	case c.Type() != vector.Date && c.Type() != vector.Duration:
		return Int(v)
	case v == vector.NaT:
		return None
	case c.Type() == vector.Date && unit <= vector.Day:
		return NewDate(in(vector.Day))
	case c.Type() == vector.Date:
		return Obj(Date{micros: in(vector.Micro), withTime: true})
	case unit <= vector.Month:
		return Int(v)
	}
	return Obj(Delta{in(vector.Micro)})
}
