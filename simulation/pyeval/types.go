package pyeval

// This file defines the built-in classes, and links them to what they can do.

import (
	"sync"

	"edict/simulation/vector"
)

// The classes of built-in values. linkTypes gives them their methods, which refer to them.
var (
	objectType = BuiltinClass("object")

	BoolType           = BuiltinClass("bool")
	builtinType        = BuiltinClass("builtin_function_or_method")
	BytesType          = BuiltinClass("bytes")
	classMethodType    = BuiltinClass("classmethod")
	dictItemsType      = BuiltinClass("dict_items")
	dictKeysType       = BuiltinClass("dict_keys")
	dictType           = BuiltinClass("dict")
	dictValuesType     = BuiltinClass("dict_values")
	ellipsisType       = BuiltinClass("ellipsis")
	FloatType          = BuiltinClass("float")
	frozensetType      = BuiltinClass("frozenset")
	FunctionType       = BuiltinClass("function")
	generatorType      = BuiltinClass("generator")
	IntType            = BuiltinClass("int")
	iteratorType       = BuiltinClass("iterator")
	listType           = BuiltinClass("list")
	methodType         = BuiltinClass("method")
	moduleType         = BuiltinClass("module")
	ArrayType          = BuiltinClass("ndarray")
	noneType           = BuiltinClass("NoneType")
	notImplementedType = BuiltinClass("NotImplementedType")
	propertyType       = BuiltinClass("property")
	rangeType          = BuiltinClass("range")
	setType            = BuiltinClass("set")
	sliceType          = BuiltinClass("slice")
	staticMethodType   = BuiltinClass("staticmethod")
	StrType            = BuiltinClass("str")
	superType          = BuiltinClass("super")
	tupleType          = BuiltinClass("tuple")
	typeType           = BuiltinClass("type")
	unboundType        = BuiltinClass("unbound")

	// The types of numpy's scalars.
	ScalarTypes = [...]*Class{
		vector.Bool: BuiltinClass("bool_"), vector.Int16: BuiltinClass("int16"), vector.Int32: BuiltinClass("int32"),
		vector.Int64: BuiltinClass("int64"), vector.Float32: BuiltinClass("float32"), vector.Float64: BuiltinClass("float64"),
		vector.Date: BuiltinClass("datetime64"), vector.Duration: BuiltinClass("timedelta64"), vector.Enum: BuiltinClass("enum"),
		vector.Str: BuiltinClass("str_"), vector.Bytes: BuiltinClass("bytes_"), vector.Object: BuiltinClass("object_"),
	}

	// The types of numpy's integers of eight bits, by unit.
	EightBitTypes = map[vector.Unit]*Class{vector.Signed8: BuiltinClass("int8"), vector.Unsigned8: BuiltinClass("uint8")}
)

// ScalarType returns the class of a numpy scalar of type d.
func ScalarType(d vector.DType) *Class {
	if d.Type == vector.Int16 && d.Unit != vector.Generic {
		return EightBitTypes[d.Unit]
	}
	return ScalarTypes[d.Type]
}

// BuiltinClass declares a class in Go that [LinkClass] completes: classes and the functions in their tables refer to each other.
func BuiltinClass(name string) *Class {
	c := &Class{Name: name, Module: "builtins"}
	declared = append(declared, c)
	return c
}

// declared are the classes that packages declare in Go, in the order in which they do.
var declared []*Class

// BaseObject returns Python's object class, the default base.
func BaseObject() *Class { return objectType }

// linkTypes completes the built-in classes, once per process.
var linkTypes = sync.OnceFunc(func() {
	objectType.mro = []*Class{objectType}
	LinkClass(objectType, nil, Table{
		"__init__":    Pure(objectInit, func(*Thread, []Value, []Kw) Value { return None }),
		"__new__":     Obj(&staticMethod{Pure("__new__", newObject)}),
		"__setattr__": Pure("__setattr__", objectSetAttr),
	})
	LinkClass(IntType, newInt, intTable())
	LinkClass(BoolType, newBool, nil, IntType)
	LinkClass(BytesType, newBytes, bytesTable())
	LinkClass(classMethodType, newClassMethod, nil)
	LinkClass(dictType, newDictValue, dictTable())
	for _, c := range []*Class{dictItemsType, dictKeysType, dictValuesType, ellipsisType, FunctionType, builtinType, iteratorType,
		methodType, moduleType, noneType, notImplementedType, unboundType} {
		LinkClass(c, nil, nil)
	}
	LinkClass(FloatType, newFloat, floatTable())
	LinkClass(frozensetType, newFrozenset, setTable(true))
	LinkClass(generatorType, nil, generatorTable())
	LinkClass(listType, newListValue, listTable())
	LinkClass(propertyType, newProperty, nil)
	LinkClass(rangeType, newRange, nil)
	LinkClass(setType, newSetValue, setTable(false))
	LinkClass(sliceType, newSlice, nil)
	LinkClass(staticMethodType, newStaticMethod, nil)
	LinkClass(StrType, newStr, strTable())
	LinkClass(superType, newSuper, nil)
	LinkClass(tupleType, newTupleValue, tupleTable())
	LinkClass(typeType, newType, Table{"mro": Pure("mro", typeMRO)})
	linkExceptions()
	builtins["open"] = Pure("open", builtinOpen)
})

// LinkClass gives a class its constructor, which is pure, its table and its bases. One without a constructor cannot be called.
func LinkClass(c *Class, make func(*Thread, *Class, []Value, []Kw) Value, table Table, bases ...*Class) {
	if len(bases) == 0 && c != objectType {
		bases = []*Class{objectType}
	}
	c.Bases = bases
	c.New, c.Pure = make, make != nil
	c.attrs.addTable(c, table)
	mro, _ := linearize(c)
	c.inherit(mro)
	c.fixed = true
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
		c.New, c.Pure, c.fixed = newExceptionValue, true, true
	}
	BaseException.attrs.addTable(BaseException, Table{
		"__init__": Pure("__init__", exceptionInit),
		"with_traceback": Pure("with_traceback", func(th *Thread, args []Value, _ []Kw) Value {
			inst, _ := Self[*Instance](th, "with_traceback", args)
			return Obj(inst)
		}),
	})
}

// objectInit names object.__init__, which takes whatever it is given and does nothing.
const objectInit = "object.__init__"

// newObject is object.__new__(cls).
func newObject(th *Thread, args []Value, _ []Kw) Value {
	c, _ := Self[*Class](th, "__new__", args)
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
	c, _ := Self[*Class](th, "mro", args)
	return Obj(NewList(classTuple(c.mro).o.(*Tuple).items))
}
