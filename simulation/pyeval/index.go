package pyeval

// This file defines v[k], v[k] = x and slices, for arrays as numpy has them.

import (
	"slices"
	"unicode/utf8"

	"edict/simulation/vector"
)

// Index is v[k].
func (th *Thread) Index(v, k Value) Value {
	if s, ok := k.o.(*Slice); ok {
		if part, ok := th.section(v, s); ok {
			return part
		}
	}
	switch o := v.o.(type) {
	case nil:
		return th.indexColumn(v, k)
	case *List:
		return o.items[th.Position(th.ToIndex(k, "list"), len(o.items), "list")]
	case *Tuple:
		return o.items[th.Position(th.ToIndex(k, "tuple"), len(o.items), "tuple")]
	case Str:
		return th.indexString(string(o), k)
	case Bytes:
		return Int(int64(o[th.Position(th.ToIndex(k, "bytes"), len(o), "index")]))
	case Indexer:
		return o.Item(th, k)
	case *Instance:
		if f, ok := o.method("__getitem__"); ok {
			return th.InvokeKw(f, []Value{v, k}, nil)
		}
	}
	th.Raise(TypeError, "'%s' object is not subscriptable", TypeName(v))
	return Value{}
}

// listed is a list as an index: one that is empty names no place.
func (th *Thread) listed(l *List) vector.Column {
	if len(l.items) == 0 {
		return vector.Of([]int64{})
	}
	return th.ToArray(l.items)
}

// indexString is s[k], counted in characters. A part of a text shares its bytes.
func (th *Thread) indexString(s string, k Value) Value {
	if part, ok := k.o.(*Slice); ok {
		return th.sectionOfText(s, part)
	}
	th.Work(len(s))
	n := utf8.RuneCountInString(s)
	i := th.Position(th.ToIndex(k, "string"), n, "string")
	return String(s[offset(s, n, i):offset(s, n, i+1)])
}

// section is v[a:b:c] of a built-in sequence; false for anything else.
func (th *Thread) section(v Value, s *Slice) (Value, bool) {
	switch o := v.o.(type) {
	case *List:
		return th.Made(Obj(NewList(cut(th, o.items, s)))), true
	case *Tuple:
		return th.Made(NewTuple(cut(th, o.items, s))), true
	case Str:
		return th.sectionOfText(string(o), s), true
	case Bytes:
		return th.Made(BytesValue(string(cut(th, []byte(o), s)))), true
	}
	return Value{}, false
}

func (th *Thread) sectionOfText(text string, s *Slice) Value {
	th.Work(len(text))
	n := utf8.RuneCountInString(text)
	lo, hi, step := s.indices(th, n)
	if step == 1 {
		return String(text[offset(text, n, lo):offset(text, n, max(lo, hi))])
	}
	return String(string(cut(th, []rune(text), s)))
}

// offset is where character i of a text of n characters begins.
func offset(s string, n, i int) int {
	if n == len(s) {
		return i
	}
	at := 0
	for ; i > 0 && at < len(s); i-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// indexColumn is array[k]: an element, a slice, a mask, or a list of places.
func (th *Thread) indexColumn(v, k Value) Value {
	c := v.c
	if !c.IsArray() {
		if c.Form() == vector.PyScalar {
			th.Raise(TypeError, "'%s' object is not subscriptable", TypeName(v))
		}
		if s, ok := v.AsString(); ok {
			return th.indexString(s, k)
		}
		if c.Type() == vector.Bytes {
			return th.Index(BytesValue(c.Text(0)), k)
		}
		if !v.isChosenBy(k) {
			th.Raise(IndexError, "invalid index to scalar variable.")
		}
		th.OfData("choosing rows by their places", c)
		return th.pick(c.As(vector.Array), k.c.As(vector.Array))
	}
	if k.o == nil && k.c.IsArray() {
		return th.pick(c, k.c)
	}
	switch o := k.o.(type) {
	case nil:
		th.OfData("choosing a row by its place", c)
		x, err := c.At(int(th.ToIndex(k, "array")))
		if err != nil {
			th.Throw(err)
		}
		return Col(x)
	case *Slice:
		lo, hi, step := o.indices(th, c.Len())
		if !wholeSlice(lo, hi, step, c.Len()) {
			th.OfData("choosing rows by their places", c)
		}
		out := c.Stride(lo, hi, step)
		if step != 1 {
			th.Work(out.Len())
		}
		return Value{c: out}
	case *List:
		return th.pick(c, th.listed(o))
	case *Tuple:
		if len(o.items) == 1 {
			return th.indexColumn(v, o.items[0])
		}
		return th.axes(v, o.items)
	case Tabular:
		return th.axes(v, []Value{k})
	case *Instance:
		if r, ok := th.Special(k, "__array__"); ok && r.o == nil && r.c.IsArray() {
			return th.pick(c, r.c)
		}
	}
	if k.o == EllipsisValue.o {
		return v
	}
	if k.IsNone() {
		return th.axes(v, []Value{k})
	}
	th.Raise(IndexError, "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices")
	return Value{}
}

// axes is v[i, j], v[None] and v[table], of which the library of arrays makes an array of other dimensions.
func (th *Thread) axes(v Value, axes []Value) Value {
	if th.prog.Axes == nil {
		th.Raise(IndexError, "too many indices for array")
	}
	return th.prog.Axes(th, v, axes)
}

// pick takes the elements a mask or a list of places names.
func (th *Thread) pick(c, by vector.Column) Value {
	var out vector.Column
	var err error
	if by.Type() == vector.Bool {
		th.Loosen(c)
		out, err = c.Mask(by)
	} else {
		th.OfData("choosing rows by their places", c)
		out, err = c.Take(by)
	}
	if err != nil {
		th.Throw(err)
	}
	return Value{c: out}
}

// setIndex is v[k] = x, or del v[k] with nil.
func (th *Thread) setIndex(v, k Value, x *Value) {
	switch o := v.o.(type) {
	case ItemSetter:
		o.SetItem(th, k, x)
		return
	case *Instance:
		name, args := "__setitem__", []Value{v, k}
		if x == nil {
			name = "__delitem__"
		} else {
			args = append(args, *x)
		}
		if f, ok := o.method(name); ok {
			th.InvokeKw(f, args, nil)
			return
		}
	}
	verb := "assignment"
	if x == nil {
		verb = "deletion"
	}
	th.Raise(TypeError, "'%s' object does not support item %s", TypeName(v), verb)
}

// isArray tells that a value is an array, of any number of dimensions. Arrays never change.
func (v Value) isArray() bool {
	if v.o == nil {
		return v.c.IsArray()
	}
	_, ok := v.o.(Tabular)
	return ok
}

// isChosenBy tells an array without dimensions, which is a scalar here, and a truth: a mask that chooses all of it or nothing.
func (v Value) isChosenBy(k Value) bool {
	return v.o == nil && v.c.Form() == vector.NumpyScalar && k.o == nil && !k.c.IsArray() && k.c.Type() == vector.Bool
}

// storeElement is array[k] = x: the array with the change, which the caller puts where it found the array.
func (th *Thread) storeElement(v, k, x Value) Value {
	if t, ok := v.o.(Tabular); ok {
		return t.Stored(th, k, x)
	}
	if v.isChosenBy(k) {
		th.OfData("choosing rows by their places", v.c)
		stored := th.storeElement(Value{c: v.c.As(vector.Array)}, Value{c: k.c.As(vector.Array)}, x)
		return Value{c: stored.c.As(vector.NumpyScalar)}
	}
	c, ok := th.AsColumn(x)
	if !ok {
		th.Raise(TypeError, "cannot put a '%s' into an array", TypeName(x))
	}
	if v.c.DType().Width < c.DType().Width {
		th.OfData("text cut to the width of the other rows'", v.c)
	}
	var out vector.Column
	var err error
	switch o := k.o.(type) {
	case nil:
		if k.c.IsArray() && k.c.Type() == vector.Bool {
			out, err = th.rules.SetMask(v.c, k.c, c)
			break
		}
		th.OfData("choosing rows by their places", v.c)
		if k.c.IsArray() {
			places := make([]int, th.Elements(k.c.Len(), 1))
			for i := range places {
				places[i] = th.Position(k.c.Int(i), v.c.Len(), "array")
			}
			out, err = th.setPlaces(v.c, places, c)
			break
		}
		out, err = th.rules.SetAt(v.c, th.Position(th.ToIndex(k, "array"), v.c.Len(), "array"), c)
	case *Slice:
		lo, hi, step := o.indices(th, v.c.Len())
		if !wholeSlice(lo, hi, step, v.c.Len()) {
			th.OfData("choosing rows by their places", v.c)
		}
		var places []int
		for i := lo; step > 0 && i < hi || step < 0 && i > hi; i += step {
			places = append(places, i)
		}
		out, err = th.setPlaces(v.c, places, c)
	case *List:
		return th.storeElement(v, Value{c: th.listed(o)}, x)
	default:
		th.Raise(IndexError, "arrays cannot be assigned to by a '%s'", TypeName(k))
	}
	if err != nil {
		th.Throw(err)
	}
	return Value{c: out}
}

// setPlaces puts values, or one value, at places of a column, in their order: of a place that is there twice the last one stays.
func (th *Thread) setPlaces(c vector.Column, places []int, values vector.Column) (vector.Column, error) {
	mask, from := make([]bool, th.Elements(c.Len(), 1)), make([]int32, c.Len())
	rising := true
	for i, place := range places {
		rising = rising && (i == 0 || place > places[i-1])
		mask[place], from[place] = true, int32(i)
	}
	if !rising && values.Len() == len(places) { // a mask gives them away in the order of the column
		var rows []int32
		for place, set := range mask {
			if set {
				rows = append(rows, from[place])
			}
		}
		values = values.Plain().Gather(rows)
	}
	return th.rules.SetMask(c, vector.Of(mask), values)
}

// Len is len(v).
func (th *Thread) Len(v Value) int {
	switch o := v.o.(type) {
	case nil:
		if v.c.IsArray() {
			return v.c.Len()
		}
		if s, ok := v.AsString(); ok {
			th.Work(len(s))
			return utf8.RuneCountInString(s)
		}
	case Str:
		th.Work(len(o))
		return utf8.RuneCountInString(string(o))
	case Bytes:
		return len(o)
	case *List:
		return len(o.items)
	case *Tuple:
		return len(o.items)
	case *Dict:
		return o.Len()
	case *Class:
		if o.Meta != nil && o.Meta.Len != nil {
			return o.Meta.Len(th, o)
		}
	case Lener:
		return o.Len(th)
	case *Instance:
		if r, ok := th.Special(v, "__len__"); ok {
			return int(th.ToIndex(r, "length"))
		}
	}
	th.Raise(TypeError, "object of type '%s' has no len()", TypeName(v))
	return 0
}

// ToArray makes an array of Python values, as numpy.array does of a flat list.
func (th *Thread) ToArray(items []Value) vector.Column {
	th.AllocMany(len(items), ValueBytes)
	cols := make([]vector.Column, len(items))
	for i, v := range items {
		c, ok := v.Column()
		if !ok {
			return th.ObjectArray(items)
		}
		cols[i] = c
	}
	if len(items) == 0 {
		return vector.Of([]float64{})
	}
	c, err := th.rules.Concat(cols...)
	if err != nil {
		return th.ObjectArray(items)
	}
	return c.As(vector.Array)
}

// ObjectArray makes an array of objects, which stay what they are.
func (th *Thread) ObjectArray(items []Value) vector.Column {
	objs := make([]any, len(items))
	for i, v := range items {
		objs[i] = ToAny(v)
	}
	return vector.Objects(slices.Clip(objs))
}
