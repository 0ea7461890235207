package pyeval

import (
	"sync"

	"edict/simulation/vector"
)

// The classes of built-in values. linkTypes gives them their methods, which refer to them.
var (
	objectType = builtinClass("object")

	boolType           = builtinClass("bool")
	builtinType        = builtinClass("builtin_function_or_method")
	bytesType          = builtinClass("bytes")
	classMethodType    = builtinClass("classmethod")
	dictItemsType      = builtinClass("dict_items")
	dictKeysType       = builtinClass("dict_keys")
	dictType           = builtinClass("dict")
	dictValuesType     = builtinClass("dict_values")
	ellipsisType       = builtinClass("ellipsis")
	floatType          = builtinClass("float")
	frozensetType      = builtinClass("frozenset")
	functionType       = builtinClass("function")
	generatorType      = builtinClass("generator")
	intType            = builtinClass("int")
	iteratorType       = builtinClass("iterator")
	listType           = builtinClass("list")
	methodType         = builtinClass("method")
	moduleType         = builtinClass("module")
	ndarrayType        = builtinClass("ndarray")
	noneType           = builtinClass("NoneType")
	notImplementedType = builtinClass("NotImplementedType")
	propertyType       = builtinClass("property")
	rangeType          = builtinClass("range")
	setType            = builtinClass("set")
	sliceType          = builtinClass("slice")
	staticMethodType   = builtinClass("staticmethod")
	strType            = builtinClass("str")
	superType          = builtinClass("super")
	tupleType          = builtinClass("tuple")
	typeType           = builtinClass("type")
	unboundType        = builtinClass("unbound")

	// numpy's scalar types and their abstract bases.
	genericType  = builtinClass("generic")
	numberType   = builtinClass("number")
	integerType  = builtinClass("integer")
	floatingType = builtinClass("floating")
	int8Type     = builtinClass("int8")
	uint8Type    = builtinClass("uint8")
	numpyTypes   = [...]*Class{
		vector.Bool: builtinClass("bool_"), vector.Int16: builtinClass("int16"), vector.Int32: builtinClass("int32"),
		vector.Int64: builtinClass("int64"), vector.Float32: builtinClass("float32"), vector.Float64: builtinClass("float64"),
		vector.Date: builtinClass("datetime64"), vector.Duration: builtinClass("timedelta64"), vector.Enum: builtinClass("enum"),
		vector.Str: builtinClass("str_"), vector.Bytes: builtinClass("bytes_"), vector.Object: builtinClass("object_"),
	}
)

func builtinClass(name string) *Class { return &Class{Name: name, Module: "builtins"} }

func numpyScalarType(t vector.Type) *Class { return numpyTypes[t] }

// BaseObject returns Python's object class, the default base.
func BaseObject() *Class { return objectType }

// linkTypes completes the built-in classes, once per process.
var linkTypes = sync.OnceFunc(func() {
	objectType.mro = []*Class{objectType}
	link(objectType, nil, Table{
		"__init__":    Pure(objectInit, func(*Thread, []Value, []Kw) Value { return None }),
		"__new__":     Obj(&staticMethod{Pure("__new__", newObject)}),
		"__setattr__": Pure("__setattr__", objectSetAttr),
	})
	link(intType, newInt, intTable())
	link(boolType, newBool, nil, intType)
	link(bytesType, newBytes, bytesTable())
	link(classMethodType, newClassMethod, nil)
	link(dictType, newDictValue, dictTable())
	for _, c := range []*Class{dictItemsType, dictKeysType, dictValuesType, ellipsisType, functionType, builtinType, iteratorType,
		methodType, moduleType, noneType, notImplementedType, unboundType} {
		link(c, nil, nil)
	}
	link(floatType, newFloat, floatTable())
	link(frozensetType, newFrozenset, setTable(true))
	link(generatorType, nil, generatorTable())
	link(listType, newListValue, listTable())
	link(propertyType, newProperty, nil)
	link(rangeType, newRange, nil)
	link(setType, newSetValue, setTable(false))
	link(sliceType, newSlice, nil)
	link(staticMethodType, newStaticMethod, nil)
	link(strType, newStr, strTable())
	link(superType, newSuper, nil)
	link(tupleType, newTupleValue, tupleTable())
	link(typeType, newType, Table{"mro": Pure("mro", typeMRO)})
	linkExceptions()
	linkNumpy()
	builtins["open"] = Pure("open", builtinOpen)
})

func link(c *Class, make func(*Thread, *Class, []Value, []Kw) Value, table Table, bases ...*Class) {
	if len(bases) == 0 && c != objectType {
		bases = []*Class{objectType}
	}
	c.Bases = bases
	c.New, c.Pure = make, make != nil
	c.attrs.addTable(c, table)
	mro, _ := linearize(c)
	c.inherit(mro)
	if make == nil && c != objectType {
		c.New = func(th *Thread, class *Class, _ []Value, _ []Kw) Value {
			th.Raise(TypeError, "cannot create '%s' instances", class.Name)
			return Value{}
		}
		c.Pure = true
	}
}

func linkExceptions() {
	for _, row := range exceptionTree {
		c := exceptionsByName[row[0]]
		c.New, c.Pure = newExceptionValue, true
	}
	BaseException.attrs.addTable(BaseException, Table{
		"__init__": Pure("__init__", exceptionInit),
		"with_traceback": Pure("with_traceback", func(th *Thread, args []Value, _ []Kw) Value {
			inst, _ := self[*Instance](th, "with_traceback", args)
			return Obj(inst)
		}),
	})
}

// linkNumpy orders numpy's scalar types; their methods are those of arrays.
func linkNumpy() {
	link(ndarrayType, nil, nil)
	link(genericType, nil, nil)
	link(numberType, nil, nil, genericType)
	link(integerType, nil, nil, numberType)
	link(floatingType, nil, nil, numberType)
	bases := map[vector.Type][]*Class{
		vector.Int16: {integerType}, vector.Int32: {integerType}, vector.Int64: {integerType},
		vector.Float32: {floatingType}, vector.Float64: {floatingType, floatType},
		vector.Str: {genericType, strType}, vector.Bytes: {genericType, bytesType},
	}
	for t, c := range numpyTypes {
		b := bases[vector.Type(t)]
		if b == nil {
			b = []*Class{genericType}
		}
		link(c, newNumpyScalar(vector.Type(t)), nil, b...)
		c.Module = "numpy"
	}
	numpyTypes[vector.Date].New, numpyTypes[vector.Duration].New = newTime(vector.Date), newTime(vector.Duration)
	for _, c := range []*Class{int8Type, uint8Type} {
		link(c, newByteScalar, nil, integerType)
		c.Module = "numpy"
	}
	link(dtypeType, newDType, nil)
	ndarrayType.Module = "numpy"
	table := arrayTable()
	for _, c := range append([]*Class{ndarrayType, genericType}, numpyTypes[:]...) {
		c.attrs.addTable(c, table)
	}
	ndarrayType.attrs.addTable(ndarrayType, enumArrayTable())
	numpyTypes[vector.Enum].attrs.addTable(numpyTypes[vector.Enum], enumArrayTable())
}

// newNumpyScalar is numpy.float32(x) and its like: a scalar of that type, or an array cast to it.
func newNumpyScalar(t vector.Type) func(*Thread, *Class, []Value, []Kw) Value {
	return func(th *Thread, class *Class, args []Value, kws []Kw) Value {
		x := Int(0)
		th.Unpack(class.Name, args, kws, "x?", &x)
		c, ok := th.asColumn(x)
		if !ok {
			th.Raise(TypeError, "cannot make a numpy.%s of '%s'", class.Name, TypeName(x))
		}
		out, err := th.rules.Cast(c, vector.DType{Type: t})
		if err != nil {
			th.Throw(err)
		}
		if !out.IsArray() {
			out = out.As(vector.NumpyScalar)
		}
		return Value{c: out}
	}
}

// objectInit names object.__init__, which takes whatever it is given and does nothing.
const objectInit = "object.__init__"

// newObject is object.__new__(cls).
func newObject(th *Thread, args []Value, _ []Kw) Value {
	c, _ := self[*Class](th, "__new__", args)
	if c.New != nil {
		return c.instance(th, args[1:], nil)
	}
	return Obj(&Instance{class: c})
}

func objectSetAttr(th *Thread, args []Value, kws []Kw) Value {
	var self, v Value
	var name string
	th.Unpack("__setattr__", args, kws, "self", &self, "name", &name, "value", &v)
	if i, ok := self.o.(*Instance); ok {
		i.store(th, name, &v)
		return None
	}
	th.setAttr(self, name, &v)
	return None
}

func typeMRO(th *Thread, args []Value, _ []Kw) Value {
	c, _ := self[*Class](th, "mro", args)
	return Obj(NewList(classTuple(c.mro).o.(*Tuple).items))
}
