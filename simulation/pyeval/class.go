package pyeval

import (
	"slices"
	"strings"
)

// Class is a Python class: built in, written in Go by a host, or made by a class statement.
type Class struct {
	Name   string
	Module string
	Bases  []*Class
	Meta   *Metaclass // of the class or the nearest base that has one
	Host   any        // whatever the maker of the class wants to find back

	// New makes an instance of a built-in type; subclasses inherit it. nil means an [Instance].
	New  func(th *Thread, class *Class, args []Value, kws []Kw) Value
	Pure bool // New declares itself pure, as a function does that is made with [Pure]

	mro       []*Class
	attrs     attrs
	standsFor *Class // the built-in class that derived ones mean by it
	fixed     bool   // it is Python's own and the same for all programs: no code can change it
	frozen    bool
	changed   bool // code gave it attributes, or took some, after it was made
}

// Metaclass changes how a host class and its subclasses behave as objects themselves. Any field may be nil.
type Metaclass struct {
	// Created sees a new subclass made by a class statement or type(), and returns what stands for it.
	Created func(th *Thread, class *Class, names *Dict) Value
	// Attr looks an attribute of the class up before the ordinary way; th is nil where no program runs.
	Attr func(th *Thread, class *Class, name string) (Value, bool)
	// SetAttr is class.name = v, or del class.name with nil; true means that it is done.
	SetAttr func(th *Thread, class *Class, name string, v *Value) bool
	// Call is class(...), instead of making an instance.
	Call func(th *Thread, class *Class, args []Value, kws []Kw) Value
	// Item is class[key], Each iteration over the class (th as for Attr), Len its length, Contains `in`.
	Item     func(th *Thread, class *Class, key Value) Value
	Each     func(th *Thread, class *Class, yield func(Value) bool)
	Len      func(th *Thread, class *Class) int
	Contains func(th *Thread, class *Class, v Value) bool
}

// NewClass makes a class from a table of attributes; methods take self first.
func NewClass(name string, table Table, bases ...*Class) *Class {
	if len(bases) == 0 {
		bases = []*Class{objectType}
	}
	c := &Class{Name: name, Bases: bases}
	c.attrs.addTable(c, table)
	mro, ok := linearize(c)
	if !ok {
		mro = []*Class{c, objectType}
	}
	c.inherit(mro)
	return c
}

func (c *Class) inherit(mro []*Class) {
	c.mro = mro
	for _, base := range mro[1:] {
		if c.New == nil && base.New != nil {
			c.New, c.Pure = base.New, base.Pure
		}
		if c.Meta == nil {
			c.Meta = base.Meta
		}
	}
}

// linearize gives the method resolution order by C3.
func linearize(c *Class) ([]*Class, bool) {
	var lists [][]*Class
	for _, b := range c.Bases {
		lists = append(lists, slices.Clone(b.order()))
	}
	lists = append(lists, slices.Clone(c.Bases))
	out := []*Class{c}
	for {
		lists = slices.DeleteFunc(lists, func(l []*Class) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out, true
		}
		next := candidate(lists)
		if next == nil {
			return nil, false
		}
		out = append(out, next)
		for i, l := range lists {
			if l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}

func candidate(lists [][]*Class) *Class {
	for _, l := range lists {
		blocked := slices.ContainsFunc(lists, func(m []*Class) bool { return slices.Contains(m[1:], l[0]) })
		if !blocked {
			return l[0]
		}
	}
	return nil
}

// order is the method resolution order; built-in types without one have object behind them.
func (c *Class) order() []*Class {
	if c.mro != nil {
		return c.mro
	}
	out := []*Class{c}
	for _, b := range c.Bases {
		for _, k := range b.order() {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	if c != objectType && !slices.Contains(out, objectType) {
		out = append(out, objectType)
	}
	return out
}

// Type implements [Object].
func (*Class) Type() *Class { return typeType }

// Lookup finds an attribute in the class and its bases, without binding it.
func (c *Class) Lookup(name string) (Value, bool) {
	for _, k := range c.mro {
		if v, ok := k.attrs.get(name); ok {
			return v, true
		}
	}
	return Value{}, false
}

// Member is what reading an attribute of the class gives, without a thread: a member of an enumeration, of a static method the
// function.
func (c *Class) Member(name string) (Value, bool) {
	if c.Meta != nil && c.Meta.Attr != nil {
		if v, ok := c.Meta.Attr(nil, c, name); ok {
			return v, true
		}
	}
	v, ok := c.Lookup(name)
	if static, is := v.o.(*staticMethod); is {
		return static.fn, true
	}
	return v, ok
}

// Members are the elements of an enumeration, nil for any other class.
func (c *Class) Members() []Value {
	if c.Meta == nil || c.Meta.Each == nil {
		return nil
	}
	var out []Value
	c.Meta.Each(nil, c, func(v Value) bool { out = append(out, v); return true })
	return out
}

// MRO is the class and those that it derives from, in the order in which attributes are looked up.
func (c *Class) MRO() []*Class { return c.mro }

// Own returns an attribute of the class itself.
func (c *Class) Own(name string) (Value, bool) { return c.attrs.get(name) }

// Names returns the attributes of the class itself, in the order they were made.
func (c *Class) Names() []string { return c.attrs.list() }

// Set changes an attribute of the class, for hosts.
func (c *Class) Set(name string, v Value) { c.attrs.set(name, v) }

// IsSub reports whether c is base or derives from it.
func (c *Class) IsSub(base *Class) bool {
	if c == base {
		return true
	}
	return slices.ContainsFunc(c.mro, func(k *Class) bool { return k == base || k.standsFor == base })
}

// Attr gives an attribute of the class as seen on the class.
func (c *Class) Attr(th *Thread, name string) (Value, bool) {
	if c.Meta != nil && c.Meta.Attr != nil {
		if v, ok := c.Meta.Attr(th, c, name); ok {
			return v, true
		}
	}
	if v, ok := c.Lookup(name); ok {
		return th.bindToClass(v, c), true
	}
	switch name {
	case "__name__", "__qualname__":
		return String(c.Name), true
	case "__module__":
		return String(c.Module), true
	case "__class__":
		return Obj(typeType), true
	case "__doc__":
		return None, true
	case "__bases__":
		return classTuple(c.Bases), true
	case "__mro__":
		return classTuple(c.mro), true
	case "__dict__":
		return Obj(c.attrs.dict()), true
	}
	if v, ok := typeType.Lookup(name); ok {
		return bind(v, Obj(c)), true
	}
	return Value{}, false
}

func classTuple(cs []*Class) Value {
	out := make([]Value, len(cs))
	for i, c := range cs {
		out[i] = Obj(c)
	}
	return NewTuple(out)
}

// bindToClass is what reading an attribute through its class gives.
func (th *Thread) bindToClass(v Value, c *Class) Value {
	switch m := v.o.(type) {
	case *staticMethod:
		return m.fn
	case *classMethod:
		return Obj(&Method{Self: Obj(c), Func: m.fn})
	}
	return v
}

// SetAttr implements [AttrSetter].
func (c *Class) SetAttr(th *Thread, name string, v *Value) {
	if c.Meta != nil && c.Meta.SetAttr != nil && c.Meta.SetAttr(th, c, name, v) {
		return
	}
	if c.fixed {
		th.Raise(TypeError, "cannot set '%s' attribute of immutable type '%s'", name, c.Name)
	}
	th.mayChange(c.frozen || c.mro == nil, Obj(c))
	if name == "__name__" && v != nil {
		c.Name = th.MustString(*v, "the name of a class")
		return
	}
	c.attrs.change(th, Obj(c), name, v)
	c.changed = true
}

// AttrNames implements [AttrLister].
func (c *Class) AttrNames(*Thread) []string {
	var out []string
	for _, k := range c.mro {
		out = append(out, k.attrs.list()...)
	}
	return out
}

// Repr implements [Reprer].
func (c *Class) Repr(*Thread) string {
	if c.Module == "" || c.Module == "builtins" {
		return "<class '" + c.Name + "'>"
	}
	return "<class '" + c.Module + "." + c.Name + "'>"
}

// AddTable gives the class the attributes of a table; methods take self first.
func (c *Class) AddTable(table Table) { c.attrs.addTable(c, table) }

// instance calls New.
func (c *Class) instance(th *Thread, args []Value, kws []Kw) Value {
	if !c.Pure {
		th.effects++
	}
	return c.New(th, c, args, kws)
}

// Call makes an instance.
func (c *Class) Call(th *Thread, args []Value, kws []Kw) Value {
	if c.Meta != nil && c.Meta.Call != nil {
		return c.Meta.Call(th, c, args, kws)
	}
	if v, ok := th.newByPython(c, args, kws); ok {
		return v
	}
	if c.New != nil {
		v := c.instance(th, args, kws)
		th.made(&v)
		inst, ok := v.o.(*Instance)
		if !ok || inst.class != c {
			return v
		}
		if init, _ := c.Lookup("__init__"); inst.exc != nil && isExceptionInit(init) {
			return v // New has done all that it would do
		}
		th.initialise(v, c, args, kws)
		return v
	}
	inst := Obj(&Instance{class: c})
	if !th.initialise(inst, c, args, kws) && len(args)+len(kws) > 0 {
		th.Raise(TypeError, "%s() takes no arguments", c.Name)
	}
	return inst
}

// newByPython makes an instance by a __new__ written in Python, if the class has one.
func (th *Thread) newByPython(c *Class, args []Value, kws []Kw) (Value, bool) {
	f, ok := c.Lookup("__new__")
	if s, static := f.o.(*staticMethod); static {
		f = s.fn
	}
	if _, isPython := f.o.(*Function); !ok || !isPython {
		return Value{}, false
	}
	v := th.InvokeKw(f, append([]Value{Obj(c)}, args...), kws)
	if typeOf(v).IsSub(c) {
		th.initialise(v, c, args, kws)
	}
	return v, true
}

// initialise calls __init__, if the class has one of its own.
func (th *Thread) initialise(v Value, c *Class, args []Value, kws []Kw) bool {
	init, ok := c.Lookup("__init__")
	if b, isGo := init.o.(*Builtin); !ok || isGo && b.name == objectInit {
		return false
	}
	all := append([]Value{v}, args...)
	if r := th.InvokeKw(init, all, kws); !r.IsNone() {
		th.Raise(TypeError, "__init__() should return None, not '%s'", TypeName(r))
	}
	return true
}

// Item implements class[key]: what a metaclass says, or the class itself for generics such as list[int].
func (c *Class) Item(th *Thread, key Value) Value {
	if c.Meta != nil && c.Meta.Item != nil {
		return c.Meta.Item(th, c, key)
	}
	if f, ok := c.Lookup("__class_getitem__"); ok {
		if _, plain := f.o.(*Function); plain { // it is a class method without being declared as one
			return th.InvokeKw(f, []Value{Obj(c), key}, nil)
		}
		return th.InvokeKw(th.bindToClass(f, c), []Value{key}, nil)
	}
	if c.Module == "builtins" || c.Module == "" {
		return Obj(c)
	}
	th.Raise(TypeError, "type '%s' is not subscriptable", c.Name)
	return Value{}
}

// newClass is the class statement and type(name, bases, names); body is what super() in its methods asks.
func (th *Thread) newClass(name string, bases []Value, names *Dict, module string, body *classCell) Value {
	c := &Class{Name: name, Module: module, standsFor: standIns[module+"."+name]}
	body.class = c
	for _, b := range bases {
		if _, ok := b.o.(absent); ok {
			continue // whatever of it is used says that it is not there
		}
		base, ok := b.o.(*Class)
		if !ok {
			th.Raise(TypeError, "class %s: a base must be a class, not '%s'", name, TypeName(b))
		}
		if stand := th.standIn(base); stand != nil {
			base = stand
		}
		if base.Module == "builtins" && base.New != nil && !base.IsSub(BaseException) {
			th.Raise(TypeError, "class %s: a subclass of the built-in %s is not supported", name, base.Name)
		}
		c.Bases = append(c.Bases, base)
	}
	if len(c.Bases) == 0 {
		c.Bases = []*Class{objectType}
	}
	th.checkBases(c)
	mro, ok := linearize(c)
	if !ok {
		th.Raise(TypeError, "Cannot create a consistent method resolution order (MRO) for bases of class %s", name)
	}
	c.inherit(mro)
	names.each(func(k, v Value) {
		key, _ := k.AsString()
		c.attrs.set(key, v)
	})
	if c.Meta != nil && c.Meta.Created != nil {
		return c.Meta.Created(th, c, names)
	}
	if hook, ok := lookupAfter(c, c, "__init_subclass__"); ok {
		if _, plain := hook.o.(*Function); plain { // it is a class method without saying so
			hook = Obj(&classMethod{hook})
		}
		th.InvokeKw(th.bindToClass(hook, c), nil, nil)
	}
	return Obj(c)
}

// standIns are the classes, written in Python, that stand for built-in ones where a class derives from those.
var standIns = map[string]*Class{"collections._Mapping": dictType, "collections._Set": setType, "collections._Tuple": tupleType}

// standIn is the class that a class derives from which says that it derives from dict, set or tuple; nil for others.
func (th *Thread) standIn(base *Class) *Class {
	for full, of := range standIns {
		if of != base {
			continue
		}
		module, name, _ := strings.Cut(full, ".")
		m, err := th.Import(module)
		if err != nil {
			th.Throw(err)
		}
		v, _ := m.Get(name)
		return v.o.(*Class)
	}
	return nil
}

// maxBases and maxAncestors bound the classes that one derives from: all of them are compared with each other.
const (
	maxBases     = 100
	maxAncestors = 1000
)

// checkBases refuses a class with too many classes above it.
func (th *Thread) checkBases(c *Class) {
	all := 0
	for _, b := range c.Bases {
		all += len(b.mro)
	}
	if len(c.Bases) > maxBases || all > maxAncestors {
		th.Raise(TypeError, "class %s: it may have %d bases and %d classes above it at most", c.Name, maxBases, maxAncestors)
	}
	th.Tick(all * len(c.Bases))
	th.Alloc(8 * all)
}

// lookupAfter finds an attribute in the classes behind the given one, as super() does.
func lookupAfter(c, after *Class, name string) (Value, bool) {
	i := slices.Index(c.mro, after)
	for _, k := range c.mro[i+1:] {
		if v, ok := k.attrs.get(name); ok {
			return v, true
		}
	}
	return Value{}, false
}

// mangle gives the name of a private attribute inside a class: __x in class A is _A__x.
func mangle(class, name string) string {
	if class == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") {
		return name
	}
	return "_" + strings.TrimLeft(class, "_") + name
}

// IsMethod tells functions, properties and classes from other attributes of a class.
func IsMethod(v Value) bool {
	switch v.o.(type) {
	case *Function, *Builtin, *property, *Property, *staticMethod, *classMethod, *Class:
		return true
	}
	return false
}

// StaticMethod is a function that stands in a class and takes no self.
func StaticMethod(fn Value) Value { return Obj(&staticMethod{fn}) }
