package pyeval

// This file defines the built-in functions that go through elements.

import (
	"slices"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

func builtinEnumerate(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	var n int64
	th.Unpack("enumerate", args, kws, "iterable", &over, "start?", &n)
	it := th.Iter(over)
	return Obj(&iterator{next: func(th *Thread) (Value, bool) {
		v, ok := th.next(it)
		if !ok {
			return Value{}, false
		}
		n++
		return NewTuple([]Value{Int(n - 1), v}), true
	}})
}

func builtinFilter(th *Thread, args []Value, kws []Kw) Value {
	var fn, over Value
	th.Unpack("filter", args, kws, "function", &fn, "iterable", &over)
	it := th.Iter(over)
	return Obj(&iterator{next: func(th *Thread) (Value, bool) {
		for {
			v, ok := th.next(it)
			if !ok {
				return Value{}, false
			}
			keep := v
			if !fn.IsNone() {
				keep = th.InvokeKw(fn, []Value{v}, nil)
			}
			if th.Truth(keep) {
				return v, true
			}
		}
	}})
}

func builtinMap(th *Thread, args []Value, _ []Kw) Value {
	if len(args) < 2 {
		th.Raise(TypeError, "map() must have at least two arguments.")
	}
	fn := args[0]
	its := make([]Value, len(args)-1)
	for i, a := range args[1:] {
		its[i] = th.Iter(a)
	}
	return Obj(&iterator{next: func(th *Thread) (Value, bool) {
		floor := th.stack.at()
		w := th.stack.window(len(its))
		var v Value
		more := th.nextOfEach(its, w)
		if more {
			v = th.InvokeKw(fn, w, nil)
		}
		th.stack.back(floor)
		return v, more
	}})
}

// nextOfEach takes one element of each iterator, or false when one is at its end.
func (th *Thread) nextOfEach(its, vs []Value) bool {
	for i, it := range its {
		v, ok := th.next(it)
		if !ok {
			return false
		}
		vs[i] = v
	}
	return true
}

func builtinZip(th *Thread, args []Value, kws []Kw) Value {
	strict := false
	for _, kw := range kws {
		if kw.Name != "strict" {
			th.Raise(TypeError, "zip() got an unexpected keyword argument '%s'", kw.Name)
		}
		strict = th.Truth(kw.Value)
	}
	its := make([]Value, len(args))
	for i, a := range args {
		its[i] = th.Iter(a)
	}
	return Obj(&iterator{next: func(th *Thread) (Value, bool) {
		if len(its) == 0 {
			return Value{}, false
		}
		vs := make([]Value, len(its))
		ok := th.nextOfEach(its, vs)
		if !ok && strict {
			for _, it := range its {
				if _, more := th.next(it); more {
					th.Raise(ValueError, "zip() arguments have different lengths")
				}
			}
		}
		return NewTuple(vs), ok
	}})
}

func builtinIter(th *Thread, args []Value, _ []Kw) Value {
	if len(args) == 2 {
		fn, end := args[0], args[1]
		return Obj(&iterator{next: func(th *Thread) (Value, bool) {
			v := th.InvokeKw(fn, nil, nil)
			return v, !th.Equal(v, end)
		}})
	}
	return th.Iter(th.OnlyArg("iter", args))
}

func builtinNext(th *Thread, args []Value, kws []Kw) Value {
	var it Value
	fallback := unbound
	th.Unpack("next", args, kws, "iterator", &it, "default?", &fallback)
	if g, ok := it.o.(*Generator); ok && fallback.isUnbound() {
		return th.nextOrStop(g)
	}
	v, ok := th.next(it)
	if ok {
		return v
	}
	if fallback.isUnbound() {
		panic(&raised{newException(StopIteration)})
	}
	return fallback
}

// builtinExtreme is max and min: the first of the best.
func builtinExtreme(name string, better compareOp) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value {
		e, fallback := extreme{better: better, keyFn: None, best: unbound}, unbound
		for _, kw := range kws {
			switch kw.Name {
			case "key":
				e.keyFn = kw.Value
			case "default":
				fallback = kw.Value
			default:
				th.Raise(TypeError, "%s() got an unexpected keyword argument '%s'", name, kw.Name)
			}
		}
		if len(args) == 0 {
			th.Raise(TypeError, "%s expected at least 1 argument, got 0", name)
		}
		if len(args) == 1 {
			e = e.among(th, args[0])
		} else {
			for _, v := range args {
				th.step()
				e.offer(th, v)
			}
		}
		if e.best.isUnbound() {
			e.best = fallback
		}
		if e.best.isUnbound() {
			th.Raise(ValueError, "%s() arg is an empty sequence", name)
		}
		return e.best
	}
}

// extreme is the best of the values that were offered, by a key if there is a function for it.
type extreme struct {
	better      compareOp
	keyFn       Value
	best, byKey Value
}

func (e extreme) among(th *Thread, over Value) extreme {
	th.Each(over, func(v Value) bool { return e.offer(th, v) })
	return e
}

func (e *extreme) offer(th *Thread, v Value) bool {
	th.step()
	k := v
	if !e.keyFn.IsNone() {
		k = th.InvokeKw(e.keyFn, []Value{v}, nil)
	}
	if e.best.isUnbound() || th.Truth(th.Compare(e.better, k, e.byKey)) {
		e.best, e.byKey = v, k
	}
	return true
}

func builtinReversed(th *Thread, args []Value, _ []Kw) Value {
	x := th.OnlyArg("reversed", args)
	if r, ok := th.Special(x, "__reversed__"); ok {
		return r
	}
	items := th.collected(x)
	slices.Reverse(items)
	return Obj(sequenceIter(func() []Value { return items }))
}

func builtinSorted(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	keyFn, reverse := None, false
	th.Unpack("sorted", args, kws, "iterable", &over, "*key?", &keyFn, "*reverse?", &reverse)
	return Obj(NewList(th.sorted(th.Collect(over), keyFn, reverse)))
}

func builtinSum(th *Thread, args []Value, kws []Kw) Value {
	var over Value
	total := Int(0)
	th.Unpack("sum", args, kws, "iterable", &over, "start?", &total)
	if _, ok := total.AsString(); ok {
		th.Raise(TypeError, "sum() can't sum strings [use ''.join(seq) instead]")
	}
	th.mapping = over.IsArray() // data was looked at before
	sum := &struct {
		total Value
		free  bool // total is a sum that nobody else holds
	}{total: total}
	th.Each(over, func(v Value) bool {
		th.step()
		sum.total = compute(th, operator{vector: vector.Add, binary: pysyntax.Add}, &sum.total, &v, sum.free, false)
		sum.free = th.fresh
		return true
	})
	return sum.total
}

// until iterates until the truth of an element is the given one.
func (th *Thread) until(v Value, truth bool) bool {
	if _, ok := v.o.(*Generator); ok {
		v = Obj(&iterator{next: v.o.(*Generator).Next})
	}
	found := false
	th.Each(v, func(x Value) bool {
		th.step()
		found = th.Truth(x) == truth
		return !found
	})
	return found
}

func builtinAll(th *Thread, args []Value, _ []Kw) Value {
	return Bool(!th.until(th.OnlyArg("all", args), false))
}

func builtinAny(th *Thread, args []Value, _ []Kw) Value {
	return Bool(th.until(th.OnlyArg("any", args), true))
}
