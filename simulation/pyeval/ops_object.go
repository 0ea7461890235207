package pyeval

// This file defines the operators where an operand is an object: texts, containers, hosts' objects, instances.

import (
	"math/big"
	"slices"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// binaryObjects computes a op b where at least one is an object.
func (th *Thread) binaryObjects(op binaryOp, a, b Value) Value {
	if a.o == nil {
		a = textOf(a.c)
	}
	if b.o == nil {
		b = textOf(b.c)
	}
	if v, ok := th.builtinBinary(op, a, b); ok {
		return v
	}
	if !arrayFirst(a, b) {
		if v, ok := th.hostBinary(op, a, b); ok {
			return v
		}
	}
	if v, ok := th.arrayBinary(op, a, b); ok {
		return v
	}
	th.unsupported(op, a, b)
	return Value{}
}

// arrayFirst tells that numpy answers before the object on the right is asked: an array takes what is no array itself element
// by element.
func arrayFirst(a, b Value) bool {
	return a.o == nil && a.c.Form() != vector.PyScalar && isInstance(b)
}

// hostBinary asks the operands themselves; a right operand of a derived class goes first.
func (th *Thread) hostBinary(op binaryOp, a, b Value) (Value, bool) {
	names := specialNames[op]
	ta, tb := typeOf(a), typeOf(b)
	if ta != tb && tb.IsSub(ta) {
		if v, ok := th.special1(b, names[1], a); ok {
			return v, true
		}
	}
	if h, ok := a.o.(Binarier); ok {
		if v, ok := h.Binary(th, op, b, false); ok {
			return v, true
		}
	}
	if v, ok := th.special1(a, names[0], b); ok {
		return v, true
	}
	if h, ok := b.o.(Binarier); ok {
		if v, ok := h.Binary(th, op, a, true); ok {
			return v, true
		}
	}
	return th.special1(b, names[1], a)
}

// builtinBinary knows the operators of str, bytes, list, tuple, set, dict and big numbers.
func (th *Thread) builtinBinary(op binaryOp, a, b Value) (Value, bool) {
	if x, y, ok := bigPair(a, b); ok {
		return th.bigs(op, x, y, a, b), true
	}
	if _, isBig := a.o.(*bigInt); isBig && b.IsPy() {
		f, _ := a.AsFloat()
		return th.floats(op, f, b.c.Float(0), a, b), true
	}
	if _, isBig := b.o.(*bigInt); isBig && a.IsPy() {
		f, _ := b.AsFloat()
		return th.floats(op, a.c.Float(0), f, a, b), true
	}
	switch op {
	case pysyntax.Add:
		return th.concat(a, b)
	case pysyntax.Mult:
		if v, ok := th.repeat(a, b); ok {
			return v, true
		}
		return th.repeat(b, a)
	case pysyntax.Mod:
		if s, ok := a.o.(Str); ok {
			return String(th.percent(string(s), b)), true
		}
	case pysyntax.BitOr, pysyntax.BitAnd, pysyntax.BitXor, pysyntax.Sub:
		return th.setBinary(op, a, b)
	}
	return Value{}, false
}

func bigPair(a, b Value) (x, y *big.Int, ok bool) {
	_, ba := a.o.(*bigInt)
	_, bb := b.o.(*bigInt)
	if !ba && !bb {
		return nil, nil, false
	}
	x, okx := AsBig(a)
	y, oky := AsBig(b)
	return x, y, okx && oky
}

func (th *Thread) concat(a, b Value) (Value, bool) {
	switch x := a.o.(type) {
	case Str:
		if y, ok := b.o.(Str); ok {
			th.AllocText(len(x) + len(y))
			return String(string(x) + string(y)), true
		}
		if !b.IsArray() {
			if _, host := b.o.(Binarier); host {
				return Value{}, false
			}
			if s, ok := b.AsString(); ok {
				th.AllocText(len(x) + len(s))
				return String(string(x) + s), true
			}
			th.Raise(TypeError, "can only concatenate str (not \"%s\") to str", TypeName(b))
		}
	case Bytes:
		if y, ok := b.o.(Bytes); ok {
			th.AllocText(len(x) + len(y))
			return BytesValue(string(x) + string(y)), true
		}
	case *List:
		if y, ok := b.o.(*List); ok {
			th.AllocMany(len(x.items)+len(y.items), ValueBytes)
			return Obj(NewList(slices.Concat(x.items, y.items))), true
		}
		if b.o != nil {
			if _, host := b.o.(Binarier); !host && !isInstance(b) {
				th.Raise(TypeError, "can only concatenate list (not \"%s\") to list", TypeName(b))
			}
		}
	case *Tuple:
		if y, ok := b.o.(*Tuple); ok {
			th.AllocMany(len(x.items)+len(y.items), ValueBytes)
			return NewTuple(slices.Concat(x.items, y.items)), true
		}
	}
	return Value{}, false
}

func isInstance(v Value) bool {
	_, ok := v.o.(*Instance)
	return ok
}

// repeat is sequence * n.
func (th *Thread) repeat(a, b Value) (Value, bool) {
	count, ok := b.AsInt()
	if !ok {
		return Value{}, false
	}
	n := int(max(count, 0))
	times := func(items []Value) int {
		if len(items) > 0 {
			th.AllocMany(n, ValueBytes*len(items))
		}
		return n
	}
	switch x := a.o.(type) {
	case Str:
		return String(th.repeated(string(x), n)), true
	case Bytes:
		return BytesValue(th.repeated(string(x), n)), true
	case *List:
		return Obj(NewList(slices.Repeat(x.items, times(x.items)))), true
	case *Tuple:
		return NewTuple(slices.Repeat(x.items, times(x.items))), true
	}
	return Value{}, false
}

func (th *Thread) setBinary(op binaryOp, a, b Value) (Value, bool) {
	if x, ok := a.o.(*Dict); ok && op == pysyntax.BitOr {
		if y, ok := b.o.(*Dict); ok {
			out := th.CopyDict(x)
			y.each(func(k, v Value) { th.SetKey(out, k, v) })
			return Obj(out), true
		}
	}
	if x, ok := a.o.(*Class); ok && op == pysyntax.BitOr {
		return Obj(x), true // int | None in an annotation
	}
	if _, ok := b.o.(*Class); ok && op == pysyntax.BitOr && a.IsNone() {
		return b, true
	}
	if !isSetLike(a) || !isSetLike(b) {
		return Value{}, false
	}
	x, y := th.toSet(a), th.toSet(b)
	switch op {
	case pysyntax.BitOr:
		return Obj(x.union(th, y)), true
	case pysyntax.BitAnd:
		return Obj(x.intersection(th, y)), true
	case pysyntax.BitXor:
		return Obj(x.symmetric(th, y)), true
	}
	return Obj(x.difference(th, y)), true
}

func isSetLike(v Value) bool {
	switch o := v.o.(type) {
	case *Set:
		return true
	case dictView:
		return o.kind != 'v'
	}
	return false
}

// arrayBinary lets an array meet text, a list or another object, as numpy does.
func (th *Thread) arrayBinary(op binaryOp, a, b Value) (Value, bool) {
	if a.o == nil && a.c.Form() == vector.PyScalar || b.o == nil && b.c.Form() == vector.PyScalar || a.o != nil && b.o != nil {
		return Value{}, false
	}
	x, ok := th.AsColumn(a)
	if !ok {
		return Value{}, false
	}
	y, ok := th.AsColumn(b)
	if !ok {
		return Value{}, false
	}
	return th.Unboxed(th.columns(op, x, y).c), true
}

// AsColumn reads what numpy would make an array of for arithmetic: numbers, text, lists, objects.
func (th *Thread) AsColumn(v Value) (vector.Column, bool) {
	if c, ok := v.Column(); ok {
		return c, true
	}
	switch o := v.o.(type) {
	case *List:
		return th.ToArray(o.items), true
	case *Tuple:
		return th.ToArray(o.items), true
	case Columner:
		return o.Column(th), true
	case *Instance:
		if r, ok := th.Special(v, "__array__"); ok && r.o == nil {
			return r.c, true
		}
	}
	return vector.PyObject(ToAny(v)), true
}

// Columner is a host object that stands for a column where an array is needed.
type Columner interface {
	Object
	Column(th *Thread) vector.Column
}

// inPlace is a op= b: lists and sets change, arrays keep their type, the rest is a op b.
func (th *Thread) inPlace(op binaryOp, a, b Value) Value {
	if a.o == nil {
		if a.c.Form() != vector.Array {
			return th.Binary(op, a, b)
		}
		return th.intoArray(op, a, b)
	}
	if v, ok := th.special1(a, specialNames[op][2], b); ok {
		return v
	}
	switch x := a.o.(type) {
	case *List:
		if op == pysyntax.Add {
			items := th.Collect(b)
			x.mayChange(th)
			th.AllocMany(len(x.items)+len(items), ValueBytes)
			x.items = append(x.items, items...)
			return a
		}
	case *Set:
		if y, ok := b.o.(*Set); ok && !x.immutable {
			if r, ok := th.setBinary(op, a, Obj(y)); ok {
				x.replace(th, r.o.(*Set))
				return a
			}
		}
	case *Dict:
		if op == pysyntax.BitOr {
			th.toDict(b).each(func(k, v Value) { th.SetKey(x, k, v) })
			return a
		}
	}
	return th.Binary(op, a, b)
}

// intoArray keeps the type of the left array. The array itself may be cached or shared, so the
// result is a new one: names that shared the old array keep the old values, unlike numpy.
func (th *Thread) intoArray(op binaryOp, a, b Value) Value {
	c, ok := b.Column()
	if !ok || op == pysyntax.MatMult || op == pysyntax.LShift || op == pysyntax.RShift {
		return th.Binary(op, a, b)
	}
	out, err := th.rules.Into(ArrayOps[op], a.c, c)
	if err != nil {
		th.Throw(err)
	}
	return Value{c: out}
}

// Unboxed is an array, or what a scalar of objects holds.
func (th *Thread) Unboxed(c vector.Column) Value {
	if c.Type() == vector.Object && c.Form() != vector.Array {
		return FromAny(c.Object(0))
	}
	return Value{c: c}
}
