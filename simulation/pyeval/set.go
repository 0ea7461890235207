package pyeval

// Set is a Python set or frozenset. It iterates in insertion order.
type Set struct {
	d         *Dict
	immutable bool
}

func newSet(immutable bool) *Set { return &Set{NewDict(), immutable} }

// NewSet makes a set of values that are hashable.
func (th *Thread) NewSet(items []Value) *Set {
	s := newSet(false)
	for _, v := range items {
		s.add(th, v)
	}
	return s
}

// Type implements [Object].
func (s *Set) Type() *Class {
	if s.immutable {
		return frozensetType
	}
	return setType
}

func (s *Set) add(th *Thread, v Value) {
	th.mayChange(s.d.frozen, Obj(s))
	th.step()
	th.Alloc(entryBytes)
	k := th.keyIn(s.d, v)
	if _, ok := s.d.find(&k); !ok {
		s.d.put(k, v, None)
	}
}

// Len implements [Lener].
func (s *Set) Len(*Thread) int { return s.d.Len() }

// Items returns the elements in order.
func (s *Set) Items() []Value { return s.d.keys() }

// Contains implements [Container].
func (s *Set) Contains(th *Thread, v Value) bool {
	_, ok := s.d.get(th.keyIn(s.d, v))
	return ok
}

// Each implements [Iterable].
func (s *Set) Each(th *Thread, yield func(Value) bool) { dictView{s.d, 'k'}.Each(th, yield) }

func (s *Set) copy(immutable bool) *Set { return &Set{s.d.copy(), immutable} }

// toSet reads any iterable as a set; a set is not copied.
func (th *Thread) toSet(v Value) *Set {
	switch o := v.o.(type) {
	case *Set:
		return o
	case dictView:
		return o.set(th)
	}
	return th.NewSet(th.Collect(v))
}

func (s *Set) filter(th *Thread, keep func(Value) bool) *Set {
	out := newSet(s.immutable)
	s.d.each(func(k, _ Value) {
		if keep(k) {
			out.add(th, k)
		}
	})
	return out
}

func (s *Set) union(th *Thread, t *Set) *Set {
	out := s.copy(s.immutable)
	t.d.each(func(k, _ Value) { out.add(th, k) })
	return out
}

func (s *Set) intersection(th *Thread, t *Set) *Set {
	return s.filter(th, func(v Value) bool { return t.Contains(th, v) })
}

func (s *Set) difference(th *Thread, t *Set) *Set {
	return s.filter(th, func(v Value) bool { return !t.Contains(th, v) })
}

func (s *Set) symmetric(th *Thread, t *Set) *Set {
	return s.difference(th, t).union(th, t.difference(th, s))
}

func (s *Set) subset(th *Thread, t *Set) bool {
	if s.d.Len() > t.d.Len() {
		return false
	}
	all := true
	s.d.each(func(k, _ Value) { all = all && t.Contains(th, k) })
	return all
}

// replace gives s the elements of t, for methods that change in place.
func (s *Set) replace(th *Thread, t *Set) {
	th.mayChange(s.d.frozen, Obj(s))
	d := *t.d.copy()
	*s.d = d
}

// setMethods are the methods of set; frozenset has those that do not change it.
var setMethods = map[string]func(th *Thread, s *Set, args []Value) Value{
	"add": func(th *Thread, s *Set, args []Value) Value {
		s.add(th, th.OnlyArg("add", args))
		return None
	},
	"clear": func(th *Thread, s *Set, args []Value) Value {
		s.replace(th, newSet(false))
		return None
	},
	"copy":                func(_ *Thread, s *Set, _ []Value) Value { return Obj(s.copy(s.immutable)) },
	"difference":          setFold((*Set).difference),
	"difference_update":   setUpdate((*Set).difference),
	"discard":             func(th *Thread, s *Set, args []Value) Value { s.discard(th, th.OnlyArg("discard", args)); return None },
	"intersection":        setFold((*Set).intersection),
	"intersection_update": setUpdate((*Set).intersection),
	"isdisjoint": func(th *Thread, s *Set, args []Value) Value {
		return Bool(s.intersection(th, th.toSet(th.OnlyArg("isdisjoint", args))).d.Len() == 0)
	},
	"symmetric_difference_update": setUpdate((*Set).symmetric),
	"issubset": func(th *Thread, s *Set, args []Value) Value {
		return Bool(s.subset(th, th.toSet(th.OnlyArg("issubset", args))))
	},
	"issuperset": func(th *Thread, s *Set, args []Value) Value {
		return Bool(th.toSet(th.OnlyArg("issuperset", args)).subset(th, s))
	},
	"pop": func(th *Thread, s *Set, _ []Value) Value {
		for _, v := range s.Items() {
			s.discard(th, v)
			return v
		}
		panic(&raised{newException(KeyError, String("pop from an empty set"))})
	},
	"remove": func(th *Thread, s *Set, args []Value) Value {
		v := th.OnlyArg("remove", args)
		if !s.discard(th, v) {
			th.RaiseKey(v)
		}
		return None
	},
	"symmetric_difference": setFold((*Set).symmetric),
	"union":                setFold((*Set).union),
	"update":               setUpdate((*Set).union),
}

func (s *Set) discard(th *Thread, v Value) bool {
	th.mayChange(s.d.frozen, Obj(s))
	_, ok := s.d.remove(th.keyIn(s.d, v))
	return ok
}

func setFold(op func(*Set, *Thread, *Set) *Set) func(*Thread, *Set, []Value) Value {
	return func(th *Thread, s *Set, args []Value) Value {
		out := s.copy(s.immutable)
		for _, a := range args {
			out = op(out, th, th.toSet(a))
		}
		return Obj(out)
	}
}

func setUpdate(op func(*Set, *Thread, *Set) *Set) func(*Thread, *Set, []Value) Value {
	return func(th *Thread, s *Set, args []Value) Value {
		for _, a := range args {
			s.replace(th, op(s, th, th.toSet(a)))
		}
		return None
	}
}

var frozensetHides = map[string]bool{
	"add": true, "clear": true, "difference_update": true, "discard": true, "intersection_update": true,
	"pop": true, "remove": true, "symmetric_difference_update": true, "update": true,
}

func setTable(immutable bool) Table {
	t := Table{}
	for name, f := range setMethods {
		if immutable && frozensetHides[name] {
			continue
		}
		t[name] = Pure(name, func(th *Thread, args []Value, _ []Kw) Value {
			s, ok := Self[*Set](th, name, args)
			if !ok {
				return None
			}
			return f(th, s, args[1:])
		})
	}
	return t
}

// OnlyArg takes the only argument.
func (th *Thread) OnlyArg(fn string, args []Value) Value {
	if len(args) != 1 {
		th.Raise(TypeError, "%s() takes exactly one argument (%d given)", fn, len(args))
	}
	return args[0]
}

// Self takes the receiver of a built-in method.
func Self[T Object](th *Thread, fn string, args []Value) (T, bool) {
	var none T
	if len(args) == 0 {
		th.Raise(TypeError, "%s() needs an object to work on", fn)
		return none, false
	}
	o, ok := args[0].o.(T)
	if !ok {
		th.Raise(TypeError, "descriptor '%s' does not apply to a '%s' object", fn, TypeName(args[0]))
	}
	return o, ok
}
