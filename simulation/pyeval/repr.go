package pyeval

// This file defines repr() and str().

import (
	"fmt"
	"strconv"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Str is Python's str(v).
func (th *Thread) Str(v Value) string {
	switch o := v.o.(type) {
	case Str:
		return string(o)
	case Strer:
		return o.Str(th)
	case nil:
		th.OfData("rows as text", v.c)
		if v.c.Form() != vector.PyScalar {
			return th.columnText(v.c, " ")
		}
	}
	return th.Repr(v)
}

// Repr is Python's repr(v).
func (th *Thread) Repr(v Value) string {
	switch o := v.o.(type) {
	case nil:
		th.OfData("rows as text", v.c)
		return th.reprColumn(v.c)
	case Str:
		return pysyntax.Quote(string(o))
	case Bytes:
		return pysyntax.QuoteBytes(string(o))
	case *bigInt:
		return th.Decimal(o.big())
	case singleton:
		return singletonNames[o.class]
	case Reprer:
		return o.Repr(th)
	case *List:
		return th.reprItems("[", o.items, "]")
	case *Tuple:
		return tupleText(th, o.items)
	case *Dict:
		return th.reprDict(o)
	case *Set:
		return th.reprSet(o)
	case dictView:
		return th.reprView(o)
	case *rangeObject:
		if o.step == 1 {
			return fmt.Sprintf("range(%d, %d)", o.start, o.stop)
		}
		return fmt.Sprintf("range(%d, %d, %d)", o.start, o.stop, o.step)
	case *Slice:
		return "slice" + tupleText(th, []Value{o.lower, o.upper, o.step})
	case *Method:
		th.Nest(1)
		text := "<bound method " + th.Repr(o.Func) + ">"
		th.Nest(-1)
		return text
	}
	return "<" + TypeName(v) + " object>"
}

var singletonNames = map[*Class]string{
	noneType: "None", notImplementedType: "NotImplemented", ellipsisType: "Ellipsis", unboundType: "<unbound>",
}

func (th *Thread) reprColumn(c vector.Column) string {
	switch c.Form() {
	case vector.Array:
		return th.reprArray(c)
	case vector.NumpyScalar:
		return c.Repr(0)
	}
	switch c.Type() {
	case vector.Bool:
		if c.Bool(0) {
			return "True"
		}
		return "False"
	case vector.Float64:
		return pysyntax.FormatFloat(c.Float(0))
	}
	return strconv.FormatInt(c.Int(0), 10)
}

// columnText prints a numpy scalar, or the elements of an array; objects print as they say themselves.
func (th *Thread) columnText(c vector.Column, sep string) string {
	switch {
	case c.Form() != vector.Array:
		return c.String()
	case c.Type() != vector.Object:
		return c.List(sep)
	}
	th.Nest(1)
	b := TextBuilder{th: th}
	b.Add("[")
	for i := 0; i < c.Len(); i++ {
		th.step()
		if i > 0 {
			b.Add(sep)
		}
		if c.Len() > 1000 && i == 3 {
			b.Add("..." + sep)
			i = c.Len() - 3
		}
		b.Add(th.Repr(FromAny(c.Object(i))))
	}
	b.Add("]")
	th.Nest(-1)
	return b.String()
}

// reprArray writes array([...], dtype=...), with the type where numpy shows it.
func (th *Thread) reprArray(c vector.Column) string {
	text := "array(" + th.columnText(c, ", ")
	switch c.Type() {
	case vector.Bool, vector.Int64, vector.Float64:
		if c.Len() > 0 {
			return text + ")"
		}
	case vector.Date, vector.Duration, vector.Str, vector.Bytes:
		return text + ", dtype='" + c.DType().String() + "')"
	}
	return text + ", dtype=" + c.DType().String() + ")"
}

func (th *Thread) reprItems(open string, items []Value, end string) string {
	th.Nest(1)
	b := TextBuilder{th: th}
	b.Add(open)
	for i, v := range items {
		th.step()
		if i > 0 {
			b.Add(", ")
		}
		b.Add(th.Repr(v))
	}
	b.Add(end)
	th.Nest(-1)
	return b.String()
}

func tupleText(th *Thread, items []Value) string {
	if len(items) == 1 {
		return th.reprItems("(", items, ",)")
	}
	return th.reprItems("(", items, ")")
}

func (th *Thread) reprDict(d *Dict) string {
	th.Nest(1)
	b := TextBuilder{th: th}
	b.Add("{")
	first := true
	d.each(func(k, v Value) {
		th.step()
		if !first {
			b.Add(", ")
		}
		first = false
		b.Add(th.Repr(k))
		b.Add(": ")
		b.Add(th.Repr(v))
	})
	b.Add("}")
	th.Nest(-1)
	return b.String()
}

func (th *Thread) reprSet(s *Set) string {
	if s.d.Len() == 0 {
		return s.Type().Name + "()"
	}
	text := th.reprItems("{", s.Items(), "}")
	if s.immutable {
		return "frozenset(" + text + ")"
	}
	return text
}

func (th *Thread) reprView(v dictView) string {
	var items []Value
	v.Each(th, func(x Value) bool {
		items = Grown(th, items, x)
		return true
	})
	return v.Type().Name + "(" + th.reprItems("[", items, "]") + ")"
}
