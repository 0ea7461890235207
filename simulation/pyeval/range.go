package pyeval

// rangeObject is range(): never a list.
type rangeObject struct{ start, stop, step int64 }

func (*rangeObject) Type() *Class { return rangeType }

func (r *rangeObject) count() int {
	switch {
	case r.step > 0 && r.start < r.stop:
		return int((uint64(r.stop-r.start) + uint64(r.step) - 1) / uint64(r.step))
	case r.step < 0 && r.start > r.stop:
		return int((uint64(r.start-r.stop) + uint64(-r.step) - 1) / uint64(-r.step))
	}
	return 0
}

// Len implements [Lener].
func (r *rangeObject) Len(*Thread) int { return r.count() }

func (r *rangeObject) at(i int) Value { return Int(r.start + int64(i)*r.step) }

// Each implements [Iterable].
func (r *rangeObject) Each(_ *Thread, yield func(Value) bool) {
	for i := range r.count() {
		if !yield(r.at(i)) {
			return
		}
	}
}

func (r *rangeObject) iter() *iterator {
	i, n := 0, r.count()
	return &iterator{next: func(*Thread) (Value, bool) {
		if i >= n {
			return Value{}, false
		}
		i++
		return r.at(i - 1), true
	}}
}

// Item implements [Indexer].
func (r *rangeObject) Item(th *Thread, k Value) Value {
	if s, ok := k.o.(*Slice); ok {
		lo, hi, step := s.indices(th, r.count())
		return Obj(&rangeObject{r.start + int64(lo)*r.step, r.start + int64(hi)*r.step, r.step * int64(step)})
	}
	return r.at(th.Position(th.ToIndex(k, "range"), r.count(), "range object"))
}

// Contains implements [Container].
func (r *rangeObject) Contains(_ *Thread, v Value) bool {
	f, ok := v.AsFloat()
	i, whole := floatIsInt(f)
	if !ok || !whole {
		return false
	}
	if r.step > 0 {
		return i >= r.start && i < r.stop && (i-r.start)%r.step == 0
	}
	return i <= r.start && i > r.stop && (r.start-i)%-r.step == 0
}

// Attr implements [Attrer].
func (r *rangeObject) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "start":
		return Int(r.start), true
	case "stop":
		return Int(r.stop), true
	case "step":
		return Int(r.step), true
	case "count":
		return Pure(name, func(th *Thread, args []Value, _ []Kw) Value {
			return th.ToInt(Bool(r.Contains(th, th.OnlyArg(name, args))))
		}), true
	case "index":
		return Pure(name, func(th *Thread, args []Value, _ []Kw) Value { return r.index(th, th.OnlyArg(name, args)) }), true
	}
	return Value{}, false
}

// index is where an element is.
func (r *rangeObject) index(th *Thread, v Value) Value {
	if !r.Contains(th, v) {
		th.Raise(ValueError, "%s is not in range", th.Repr(v))
	}
	f, _ := v.AsFloat()
	return Int((int64(f) - r.start) / r.step)
}

// HashKey makes equal ranges equal keys.
func (r *rangeObject) HashKey(*Thread) any { return *r }

// Compare implements [Comparer].
func (r *rangeObject) Compare(_ *Thread, op compareOp, other Value) (Value, bool) {
	s, ok := other.o.(*rangeObject)
	if !ok || op != opEq && op != opNotEq {
		return Value{}, false
	}
	eq := r.count() == s.count() && (r.count() == 0 || r.start == s.start && (r.count() == 1 || r.step == s.step))
	return Bool(eq == (op == opEq)), true
}

// RangeLen is how many elements range(start, stop, step) has; step is not 0.
func RangeLen(start, stop, step int64) int { return (&rangeObject{start, stop, step}).count() }
