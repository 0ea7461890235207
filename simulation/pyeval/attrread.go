package pyeval

import "sync/atomic"

// attrRead reads one attribute and remembers where it found it in modules, frozen classes and those of Python's own.
type attrRead struct {
	name string
	memo atomic.Pointer[attrMemo]
}

type attrMemo struct {
	owner Object
	of    *Class // of whose values v is a method
	g     *global
	v     Value
}

func newAttrRead(name string) *attrRead { return &attrRead{name: name} }

func newAttrReads(names []string) []*attrRead {
	out := make([]*attrRead, len(names))
	for i, n := range names {
		out[i] = newAttrRead(n)
	}
	return out
}

func (r *attrRead) get(th *Thread, v Value) Value {
	x, ok := r.known(th, v)
	if !ok {
		x, ok = th.Attr(v, r.name)
	}
	if !ok {
		th.NoAttr(v, r.name)
	}
	return x
}

// known answers for modules and frozen classes from memory.
func (r *attrRead) known(th *Thread, v Value) (Value, bool) {
	switch o := v.o.(type) {
	case *Module:
		if m := r.memo.Load(); m != nil && m.owner == v.o {
			if x := m.g.load(th); !x.isUnbound() {
				return x, true
			}
		}
		if g, ok := o.globals[r.name]; ok && o.frozen {
			r.memo.Store(&attrMemo{owner: o, g: g})
		}
	case *Class:
		if m := r.memo.Load(); m != nil && m.owner == v.o {
			return m.v, true
		}
		if o.frozen {
			if x, ok := o.Attr(th, r.name); ok {
				r.memo.Store(&attrMemo{owner: o, v: x})
				return x, true
			}
		}
	}
	return Value{}, false
}

// builtin finds the method that a text, a list or a dict has: they have no attributes but those of their class, and nobody
// changes that.
func (r *attrRead) builtin(o Object) (fn Value, ok bool) {
	var class *Class
	switch o.(type) {
	case Str:
		class = StrType
	case *List:
		class = listType
	case *Dict:
		class = dictType
	default:
		return Value{}, false
	}
	if m := r.memo.Load(); m != nil && m.of == class {
		return m.v, true
	}
	f, ok := class.Lookup(r.name)
	if b, is := f.o.(*Builtin); !ok || !is || !b.method {
		return Value{}, false
	}
	r.memo.Store(&attrMemo{of: class, v: f})
	return f, true
}

// method finds what a call of the attribute calls.
func (r *attrRead) method(th *Thread, v Value) (fn Value, own bool) {
	if x, ok := r.known(th, v); ok {
		return x, false
	}
	return th.method(v, r.name)
}
