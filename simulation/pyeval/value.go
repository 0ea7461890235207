package pyeval

import (
	"math"
	"math/big"

	"edict/simulation/vector"
)

// Value is any Python value, passed by value. Python's int, float and bool, numpy's scalars and arrays
// are the column; everything else is an object. The zero Value is an empty bool array; use [None] for
// Python's None.
type Value struct {
	o Object
	c vector.Column
	_ [2]byte // keeps values out of registers: nine of them per call cost more than a copy in memory (BenchmarkFormula 1.7×)
}

// Object is a Python value that is not a number or an array.
type Object interface {
	// Type returns the Python class of the object, for type(), isinstance and error texts.
	Type() *Class
}

// The values every program knows. None, NotImplemented and Ellipsis are objects of their own.
var (
	None           = Value{o: singleton{noneType}}
	NotImplemented = Value{o: singleton{notImplementedType}}
	EllipsisValue  = Value{o: singleton{ellipsisType}}
	True           = Value{c: vector.PyBool(true)}
	False          = Value{c: vector.PyBool(false)}

	unbound = Value{o: &unboundMark{}} // in the slot of a variable without a value
)

// unboundMark has a type of its own because every reading of a variable looks for it.
type unboundMark struct{ _ byte }

func (*unboundMark) Type() *Class { return unboundType }

func (v *Value) isUnbound() bool {
	_, is := v.o.(*unboundMark)
	return is
}

type singleton struct{ class *Class }

func (s singleton) Type() *Class { return s.class }

// Bool gives a Python bool.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Int gives a Python int.
func Int(i int64) Value { return Value{c: vector.PyInt(i)} }

// Float gives a Python float.
func Float(f float64) Value { return Value{c: vector.PyFloat(f)} }

// BigInt gives a Python int of any size; it owns i from now on.
func BigInt(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	return Value{o: (*bigInt)(i)}
}

// Str is a Python str as an object.
type Str string

// Type implements [Object].
func (Str) Type() *Class { return StrType }

// String gives a Python str.
func String(s string) Value { return Value{o: Str(s)} }

// Bytes is a Python bytes as an object.
type Bytes string

// Type implements [Object].
func (Bytes) Type() *Class { return BytesType }

// BytesValue gives a Python bytes.
func BytesValue(s string) Value { return Value{o: Bytes(s)} }

// bigInt is a Python int beyond 64 bits.
type bigInt big.Int

func (*bigInt) Type() *Class { return IntType }

func (b *bigInt) big() *big.Int { return (*big.Int)(b) }

// Obj gives the value of an object.
func Obj(o Object) Value {
	if o == nil {
		return None
	}
	return Value{o: o}
}

// Col gives the value of a column. Python's text scalars become str and bytes objects, and an object
// scalar the object it holds.
func Col(c vector.Column) Value {
	if c.Form() == vector.PyScalar {
		switch c.Type() {
		case vector.Str:
			return String(c.Text(0))
		case vector.Bytes:
			return BytesValue(c.Text(0))
		case vector.Object:
			return FromAny(c.Object(0))
		}
	}
	return Value{c: c}
}

// Raw gives the value of a column as it is; of a scalar that holds a text or an object use [Col].
func Raw(c vector.Column) Value { return Value{c: c} }

// Raw returns the column of a number or an array; that of an object is empty.
func (v Value) Raw() vector.Column { return v.c }

// FromAny gives the value kept in an object column.
func FromAny(x any) Value {
	switch x := x.(type) {
	case nil:
		return None
	case Value:
		return x
	case Object:
		return Obj(x)
	case bool:
		return Bool(x)
	case int64:
		return Int(x)
	case int:
		return Int(int64(x))
	case float64:
		return Float(x)
	case string:
		return String(x)
	}
	return None
}

// ToAny is what an object column keeps for a value: nil for None, else the Value's own object or Value.
func ToAny(v Value) any {
	switch {
	case v.IsNone():
		return nil
	case v.o != nil:
		return v.o
	}
	return v
}

// IsNone reports whether v is None.
func (v Value) IsNone() bool { return v.o == None.o }

// Object returns the object that v is, or nil for numbers and arrays.
func (v Value) Object() Object { return v.o }

// Column returns v as a column: numbers and arrays as they are, str and bytes as Python scalars. It
// returns false for other objects.
func (v Value) Column() (vector.Column, bool) {
	switch o := v.o.(type) {
	case nil:
		return v.c, true
	case Str:
		return vector.PyStr(string(o)), true
	case Bytes:
		return vector.PyBytes(string(o)), true
	case *rowCount:
		o.use()
	}
	return vector.Column{}, false
}

// AsString returns the text of a str, or of a numpy str scalar.
func (v Value) AsString() (string, bool) {
	if s, ok := v.o.(Str); ok {
		return string(s), true
	}
	if v.o == nil && v.c.Type() == vector.Str && !v.c.IsArray() {
		return v.c.Text(0), true
	}
	return "", false
}

// AsInt returns an integer that fits: Python's int and bool, and numpy's integer scalars.
func (v Value) AsInt() (int64, bool) {
	if r, ok := v.o.(*rowCount); ok {
		r.use()
	}
	if v.o != nil || v.c.IsArray() {
		return 0, false
	}
	switch v.c.Type() {
	case vector.Bool, vector.Int16, vector.Int32, vector.Int64:
		return v.c.Int(0), true
	}
	return 0, false
}

// AsFloat returns a number as a float64.
func (v Value) AsFloat() (float64, bool) {
	if b, ok := v.o.(*bigInt); ok {
		f, _ := new(big.Float).SetInt(b.big()).Float64()
		return f, true
	}
	if r, ok := v.o.(*rowCount); ok {
		r.use()
	}
	if v.o != nil || v.c.IsArray() || !v.c.Type().Number() {
		return 0, false
	}
	return v.c.Float(0), true
}

// IsPy reports whether v is a Python number: int (of 64 bits), float or bool.
func (v Value) IsPy() bool { return v.o == nil && v.c.Form() == vector.PyScalar }

// IsArray reports whether v is a numpy array.
func (v Value) IsArray() bool { return v.o == nil && v.c.IsArray() }

// Same is Python's `is`.
func Same(a, b Value) bool {
	if a.o != nil || b.o != nil {
		if s, ok := a.o.(Str); ok {
			t, ok := b.o.(Str)
			return ok && s == t
		}
		return identical(a.o, b.o)
	}
	return a.c.Same(b.c)
}

func identical(a, b Object) bool {
	if a == nil || b == nil {
		return a == b
	}
	return canCompare(a) && canCompare(b) && a == b
}

// canCompare guards == on interfaces against host types that Go cannot compare.
func canCompare(o Object) (ok bool) {
	switch o.(type) {
	case *Tuple, *List, *Dict, *Set, *Instance, *Class, *Function, *Module, singleton, Str, Bytes, *bigInt:
		return true
	}
	defer func() { ok = recover() == nil }()
	return o == o
}

// typeOf returns the Python class of a value.
func typeOf(v Value) *Class {
	if v.o != nil {
		return v.o.Type()
	}
	switch v.c.Form() {
	case vector.Array:
		return ArrayType
	case vector.NumpyScalar:
		return ScalarType(v.c.DType())
	}
	switch v.c.Type() {
	case vector.Bool:
		return BoolType
	case vector.Float64:
		return FloatType
	}
	return IntType
}

// TypeName returns the name of the Python class of a value.
func TypeName(v Value) string { return typeOf(v).Name }

func floatIsInt(f float64) (int64, bool) {
	if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
		return int64(f), true
	}
	return 0, false
}
