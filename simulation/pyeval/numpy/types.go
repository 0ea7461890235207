package numpy

// This file defines numpy's scalar types as classes.

import (
	"sync"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// The abstract bases of numpy's scalar types, and the types that columns have no form for.
var (
	genericType  = py.BuiltinClass("generic")
	numberType   = py.BuiltinClass("number")
	integerType  = py.BuiltinClass("integer")
	floatingType = py.BuiltinClass("floating")
	int8Type     = py.BuiltinClass("int8")
	uint8Type    = py.BuiltinClass("uint8")
)

// linkTypesOfNumpy orders numpy's scalar types, once per process; their methods are those of arrays.
var linkTypesOfNumpy = sync.OnceFunc(func() {
	py.LinkClass(py.ArrayType, nil, nil)
	py.LinkClass(genericType, nil, nil)
	py.LinkClass(numberType, nil, nil, genericType)
	py.LinkClass(integerType, nil, nil, numberType)
	py.LinkClass(floatingType, nil, nil, numberType)
	bases := map[vector.Type][]*py.Class{
		vector.Int16: {integerType}, vector.Int32: {integerType}, vector.Int64: {integerType},
		vector.Float32: {floatingType}, vector.Float64: {floatingType, py.FloatType},
		vector.Str: {genericType, py.StrType}, vector.Bytes: {genericType, py.BytesType},
	}
	for t, c := range py.ScalarTypes {
		b := bases[vector.Type(t)]
		if b == nil {
			b = []*py.Class{genericType}
		}
		py.LinkClass(c, newNumpyScalar(vector.Type(t)), nil, b...)
		c.Module = "numpy"
	}
	py.ScalarTypes[vector.Date].New, py.ScalarTypes[vector.Duration].New = newTime(vector.Date), newTime(vector.Duration)
	for _, c := range []*py.Class{int8Type, uint8Type} {
		py.LinkClass(c, newByteScalar, nil, integerType)
		c.Module = "numpy"
	}
	py.LinkClass(dtypeType, newDType, nil)
	py.ArrayType.Module = "numpy"
	table := arrayTable()
	for _, c := range append([]*py.Class{py.ArrayType, genericType}, py.ScalarTypes[:]...) {
		c.AddTable(table)
	}
	py.ArrayType.AddTable(enumArrayTable())
	py.ScalarTypes[vector.Enum].AddTable(enumArrayTable())
})

// newNumpyScalar is numpy.float32(x) and its like: a scalar of that type, or an array cast to it.
func newNumpyScalar(t vector.Type) func(*py.Thread, *py.Class, []py.Value, []py.Kw) py.Value {
	return func(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
		x := py.Int(0)
		th.Unpack(class.Name, args, kws, "x?", &x)
		c, ok := th.AsColumn(x)
		if !ok {
			th.Raise(py.TypeError, "cannot make a numpy.%s of '%s'", class.Name, py.TypeName(x))
		}
		out, err := th.Rules().Cast(c, vector.DType{Type: t})
		if err != nil {
			th.Throw(err)
		}
		if !out.IsArray() {
			out = out.As(vector.NumpyScalar)
		}
		return py.Raw(out)
	}
}
