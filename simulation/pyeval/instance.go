package pyeval

// This file defines instances of classes, and the descriptors that a class may hold.

import "fmt"

// Instance is an object of a class that was written in Python, of a host class, or an exception.
type Instance struct {
	class *Class
	attrs attrs
	Host  any // what Go code keeps in it
	exc   *excState

	frozen bool
}

// NewInstance makes an instance without calling __init__.
func NewInstance(class *Class) *Instance { return &Instance{class: class} }

// Type implements [Object].
func (i *Instance) Type() *Class { return i.class }

// Get returns an attribute of the instance itself.
func (i *Instance) Get(name string) (Value, bool) { return i.attrs.get(name) }

// Names returns the attributes of the instance itself, in the order they were made.
func (i *Instance) Names() []string { return i.attrs.list() }

// Set changes an attribute of the instance itself.
func (i *Instance) Set(name string, v Value) { i.attrs.set(name, v) }

// Attr implements [Attrer]: properties, then the instance, then the class, then __getattr__.
func (i *Instance) Attr(th *Thread, name string) (Value, bool) {
	inClass, found := i.class.Lookup(name)
	if p, ok := inClass.o.(*property); found && ok {
		return th.InvokeKw(p.get, []Value{Obj(i)}, nil), true
	}
	if v, ok := i.attrs.get(name); ok {
		return v, true
	}
	if found {
		return bind(inClass, Obj(i)), true
	}
	if v, ok := i.special(name); ok {
		return v, true
	}
	if f, ok := i.class.Lookup("__getattr__"); ok {
		return th.InvokeKw(f, []Value{Obj(i), String(name)}, nil), true
	}
	return Value{}, false
}

func (i *Instance) special(name string) (Value, bool) {
	switch name {
	case "__class__":
		return Obj(i.class), true
	case "__dict__":
		return Obj(i.attrs.dict()), true
	}
	if i.exc != nil {
		return i.exc.attr(name)
	}
	return Value{}, false
}

// SetAttr implements [AttrSetter].
func (i *Instance) SetAttr(th *Thread, name string, v *Value) {
	if p, ok := i.class.Lookup(name); ok {
		if p, ok := p.o.(*property); ok {
			p.store(th, Obj(i), name, v)
			return
		}
	}
	if v != nil {
		if f, ok := i.class.Lookup("__setattr__"); ok {
			if fn, ok := f.o.(*Function); ok {
				fn.Call(th, []Value{Obj(i), String(name), *v}, nil)
				return
			}
		}
	}
	i.store(th, name, v)
}

func (i *Instance) store(th *Thread, name string, v *Value) {
	th.mayChange(i.frozen, Obj(i))
	i.attrs.change(th, Obj(i), name, v)
}

// AttrNames implements [AttrLister].
func (i *Instance) AttrNames(th *Thread) []string {
	return append(i.attrs.list(), i.class.AttrNames(th)...)
}

// method finds a special method such as __len__ in the class.
func (i *Instance) method(name string) (Value, bool) { return i.class.Lookup(name) }

// Call implements [Callable].
func (i *Instance) Call(th *Thread, args []Value, kws []Kw) Value {
	f, ok := i.method("__call__")
	if !ok {
		th.Raise(TypeError, "'%s' object is not callable", i.class.Name)
	}
	return th.InvokeKw(f, append([]Value{Obj(i)}, args...), kws)
}

// Special calls a special method without arguments, if the class has it.
func (th *Thread) Special(v Value, name string) (Value, bool) {
	i, ok := v.o.(*Instance)
	if !ok {
		return Value{}, false
	}
	f, ok := i.method(name)
	if !ok {
		return Value{}, false
	}
	return th.InvokeKw(f, []Value{v}, nil), true
}

// special1 calls a special method with one argument, if the class has it and it does not decline.
func (th *Thread) special1(v Value, name string, arg Value) (Value, bool) {
	i, ok := v.o.(*Instance)
	if !ok {
		return Value{}, false
	}
	f, ok := i.method(name)
	if !ok {
		return Value{}, false
	}
	r := th.InvokeKw(f, []Value{v, arg}, nil)
	return r, r.o != NotImplemented.o
}

// Repr implements [Reprer].
func (i *Instance) Repr(th *Thread) string {
	if r, ok := th.Special(Obj(i), "__repr__"); ok {
		return th.MustString(r, "__repr__")
	}
	if i.exc != nil {
		return th.reprItems(i.class.Name+"(", i.exc.args, ")")
	}
	return fmt.Sprintf("<%s.%s object>", i.class.Module, i.class.Name)
}

// Str implements [Strer].
func (i *Instance) Str(th *Thread) string {
	if r, ok := th.Special(Obj(i), "__str__"); ok {
		return th.MustString(r, "__str__")
	}
	if i.exc != nil {
		return i.exc.text(th, i.class)
	}
	return i.Repr(th)
}

// MustString reads a str; of anything else method is told to have returned it.
func (th *Thread) MustString(v Value, method string) string {
	s, ok := v.AsString()
	if !ok {
		th.Raise(TypeError, "%s returned non-string (type %s)", method, TypeName(v))
	}
	return s
}

// property is a property object: a value computed by a method.
type property struct{ get, set, del Value }

func (*property) Type() *Class { return propertyType }

// Attr gives the decorators that complete a property.
func (p *property) Attr(_ *Thread, name string) (Value, bool) {
	with := func(change func(*property, Value)) Value {
		return Pure(name, func(th *Thread, args []Value, kws []Kw) Value {
			var f Value
			th.Unpack(name, args, kws, "f", &f)
			q := *p
			change(&q, f)
			return Obj(&q)
		})
	}
	switch name {
	case "getter":
		return with(func(q *property, f Value) { q.get = f }), true
	case "setter":
		return with(func(q *property, f Value) { q.set = f }), true
	case "deleter":
		return with(func(q *property, f Value) { q.del = f }), true
	case "fget":
		return p.get, true
	}
	return Value{}, false
}

func (p *property) store(th *Thread, self Value, name string, v *Value) {
	switch {
	case v != nil && !p.set.IsNone():
		th.InvokeKw(p.set, []Value{self, *v}, nil)
	case v == nil && !p.del.IsNone():
		th.InvokeKw(p.del, []Value{self}, nil)
	default:
		th.Raise(AttributeError, "property '%s' of '%s' object has no setter", name, TypeName(self))
	}
}

// StoreProperty sets, or with nil deletes, an attribute that the class of v has a property for; false if it has none.
func (th *Thread) StoreProperty(v Value, name string, x *Value) bool {
	f, _ := typeOf(v).Lookup(name)
	p, ok := f.o.(*property)
	if ok {
		p.store(th, v, name, x)
	}
	return ok
}

type staticMethod struct{ fn Value }

func (*staticMethod) Type() *Class { return staticMethodType }

// Call lets a static method be called inside its own class body.
func (m *staticMethod) Call(th *Thread, args []Value, kws []Kw) Value {
	return th.InvokeKw(m.fn, args, kws)
}

type classMethod struct{ fn Value }

func (*classMethod) Type() *Class { return classMethodType }

// superObject is super(): attributes of the classes behind one.
type superObject struct {
	after *Class
	class *Class // whose order is followed
	self  Value
}

func (*superObject) Type() *Class { return superType }

// Attr implements [Attrer].
func (s *superObject) Attr(th *Thread, name string) (Value, bool) {
	v, ok := lookupAfter(s.class, s.after, name)
	if !ok {
		switch self := s.self.o.(type) {
		case *Instance:
			if self.exc != nil {
				return self.exc.attr(name)
			}
		case BaseAttrer:
			return self.BaseAttr(th, name)
		}
		return Value{}, false
	}
	if p, isProp := v.o.(*property); isProp {
		return th.InvokeKw(p.get, []Value{s.self}, nil), true
	}
	if c, isClass := s.self.o.(*Class); isClass {
		return th.bindToClass(v, c), true
	}
	return bind(v, s.self), true
}
