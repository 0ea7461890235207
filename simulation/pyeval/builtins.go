package pyeval

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// builtins are the names every module sees.
var builtins = makeBuiltins()

func makeBuiltins() Table {
	t := Table{
		"Ellipsis":         EllipsisValue,
		"EnvironmentError": Obj(OSError),
		"IOError":          Obj(OSError),
		"NotImplemented":   NotImplemented,
		"__debug__":        True,
		"abs":              Pure("abs", builtinAbs),
		"all":              Pure("all", builtinAll),
		"any":              Pure("any", builtinAny),
		"ascii":            Pure("ascii", func(th *Thread, args []Value, _ []Kw) Value { return String(ascii(th.Repr(th.OnlyArg("ascii", args)))) }),
		"bin":              Pure("bin", builtinBase("bin", 2, "0b")),
		"bool":             Obj(BoolType),
		"bytes":            Obj(BytesType),
		"callable":         Pure("callable", builtinCallable),
		"chr":              Pure("chr", builtinChr),
		"classmethod":      Obj(classMethodType),
		"delattr":          Pure("delattr", builtinDelattr),
		"dict":             Obj(dictType),
		"dir":              Pure("dir", builtinDir),
		"divmod":           Pure("divmod", builtinDivmod),
		"enumerate":        Pure("enumerate", builtinEnumerate),
		"filter":           Pure("filter", builtinFilter),
		"float":            Obj(FloatType),
		"format":           Pure("format", builtinFormat),
		"frozenset":        Obj(frozensetType),
		"getattr":          Pure("getattr", builtinGetattr),
		"globals":          Pure("globals", builtinGlobals),
		"hasattr":          Pure("hasattr", builtinHasattr),
		"hash":             Pure("hash", func(th *Thread, args []Value, _ []Kw) Value { return Int(th.hashNumber(th.OnlyArg("hash", args))) }),
		"hex":              Pure("hex", builtinBase("hex", 16, "0x")),
		"id":               Func("id", builtinID),
		"int":              Obj(IntType),
		"isinstance":       Pure("isinstance", builtinIsinstance),
		"issubclass":       Pure("issubclass", builtinIssubclass),
		"iter":             Pure("iter", builtinIter),
		"len":              Pure("len", builtinLen),
		"list":             Obj(listType),
		"map":              Pure("map", builtinMap),
		"max":              Pure("max", builtinExtreme("max", pysyntax.Gt)),
		"min":              Pure("min", builtinExtreme("min", pysyntax.Lt)),
		"next":             Pure("next", builtinNext),
		"object":           Obj(objectType),
		"oct":              Pure("oct", builtinBase("oct", 8, "0o")),
		"ord":              Pure("ord", builtinOrd),
		"pow":              Pure("pow", builtinPow),
		"print":            Func("print", builtinPrint),
		"property":         Obj(propertyType),
		"range":            Obj(rangeType),
		"repr":             Pure("repr", func(th *Thread, args []Value, _ []Kw) Value { return String(th.Repr(th.OnlyArg("repr", args))) }),
		"reversed":         Pure("reversed", builtinReversed),
		"round":            Pure("round", builtinRound),
		"set":              Obj(setType),
		"setattr":          Pure("setattr", builtinSetattr),
		"slice":            Obj(sliceType),
		"sorted":           Pure("sorted", builtinSorted),
		"staticmethod":     Obj(staticMethodType),
		"str":              Obj(StrType),
		"sum":              Pure("sum", builtinSum),
		"super":            Obj(superType),
		"tuple":            Obj(tupleType),
		"type":             Obj(typeType),
		"vars":             Pure("vars", builtinVars),
		"zip":              Pure("zip", builtinZip),
	}
	for name, c := range exceptionsByName {
		t[name] = Obj(c)
	}
	return t
}

func builtinAbs(th *Thread, args []Value, _ []Kw) Value {
	x := th.OnlyArg("abs", args)
	if x.o == nil && !x.IsPy() {
		c, err := th.rules.Unary(vector.Absolute, x.c)
		if err != nil {
			th.Throw(err)
		}
		return Value{c: c}
	}
	if x.IsPy() && x.c.Type() == vector.Float64 {
		return Float(math.Abs(x.c.Float(0)))
	}
	if z, ok := AsBig(x); ok {
		if z.Sign() < 0 {
			return th.Unary(pysyntax.USub, x)
		}
		return th.Unary(pysyntax.UAdd, x)
	}
	if f, ok := th.Attr(x, "__abs__"); ok {
		return th.InvokeKw(f, nil, nil)
	}
	th.Raise(TypeError, "bad operand type for abs(): '%s'", TypeName(x))
	return Value{}
}

func builtinBase(name string, base int, prefix string) GoFunc {
	return func(th *Thread, args []Value, _ []Kw) Value {
		z, ok := AsBig(th.OnlyArg(name, args))
		if !ok {
			th.Raise(TypeError, "'%s' object cannot be interpreted as an integer", TypeName(args[0]))
		}
		th.Work(z.BitLen())
		text := z.Text(base)
		if rest, neg := strings.CutPrefix(text, "-"); neg {
			return String("-" + prefix + rest)
		}
		return String(prefix + text)
	}
}

func builtinCallable(th *Thread, args []Value, _ []Kw) Value {
	x := th.OnlyArg("callable", args)
	if i, ok := x.o.(*Instance); ok {
		_, has := i.method("__call__")
		return Bool(has)
	}
	_, ok := x.o.(Callable)
	return Bool(ok)
}

func builtinChr(th *Thread, args []Value, _ []Kw) Value {
	i := th.ToIndex(th.OnlyArg("chr", args), "chr")
	if i < 0 || i > utf8.MaxRune {
		th.Raise(ValueError, "chr() arg not in range(0x110000)")
	}
	return String(string(rune(i)))
}

func builtinOrd(th *Thread, args []Value, _ []Kw) Value {
	x := th.OnlyArg("ord", args)
	s, ok := x.AsString()
	if b, isBytes := x.o.(Bytes); isBytes && len(b) == 1 {
		return Int(int64(b[0]))
	}
	r, n := utf8.DecodeRuneInString(s)
	if !ok || n != len(s) || n == 0 {
		th.Raise(TypeError, "ord() expected a character, but %s found", TypeName(x))
	}
	return Int(int64(r))
}

func builtinDelattr(th *Thread, args []Value, kws []Kw) Value {
	var o Value
	var name string
	th.Unpack("delattr", args, kws, "obj", &o, "name", &name)
	th.setAttr(o, name, nil)
	return None
}

func builtinDir(th *Thread, args []Value, _ []Kw) Value {
	var names []string
	if len(args) == 0 {
		names = th.module().Names()
	} else if l, ok := args[0].o.(AttrLister); ok {
		names = l.AttrNames(th)
	} else {
		names = typeOf(args[0]).AttrNames(th)
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return Obj(NewList(StringValues(slices.Compact(names))))
}

func builtinDivmod(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("divmod", args, kws, "a", &a, "b", &b)
	if v, ok := th.special1(a, "__divmod__", b); ok {
		return v
	}
	if v, ok := th.special1(b, "__rdivmod__", a); ok {
		return v
	}
	return NewTuple([]Value{th.Binary(pysyntax.FloorDiv, a, b), th.Binary(pysyntax.Mod, a, b)})
}

func builtinFormat(th *Thread, args []Value, kws []Kw) Value {
	var v Value
	var spec string
	th.Unpack("format", args, kws, "value", &v, "format_spec?", &spec)
	return String(th.Format(v, spec))
}

func builtinGetattr(th *Thread, args []Value, kws []Kw) Value {
	var o Value
	var name string
	fallback := unbound
	th.Unpack("getattr", args, kws, "object", &o, "name", &name, "default?", &fallback)
	if fallback.isUnbound() {
		return th.GetAttr(o, name)
	}
	if v, ok := th.attrOrMissing(o, name); ok {
		return v
	}
	return fallback
}

// attrOrMissing looks an attribute up; an AttributeError on the way means there is none.
func (th *Thread) attrOrMissing(o Value, name string) (Value, bool) {
	found := false
	v, exc := th.attempt(func() Value {
		var r Value
		r, found = th.Attr(o, name)
		return r
	})
	if exc != nil {
		if exc.class.IsSub(AttributeError) {
			return Value{}, false
		}
		panic(&raised{exc})
	}
	return v, found
}

func builtinHasattr(th *Thread, args []Value, kws []Kw) Value {
	var o Value
	var name string
	th.Unpack("hasattr", args, kws, "object", &o, "name", &name)
	_, ok := th.attrOrMissing(o, name)
	return Bool(ok)
}

func builtinSetattr(th *Thread, args []Value, kws []Kw) Value {
	var o, v Value
	var name string
	th.Unpack("setattr", args, kws, "object", &o, "name", &name, "value", &v)
	th.setAttr(o, name, &v)
	return None
}

func builtinGlobals(th *Thread, _ []Value, _ []Kw) Value { return Obj(&moduleDict{th.module()}) }

// module is the module of the code that runs.
func (th *Thread) module() *Module {
	if th.top == nil || th.top.code == nil {
		th.Raise(RuntimeError, "no Python code is running")
	}
	return th.top.code.module
}

func builtinID(th *Thread, args []Value, _ []Kw) Value {
	x := th.OnlyArg("id", args)
	var n uint64
	if _, err := fmt.Sscanf(fmt.Sprintf("%p", x.o), "0x%x", &n); err != nil {
		n = uint64(th.hashNumber(x))
	}
	return Int(int64(n >> 1))
}

func builtinIsinstance(th *Thread, args []Value, kws []Kw) Value {
	var o, class Value
	th.Unpack("isinstance", args, kws, "obj", &o, "class_or_tuple", &class)
	return Bool(th.isSubclass(typeOf(o), class, "isinstance"))
}

func builtinIssubclass(th *Thread, args []Value, kws []Kw) Value {
	var c, class Value
	th.Unpack("issubclass", args, kws, "cls", &c, "class_or_tuple", &class)
	k, ok := c.o.(*Class)
	if !ok {
		th.Raise(TypeError, "issubclass() arg 1 must be a class")
	}
	return Bool(th.isSubclass(k, class, "issubclass"))
}

func (th *Thread) isSubclass(c *Class, of Value, fn string) bool {
	switch o := of.o.(type) {
	case *Class:
		return c.IsSub(o) || th.isKindOf(c, o)
	case *Tuple:
		th.Nest(1)
		found := slices.ContainsFunc(o.items, func(v Value) bool {
			th.step()
			return th.isSubclass(c, v, fn)
		})
		th.Nest(-1)
		return found
	}
	if of.IsNone() {
		return c == noneType
	}
	th.Raise(TypeError, "%s() arg 2 must be a type, a tuple of types, or a union", fn)
	return false
}

// isKindOf tells that a class counts as one of the abstract ones of collections.abc and numbers, without deriving from it: it is of a kind that the
// abstract one stands for, or has its method.
func (th *Thread) isKindOf(c, abstract *Class) bool {
	if abstract.Module != "collections.abc" && abstract.Module != "numbers" {
		return false
	}
	kinds, _ := abstract.Lookup("_kinds")
	if list, ok := kinds.o.(*Tuple); ok && slices.ContainsFunc(list.items, func(v Value) bool { k, ok := v.o.(*Class); return ok && c.IsSub(k) }) {
		return true
	}
	method, _ := abstract.Lookup("_method")
	name, _ := method.AsString()
	if c == ArrayType {
		return name == "__iter__" || name == "__len__" || name == "__contains__" || abstract.Name == "Collection"
	}
	_, has := c.Lookup(name)
	return has && name != ""
}

func builtinPow(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	mod := None
	th.Unpack("pow", args, kws, "base", &a, "exp", &b, "mod?", &mod)
	if mod.IsNone() {
		return th.Binary(pysyntax.Pow, a, b)
	}
	x, okx := AsBig(a)
	y, oky := AsBig(b)
	m, okm := AsBig(mod)
	if !okx || !oky || !okm {
		th.Raise(TypeError, "pow() 3rd argument not allowed unless all arguments are integers")
	}
	return th.powerModulo(x, y, m)
}

func builtinPrint(th *Thread, args []Value, kws []Kw) Value {
	sep, end := " ", "\n"
	for _, kw := range kws {
		switch {
		case kw.Name == "sep" && !kw.Value.IsNone():
			sep = th.MustString(kw.Value, "sep")
		case kw.Name == "end" && !kw.Value.IsNone():
			end = th.MustString(kw.Value, "end")
		}
	}
	b := TextBuilder{th: th}
	for i, v := range args {
		if i > 0 {
			b.Add(sep)
		}
		b.Add(th.Str(v))
	}
	b.Add(end)
	if th.out != nil {
		_, _ = io.WriteString(th.out, b.String())
	}
	return None
}

func builtinRound(th *Thread, args []Value, kws []Kw) Value {
	var x Value
	digits := None
	th.Unpack("round", args, kws, "number", &x, "ndigits?", &digits)
	return th.Round(x, digits)
}

func builtinVars(th *Thread, args []Value, _ []Kw) Value {
	if len(args) == 0 {
		return Obj(&moduleDict{th.module()})
	}
	return th.GetAttr(args[0], "__dict__")
}

// ascii escapes what is not ASCII.
func ascii(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

func builtinLen(th *Thread, args []Value, _ []Kw) Value {
	v := th.OnlyArg("len", args)
	if v.IsArray() {
		return th.RowCount(v.c.Len())
	}
	return Int(int64(th.Len(v)))
}

// builtinOpen is open(), which lives in module io.
func builtinOpen(th *Thread, args []Value, kws []Kw) Value {
	open, _ := th.MustImport("io").Get("open")
	return th.InvokeKw(open, args, kws)
}
