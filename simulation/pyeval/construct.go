package pyeval

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"edict/simulation/vector"
)

// This file holds what calling a built-in class does.

func newInt(th *Thread, class *Class, args []Value, kws []Kw) Value {
	x, base := Int(0), Value{o: None.o}
	th.Unpack("int", args, kws, "x?", &x, "base?", &base)
	if s, ok := x.AsString(); ok {
		b := int64(10)
		if !base.IsNone() {
			b = th.ToIndex(base, "base")
		}
		return th.ParseInt(s, int(b))
	}
	if b, ok := x.o.(Bytes); ok {
		return th.ParseInt(string(b), 10)
	}
	return th.ToInt(x)
}

// ParseInt reads a text as int(text, base) does.
func (th *Thread) ParseInt(s string, base int) Value {
	if base != 0 && (base < 2 || base > 36) {
		th.Raise(ValueError, "int() base must be >= 2 and <= 36, or 0")
	}
	if base == 10 && len(s) <= 18 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return Int(n)
		}
	}
	th.checkDigits(len(s), base)
	text := strings.ReplaceAll(strings.TrimSpace(s), "_", "")
	digits := strings.ToLower(text)
	if base == 16 {
		digits = strings.Replace(digits, "0x", "", 1)
	}
	z, ok := new(big.Int).SetString(digits, base)
	if !ok {
		th.Raise(ValueError, "invalid literal for int() with base %d: %s", base, th.Repr(String(s)))
	}
	return BigInt(z)
}

// ToInt is int() of a number.
func (th *Thread) ToInt(x Value) Value {
	if b, ok := x.o.(*bigInt); ok {
		return Obj(b)
	}
	if x.o == nil && x.c.Len() == 1 && x.c.Type() != vector.Object {
		switch x.c.Type() {
		case vector.Float32, vector.Float64:
			return th.FloatToInt(x.c.Float(0))
		case vector.Str, vector.Bytes:
			return th.ParseInt(x.c.Text(0), 10)
		}
		return Int(x.c.Int(0))
	}
	if x.o == nil && x.c.Len() == 1 {
		return th.ToInt(FromAny(x.c.Object(0)))
	}
	for _, name := range []string{"__int__", "__index__", "__trunc__"} {
		if f, ok := th.Attr(x, name); ok {
			return th.InvokeKw(f, nil, nil)
		}
	}
	if x.IsArray() {
		th.Raise(TypeError, "only size-1 arrays can be converted to Python scalars")
	}
	th.Raise(TypeError, "int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(x))
	return Value{}
}

// FloatToInt is int(f).
func (th *Thread) FloatToInt(f float64) Value {
	switch {
	case math.IsNaN(f):
		th.Raise(ValueError, "cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		th.Raise(OverflowError, "cannot convert float infinity to integer")
	}
	f = math.Trunc(f)
	if f >= -1<<63 && f < 1<<63 {
		return Int(int64(f))
	}
	z, _ := new(big.Float).SetFloat64(f).Int(nil)
	return BigInt(z)
}

func newFloat(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x := Float(0)
	th.Unpack("float", args, kws, "x?", &x)
	return Float(th.ToFloat(x))
}

// ToFloat is float(x).
func (th *Thread) ToFloat(x Value) float64 {
	if f, ok := x.AsFloat(); ok {
		if math.IsInf(f, 0) {
			if _, big := x.o.(*bigInt); big {
				th.Raise(OverflowError, "int too large to convert to float")
			}
		}
		return f
	}
	s, isText := x.AsString()
	if b, ok := x.o.(Bytes); ok {
		s, isText = string(b), true
	}
	if isText {
		return th.parseFloat(s)
	}
	if x.o == nil && x.c.Len() == 1 {
		if x.c.Type() == vector.Object {
			return th.ToFloat(FromAny(x.c.Object(0)))
		}
		return x.c.Float(0)
	}
	if f, ok := th.Attr(x, "__float__"); ok {
		return th.ToFloat(th.InvokeKw(f, nil, nil))
	}
	if x.IsArray() {
		th.Raise(TypeError, "only size-1 arrays can be converted to Python scalars")
	}
	th.Raise(TypeError, "float() argument must be a string or a real number, not '%s'", TypeName(x))
	return 0
}

func (th *Thread) parseFloat(s string) float64 {
	text := strings.ToLower(strings.TrimSpace(s))
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	overflow := err != nil && strings.Contains(err.Error(), "range")
	if err != nil && !overflow || strings.ContainsAny(text, "xp") && !strings.Contains(text, "inf") {
		th.Raise(ValueError, "could not convert string to float: %s", th.Repr(String(s)))
	}
	return f
}

func newBool(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x := False
	th.Unpack("bool", args, kws, "x?", &x)
	return Bool(th.Truth(x))
}

func newStr(th *Thread, class *Class, args []Value, kws []Kw) Value {
	x, encoding := String(""), Value{o: None.o}
	errors := None
	th.Unpack("str", args, kws, "object?", &x, "encoding?", &encoding, "errors?", &errors)
	if b, ok := x.o.(Bytes); ok && !encoding.IsNone() {
		return th.decode(string(b), th.MustString(encoding, "encoding"))
	}
	return String(th.Str(x))
}

func newBytes(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x, encoding := BytesValue(""), Value{o: None.o}
	th.Unpack("bytes", args, kws, "source?", &x, "encoding?", &encoding)
	if s, ok := x.AsString(); ok {
		if encoding.IsNone() {
			th.Raise(TypeError, "string argument without an encoding")
		}
		return th.encode(s, th.MustString(encoding, "encoding"))
	}
	if _, ok := x.o.(Bytes); ok {
		return x
	}
	if n, ok := x.AsInt(); ok {
		return BytesValue(th.repeated("\x00", int(n)))
	}
	var b []byte
	th.Each(x, func(v Value) bool {
		th.step()
		th.AllocText(1)
		i := th.ToIndex(v, "bytes")
		if i < 0 || i > 255 {
			th.Raise(ValueError, "bytes must be in range(0, 256)")
		}
		b = append(b, byte(i))
		return true
	})
	return BytesValue(string(b))
}

func newListValue(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x := NewTuple(nil)
	th.Unpack("list", args, kws, "iterable?", &x)
	return Obj(NewList(th.collected(x)))
}

func newTupleValue(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x := NewTuple(nil)
	th.Unpack("tuple", args, kws, "iterable?", &x)
	if _, ok := x.o.(*Tuple); ok {
		return x
	}
	return NewTuple(th.collected(x))
}

func newSetValue(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	x := NewTuple(nil)
	th.Unpack("set", args, kws, "iterable?", &x)
	s := newSet(false)
	th.Each(x, func(v Value) bool {
		th.step()
		s.add(th, v)
		return true
	})
	return Obj(s)
}

func newFrozenset(th *Thread, c *Class, args []Value, kws []Kw) Value {
	s := newSetValue(th, c, args, kws).o.(*Set)
	s.immutable = true
	return Obj(s)
}

func newDictValue(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	d := NewDict()
	if len(args) > 1 {
		th.Raise(TypeError, "dict expected at most 1 argument, got %d", len(args))
	}
	if len(args) == 1 {
		th.toDict(args[0]).each(func(k, v Value) { th.SetKey(d, k, v) })
	}
	for _, kw := range kws {
		d.Set(String(kw.Name), kw.Value)
	}
	return Obj(d)
}

func newRange(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var a, b Value
	step := Int(1)
	b = None
	th.Unpack("range", args, kws, "start", &a, "stop?", &b, "step?", &step)
	r := &rangeObject{step: th.ToIndex(step, "range")}
	if b.IsNone() {
		r.stop = th.ToIndex(a, "range")
	} else {
		r.start, r.stop = th.ToIndex(a, "range"), th.ToIndex(b, "range")
	}
	if r.step == 0 {
		th.Raise(ValueError, "range() arg 3 must not be zero")
	}
	return Obj(r)
}

func newSlice(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	a, b, step := None, None, None
	th.Unpack("slice", args, kws, "start", &a, "stop?", &b, "step?", &step)
	if len(args) == 1 {
		a, b = None, a
	}
	return Obj(&Slice{a, b, step})
}

func newProperty(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	p := &property{None, None, None}
	doc := None
	th.Unpack("property", args, kws, "fget?", &p.get, "fset?", &p.set, "fdel?", &p.del, "doc?", &doc)
	return Obj(p)
}

func newStaticMethod(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	return Obj(&staticMethod{th.OnlyArg("staticmethod", args)})
}

func newClassMethod(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	return Obj(&classMethod{th.OnlyArg("classmethod", args)})
}

func newSuper(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	var after, self Value
	th.Unpack("super", args, kws, "type", &after, "object", &self)
	c, ok := after.o.(*Class)
	if !ok {
		th.Raise(TypeError, "super() argument 1 must be a type, not %s", TypeName(after))
	}
	return th.super(c, self)
}

// newType is type(x) and type(name, bases, names).
func newType(th *Thread, _ *Class, args []Value, kws []Kw) Value {
	if len(args) == 1 && len(kws) == 0 {
		return Obj(typeOf(args[0]))
	}
	var name string
	var bases, names Value
	th.Unpack("type", args, kws, "name", &name, "bases", &bases, "dict", &names)
	return th.NewType(name, th.Collect(bases), th.toDict(names).copy())
}

// NewType is type(name, bases, names), in the module whose code is running; names belong to the class from now on.
func (th *Thread) NewType(name string, bases []Value, names *Dict) Value {
	return th.newClass(name, bases, names, th.callerModule(), &classCell{})
}

// callerModule is the name of the module whose code is running.
func (th *Thread) callerModule() string {
	if th.top != nil && th.top.code != nil {
		return th.top.code.module.Name
	}
	return ""
}
