package pyeval

import (
	"slices"
	"sort"
)

// List is a Python list.
type List struct {
	items   []Value
	frozen  bool
	changes uint32
}

// NewList makes a list; it owns items from now on.
func NewList(items []Value) *List { return &List{items: items} }

// Type implements [Object].
func (*List) Type() *Class { return listType }

// Items returns the elements; they are read-only to the caller.
func (l *List) Items() []Value { return l.items }

// Changes counts how often the list was changed, or about to be: where it is the same as before, so are the elements.
func (l *List) Changes() uint32 { return l.changes }

// mayChange refuses to change a list that is frozen.
func (l *List) mayChange(th *Thread) {
	th.mayChange(l.frozen, Obj(l))
	l.changes++
}

// Append adds an element.
func (l *List) Append(th *Thread, v Value) {
	l.mayChange(th)
	l.items = Grown(th, l.items, v)
}

// Tuple is a Python tuple.
type Tuple struct {
	items  []Value
	frozen bool
}

// NewTuple makes a tuple value; it owns items from now on.
func NewTuple(items []Value) Value { return Value{o: &Tuple{items: items}} }

// Type implements [Object].
func (*Tuple) Type() *Class { return tupleType }

// Items returns the elements; they are read-only to the caller.
func (t *Tuple) Items() []Value { return t.items }

// StringValues makes a str of each text.
func StringValues(ss []string) []Value {
	out := make([]Value, len(ss))
	for i, s := range ss {
		out[i] = String(s)
	}
	return out
}

// Position resolves an index that may count from the end.
func (th *Thread) Position(i int64, n int, what string) int {
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		th.Raise(IndexError, "%s index out of range", what)
	}
	return int(i)
}

// ToIndex reads an index: an int, or an object with __index__.
func (th *Thread) ToIndex(v Value, what string) int64 {
	if i, ok := v.AsInt(); ok {
		return i
	}
	if r, ok := th.Special(v, "__index__"); ok {
		return th.ToIndex(r, what)
	}
	if v.IsArray() && v.c.Len() == 1 && v.c.Type().Number() {
		return v.c.Int(0)
	}
	th.Raise(TypeError, "%s indices must be integers or slices, not %s", what, TypeName(v))
	return 0
}

// setSlice is l[a:b:c] = values, or del with nil.
func (l *List) setSlice(th *Thread, s *Slice, values []Value) {
	l.mayChange(th)
	lo, hi, step := s.indices(th, len(l.items))
	if step == 1 {
		th.AllocMany(len(l.items)+len(values), ValueBytes)
		hi = max(lo, hi)
		l.items = slices.Concat(l.items[:lo:lo], values, l.items[hi:])
		return
	}
	th.Work(len(l.items))
	var at []int
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; i += step {
		at = append(at, i)
	}
	if values == nil {
		gone := make(map[int]bool, len(at))
		for _, a := range at {
			gone[a] = true
		}
		kept := l.items[:0]
		for i, v := range l.items {
			if !gone[i] {
				kept = append(kept, v)
			}
		}
		clear(l.items[len(kept):])
		l.items = kept
		return
	}
	if len(at) != len(values) {
		th.Raise(ValueError, "attempt to assign sequence of size %d to extended slice of size %d", len(values), len(at))
	}
	for n, i := range at {
		l.items[i] = values[n]
	}
}

// SetItem implements [ItemSetter].
func (l *List) SetItem(th *Thread, k Value, v *Value) {
	if s, ok := k.o.(*Slice); ok {
		if v == nil {
			l.setSlice(th, s, nil)
		} else {
			l.setSlice(th, s, append([]Value{}, th.Collect(*v)...))
		}
		return
	}
	l.mayChange(th)
	i := th.Position(th.ToIndex(k, "list"), len(l.items), "list assignment")
	if v == nil {
		th.Work(len(l.items) - i)
		l.items = slices.Delete(l.items, i, i+1)
		return
	}
	l.items[i] = *v
}

// Slice is a slice object.
type Slice struct{ lower, upper, step Value }

// Type implements [Object].
func (*Slice) Type() *Class { return sliceType }

// WholeSlice is the slice that is written as [:].
func WholeSlice() Value { return Obj(&Slice{None, None, None}) }

// All reports whether the slice is written as [:].
func (s *Slice) All() bool { return s.lower.IsNone() && s.upper.IsNone() && s.step.IsNone() }

// indices gives the bounds for a sequence of n elements, as slice.indices does.
func (s *Slice) indices(th *Thread, n int) (lo, hi, step int) {
	step = 1
	if !s.step.IsNone() {
		step = int(th.ToIndex(s.step, "slice"))
		if step == 0 {
			th.Raise(ValueError, "slice step cannot be zero")
		}
	}
	lowest, highest := 0, n
	if step < 0 {
		lowest, highest = -1, n-1
	}
	bound := func(v Value, fallback int) int {
		if v.IsNone() {
			return fallback
		}
		i := th.ToIndex(v, "slice")
		if i < 0 {
			i += int64(n)
		}
		return int(min(max(i, int64(lowest)), int64(highest)))
	}
	if step > 0 {
		return bound(s.lower, 0), bound(s.upper, n), step
	}
	return bound(s.lower, n-1), bound(s.upper, -1), step
}

// cut takes a slice of elements.
func cut[T any](th *Thread, items []T, s *Slice) []T {
	lo, hi, step := s.indices(th, len(items))
	if step == 1 {
		th.Work(hi - lo)
		return slices.Clone(items[lo:max(lo, hi)])
	}
	th.Work(len(items))
	out := make([]T, 0, max((hi-lo+step-cmp3(step, 0))/step, 0))
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; i += step {
		out = append(out, items[i])
	}
	return out
}

// Compare implements [Comparer].
func (s *Slice) Compare(th *Thread, op compareOp, other Value) (Value, bool) {
	t, ok := other.o.(*Slice)
	if !ok || op != opEq && op != opNotEq {
		return Value{}, false
	}
	eq := th.Equal(s.lower, t.lower) && th.Equal(s.upper, t.upper) && th.Equal(s.step, t.step)
	return Bool(eq == (op == opEq)), true
}

// Attr implements [Attrer].
func (s *Slice) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "start":
		return s.lower, true
	case "stop":
		return s.upper, true
	case "step":
		return s.step, true
	case "indices":
		return Pure(name, func(th *Thread, args []Value, _ []Kw) Value {
			lo, hi, step := s.indices(th, int(th.ToIndex(th.OnlyArg(name, args), "slice")))
			return NewTuple([]Value{Int(int64(lo)), Int(int64(hi)), Int(int64(step))})
		}), true
	}
	return Value{}, false
}

// sorted sorts values as sorted() does: stable, with key and reverse.
func (th *Thread) sorted(items []Value, keyFn Value, reverse bool) []Value {
	th.AllocMany(len(items), 2*ValueBytes)
	keys := items
	if !keyFn.IsNone() {
		keys = make([]Value, len(items))
		for i, v := range items {
			th.step()
			keys[i] = th.InvokeKw(keyFn, []Value{v}, nil)
		}
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		th.step()
		x, y := keys[order[a]], keys[order[b]]
		if reverse {
			x, y = y, x
		}
		return th.less(x, y)
	})
	out := make([]Value, len(items))
	for i, j := range order {
		out[i] = items[j]
	}
	return out
}
