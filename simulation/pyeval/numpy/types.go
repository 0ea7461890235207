package numpy

// This file defines numpy's scalar types as classes.

import (
	"sync"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// The abstract bases of numpy's scalar types, and the types that columns have no form for.
var (
	genericType   = py.BuiltinClass("generic")
	numberType    = py.BuiltinClass("number")
	integerType   = py.BuiltinClass("integer")
	signedType    = py.BuiltinClass("signedinteger")
	unsignedType  = py.BuiltinClass("unsignedinteger")
	inexactType   = py.BuiltinClass("inexact")
	floatingType  = py.BuiltinClass("floating")
	flexibleType  = py.BuiltinClass("flexible")
	characterType = py.BuiltinClass("character")
)

// linkTypesOfNumpy orders numpy's scalar types, once per process; their methods are those of arrays.
var linkTypesOfNumpy = sync.OnceFunc(func() {
	py.LinkClass(py.ArrayType, nil, nil)
	py.LinkClass(genericType, nil, nil)
	for _, below := range [][2]*py.Class{
		{numberType, genericType}, {integerType, numberType}, {signedType, integerType}, {unsignedType, integerType}, {inexactType, numberType},
		{floatingType, inexactType}, {flexibleType, genericType}, {characterType, flexibleType},
	} {
		py.LinkClass(below[0], nil, nil, below[1])
		below[0].Module = "numpy"
	}
	bases := map[vector.Type][]*py.Class{
		vector.Int16: {signedType}, vector.Int32: {signedType}, vector.Int64: {signedType},
		vector.Float32: {floatingType}, vector.Float64: {floatingType, py.FloatType},
		vector.Str: {characterType, py.StrType}, vector.Bytes: {characterType, py.BytesType}, vector.Duration: {signedType},
	}
	for t, c := range py.ScalarTypes {
		b := bases[vector.Type(t)]
		if b == nil {
			b = []*py.Class{genericType}
		}
		py.LinkClass(c, newNumpyScalar(vector.DType{Type: vector.Type(t)}), nil, b...)
		c.Module = "numpy"
	}
	py.ScalarTypes[vector.Date].New, py.ScalarTypes[vector.Duration].New = newTime(vector.Date), newTime(vector.Duration)
	for u, base := range map[vector.Unit]*py.Class{vector.Signed8: signedType, vector.Unsigned8: unsignedType} {
		c := py.EightBitTypes[u]
		py.LinkClass(c, newNumpyScalar(vector.DType{Type: vector.Int16, Unit: u}), nil, base)
		c.Module = "numpy"
	}
	py.LinkClass(dtypeType, newDType, nil)
	py.ArrayType.Module = "numpy"
	table := arrayTable()
	for _, c := range append([]*py.Class{py.ArrayType, genericType, py.EightBitTypes[vector.Signed8], py.EightBitTypes[vector.Unsigned8]}, py.ScalarTypes[:]...) {
		c.AddTable(table)
	}
	py.ArrayType.AddTable(enumArrayTable())
	py.ScalarTypes[vector.Enum].AddTable(enumArrayTable())
})

// newNumpyScalar is numpy.float32(x) and its like: a scalar of that type, or an array cast to it.
func newNumpyScalar(d vector.DType) func(*py.Thread, *py.Class, []py.Value, []py.Kw) py.Value {
	return func(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
		x := py.Int(0)
		th.Unpack(class.Name, args, kws, "x?", &x)
		c, ok := th.AsColumn(x)
		if !ok {
			th.Raise(py.TypeError, "cannot make a numpy.%s of '%s'", class.Name, py.TypeName(x))
		}
		out, err := th.Rules().Cast(c, d)
		if err != nil {
			th.Throw(err)
		}
		if !out.IsArray() {
			out = out.As(vector.NumpyScalar)
		}
		return py.Raw(out)
	}
}

func numpyIssubdtype(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	th.Unpack("issubdtype", args, kws, "arg1", &a, "arg2", &b)
	return py.Bool(scalarType(th, a).IsSub(scalarType(th, b)))
}

// scalarType is the type of the elements that a dtype, or something that stands for one, has.
func scalarType(th *py.Thread, v py.Value) *py.Class {
	if c, ok := v.Object().(*py.Class); ok && c.IsSub(genericType) {
		return c
	}
	return py.ScalarType(dtypeArg(th, v))
}
