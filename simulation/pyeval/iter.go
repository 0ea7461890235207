package pyeval

import (
	"iter"
	"unicode/utf8"

	"edict/simulation/vector"
)

// Each calls yield for every element of an iterable until it returns false.
//
// A generator is run in place, its body calling yield: no coroutine is needed unless elements are
// taken one at a time.
func (th *Thread) Each(v Value, yield func(Value) bool) {
	switch o := v.o.(type) {
	case nil:
		th.eachElement(v, yield)
	case *List:
		for i := 0; i < len(o.items); i++ { // the list may change meanwhile
			if !yield(o.items[i]) {
				return
			}
		}
	case *Tuple:
		for _, x := range o.items {
			if !yield(x) {
				return
			}
		}
	case Str:
		for _, r := range string(o) {
			if !yield(String(string(r))) {
				return
			}
		}
	case Bytes:
		for i := range len(o) {
			if !yield(Int(int64(o[i]))) {
				return
			}
		}
	case *Dict:
		dictView{o, 'k'}.Each(th, yield)
	case *Class:
		if o.Meta == nil || o.Meta.Each == nil {
			th.notIterable(v)
		}
		o.Meta.Each(th, o, yield)
	case Iterable:
		o.Each(th, yield)
	case Iterator:
		for {
			x, ok := o.Next(th)
			if !ok || !yield(x) {
				return
			}
		}
	default:
		th.eachSpecial(v, yield)
	}
}

func (th *Thread) eachElement(v Value, yield func(Value) bool) {
	if !v.c.IsArray() {
		th.notIterable(v)
	}
	for i := range v.c.Len() {
		x, err := v.c.At(i)
		if err != nil {
			th.Throw(err)
		}
		if !yield(Col(x)) {
			return
		}
	}
}

// eachSpecial follows __iter__ and __getitem__ of a Python class.
func (th *Thread) eachSpecial(v Value, yield func(Value) bool) {
	if it, ok := th.special0(v, "__iter__"); ok {
		if _, hasNext := it.o.(*Instance); hasNext {
			th.eachNext(it, yield)
			return
		}
		th.Each(it, yield)
		return
	}
	if i, ok := v.o.(*Instance); ok {
		if f, ok := i.method("__getitem__"); ok {
			th.eachItem(v, f, yield)
			return
		}
	}
	th.notIterable(v)
}

func (th *Thread) eachNext(it Value, yield func(Value) bool) {
	for {
		x, ok := th.next(it)
		if !ok || !yield(x) {
			return
		}
	}
}

func (th *Thread) eachItem(v, getitem Value, yield func(Value) bool) {
	for i := int64(0); ; i++ {
		x, exc := th.attempt(func() Value { return th.call(getitem, []Value{v, Int(i)}, nil) })
		if exc != nil {
			if exc.class.IsSub(IndexError) {
				return
			}
			panic(&raised{exc})
		}
		if !yield(x) {
			return
		}
	}
}

// attempt runs f and returns the exception it raised, for Go code that handles one itself.
func (th *Thread) attempt(f func() Value) (v Value, exc *Instance) {
	m := th.mark()
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*raised)
			if !ok {
				panic(r)
			}
			th.recovered(e.exc, m)
			exc = e.exc
		}
	}()
	return f(), nil
}

func (th *Thread) notIterable(v Value) {
	th.Raise(TypeError, "'%s' object is not iterable", TypeName(v))
}

// Collect returns the elements of an iterable. The slice may be the list's own: read it, do not keep it.
func (th *Thread) Collect(v Value) []Value {
	switch o := v.o.(type) {
	case *List:
		return o.items
	case *Tuple:
		return o.items
	}
	var out []Value
	th.Each(v, func(x Value) bool {
		th.step()
		th.Alloc(40)
		out = append(out, x)
		return true
	})
	return out
}

// collected is Collect with a slice of its own.
func (th *Thread) collected(v Value) []Value {
	items := th.Collect(v)
	th.Alloc(40 * len(items))
	return append(make([]Value, 0, len(items)), items...)
}

// iterator is iter(): elements one at a time.
type iterator struct {
	next func(th *Thread) (Value, bool)
}

func (*iterator) Type() *Class { return iteratorType }

// Next implements [Iterator].
func (it *iterator) Next(th *Thread) (Value, bool) { return it.next(th) }

// iter makes an iterator of an iterable.
func (th *Thread) iter(v Value) Value {
	switch o := v.o.(type) {
	case Iterator:
		return v
	case *List:
		return Obj(sequenceIter(func() []Value { return o.items }))
	case *Tuple:
		return Obj(sequenceIter(func() []Value { return o.items }))
	case Str:
		s := string(o)
		return Obj(&iterator{func(*Thread) (Value, bool) {
			if s == "" {
				return Value{}, false
			}
			r, n := utf8.DecodeRuneInString(s)
			s = s[n:]
			return String(string(r)), true
		}})
	case *rangeObject:
		return Obj(o.iter())
	case *Instance:
		return th.iterInstance(v)
	}
	items := th.collected(v)
	return Obj(sequenceIter(func() []Value { return items }))
}

func sequenceIter(items func() []Value) *iterator {
	i := 0
	return &iterator{func(*Thread) (Value, bool) {
		all := items()
		if i >= len(all) {
			return Value{}, false
		}
		i++
		return all[i-1], true
	}}
}

func (th *Thread) iterInstance(v Value) Value {
	it, ok := th.special0(v, "__iter__")
	if !ok {
		items := th.collected(v)
		return Obj(sequenceIter(func() []Value { return items }))
	}
	if _, own := it.o.(*Instance); own {
		return it
	}
	return th.iter(it)
}

// next takes the next element of an iterator.
func (th *Thread) next(it Value) (Value, bool) {
	if o, ok := it.o.(Iterator); ok {
		th.step()
		return o.Next(th)
	}
	i, ok := it.o.(*Instance)
	if !ok {
		th.Raise(TypeError, "'%s' object is not an iterator", TypeName(it))
	}
	f, ok := i.method("__next__")
	if !ok {
		th.Raise(TypeError, "'%s' object is not an iterator", TypeName(it))
	}
	v, exc := th.attempt(func() Value { return th.call(f, []Value{it}, nil) })
	if exc != nil {
		if exc.class.IsSub(StopIteration) {
			return Value{}, false
		}
		panic(&raised{exc})
	}
	return v, true
}

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
	return &iterator{func(*Thread) (Value, bool) {
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
	return r.at(th.position(th.indexOf(k, "range"), r.count(), "range object"))
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

// HashKey makes equal ranges equal keys.
func (r *rangeObject) HashKey() any { return *r }

// Compare implements [Comparer].
func (r *rangeObject) Compare(_ *Thread, op compareOp, other Value) (Value, bool) {
	s, ok := other.o.(*rangeObject)
	if !ok || op != opEq && op != opNotEq {
		return Value{}, false
	}
	eq := r.count() == s.count() && (r.count() == 0 || r.start == s.start && (r.count() == 1 || r.step == s.step))
	return Bool(eq == (op == opEq)), true
}

// Generator is what calling a function with yield gives.
//
// Consumers that take all elements run the body in place with [Thread.Each]; next() and the like start a
// coroutine. Either way the body runs on a value stack of its own while it is suspended.
type Generator struct {
	fn    *Function
	fr    *Frame
	state generatorState
	stack valueStack
	next  func() (Value, bool)
	stop  func()
	sent  Value
	exc   *Instance // thrown into it
	ret   Value
	place int // among the thread's coroutines
}

type generatorState uint8

const (
	fresh generatorState = iota
	suspended
	running
	finished
)

func newGenerator(th *Thread, f *Function, slots []Value) Value {
	fr := &Frame{th: th, code: f.code, slots: slots, frees: f.frees, class: f.class, pos: f.code.at}
	return Obj(&Generator{fn: f, fr: fr, ret: None})
}

// Type implements [Object].
func (*Generator) Type() *Class { return generatorType }

// enter makes the generator's frame the active one.
func (g *Generator) enter(th *Thread) (leave func()) {
	if g.state == running {
		th.Raise(ValueError, "generator already executing")
	}
	if th.depth >= th.limits.Depth {
		th.tooDeep()
	}
	caller := th.top
	depth := th.depth
	g.state = running
	g.fr.th, g.fr.parent = th, caller
	th.top = g.fr
	th.depth++
	return func() { th.top, th.depth = caller, depth }
}

// Each implements [Iterable]: a fresh generator runs in place.
func (g *Generator) Each(th *Thread, yield func(Value) bool) {
	if g.state != fresh {
		for {
			v, ok := g.Next(th)
			if !ok || !yield(v) {
				return
			}
		}
	}
	m := th.mark()
	leave := g.enter(th)
	caller := g.fr.parent
	g.fr.yield = func(v Value) Value {
		th.top = caller
		more := yield(v)
		th.top = g.fr
		if !more {
			panic(&generatorEnd{g})
		}
		return None
	}
	g.runBody()
	leave()
	th.stack.back(m.floor)
	th.handling = m.handling
}

// generatorEnd unwinds a generator whose consumer wants no more.
type generatorEnd struct{ g *Generator }

func (g *Generator) runBody() {
	defer func() {
		g.state = finished
		if r := recover(); r != nil {
			if end, ok := r.(*generatorEnd); ok && end.g == g {
				return
			}
			panic(r)
		}
	}()
	if g.fn.code.body(g.fr) == ctlReturn {
		g.ret = g.fr.ret
	}
}

// Next implements [Iterator].
func (g *Generator) Next(th *Thread) (v Value, more bool) {
	if g.state == finished {
		return Value{}, false
	}
	if g.state == fresh {
		g.start(th)
	}
	g.switchTo(th, func() bool {
		v, more = g.next()
		return more
	})
	return v, more
}

// switchTo runs the coroutine, by f, on the generator's own stack. An exception passes through with the
// frames as they were, for the traceback.
func (g *Generator) switchTo(th *Thread, f func() (more bool)) {
	leave := g.enter(th)
	caller := th.stack
	th.stack = g.stack
	more := false
	defer func() {
		g.stack, th.stack = th.stack, caller
		g.state = suspended
		if !more {
			g.state = finished
			th.forgetCoroutine(g)
		}
	}()
	more = f()
	leave()
}

// start makes the coroutine. The thread closes it when its outermost call returns, if nobody did.
func (g *Generator) start(th *Thread) {
	g.sent = None
	g.next, g.stop = iter.Pull(iter.Seq[Value](g.coroutine))
	g.state = suspended
	g.place = len(th.coroutines)
	th.coroutines = append(th.coroutines, g)
}

func (g *Generator) coroutine(yield func(Value) bool) {
	g.fr.yield = func(v Value) Value {
		if !yield(v) {
			panic(&generatorEnd{g})
		}
		g.throwPending()
		sent := g.sent
		g.sent = None
		return sent
	}
	g.throwPending()
	g.runBody()
}

// throwPending raises what throw() left.
func (g *Generator) throwPending() {
	if exc := g.exc; exc != nil {
		g.exc = nil
		panic(&raised{exc})
	}
}

func (th *Thread) forgetCoroutine(g *Generator) {
	last := len(th.coroutines) - 1
	if g.place <= last && th.coroutines[g.place] == g {
		th.coroutines[g.place] = th.coroutines[last]
		th.coroutines[g.place].place = g.place
		th.coroutines = th.coroutines[:last]
	}
}

// closeCoroutines ends the generators that were left suspended.
func (th *Thread) closeCoroutines() {
	for len(th.coroutines) > 0 {
		th.coroutines[len(th.coroutines)-1].close(th)
	}
}

// close ends a generator that is suspended.
func (g *Generator) close(th *Thread) {
	if g.state == suspended {
		g.switchTo(th, func() bool {
			g.stop()
			return false
		})
	}
	g.state = finished
}

// generatorTable are the methods of generators.
func generatorTable() Table {
	return Table{
		"close": Func("close", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := self[*Generator](th, "close", args)
			g.close(th)
			return None
		}),
		"send": Func("send", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := self[*Generator](th, "send", args)
			v := th.one("send", args[1:])
			if g.state == fresh && !v.IsNone() {
				th.Raise(TypeError, "can't send non-None value to a just-started generator")
			}
			g.sent = v
			if g.state == fresh {
				g.start(th)
			}
			return th.nextOrStop(g)
		}),
		"throw": Func("throw", func(th *Thread, args []Value, _ []Kw) Value {
			g, _ := self[*Generator](th, "throw", args)
			exc := th.exceptionFrom(th.one("throw", args[1:]))
			if g.state == finished {
				panic(&raised{exc})
			}
			g.exc = exc
			return th.nextOrStop(g)
		}),
	}
}

func (th *Thread) nextOrStop(g *Generator) Value {
	v, ok := g.Next(th)
	if !ok {
		exc := newException(StopIteration)
		if !g.ret.IsNone() {
			exc.exc.args = []Value{g.ret}
		}
		exc.attrs.set("value", g.ret)
		panic(&raised{exc})
	}
	return v
}

// elements of an array as a list, for code that needs them boxed.
func columnValues(th *Thread, c vector.Column) []Value {
	out := make([]Value, c.Len())
	for i := range out {
		x, err := c.At(i)
		if err != nil {
			th.Throw(err)
		}
		out[i] = Col(x)
	}
	return out
}
