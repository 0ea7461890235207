package pyeval

// This file defines going through elements, and iterators.

import (
	"unicode/utf8"

	"edict/simulation/vector"
)

// Each calls yield for every element of an iterable until it returns false.
//
// A generator is run in place, its body calling yield: no coroutine is needed unless elements are
// taken one at a time. Every element counts as a step.
func (th *Thread) Each(v Value, yield func(Value) bool) {
	switch o := v.o.(type) {
	case nil:
		th.eachElement(v, yield)
	case *List:
		for i := 0; i < len(o.items); i++ { // the list may change meanwhile
			th.step()
			if !yield(o.items[i]) {
				return
			}
		}
	case *Tuple:
		for _, x := range o.items {
			th.step()
			if !yield(x) {
				return
			}
		}
	case Str:
		for _, r := range string(o) {
			th.step()
			if !yield(String(string(r))) {
				return
			}
		}
	case Bytes:
		for i := range len(o) {
			th.step()
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
	case *Generator:
		o.Each(th, yield) // its body counts
	case Iterable:
		o.Each(th, func(x Value) bool {
			th.step()
			return yield(x)
		})
	case Iterator:
		for {
			th.step()
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
	if !th.mapping {
		th.OfData("going through the rows one by one", v.c)
	}
	th.mapping = false
	for i := range v.c.Len() {
		th.step()
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
	if it, ok := th.Special(v, "__iter__"); ok {
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
		x, exc := th.attempt(func() Value { return th.InvokeKw(getitem, []Value{v, Int(i)}, nil) })
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
	out := th.roomFor(v)
	th.Each(v, func(x Value) bool {
		th.step()
		out = Grown(th, out, x)
		return true
	})
	return out
}

// roomFor is an empty slice with room for the elements of an iterable.
func (th *Thread) roomFor(v Value) []Value {
	n := th.roomOf(v)
	th.Alloc(ValueBytes * n)
	return make([]Value, 0, n)
}

// mostRoom bounds the room for elements that nobody has taken yet.
const mostRoom = 1 << 16

// roomOf is how many elements an iterable has, 0 if that is not known, or too many to make room for at once.
func (th *Thread) roomOf(v Value) int {
	n := 0
	switch o := v.o.(type) {
	case *List:
		n = len(o.items)
	case *Tuple:
		n = len(o.items)
	case *Dict:
		n = o.Len()
	case dictView:
		n = o.d.Len()
	case *Set:
		n = o.d.Len()
	case *rangeObject:
		n = o.Len(th)
	}
	if n > mostRoom {
		return 0
	}
	return n
}

// collected is Collect with a slice of its own.
func (th *Thread) collected(v Value) []Value {
	items := th.Collect(v)
	switch v.o.(type) {
	case *List, *Tuple:
		th.AllocMany(len(items), ValueBytes)
		return append(make([]Value, 0, len(items)), items...)
	}
	return items
}

// iterator is iter(): elements one at a time.
type iterator struct {
	next   func(th *Thread) (Value, bool)
	frozen bool
}

func (*iterator) Type() *Class { return iteratorType }

// Next implements [Iterator].
func (it *iterator) Next(th *Thread) (Value, bool) {
	th.mayChange(it.frozen, Obj(it))
	return it.next(th)
}

// Iter makes an iterator of an iterable.
func (th *Thread) Iter(v Value) Value {
	switch o := v.o.(type) {
	case Iterator:
		return v
	case *List:
		return Obj(sequenceIter(func() []Value { return o.items }))
	case *Tuple:
		return Obj(sequenceIter(func() []Value { return o.items }))
	case Str:
		s := string(o)
		return Obj(&iterator{next: func(*Thread) (Value, bool) {
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
	return &iterator{next: func(*Thread) (Value, bool) {
		all := items()
		if i >= len(all) {
			return Value{}, false
		}
		i++
		return all[i-1], true
	}}
}

func (th *Thread) iterInstance(v Value) Value {
	it, ok := th.Special(v, "__iter__")
	if !ok {
		items := th.collected(v)
		return Obj(sequenceIter(func() []Value { return items }))
	}
	if _, own := it.o.(*Instance); own {
		return it
	}
	return th.Iter(it)
}

// next takes the next element of an iterator.
func (th *Thread) next(it Value) (Value, bool) {
	if o, ok := it.o.(Iterator); ok {
		th.step()
		th.Nest(1)
		v, more := o.Next(th)
		th.Nest(-1)
		return v, more
	}
	i, ok := it.o.(*Instance)
	if !ok {
		th.Raise(TypeError, "'%s' object is not an iterator", TypeName(it))
	}
	f, ok := i.method("__next__")
	if !ok {
		th.Raise(TypeError, "'%s' object is not an iterator", TypeName(it))
	}
	v, exc := th.attempt(func() Value { return th.InvokeKw(f, []Value{it}, nil) })
	if exc != nil {
		if exc.class.IsSub(StopIteration) {
			return Value{}, false
		}
		panic(&raised{exc})
	}
	return v, true
}

// ColumnValues gives the elements of an array one by one.
func ColumnValues(th *Thread, c vector.Column) []Value {
	th.AllocMany(c.Len(), ValueBytes)
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

// OneByOne tells that a value has elements and no places: sets, views of dicts, generators, iterators, ranges.
func OneByOne(v Value) bool {
	switch v.o.(type) {
	case *Set, dictView, *Generator, *iterator, *rangeObject:
		return true
	}
	return false
}
